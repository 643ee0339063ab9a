//! From arguments to a running face.

use crate::args::{Allow, Args, Command, OutputFormat, Which};
use crate::config::listing::{Flagged, Listing};
use crate::config::{self, Config, Faulty, NOTHING_STARTED, Sources, writing};
use crate::demo::Demo;
use crate::session::{self, Leave, Plan, Purpose, Session, Speaker};
use crate::{disposable, guard, lines, look, own_commands, subcommands};
use agent_headless::{End, Format, Source, Start, Streams};
use agent_policy::Network;
use agent_protocol::{Event, Mode, Op, OwnCommand, SessionId};
use agent_session::ToolsMode;
use agent_store::{Drafts, Folder, Place, Remembered, Trust};
use agent_tui::{Begin, ConfigAtHand, Exit, Left, ListedSetting, ServerChoice};
use anyhow::{Context, Result, bail};
use etcetera::BaseStrategy;
use std::io::{self, IsTerminal};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{fmt, registry};

/// After this long at the end nothing is waited for any more.
pub(crate) const PATIENCE: Duration = Duration::from_secs(9);

/// So long after the screen began the start is over: the server has answered, and nothing is drawn any more.
const STARTED: Duration = Duration::from_millis(700);

/// A log longer than this is begun anew.
const LONGEST_LOG: u64 = 4 << 20;

/// Where our own files are.
pub(crate) struct Folders {
    user: PathBuf,
    pub(crate) state: PathBuf,
    pub(crate) caches: PathBuf,
}

/// Runs the face that was asked for.
pub(crate) fn run(args: Args) -> Result<ExitCode> {
    let folders = Folders::find()?;
    let project = project(&args)?;
    if let Some(Command::Sessions(sessions)) = &args.command {
        return subcommands::sessions(sessions, Place::new(&folders.state), &project);
    }
    if let Some(Command::Config(wish)) = &args.command {
        return subcommands::config(wish, &folders.user, &project);
    }
    if let Some(Command::Acp(_)) = &args.command {
        return subcommands::acp(args, folders);
    }
    let config = loaded(&args, &folders, &project)?;
    begin_log(&folders);
    sweep((folders.caches.clone(), config.sandbox.caches));
    let runtime = runtime()?;
    let mut plan = with_leave(&args, plan(&args, &folders, project, config))?;
    if !matches!(args.command, Some(Command::Models(_) | Command::Doctor(_) | Command::Bench(_))) {
        plan.go_to_remembered_server();
    }
    let code = match (&args.command, &args.wishes.print) {
        (Some(Command::Models(_) | Command::Doctor(_)), Some(_)) => bail!("-p goes with no other command but demo"),
        (Some(Command::Models(models)), None) => subcommands::models(&runtime, models, plan),
        (Some(Command::Doctor(doctor)), None) => subcommands::doctor(&runtime, doctor, plan),
        (Some(Command::Bench(bench)), _) => subcommands::bench(&runtime, bench, plan),
        (Some(Command::Init { yes }), _) => subcommands::init(&runtime, *yes, plan),
        (Some(Command::Mcp(mcp)), _) => subcommands::mcp(&runtime, mcp, plan),
        (Some(Command::Hooks(hooks)), _) => subcommands::hooks(hooks, &plan),
        (_, Some(prompt)) => print(&runtime, prompt.clone(), &args, plan),
        (_, None) => screen(&runtime, &args, plan),
    };
    runtime.shutdown_timeout(PATIENCE);
    code
}

/// The face has the main thread. What the house does is brief or has a thread of its own; a second worker would be woken
/// with each token only to find nothing to do.
pub(crate) fn runtime() -> io::Result<Runtime> {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()
}

/// The settings for work in `project`, with what the flags say besides.
fn loaded(args: &Args, folders: &Folders, project: &Path) -> Result<Config> {
    let mut config = config::load(&Sources {
        user_folder: &folders.user,
        project,
        env: |name| std::env::var(name).ok(),
        faulty: faulty(args),
    })
    .context(NOTHING_STARTED)?;
    cover_with_flags(&mut config, args)?;
    Ok(config)
}

/// How to wire a session of a person in `project`, apart from where this was started.
pub(crate) fn plan_for(args: &Args, folders: &Folders, project: PathBuf) -> Result<Plan> {
    let config = loaded(args, folders, &project)?;
    let mut plan = with_leave(args, plan(args, folders, project, config))?;
    plan.go_to_remembered_server();
    Ok(plan)
}

/// Only who is asked what is wrong goes on where a file of the user's settings cannot be read.
fn faulty(args: &Args) -> Faulty {
    match &args.command {
        Some(Command::Doctor(_)) => Faulty::Say,
        Some(
            Command::Demo(_)
            | Command::Models(_)
            | Command::Sessions(_)
            | Command::Bench(_)
            | Command::Mcp(_)
            | Command::Hooks(_)
            | Command::Acp(_)
            | Command::Config(_)
            | Command::Init { .. }
            | Command::Completions { .. }
            | Command::Manual { .. },
        )
        | None => Faulty::Refuse,
    }
}

impl Folders {
    fn find() -> Result<Self> {
        let base = etcetera::choose_base_strategy().context("there is no home folder; set HOME")?;
        let state = base.state_dir().unwrap_or_else(|| base.data_dir());
        let caches = base.cache_dir().join("agent").join("sandbox");
        Ok(Folders { user: base.config_dir().join("agent"), state: state.join("agent"), caches })
    }
}

fn project(args: &Args) -> Result<PathBuf> {
    let folder = args.directory.clone().unwrap_or_else(|| PathBuf::from("."));
    let project = folder.canonicalize().with_context(|| format!("cannot work in {}", folder.display()))?;
    if !project.is_dir() {
        bail!("{} is not a folder; -C takes the folder of a project", project.display());
    }
    Ok(project)
}

fn cover_with_flags(config: &mut Config, args: &Args) -> Result<()> {
    args.model_server.over(config)?;
    config.model = args.model.clone().or(config.model.take());
    config.num_ctx = args.num_ctx.or(config.num_ctx);
    if let Some(form) = &args.wishes.form {
        config.tools_mode = tools_mode(form);
    }
    config.limits.steps = args.wishes.max_turns.map_or(config.limits.steps, NonZeroU32::get);
    config.levers.attempts = args.wishes.attempts.map(NonZeroU32::get).or(config.levers.attempts);
    config.inline |= args.wishes.inline;
    if args.wishes.unsafe_mode {
        config.mode = Mode::Unsafe;
    }
    if args.wishes.plan {
        config.mode = Mode::Plan;
    }
    if let (Some(own), false) = (config.selections.first_mut(), args.wishes.tools.is_empty()) {
        own.groups.clone_from(&args.wishes.tools);
    }
    Ok(())
}

fn plan(args: &Args, folders: &Folders, project: PathBuf, config: Config) -> Plan {
    let allows = |wanted: &Allow| args.wishes.allows(wanted);
    let hosts = args.wishes.allowed().filter_map(|allow| match allow {
        Allow::Host(host) => Some(host.clone()),
        Allow::Write | Allow::Run | Allow::Commit | Allow::Net | Allow::Mcp | Allow::WriteIn(_) | Allow::AnyHost => {
            None
        }
    });
    let hosts = hosts.collect();
    Plan {
        project,
        user_folder: folders.user.clone(),
        place: Place::new(&folders.state),
        caches: folders.caches.clone(),
        config,
        allow_write: allows(&Allow::Write),
        allow_run: allows(&Allow::Run),
        allow_commit: allows(&Allow::Commit),
        allow_call: allows(&Allow::Mcp),
        allow_net: allows(&Allow::Net),
        leave: Leave { hosts, any_host: allows(&Allow::AnyHost), folders: Vec::new(), disposable: false },
        trusted: args.wishes.trust,
        speaker: if args.wishes.print.is_some() { Speaker::Script } else { Speaker::Person },
        purpose: Purpose::Work,
        earlier: args.earlier.which(),
        copy: args.earlier.fork,
        model_named: args.model.is_some(),
        groups_named: !args.wishes.tools.is_empty(),
        editor: None,
    }
}

/// What has to be looked at before it is let happen: the folders that may be written in, and whether this machine may be
/// thrown away.
fn with_leave(args: &Args, mut plan: Plan) -> Result<Plan> {
    for allow in args.wishes.allowed() {
        if let Allow::WriteIn(folder) = allow {
            let folder = guard::folder_to_write(folder, &plan)?;
            plan.leave.folders.push(folder);
        }
    }
    if args.wishes.no_sandbox_no_questions {
        disposable::agree(&plan.config)?;
        plan.leave.disposable = true;
    }
    if plan.config.sandbox.network == Network::Deny && (plan.leave.any_host || !plan.leave.hosts.is_empty()) {
        let words = "--allow hosts lets nothing be reached: network = \"deny\" is set under [sandbox]";
        plan.config.notices.push(words.into());
    }
    Ok(plan)
}

/// The log goes to the state folder, never to the screen. Without a writable one there is no log.
pub(crate) fn begin_log(folders: &Folders) {
    if let Ok(file) = Place::new(&folders.state).open_log("agent.log", LONGEST_LOG) {
        // The crate that is left out quotes whole messages of servers.
        let wanted = std::env::var("AGENT_LOG").ok().and_then(|words| words.parse().ok());
        let targets = wanted
            .unwrap_or_else(|| Targets::new().with_default(LevelFilter::WARN).with_target("rmcp", LevelFilter::OFF));
        let lines = fmt::layer().with_ansi(false).log_internal_errors(false).with_writer(Mutex::new(file));
        // Only a second call in one process could fail, and then a log is there already.
        drop(registry().with(lines.with_filter(targets)).try_init());
    }
}

/// Removes the temporary folders of those of us who were killed, and caches that take more than they may, beside the start.
/// Whoever leaves before that is done leaves the rest to the next one.
pub(crate) fn sweep((caches, most): (PathBuf, u64)) {
    let sweep = move || {
        let swept = agent_sandbox::sweep(temporary().as_deref());
        tracing::info!("temporary folders of earlier starts: {} removed, {} left", swept.removed, swept.left);
        let swept = agent_sandbox::sweep_caches(&caches, most);
        tracing::info!("caches of projects: {} removed, {} left with {} bytes", swept.removed, swept.left, swept.bytes);
    };
    // Without a thread they stay, and nothing else is worse for it.
    drop(std::thread::Builder::new().name("sweep".into()).spawn(sweep));
}

/// Where temporary folders are made, if the environment says so.
pub(crate) fn temporary() -> Option<PathBuf> {
    std::env::var_os("TMPDIR").map(PathBuf::from)
}

fn print(runtime: &Runtime, prompt: Option<String>, args: &Args, mut plan: Plan) -> Result<ExitCode> {
    let demo = matches!(args.command, Some(Command::Demo(_))).then(Demo::start).transpose()?;
    let commands = own_commands(&mut plan);
    let Plan { allow_write, allow_run, allow_commit, allow_call, .. } = plan;
    let plan = match &demo {
        Some(demo) => {
            let own = demo.plan(&plan.config)?;
            Plan { allow_write, allow_run, allow_commit, allow_call, speaker: Speaker::Script, ..own }
        }
        None => plan,
    };
    let source = if args.wishes.no_stdin { Source::Unwanted } else { Source::standard_input() };
    let settings = agent_headless::Settings {
        // Whoever is silent is waited for on this thread: the worker of the house has its own.
        prompt: agent_headless::prompt(prompt, source, &mut io::stderr())?,
        format: match args.wishes.output_format {
            OutputFormat::Text => Format::Text,
            OutputFormat::Json => Format::Json,
            OutputFormat::StreamJson => Format::StreamJson,
        },
        start: if args.earlier.which().is_some() { Start::OnceRestored } else { Start::AtOnce },
        time: args.wishes.max_time,
        commands,
    };
    speak(runtime, plan, async |ops, events, streams| agent_headless::run(ops, events, settings, streams).await)
}

/// Runs a face that prints, and says how it ended.
pub(crate) fn speak(
    runtime: &Runtime,
    plan: Plan,
    face: impl AsyncFnOnce(UnboundedSender<Op>, UnboundedReceiver<Event>, &mut Streams<'_>) -> io::Result<End>,
) -> Result<ExitCode> {
    let (out, progress) = (io::stdout(), io::stderr());
    let mut streams = Streams {
        out_is_terminal: out.is_terminal(),
        progress_is_terminal: progress.is_terminal(),
        redraws: redraws(),
        out: &mut out.lock(),
        progress: &mut progress.lock(),
    };
    match speak_into(runtime, plan, &mut streams, face)? {
        Ok(end) => Ok(ExitCode::from(end.code())),
        Err(error) => {
            crate::complain(&anyhow::Error::new(error).context("cannot write the answer"));
            Ok(ExitCode::from(End::Failed.code()))
        }
    }
}

/// The same with other streams.
pub(crate) fn speak_into(
    runtime: &Runtime,
    plan: Plan,
    streams: &mut Streams<'_>,
    face: impl AsyncFnOnce(UnboundedSender<Op>, UnboundedReceiver<Event>, &mut Streams<'_>) -> io::Result<End>,
) -> Result<io::Result<End>> {
    let Session { ops, events, ended } = session::open(plan, runtime.handle())?;
    let end = runtime.block_on(face(ops, events, streams));
    runtime.block_on(wind_up(ended));
    Ok(end)
}

fn screen(runtime: &Runtime, args: &Args, mut plan: Plan) -> Result<ExitCode> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        bail!("the screen needs a terminal; for use in scripts there is `agent -p \"…\"`");
    }
    if let Some(why) = lines::wanted(args, &plan) {
        return lines::run(runtime, args, plan, why);
    }
    let kept = Drafts::new(plan.place.clone()).of(&plan.project);
    let recovered = kept.is_some();
    let (begin, draft) = match (&plan.earlier, args.words.clone()) {
        // What is said waits until it is known in which session.
        (Some(Which::Picked), words) => (Begin::PickSession, words.or(kept)),
        (_, Some(words)) => (Begin::Say(words), kept),
        (_, None) => (Begin::Plain, kept),
    };
    let draft = draft.unwrap_or_default();
    let results = subcommands::bench_results(&plan);
    let commands = own_commands(&mut plan);
    let (user_folder, project) = (plan.user_folder.clone(), plan.project.clone());
    let at_hand = ConfigAtHand::new(ConfigOfStart { user_folder, project, flags: args.settings() });
    let look = agent_tui::Settings { commands, config: Some(at_hand), ..look::of(&plan.config) };
    let look = agent_tui::Settings { begin, draft, recovered, keeps_drafts: true, results, ..look };
    let config = plan.config.clone();
    let mut left = Left { exit: Exit::Demo, draft: String::new(), session: None };
    if !matches!(args.command, Some(Command::Demo(_))) {
        left = show(runtime, plan.clone(), look.clone())?;
        while let Exit::Server(choice) = &left.exit {
            let plan = with_server(plan.clone(), choice, left.session.take())?;
            let (draft, results) = (std::mem::take(&mut left.draft), subcommands::bench_results(&plan));
            let (commands, config) = (look.commands.clone(), look.config.clone());
            let look = agent_tui::Settings { commands, config, ..look::of(&plan.config) };
            let look = agent_tui::Settings { draft, keeps_drafts: true, results, ..look };
            left = show(runtime, plan, look)?;
        }
    }
    if left.exit == Exit::Demo {
        let demo = Demo::start()?;
        demo.remember(&left.draft);
        let settings = agent_tui::Settings {
            draft: agent_mock_server::demo::PROMPT.into(),
            recovered: false,
            keeps_drafts: false,
            demo: true,
            begin: Begin::Plain,
            results: Vec::new(),
            ..look
        };
        left = show(runtime, demo.plan(&config)?, settings)?;
    }
    Ok(match left.exit {
        Exit::Signalled(signal) => ExitCode::from(u8::try_from(128 + signal).unwrap_or(1)),
        Exit::Quit | Exit::Demo | Exit::Server(_) => ExitCode::SUCCESS,
    })
}

/// The slash commands that the user brings along, and those of the project where that is trusted already.
pub(crate) fn own_commands(plan: &mut Plan) -> Vec<OwnCommand> {
    let known = Folder::at(&plan.project).is_ok_and(|folder| Trust::new(plan.place.clone(), folder).holds());
    let project = (plan.trusted || known).then_some(plan.project.as_path());
    own_commands::find(&plan.user_folder, project, &mut plan.config.notices)
}

/// The settings of this start, as `/config` lists and writes them.
struct ConfigOfStart {
    user_folder: PathBuf,
    project: PathBuf,
    flags: Vec<Flagged>,
}

impl agent_tui::Config for ConfigOfStart {
    fn list(&self) -> Vec<ListedSetting> {
        let env = |name: &str| std::env::var(name).ok();
        let sources = Sources { user_folder: &self.user_folder, project: &self.project, env, faulty: Faulty::Say };
        let mut listing = Listing::of(&sources);
        listing.put_flags(&self.flags);
        listing.rows()
    }

    fn write(&self, name: &str, value: Option<&str>) -> Result<(), String> {
        writing::set(&self.user_folder, name, value).map_err(|error| error.to_string())
    }
}

/// The same with another server, on which `session` goes on. One that was found here is talked to from now on, wherever no
/// other is named.
fn with_server(mut plan: Plan, choice: &ServerChoice, session: Option<SessionId>) -> Result<Plan> {
    match choice {
        ServerChoice::Named(name) => plan.config.talk_to_named(name)?,
        ServerChoice::At(host) => {
            if let Err(error) =
                (Remembered { host: Some(host.clone()), ..Remembered::load(&plan.place) }).save(&plan.place)
            {
                plan.config.notices.push(format!("{error}; the choice of server holds for now"));
            }
            plan.config.talk_to(host.clone());
        }
    }
    plan.model_named = session::chosen_model(&plan).is_some();
    plan.earlier = session.map(|SessionId(id)| Which::Named(id));
    plan.copy = false;
    Ok(plan)
}

/// Why this terminal cannot draw a screen, if it says so.
pub(crate) fn too_plain() -> Option<&'static str> {
    match std::env::var("TERM").unwrap_or_default().as_str() {
        "" => Some("TERM is not set, so nothing is known of this terminal"),
        "dumb" => Some("TERM is dumb: this terminal only prints lines"),
        _ => None,
    }
}

/// Can a line be drawn anew on standard error?
pub(crate) fn redraws() -> bool {
    io::stderr().is_terminal() && too_plain().is_none()
}

fn show(runtime: &Runtime, plan: Plan, settings: agent_tui::Settings) -> Result<Left> {
    // Each time that the screen waits for would wake the worker, if it were the worker that looked at the clock for it.
    let own = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let Session { ops, events, ended } = session::open(plan, runtime.handle())?;
    let settled = runtime.spawn(settle());
    let left = own.block_on(agent_tui::run(ops, events, settings));
    own.shutdown_background();
    settled.abort();
    runtime.block_on(wind_up(ended));
    left
}

/// Lets go of what only the start needed, once it is over.
async fn settle() {
    tokio::time::sleep(STARTED).await;
    let bytes = agent_sandbox::let_code_go();
    tracing::debug!("{bytes} bytes of code were let go");
}

/// Waits until what was under way has been stopped, but not for ever.
pub(crate) async fn wind_up(ended: tokio::task::JoinHandle<()>) {
    if tokio::time::timeout(PATIENCE, ended).await.is_err() {
        tracing::warn!("the session did not end in time");
    }
}

/// The form that `--form` names.
fn tools_mode(form: &str) -> ToolsMode {
    match form {
        "calls" => ToolsMode::Native,
        "text" => ToolsMode::Text,
        "files" => ToolsMode::Files,
        _ => ToolsMode::Auto,
    }
}
