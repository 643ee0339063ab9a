//! A project of its own for a row, and a session over it: a scripted model that makes the calls, a scripted person who
//! answers, and between them the real loop, tools and policy.

use crate::checks::{self, Happened};
use crate::rows::{Row, User};
use crate::tree::{self, Thing};
use crate::{undo, unprivileged};
use agent_backend::{Chat, ModelHost};
use agent_loop::{Archive, KeptContents, Parts, drive as drive_loop};
use agent_policy::{Policy, Setup};
use agent_protocol::*;
use agent_protocol::{CallEvent, CallOp, TurnEvent, TurnOp};
use agent_session::{Machine, Settings};
use agent_store::{Folder, Permissions, Place, Trust};
use agent_tools::{Ground, Toolbox};
use futures_util::future::{BoxFuture, FutureExt, ready};
use futures_util::stream::{self, BoxStream, StreamExt};
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Instant;
use tempfile::TempDir;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// The folders of a row: `ws` is the project, `out` lies beside it, `home` is the person's.
pub(crate) struct House {
    _folder: TempDir,
    pub(crate) top: PathBuf,
    /// By which name the project is started in.
    start: PathBuf,
}

impl House {
    fn new(row: &Row) -> Self {
        let folder = tempfile::Builder::new().prefix("r").tempdir_in(unprivileged::folder()).unwrap();
        let top = folder.path().canonicalize().unwrap();
        for name in ["ws", "out", "home", "state"] {
            std::fs::create_dir(top.join(name)).unwrap();
        }
        let mut house = House { start: top.join("ws"), _folder: folder, top };
        for line in &row.setup {
            if let Some(link) = line.strip_prefix("@start_in: ") {
                let (name, target) = link.split_once(" -> ").unwrap();
                house.start = PathBuf::from(house.spelled(name));
                std::os::unix::fs::symlink(target, &house.start).unwrap();
            }
        }
        house
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.top.join("ws")
    }

    /// `text` with the row's folder in the place of `$R`.
    pub(crate) fn spelled(&self, text: &str) -> String {
        text.replace("$R", self.top.to_str().unwrap())
    }

    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.project().join(self.spelled(name))
    }

    pub(crate) fn shell(&self, line: &str) {
        let mut shell = Command::new("bash");
        // The system's own programs first: others may lie where only root can look.
        let path = format!("/usr/bin:/bin:{}", std::env::var("PATH").unwrap_or_default());
        shell.args(["-c", line]).current_dir(self.project()).stdin(Stdio::null()).env("PATH", path);
        let output = shell.env("R", &self.top).env("HOME", self.top.join("home")).output().unwrap();
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

/// Drives `row` from end to end.
pub(crate) async fn drive(row: &Row) -> Result<(), String> {
    let house = House::new(row);
    // What comes before the first call of the model comes before the session.
    let own = |line: &&String| !line.starts_with('@');
    let earlier = row.setup.iter().rposition(|line| line.starts_with("@tool: "));
    let (before, after) = row.setup.split_at(earlier.unwrap_or(0));
    before.iter().filter(own).for_each(|line| house.shell(line));
    if earlier.is_none() {
        after.iter().filter(own).for_each(|line| house.shell(line));
    }
    let mut session = Session::new(row, &house);
    if let Some(earlier) = earlier {
        session.read_first(&row.setup[earlier]).await;
        after.iter().filter(own).for_each(|line| house.shell(line));
    }
    let was: BTreeMap<String, Option<Thing>> =
        row.expect.fs.keys().map(|name| (name.clone(), tree::thing(&house.at(name)))).collect();
    forget_the_most_memory();
    let began = Instant::now();
    let mut happened = match row.tool.as_str() {
        "@undo" => undo::turn(&mut session, row, &house).await,
        _ => session.turn(row, &house).await,
    };
    happened.took = began.elapsed();
    happened.most_memory_mb = most_memory_mb();
    checks::check(row, &house, &was, &happened)
}

/// The most that this process ever used begins to count anew.
fn forget_the_most_memory() {
    // Where the system cannot, it counts from the start, which is only stricter.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

fn most_memory_mb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024
}

pub(crate) struct Session {
    replies: Arc<Scripted>,
    ops: UnboundedSender<Op>,
    events: UnboundedReceiver<Event>,
}

impl Session {
    fn new(row: &Row, house: &House) -> Self {
        let project = house.start.canonicalize().unwrap();
        let home = house.top.join("home");
        let (place, known) = (Place::new(house.top.join("state")), Folder::at(&project).unwrap());
        let archive = Archive::of_nothing(place.clone(), known.clone());
        let keep = Arc::new(KeptContents(archive.contents.clone()));
        let ground = Ground { home: Some(home.clone()), keep, ..Ground::of_this_process(project.clone()).unwrap() };
        let tools = Arc::new(Toolbox::with(ground, &[]).0);
        let own = [".config/agent", ".local/state/agent", ".local/share/agent"].map(|own| home.join(own)).to_vec();
        let setup = Setup { home: Some(home), own, ..Setup::new(project.clone(), row.mode) };
        let machine = Machine::new(settings(project.clone(), &tools), Policy::new(setup));
        let replies = Arc::new(Scripted::default());
        let parts = Parts {
            machine,
            backend: replies.clone(),
            tools,
            archive,
            place: place.clone(),
            permissions: Permissions::new(house.top.join("state/policy.toml"), known.clone()),
            trust: Trust::new(place, known),
            start_server: None,
            host: "http://127.0.0.1:11434".into(),
            look_around_from: None,
        };
        let (ops, wishes) = unbounded_channel();
        let (facts, events) = unbounded_channel();
        tokio::spawn(drive_loop(parts, wishes, facts));
        Session { replies, ops, events }
    }

    /// `@tool: read_file a.txt`.
    async fn read_first(&mut self, line: &str) {
        let (tool, file) = line.strip_prefix("@tool: ").unwrap().split_once(' ').unwrap();
        self.say(vec![call(tool, json!({ "file_path": file }))]);
        self.finish_well().await;
    }

    /// Waits for the end of the turn; every call in it does what it should, and nobody is asked.
    pub(crate) async fn finish_well(&mut self) {
        loop {
            match self.events.recv().await.unwrap() {
                Event::Call(CallEvent::Asked { question }) => panic!("asked: {}", question.why),
                Event::Call(CallEvent::Finished { outcome, .. }) => {
                    assert_eq!(outcome.status, Status::Done, "{}", outcome.told)
                }
                Event::Turn(TurnEvent::Ended { .. }) => return,
                _ => {}
            }
        }
    }

    /// Waits for what answers a wish.
    pub(crate) async fn hear(&mut self, is_it: impl Fn(&Event) -> bool) -> Event {
        loop {
            let event = self.events.recv().await.unwrap();
            if is_it(&event) {
                return event;
            }
        }
    }

    pub(crate) fn wish(&self, op: Op) {
        self.ops.send(op).unwrap();
    }

    pub(crate) fn say(&self, calls: Vec<ModelCall>) {
        let done = || ModelEvent::Done { reason: Some("stop".into()), usage: Usage::default() };
        let mut replies = self.replies.0.lock().unwrap();
        replies.push_back(vec![ModelEvent::Calls { calls }, done()]);
        replies.push_back(vec![ModelEvent::Text { text: "that is all".into() }, done()]);
        drop(replies);
        self.wish(Op::Turn(TurnOp::Say { text: "do it".into() }));
    }

    /// The call of the row, and what the person makes of it.
    async fn turn(&mut self, row: &Row, house: &House) -> Happened {
        self.say(calls(row, house));
        let mut happened = Happened::default();
        loop {
            match self.events.recv().await.unwrap() {
                Event::Call(CallEvent::Asked { question }) => {
                    row.during.iter().for_each(|line| house.shell(line));
                    self.answer(row, question.id);
                    happened.asked.push(question);
                }
                Event::Call(CallEvent::Finished { outcome, .. }) => happened.outcomes.push(outcome),
                Event::Turn(TurnEvent::Ended { .. }) => return happened,
                _ => {}
            }
        }
    }

    fn answer(&self, row: &Row, ask: AskId) {
        let answer = match row.user {
            Some(User::Approve) => Answer::Yes { remember: None, word: None },
            Some(User::Deny) | None => Answer::No { word: None },
        };
        self.wish(Op::Call(CallOp::Reply { ask, answer }));
    }
}

fn calls(row: &Row, house: &House) -> Vec<ModelCall> {
    let args: Value = serde_json::from_str(&house.spelled(&row.args.to_string())).unwrap();
    if row.tool != "@batch" {
        return vec![call(&row.tool, args)];
    }
    let calls = args["calls"].as_array().unwrap().iter();
    calls.map(|one| call(one[0].as_str().unwrap(), one[1].clone())).collect()
}

pub(crate) fn call(name: &str, arguments: Value) -> ModelCall {
    ModelCall { server_id: None, index: None, name: name.into(), arguments }
}

fn settings(project: PathBuf, tools: &Toolbox) -> Settings {
    Settings { model: Some("m".into()), ..Settings::bare(project, "system", tools.specs()) }
}

/// A model that says what was written down for it.
#[derive(Default)]
struct Scripted(Mutex<VecDeque<Vec<ModelEvent>>>);

impl Chat for Scripted {
    fn chat(&self, _request: ChatRequest) -> BoxStream<'static, ModelEvent> {
        let reply = self.0.lock().unwrap().pop_front();
        stream::iter(reply.unwrap_or_else(|| vec![ModelEvent::Broken { trouble: ServerError::NotDone }])).boxed()
    }

    fn card(&self) -> BoxFuture<'_, Result<ServerCard, ServerError>> {
        ready(Ok(ServerCard::default())).boxed()
    }

    fn describe<'a>(&'a self, model: &'a str) -> BoxFuture<'a, Result<ModelCard, ServerError>> {
        ready(Ok(ModelCard { name: model.into(), tools: Some(true), ..ModelCard::default() })).boxed()
    }

    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelCard>, ServerError>> {
        ready(Ok(Vec::new())).boxed()
    }

    fn written(&self, request: &ChatRequest) -> String {
        json!(request).to_string()
    }

    fn models_host(&self) -> Option<&dyn ModelHost> {
        None
    }
}
