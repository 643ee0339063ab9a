//! A backend that says what a test wrote down, and a session around it with real tools in a temporary project.

use agent_backend::Backend;
use agent_loop::{Parts, StartServer, drive};
use agent_policy::{Policy, Setup};
use agent_protocol::*;
use agent_store::Place;
use agent_tools::Toolbox;
use agent_turn::{Keep, Machine, Settings};
use futures_util::future::{BoxFuture, FutureExt, ready};
use futures_util::stream::{self, BoxStream, StreamExt};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
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
    /// Replies that were dropped before their end.
    pub(crate) dropped: Arc<AtomicUsize>,
    pub(crate) down: Arc<AtomicBool>,
}

struct Guard(Arc<AtomicUsize>);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

impl Backend for Scripted {
    fn host(&self) -> &str {
        "scripted"
    }

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
            None => stream::iter([ModelEvent::Broken { trouble: Trouble::NotDone }]).boxed(),
        }
    }

    fn version(&self) -> BoxFuture<'_, Result<String, Trouble>> {
        let down = self.down.load(Ordering::SeqCst);
        ready(if down { Err(unreachable_trouble()) } else { Ok("0.33.0".into()) }).boxed()
    }

    fn describe<'a>(&'a self, model: &'a str) -> BoxFuture<'a, Result<ModelCard, Trouble>> {
        let card = ModelCard { name: model.into(), tools: Some(true), ..ModelCard::default() };
        ready(Ok(card)).boxed()
    }

    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelCard>, Trouble>> {
        ready(Ok(Vec::new())).boxed()
    }

    fn pull(&self, _name: &str) -> BoxStream<'static, PullState> {
        let progress = PullState::Progress { status: "pulling".into(), done: 1, total: 2 };
        stream::iter([progress]).chain(stream::pending()).boxed()
    }
}

pub(crate) fn unreachable_trouble() -> Trouble {
    Trouble::Unreachable { host: "scripted".into(), why: "connection refused".into() }
}

pub(crate) struct Session {
    pub(crate) folder: TempDir,
    pub(crate) backend: Arc<Scripted>,
    pub(crate) ops: UnboundedSender<Op>,
    pub(crate) events: UnboundedReceiver<Event>,
    pub(crate) ended: JoinHandle<()>,
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
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().canonicalize().unwrap().join("project");
    std::fs::create_dir(&project).unwrap();
    let tools = Arc::new(Toolbox::new(project.clone()));
    let backend = Arc::new(Scripted { replies: Mutex::new(replies.into()), down, ..Scripted::default() });
    let parts = Parts {
        machine: machine(mode, project, &tools),
        backend: backend.clone(),
        tools,
        place: Place::new(folder.path().join("state")),
        start_server,
    };
    let (ops, wishes) = unbounded_channel();
    let (facts, events) = unbounded_channel();
    let ended = tokio::spawn(drive(parts, wishes, facts));
    Session { folder, backend, ops, events, ended }
}

fn machine(mode: Mode, project: PathBuf, tools: &Toolbox) -> Machine {
    let policy = Policy::new(Setup { root: project.clone(), mode, allow_write: false, allow_run: false });
    let settings = Settings {
        project,
        host: "scripted".into(),
        system: "system".into(),
        tools: tools.specs(),
        model: Some("m".into()),
        num_ctx: None,
        options: serde_json::Map::new(),
        keep_alive: None,
        think: None,
        history: Vec::new(),
        doubtful_folder: false,
        tools_mode: agent_turn::ToolsMode::Auto,
        families: Vec::new(),
        limits: agent_turn::Limits { steps: 100, repeats: 3, ..Default::default() },
        keep: Keep::Everything,
        notices: Vec::new(),
    };
    Machine::new(settings, policy)
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

    pub(crate) fn op(&self, op: Op) {
        self.ops.send(op).unwrap();
    }

    pub(crate) fn say(&self, text: &str) {
        self.op(Op::Say { text: text.into() });
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
            Event::Asked { question } => Some(question.clone()),
            _ => None,
        })
        .await
    }

    pub(crate) async fn ended(&mut self) -> TurnEndReason {
        self.until(|event| match event {
            Event::TurnEnded { reason, .. } => Some(reason.clone()),
            _ => None,
        })
        .await
    }

    /// The last message of the last request.
    pub(crate) fn last_told(&self) -> String {
        let requests = self.backend.requests.lock().unwrap();
        requests.last().unwrap().messages.last().unwrap().content.clone()
    }
}

pub(crate) fn calls(name: &str, arguments: Value) -> Reply {
    let call = ModelCall { server_id: Some("call_1".into()), index: Some(0), name: name.into(), arguments };
    Reply::Says(vec![ModelEvent::Calls { calls: vec![call] }, done()])
}

pub(crate) fn says(text: &str) -> Reply {
    Reply::Says(vec![ModelEvent::Text { text: text.into() }, done()])
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
