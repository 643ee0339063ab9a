//! Wires one session: mind, hands and server, ready for a face.

use crate::args::Which;
use crate::config::policy::{self, Rules};
use crate::config::{Config, Faulty, NOTHING_STARTED};
use crate::editor::Editor;
use crate::{agents, disposable, guard, hooks, keeping, memory, servers, skills, words};
use agent_backend::{Chat, Host, Way, connect};
use agent_loop::{Parts, StartServer, drive};
use agent_policy::{GuardedFile, Policy, Setup};
use agent_protocol::{Event, Finding, Hook, HostPattern, Levers, MemoryCard, Op, SandboxSupport, SkillCard};
use agent_session::context::{ProjectWords, system_prompt};
use agent_session::{Begin, Keep, Machine, OfferedGroup, Settings};
use agent_store::{Contents, Folder, History, Permissions, Place, Profiles, Remembered, Trust};
use agent_tools::{AT_ONCE, Ground, Offer, Outside, Rules as Reaching, Toolbox, Upstream, Web};
use anyhow::{Context, Result, anyhow, bail};
use std::path::PathBuf;
use std::sync::Arc;
use tokio::runtime::Handle;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

/// The server's log is begun anew when it is longer than this.
const LONGEST_LOG: u64 = 64 << 20;

/// What a session is made from.
#[derive(Clone)]
pub(crate) struct Plan {
    /// Links resolved.
    pub(crate) project: PathBuf,
    pub(crate) user_folder: PathBuf,
    pub(crate) place: Place,
    /// Where the caches of commands are, one for each project.
    pub(crate) caches: PathBuf,
    pub(crate) config: Config,
    pub(crate) allow_write: bool,
    pub(crate) allow_run: bool,
    pub(crate) allow_commit: bool,
    pub(crate) allow_call: bool,
    pub(crate) allow_net: bool,
    /// What else the flags of this start let happen.
    pub(crate) leave: Leave,
    pub(crate) speaker: Speaker,
    pub(crate) purpose: Purpose,
    /// The folder is trusted, whatever is known of it.
    pub(crate) trusted: bool,
    /// The session it goes on with; `None`: a new one.
    pub(crate) earlier: Option<Which>,
    /// It goes on in a copy of that.
    pub(crate) copy: bool,
    /// The model was named for this start.
    pub(crate) model_named: bool,
    /// So were the groups of tools.
    pub(crate) groups_named: bool,
    /// The editor that it is used in.
    pub(crate) editor: Option<Editor>,
}

impl Plan {
    /// Where neither settings nor flags name a server, it is the one that was chosen last.
    pub(crate) fn go_to_remembered_server(&mut self) {
        if self.config.host.is_none()
            && let Some(host) = Remembered::load(&self.place).host
        {
            self.config.talk_to(host);
        }
    }
}

/// What flags with a value, or for whole machines, let happen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Leave {
    /// Hosts that commands may reach.
    pub(crate) hosts: Vec<HostPattern>,
    pub(crate) any_host: bool,
    /// Folders in which things may be written: there, links resolved.
    pub(crate) folders: Vec<PathBuf>,
    /// This machine may be thrown away.
    pub(crate) disposable: bool,
}

/// Who speaks to the model. A person is asked whether a home folder is meant, and finds again what they said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Speaker {
    Person,
    Script,
}

/// What a session is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    Work,
    /// The model is examined: it is told nothing of the project, nor by the user.
    Examine,
    /// The server alone: no model is chosen, so none is loaded.
    Server,
    /// The tools alone, for another program: no server is looked for.
    Serve,
}

impl Purpose {
    /// Is something done in the project?
    pub(crate) fn works(self) -> bool {
        match self {
            Purpose::Work | Purpose::Serve => true,
            Purpose::Examine | Purpose::Server => false,
        }
    }

    /// Is a model talked to?
    fn talks(self) -> bool {
        match self {
            Purpose::Work | Purpose::Examine => true,
            Purpose::Server | Purpose::Serve => false,
        }
    }
}

/// A running session, seen from its face.
pub(crate) struct Session {
    pub(crate) ops: UnboundedSender<Op>,
    pub(crate) events: UnboundedReceiver<Event>,
    /// Ends when the face has dropped `ops` and everything under way has been stopped.
    pub(crate) ended: JoinHandle<()>,
}

/// How it stands with trust in the project.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Standing {
    /// The user trusts it, or there is nothing to trust.
    Trusted,
    /// This was found, and nobody has said anything about it yet.
    Unknown(Vec<Finding>),
    /// Its own settings cannot be read: nothing it brings along counts in this session, whoever trusts it.
    HeldBack,
}

impl Standing {
    /// May what the project brings along be used? Whoever only examines a model or a server starts none of its programs.
    fn counts_for(&self, purpose: Purpose) -> bool {
        purpose.works() && *self == Standing::Trusted
    }
}

/// Opens the session on `runtime`.
pub(crate) fn open(mut plan: Plan, runtime: &Handle) -> Result<Session> {
    let host = host(&plan.config)?;
    let backend = server(&host, &plan.config)?;
    plan.config.notices.extend(plan.config.access.key_in_the_open(&host));
    let folder = Folder::at(&plan.project).context("cannot look at the project folder")?;
    let contents = Arc::new(Contents::new(&plan.place, &folder));
    let begin = keeping::begin(&plan, &folder)?;
    // Before anything is started: what refuses it may stand there.
    let permissions = Permissions::new(plan.user_folder.join(policy::FILE), folder.clone());
    let rules = rules(&mut plan, &permissions)?;
    if plan.leave.disposable {
        disposable::is_readable(&plan.config)?;
    }
    let trust = Trust::new(plan.place.clone(), folder.clone());
    let mut ground = ground(&mut plan, &folder, &contents)?;
    let sandbox = guard::sandbox(&plan);
    let inside = guard::Inside::of(&ground.surroundings, &sandbox);
    let standing = standing(&plan, &trust, &ground);
    ground.trusted = standing.counts_for(plan.purpose);
    if plan.purpose == Purpose::Work {
        let (approved, notices) = servers::approved(&plan.config, &plan.place, ground.surroundings.programs());
        ground.mcp = approved;
        plan.config.notices.extend(notices);
    }
    let skills = skills(&mut plan, &standing);
    ground.skills.clone_from(&skills);
    let tools = Arc::new(toolbox(&mut plan, ground)?);
    let (hooks, notices) = hooks::of_session(&plan, sandbox.kind, &tools)?;
    plan.config.notices.extend(notices);
    let guarded = hooks::guarded(&hooks, &plan.project);
    tools.guard(&guarded.iter().map(|file| file.path.clone()).collect::<Vec<_>>());
    let start_server = starter(&host, &plan.place);
    let archive = keeping::archive(&plan, &folder, contents);
    let look_around_from = look_around_from(&plan, &host);
    let parts = Parts {
        machine: machine(&mut plan, begin, &host, &tools, standing, (skills, hooks, guarded), (rules, sandbox, inside)),
        backend,
        tools,
        permissions,
        trust,
        place: plan.place,
        archive,
        start_server,
        look_around_from,
        host: host.to_string(),
    };
    let (ops, wishes) = unbounded_channel();
    let (facts, events) = unbounded_channel();
    let ended = runtime.spawn(drive(parts, wishes, facts));
    Ok(Session { ops, events, ended })
}

/// The port of the server where the user named none and is there to choose another.
fn look_around_from(plan: &Plan, host: &Host) -> Option<u16> {
    let person_works = plan.speaker == Speaker::Person && plan.purpose == Purpose::Work;
    let named = plan.config.host.is_some() && Remembered::load(&plan.place).host != plan.config.host;
    (person_works && !named).then(|| host.place().port)
}

/// The model server at `host`, as the settings say how it is reached.
pub(crate) fn server(host: &Host, config: &Config) -> Result<Arc<dyn Chat>> {
    let way = if config.proxy { Way::ThroughProxy } else { Way::Straight };
    let credentials = config.access.credentials(host, |name| std::env::var(name).ok())?;
    Ok(connect(host.clone(), config.access.kind, way, credentials))
}

/// The tools that the model may have.
fn toolbox(plan: &mut Plan, ground: Ground) -> Result<Toolbox> {
    let (mut tools, notices) = Toolbox::with(ground, &plan.config.selections);
    // Until a model is known, and where none is asked.
    let mut levers = Levers::default();
    levers.change(&plan.config.levers);
    tools.adapt(levers);
    plan.config.notices.extend(notices);
    match (plan.purpose, plan.speaker) {
        (Purpose::Work, Speaker::Script) => tools.alone(),
        // Whoever uses the tools over MCP may have a person who can be asked.
        (Purpose::Work | Purpose::Serve | Purpose::Examine | Purpose::Server, _) => {}
    }
    if plan.groups_named && tools.specs().is_empty() {
        bail!(
            "the groups that --tools names hold no tool that there is here; name others, or see [tools] in your config"
        );
    }
    Ok(tools)
}

fn offered(offer: Offer) -> OfferedGroup {
    OfferedGroup { name: offer.name.into(), specs: offer.specs, on: offer.on }
}

/// Where the model server is.
pub(crate) fn host(config: &Config) -> Result<Host> {
    Host::parse(config.host.as_deref().unwrap_or_default())
        .context("the address of the model server cannot be used; see --host")
}

/// The model of the flags and the config, else the one that was chosen last.
pub(crate) fn chosen_model(plan: &Plan) -> Option<String> {
    let chosen = || Remembered::load(&plan.place).model_at(&host(&plan.config).ok()?.to_string());
    plan.config.model.clone().or_else(chosen)
}

fn ground(plan: &mut Plan, folder: &Folder, contents: &Arc<Contents>) -> Result<Ground> {
    let surroundings = keeping::surroundings(plan, folder)?;
    let readable =
        std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    let (keep, undo) = keeping::undo(plan, contents);
    Ok(Ground {
        root: plan.project.clone(),
        home: guard::home(),
        surroundings: Arc::new(surroundings),
        secret_values: [
            guard::secret_values(readable),
            servers::secret_values(&plan.config),
            guard::keys_of_servers(&plan.config, |name| std::env::var(name).ok()),
            plan.config.web.keys().collect(),
            guard::proxy_passwords(&plan.config),
        ]
        .concat(),
        keep,
        undo,
        user_folder: plan.purpose.works().then(|| plan.user_folder.clone()),
        trusted: false,
        mcp: Vec::new(),
        skills: Vec::new(),
        web: Web::new(plan.config.web.clone()),
        servers: plan.config.servers.clone(),
        at_once: AT_ONCE,
        outside: outside(plan)?,
        buffers: plan.editor.as_ref().and_then(|editor| editor.buffers.clone()),
    })
}

/// How commands of the sandbox reach the net: never a model server, and never with our own files before them.
fn outside(plan: &Plan) -> Result<Outside> {
    let others = plan.config.model_servers.iter().filter_map(|server| Host::parse(server).ok());
    let refused = std::iter::once(host(&plan.config)?).chain(others).map(|server| server.place()).collect();
    let upstream = plan.config.sandbox.upstream_proxy.as_deref().map(Upstream::read).transpose();
    // What stands in a file was read there; this says it of whatever else may set it.
    let upstream = upstream.map_err(|wrong| anyhow!("sandbox.upstream_proxy {wrong}"))?;
    let mut own = guard::own(plan);
    // What lies in the project is the project's, and belongs to what is committed.
    own.retain(|folder| !folder.starts_with(&plan.project));
    Ok(Outside { rules: Reaching { upstream, refused, ..Reaching::default() }, own })
}

fn standing(plan: &Plan, trust: &Trust, ground: &Ground) -> Standing {
    if plan.config.held_back.is_some() {
        return Standing::HeldBack;
    }
    if plan.trusted || trust.holds() {
        return Standing::Trusted;
    }
    let found = agent_tools::findings(ground);
    if found.is_empty() { Standing::Trusted } else { Standing::Unknown(found) }
}

fn machine(
    plan: &mut Plan,
    begin: Begin,
    host: &Host,
    tools: &Toolbox,
    standing: Standing,
    (skills, hooks, guarded): (Vec<SkillCard>, Vec<Hook>, Vec<GuardedFile>),
    (rules, sandbox, inside): (Rules, SandboxSupport, guard::Inside),
) -> Machine {
    let trusted = standing == Standing::Trusted;
    let setup = guard::setup(plan, sandbox.kind, trusted, (rules, inside));
    let policy = Policy::new(Setup { guarded, ..setup });
    let Prompts { system, trust, memory } = prompts(plan, standing);
    let agents = agent_kinds(plan, trusted || matches!(trust, agent_session::Trust::Ask { .. }));
    let (specs, groups) = (tools.specs(), tools.groups().into_iter().map(offered).collect::<Vec<_>>());
    plan.config.notices.extend(agents::oddities(&agents, &specs, &groups));
    let (config, person) = (&plan.config, plan.speaker == Speaker::Person);
    let settings = Settings {
        system,
        project: plan.project.clone(),
        host: host.to_string(),
        tools: specs,
        skills,
        hooks,
        agents,
        memory,
        named_groups: config.named_groups(&groups),
        groups,
        model: chosen_model(plan).filter(|_| plan.purpose.talks()),
        window: config.num_ctx,
        server_window: config.server_window,
        options: config.options.clone(),
        max_reply_tokens: config.max_reply_tokens,
        keep_alive: config.keep_alive.clone(),
        think: config.think,
        history: if person { History::new(plan.place.clone()).load() } else { Vec::new() },
        keep: if person { Keep::Everything } else { Keep::Nothing },
        doubtful_folder: person && guard::is_doubtful(&plan.project),
        trust,
        tools_mode: config.tools_mode,
        families: config.families.clone(),
        sizes: config.sizes.clone(),
        check: config.check.clone(),
        levers: config.levers.clone(),
        limits: config.limits,
        sandbox,
        exposed: host.is_exposed(),
        profiles: Profiles::new(plan.place.clone()).load(),
        alone: plan.purpose == Purpose::Serve,
        release: config.release_on_exit,
        begin,
        model_named: plan.model_named,
        record: keeping::keeps_sessions(plan),
        notices: config.notices.clone(),
    };
    Machine::new(settings, policy)
}

/// The rules about commands, all layers; what is odd about them is noted.
fn rules(plan: &mut Plan, permissions: &Permissions) -> Result<Rules> {
    let layers = policy::Layers {
        user_folder: &plan.user_folder,
        project: &plan.project,
        permissions,
        faulty: if plan.purpose.works() { Faulty::Refuse } else { Faulty::Say },
    };
    let mut rules = policy::load(&layers).context(NOTHING_STARTED)?;
    plan.config.notices.append(&mut rules.notices);
    plan.config.held_back = plan.config.held_back.take().or_else(|| rules.held_back.take());
    // Where only the server is spoken to, no command can change anything.
    if plan.purpose != Purpose::Server {
        plan.config.notices.extend(guard::lies_within(plan));
    }
    if let (Speaker::Person, Err(error)) = (plan.speaker, plan.place.check()) {
        plan.config.notices.push(format!("{error}; until then nothing is kept for the next session"));
    }
    Ok(rules)
}

/// The skills the model is offered; what is wrong with others is noted.
fn skills(plan: &mut Plan, standing: &Standing) -> Vec<SkillCard> {
    if !plan.purpose.works() {
        return Vec::new();
    }
    let trusted = *standing == Standing::Trusted;
    let unknown = matches!(standing, Standing::Unknown(_));
    if unknown && plan.speaker == Speaker::Person && plan.project.join(".agent/skills").is_dir() {
        plan.config.notices.push("once this folder is trusted, its skills are offered from the next start on".into());
    }
    let project = trusted.then_some(plan.project.as_path());
    skills::find(&plan.user_folder, project, &mut plan.config.notices)
}

/// What the model is told first.
struct Prompts {
    /// The system message to begin with.
    system: String,
    /// Whether the user is asked for one that holds the project's words as well.
    trust: agent_session::Trust,
    /// What is remembered, told or not.
    memory: Vec<MemoryCard>,
}

fn prompts(plan: &mut Plan, standing: Standing) -> Prompts {
    let folder = plan.project.display().to_string();
    let prompt = |words: &[ProjectWords]| system_prompt(&folder, std::env::consts::OS, words);
    if !plan.purpose.works() {
        return Prompts { system: prompt(&[]), trust: agent_session::Trust::Settled, memory: Vec::new() };
    }
    let (mut of_person, mut of_project) = (Vec::new(), Vec::new());
    let yours = words::of_person(&plan.user_folder, &mut of_person);
    let theirs = words::of_project(&plan.project, &mut of_project);
    let noted = memory::of_person(&plan.user_folder, &mut of_person);
    let mut noted_here = memory::of_project(&plan.project, &mut of_project);
    noted_here.card.told &= standing == Standing::Trusted;
    let memory = vec![noted.card, noted_here.card];
    let alone: Vec<ProjectWords> = yours.iter().chain(&noted.words).cloned().collect();
    let together: Vec<ProjectWords> = [yours, theirs, noted.words, noted_here.words].into_iter().flatten().collect();
    let notices = &mut plan.config.notices;
    notices.extend(of_person);
    let (system, trust) = match (standing, plan.speaker) {
        (Standing::Trusted, _) => {
            notices.extend(of_project);
            (prompt(&together), agent_session::Trust::Settled)
        }
        (Standing::HeldBack, _) => (prompt(&alone), agent_session::Trust::Settled),
        (Standing::Unknown(found), Speaker::Person) => {
            (prompt(&alone), agent_session::Trust::Ask { found, system: prompt(&together) })
        }
        (Standing::Unknown(found), Speaker::Script) => {
            let names: Vec<&str> = found.iter().map(|finding| finding.name.as_str()).collect();
            notices.push(format!(
                "this folder is not trusted yet, so {} is not used; start agent here once, or add --trust",
                names.join(", ")
            ));
            (prompt(&alone), agent_session::Trust::Settled)
        }
    };
    Prompts { system, trust, memory }
}

/// The kinds of agents that are brought along; those of the project where it `may` be trusted.
fn agent_kinds(plan: &mut Plan, may: bool) -> Vec<agent_session::AgentKind> {
    if !plan.purpose.works() {
        return Vec::new();
    }
    let mut kinds = agents::load(&plan.user_folder, &plan.project, &mut plan.config.notices);
    kinds.retain(|kind| may || !kind.of_project);
    kinds
}

/// How to start the server here: only for an address on this machine, and only where the program is installed.
fn starter(host: &Host, place: &Place) -> Option<StartServer> {
    if host.is_exposed() {
        return None;
    }
    let program = agent_backend::program::find()?;
    let (host, place) = (host.clone(), place.clone());
    Some(Arc::new(move || {
        let log = place.open_log("ollama.log", LONGEST_LOG)?;
        agent_backend::program::start_at(&program, &host, log).map(drop)
    }))
}

#[cfg(test)]
mod tests;
