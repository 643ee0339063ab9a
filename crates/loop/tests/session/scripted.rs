//! A backend that says what a test wrote down, and a session around it with real tools in a temporary project.

use agent_backend::{Chat, ModelHost};
use agent_loop::{Archive, KeptContents, Parts, StartServer, drive};
use agent_policy::{Policy, Setup};
use agent_protocol::*;
use agent_protocol::{CallEvent, ListEvent, ListOp, SessionEvent, SessionOp, TurnEvent, TurnOp};
use agent_sandbox::Surroundings;
use agent_session::{Begin, Keep, Machine, OfferedGroup, Settings};
use agent_store::{Contents, Permissions, Place, Sessions, Trust};
use agent_tools::{Ground, LanguageServer, Toolbox};
use futures_util::future::{BoxFuture, FutureExt, ready};
use futures_util::stream::{self, BoxStream, StreamExt};
use serde_json::{Value, json};
use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tempfile::TempDir;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

/// What the server does with one request.
pub(crate) enum Reply {
    /// Says these and ends.
    Says(Vec<ModelEvent>),
    /// Says these and then nothing, for ever.
    Hangs(Vec<ModelEvent>),
}

#[derive(Default)]
pub(crate) struct Scripted {
    pub(crate) replies: Mutex<VecDeque<Reply>>,
    pub(crate) requests: Mutex<Vec<ChatRequest>>,
    /// Requests that only load the model.
    pub(crate) loads: Mutex<Vec<ChatRequest>>,
    /// The window with which `m` lies in memory; 0: this server does not tell.
    pub(crate) holds: AtomicU64,
    /// Replies that were dropped before their end.
    pub(crate) dropped: Arc<AtomicUsize>,
    pub(crate) down: Arc<AtomicBool>,
    /// It manages its models itself.
    pub(crate) only_talks: bool,
}

struct Guard(Arc<AtomicUsize>);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

impl Chat for Scripted {
    fn chat(&self, request: ChatRequest) -> BoxStream<'static, ModelEvent> {
        self.requests.lock().unwrap().push(request);
        match self.replies.lock().unwrap().pop_front() {
            Some(Reply::Says(events)) => stream::iter(events).boxed(),
            Some(Reply::Hangs(events)) => {
                let guard = Guard(self.dropped.clone());
                stream::iter(events)
                    .chain(stream::pending())
                    .map(move |event| {
                        let _held = &guard;
                        event
                    })
                    .boxed()
            }
            None => stream::iter([ModelEvent::Broken { trouble: ServerError::NotDone }]).boxed(),
        }
    }

    fn card(&self) -> BoxFuture<'_, Result<ServerCard, ServerError>> {
        let down = self.down.load(Ordering::SeqCst);
        let can = if self.only_talks { BTreeSet::new() } else { Capability::ALL.into() };
        let card = ServerCard { version: "0.33.0".into(), can, ..ServerCard::default() };
        ready(if down { Err(unreachable_trouble()) } else { Ok(card) }).boxed()
    }

    fn describe<'a>(&'a self, model: &'a str) -> BoxFuture<'a, Result<ModelCard, ServerError>> {
        let card = ModelCard { name: model.into(), tools: Some(true), ..ModelCard::default() };
        ready(Ok(card)).boxed()
    }

    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelCard>, ServerError>> {
        ready(Ok(Vec::new())).boxed()
    }

    fn written(&self, request: &ChatRequest) -> String {
        json!(request).to_string()
    }

    fn models_host(&self) -> Option<&dyn ModelHost> {
        if self.only_talks { None } else { Some(self) }
    }
}

impl ModelHost for Scripted {
    fn load(&self, request: ChatRequest) -> BoxFuture<'_, Result<(), ServerError>> {
        self.loads.lock().unwrap().push(request);
        ready(Ok(())).boxed()
    }

    fn loaded(&self) -> BoxFuture<'_, Result<Vec<LoadedModel>, ServerError>> {
        let context_length = Some(self.holds.load(Ordering::SeqCst)).filter(|window| *window > 0);
        let loaded = LoadedModel { name: "m:latest".into(), context_length, ..LoadedModel::default() };
        ready(Ok(vec![loaded])).boxed()
    }

    fn unload<'a>(&'a self, _model: &'a str) -> BoxFuture<'a, Result<(), ServerError>> {
        ready(Ok(())).boxed()
    }

    fn remove<'a>(&'a self, _model: &'a str) -> BoxFuture<'a, Result<(), ServerError>> {
        ready(Ok(())).boxed()
    }

    fn render(&self, request: ChatRequest) -> BoxFuture<'_, Result<String, ServerError>> {
        ready(Ok(format!("{} messages", request.messages.len()))).boxed()
    }

    fn pull(&self, _name: &str) -> BoxStream<'static, PullState> {
        let progress = PullState::Progress { status: "pulling".into(), done: 1, total: 2 };
        stream::iter([progress]).chain(stream::pending()).boxed()
    }
}

pub(crate) fn unreachable_trouble() -> ServerError {
    ServerError::Unreachable { host: "scripted".into(), why: "connection refused".into(), program: None }
}

pub(crate) struct Session {
    pub(crate) folder: TempDir,
    pub(crate) backend: Arc<Scripted>,
    pub(crate) ops: UnboundedSender<Op>,
    pub(crate) events: UnboundedReceiver<Event>,
    pub(crate) ended: JoinHandle<()>,
}

/// How a session is opened: written down, in unsafe mode, new, where nothing else is said.
pub(crate) struct Opening {
    pub(crate) mode: Mode,
    pub(crate) replies: Vec<Reply>,
    pub(crate) begin: Begin,
    /// The groups of tools that are on; empty: the usual ones.
    pub(crate) groups: Vec<String>,
    /// Is what happens written down?
    pub(crate) kept: bool,
    /// Values of the environment that nobody may see.
    pub(crate) secrets: Vec<String>,
    /// Skills that are installed.
    pub(crate) skills: Vec<SkillCard>,
    /// What a command in the background has to end at once; the usual time.
    pub(crate) at_once: Option<Duration>,
    /// Servers that bring tools of their own.
    pub(crate) mcp: Vec<agent_tools::mcp::Pinned>,
    /// Language servers of the user; with some, the tools for code are on.
    pub(crate) servers: Vec<LanguageServer>,
    pub(crate) start_server: Option<StartServer>,
    pub(crate) down: Arc<AtomicBool>,
    /// The server manages its models itself.
    pub(crate) only_talks: bool,
    /// What is done around the model.
    pub(crate) levers: LeverChanges,
    pub(crate) hooks: Vec<Hook>,
}

impl Default for Opening {
    fn default() -> Self {
        Opening {
            mode: Mode::Unsafe,
            replies: Vec::new(),
            begin: Begin::New,
            groups: Vec::new(),
            kept: true,
            secrets: Vec::new(),
            skills: Vec::new(),
            at_once: None,
            mcp: Vec::new(),
            servers: Vec::new(),
            start_server: None,
            down: Arc::default(),
            only_talks: false,
            levers: LeverChanges::off(),
            hooks: Vec::new(),
        }
    }
}

pub(crate) fn open(mode: Mode, replies: Vec<Reply>) -> Session {
    open_with(mode, replies, None, Arc::new(AtomicBool::new(false)))
}

pub(crate) fn open_with(
    mode: Mode,
    replies: Vec<Reply>,
    start_server: Option<StartServer>,
    down: Arc<AtomicBool>,
) -> Session {
    open_in(folder(), Opening { mode, replies, kept: false, start_server, down, ..Opening::default() })
}

/// A session that is written down.
pub(crate) fn open_kept(replies: Vec<Reply>) -> Session {
    open_in(folder(), Opening { replies, ..Opening::default() })
}

/// A place for sessions, with a project and a home.
pub(crate) fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("project")).unwrap();
    std::fs::create_dir(folder.path().join("home")).unwrap();
    folder
}

/// Tools that do what is done around a model just so, also before one is known.
fn toolbox(ground: Ground, levers: &LeverChanges) -> Arc<Toolbox> {
    let tools = Arc::new(Toolbox::with(ground, &[]).0);
    let mut until_then = Levers::default();
    until_then.change(levers);
    tools.adapt(until_then);
    tools
}

/// A session in a place where others may have been before.
pub(crate) fn open_in(folder: TempDir, opening: Opening) -> Session {
    let Opening {
        mode,
        replies,
        begin,
        groups,
        kept,
        secrets,
        skills,
        at_once,
        mcp,
        servers,
        start_server,
        down,
        only_talks,
        levers,
        hooks,
    } = opening;
    let code = if servers.is_empty() { Vec::new() } else { vec!["code".to_owned()] };
    let project = folder.path().canonicalize().unwrap().join("project");
    let known = agent_store::Folder::at(&project).unwrap();
    let home = folder.path().canonicalize().unwrap().join("home");
    // What a test lets loose must not know the home of whoever runs it.
    let env = std::env::vars_os().filter(|(name, _)| name != "HOME").chain([("HOME".into(), home.clone().into())]);
    let surroundings = Arc::new(Surroundings::new(env, &[], &project).unwrap());
    let place = Place::new(folder.path().join("state"));
    let contents = Arc::new(Contents::new(&place, &known));
    let bare = Ground::of_this_process(project.clone()).unwrap();
    let ground = Ground {
        home: Some(home.clone()),
        surroundings,
        secret_values: secrets,
        keep: Arc::new(KeptContents(contents.clone())),
        user_folder: Some(home.join(".config/agent")),
        skills,
        at_once: at_once.unwrap_or(bare.at_once),
        mcp,
        servers,
        ..bare
    };
    let tools = toolbox(ground, &levers);
    [groups, code].iter().filter(|groups| !groups.is_empty()).for_each(|groups| tools.offer(groups));
    let backend = Arc::new(Scripted { replies: Mutex::new(replies.into()), down, only_talks, ..Scripted::default() });
    let sessions = kept.then(|| Sessions::new(place.clone()));
    let machine = machine(mode, (project, home), &tools, (begin, kept), (levers, hooks));
    let parts = Parts {
        machine,
        backend: backend.clone(),
        tools,
        archive: Archive { sessions, contents, ..Archive::of_nothing(place.clone(), known.clone()) },
        permissions: Permissions::new(folder.path().join("policy.toml"), known.clone()),
        trust: Trust::new(place.clone(), known),
        place,
        start_server,
        host: "http://127.0.0.1:11434".into(),
        look_around_from: None,
    };
    let (ops, wishes) = unbounded_channel();
    let (facts, events) = unbounded_channel();
    let ended = tokio::spawn(drive(parts, wishes, facts));
    Session { folder, backend, ops, events, ended }
}

fn machine(
    mode: Mode,
    (project, home): (PathBuf, PathBuf),
    tools: &Toolbox,
    (begin, record): (Begin, bool),
    (levers, hooks): (LeverChanges, Vec<Hook>),
) -> Machine {
    let own = vec![home.join(".config/agent"), project.join(".agent")];
    let inside = |name: &str| own.iter().map(|own| own.join(name)).collect();
    let (memories, readable) = (inside("memory.md"), inside("skills"));
    let setup = Setup { home: Some(home), own, memories, readable, trusted: true, ..Setup::new(project.clone(), mode) };
    let policy = Policy::new(setup);
    let bare = Settings::bare(project, "system", tools.specs());
    let group = |offer: agent_tools::Offer| OfferedGroup { name: offer.name.into(), specs: offer.specs, on: offer.on };
    let groups = tools.groups().into_iter().map(group).collect();
    let keep = Keep::Everything;
    let settings = Settings { model: Some("m".into()), keep, begin, record, groups, levers, hooks, ..bare };
    Machine::new(settings, policy)
}

/// What is kept of the sessions that were open in a place.
pub(crate) fn kept(folder: &TempDir) -> Sessions {
    Sessions::new(Place::new(folder.path().join("state")))
}

impl Session {
    pub(crate) fn project(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("project")
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.project().join(name), text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.project().join(name)).unwrap()
    }

    /// Leaves, waits until all is stopped and written down, and gives back the place.
    pub(crate) async fn leave(self) -> TempDir {
        drop(self.ops);
        self.ended.await.unwrap();
        self.folder
    }

    /// What the model was sent last.
    pub(crate) fn last_request(&self) -> Vec<Message> {
        self.backend.requests.lock().unwrap().last().unwrap().messages.clone()
    }

    pub(crate) fn op(&self, op: Op) {
        self.ops.send(op).unwrap();
    }

    pub(crate) fn say(&self, text: &str) {
        self.op(Op::Turn(TurnOp::Say { text: text.into() }));
    }

    /// The next event that `pick` takes; everything before it is passed over.
    pub(crate) async fn until<T>(&mut self, pick: impl Fn(&Event) -> Option<T>) -> T {
        loop {
            let event = self.events.recv().await.expect("the session goes on");
            if let Some(found) = pick(&event) {
                return found;
            }
        }
    }

    pub(crate) async fn asked(&mut self) -> Question {
        self.until(|event| match event {
            Event::Call(CallEvent::Asked { question }) => Some(question.clone()),
            _ => None,
        })
        .await
    }

    pub(crate) async fn ended(&mut self) -> TurnEndReason {
        self.until(|event| match event {
            Event::Turn(TurnEvent::Ended { reason, .. }) => Some(reason.clone()),
            _ => None,
        })
        .await
    }

    /// The last message of the last request.
    pub(crate) fn last_told(&self) -> String {
        self.last_request().last().unwrap().content.to_string()
    }
}

/// Says something and waits for the end of the turn.
pub(crate) async fn turn(session: &mut Session, words: &str) -> TurnEndReason {
    session.say(words);
    session.ended().await
}

/// The kept sessions, as a face sees them.
pub(crate) async fn listed(session: &mut Session) -> Vec<SessionCard> {
    session.op(Op::List(ListOp::Sessions));
    session
        .until(|event| match event {
            Event::List(ListEvent::Sessions { sessions, .. }) => Some(sessions.clone()),
            _ => None,
        })
        .await
}

/// What can be taken back.
pub(crate) async fn undoable(session: &mut Session) -> Vec<UndoTurn> {
    session.op(Op::List(ListOp::Undoable));
    session
        .until(|event| match event {
            Event::List(ListEvent::Undoable { turns }) => Some(turns.clone()),
            _ => None,
        })
        .await
}

/// What going back, or forth, would change.
pub(crate) async fn plan(session: &mut Session, direction: UndoDirection, said: u64) -> Vec<UndoFile> {
    session.op(Op::Session(SessionOp::PlanUndo { direction, said: SaidId(said) }));
    session
        .until(|event| match event {
            Event::Session(SessionEvent::UndoPlanned { plan }) => Some(plan.files.clone()),
            _ => None,
        })
        .await
}

pub(crate) fn calls(name: &str, arguments: Value) -> Reply {
    let call = ModelCall { server_id: Some("call_1".into()), index: Some(0), name: name.into(), arguments };
    Reply::Says(vec![ModelEvent::Calls { calls: vec![call] }, done()])
}

pub(crate) fn says(text: &str) -> Reply {
    Reply::Says(vec![ModelEvent::Text { text: text.into() }, done()])
}

/// The model had to be loaded for this one, which took 900 ms.
pub(crate) fn counted(text: &str) -> Reply {
    let usage = Usage { prompt_tokens: Some(3_000), load_ns: Some(900_000_000), ..Usage::default() };
    let done = ModelEvent::Done { reason: Some("stop".into()), usage };
    Reply::Says(vec![ModelEvent::Text { text: text.into() }, done])
}

pub(crate) fn run_command(command: &str) -> Reply {
    calls("run_command", json!({"command": command}))
}

fn done() -> ModelEvent {
    ModelEvent::Done { reason: Some("stop".into()), usage: Usage::default() }
}

/// Is there such a process, and not merely its remains?
pub(crate) fn alive(pid: &str) -> bool {
    let status = std::fs::read_to_string(Path::new("/proc").join(pid.trim()).join("stat")).unwrap_or_default();
    let state = status.rsplit(')').next().and_then(|rest| rest.trim().chars().next());
    state.is_some_and(|state| state != 'Z' && state != 'X')
}
