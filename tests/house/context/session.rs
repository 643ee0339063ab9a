//! A session over loopback: the real machine, loop, tools and client, and a scripted server that counts.

use agent_backend::{Host, Ollama};
use agent_loop::{Archive, Parts, drive};
use agent_mock_server::{Recorded, Script, Server};
use agent_policy::{Policy, Setup};
use agent_protocol::*;
use agent_session::context::system_prompt;
use agent_session::{Limits, Machine, Settings};
use agent_store::{Folder, Permissions, Place, Profiles, Trust};
use agent_tools::{Ground, Toolbox};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// Longest wait for one event; machines are shared and slow at times.
const PATIENCE: Duration = Duration::from_secs(60);

/// A project, a server, and a session between them.
pub(crate) struct Session {
    folder: TempDir,
    pub(crate) server: Server,
    ops: UnboundedSender<Op>,
    events: UnboundedReceiver<Event>,
    /// All that happened.
    pub(crate) heard: Vec<Event>,
}

impl Session {
    /// A session with the model `m` on a server that plays `script`, in a window of so many tokens, once the model is there.
    pub(crate) async fn open(script: Value, window: Option<u64>) -> Session {
        let script = Script::from_value(script).expect("the script of a test is valid");
        let server = Server::start(script).expect("a loopback port is free");
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        Session::reopen(folder, server, window).await
    }

    /// Another session in the same project, with what the last one remembered.
    pub(crate) async fn again(self, window: Option<u64>) -> Session {
        let Session { folder, server, ops, mut events, .. } = self;
        drop(ops);
        while events.recv().await.is_some() {}
        Session::reopen(folder, server, window).await
    }

    async fn reopen(folder: TempDir, server: Server, window: Option<u64>) -> Session {
        let (ops, wishes) = unbounded_channel();
        let (facts, events) = unbounded_channel();
        tokio::spawn(drive(parts(&folder, &server, window), wishes, facts));
        let mut house = Session { folder, server, ops, events, heard: Vec::new() };
        house.wait(|event| matches!(event, Event::Context(ContextEvent::Offered { .. }))).await;
        house
    }

    pub(crate) fn project(&self) -> PathBuf {
        self.folder.path().join("project").canonicalize().expect("the project is there")
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.project().join(name), text).expect("a file can be written");
    }

    pub(crate) fn wish(&self, op: Op) {
        self.ops.send(op).expect("the session goes on");
    }

    /// Waits for such an event, and returns it.
    pub(crate) async fn wait(&mut self, is_it: impl Fn(&Event) -> bool) -> Event {
        loop {
            let event = tokio::time::timeout(PATIENCE, self.events.recv()).await;
            let event = event.unwrap_or_else(|_| panic!("waited in vain; {:#?}", self.last_words()));
            let event = event.expect("the session goes on");
            self.heard.push(event.clone());
            if is_it(&event) {
                return event;
            }
        }
    }

    /// Says `text` and waits for the end of the turn.
    pub(crate) async fn turn(&mut self, text: &str) -> TurnEndReason {
        self.wish(Op::Turn(TurnOp::Say { text: text.into() }));
        self.end_of_turn().await
    }

    pub(crate) async fn end_of_turn(&mut self) -> TurnEndReason {
        match self
            .wait(|event| matches!(event, Event::Turn(TurnEvent::Ended { .. }) | Event::Call(CallEvent::Asked { .. })))
            .await
        {
            Event::Turn(TurnEvent::Ended { reason, .. }) => reason,
            other => panic!("{other:?} is no end"),
        }
    }

    /// Waits for the end of the turn; a question on the way is answered with yes.
    pub(crate) async fn end_saying_yes(&mut self) -> TurnEndReason {
        loop {
            match self
                .wait(|event| {
                    matches!(event, Event::Turn(TurnEvent::Ended { .. }) | Event::Call(CallEvent::Asked { .. }))
                })
                .await
            {
                Event::Call(CallEvent::Asked { question }) => {
                    let answer = Answer::Yes { remember: None, word: None };
                    self.wish(Op::Call(CallOp::Reply { ask: question.id, answer }));
                }
                Event::Turn(TurnEvent::Ended { reason, .. }) => return reason,
                other => panic!("{other:?} was not waited for"),
            }
        }
    }

    /// Where the tokens go.
    pub(crate) async fn context(&mut self) -> ContextReport {
        self.wish(Op::List(ListOp::Context));
        match self.wait(|event| matches!(event, Event::List(ListEvent::Context { .. }))).await {
            Event::List(ListEvent::Context { report }) => *report,
            other => panic!("{other:?} is no report"),
        }
    }

    /// Requests for replies, in order.
    pub(crate) fn chats(&self) -> Vec<Recorded> {
        self.server.chats()
    }

    pub(crate) fn fitted(&self) -> Vec<Compaction> {
        let fitted = self.heard.iter().filter_map(|event| match event {
            Event::Context(ContextEvent::Fitted { how, .. }) => Some(how.clone()),
            _ => None,
        });
        fitted.collect()
    }

    pub(crate) fn notices(&self) -> Vec<String> {
        let notices = self.heard.iter().filter_map(|event| match event {
            Event::Session(SessionEvent::Notice { text, .. }) => Some(text.clone()),
            _ => None,
        });
        notices.collect()
    }

    fn last_words(&self) -> &[Event] {
        &self.heard[self.heard.len().saturating_sub(8)..]
    }
}

fn parts(folder: &TempDir, server: &Server, window: Option<u64>) -> Parts {
    let project = folder.path().join("project");
    std::fs::create_dir_all(&project).expect("a folder can be made");
    let project = project.canonicalize().expect("the project is there");
    let tools = Arc::new(Toolbox::with(Ground::of_this_process(project.clone()).expect("there is ground"), &[]).0);
    let place = Place::new(folder.path().join("state"));
    let known = Folder::at(&project).expect("the project is there");
    let settings = Settings {
        model: Some("m".into()),
        window,
        keep_alive: Some("30m".into()),
        limits: Limits { steps: 10_000, ..Limits::default() },
        profiles: Profiles::new(place.clone()).load(),
        ..Settings::bare(project.clone(), system_prompt("/project", "linux", &[]), tools.specs())
    };
    Parts {
        machine: Machine::new(settings, Policy::new(Setup::new(project, Mode::Unsafe))),
        backend: Arc::new(Ollama::new(Host::parse(&server.url()).expect("the server has an address"))),
        tools,
        permissions: Permissions::new(folder.path().join("policy.toml"), known.clone()),
        archive: Archive::of_nothing(place.clone(), known.clone()),
        trust: Trust::new(place.clone(), known),
        place,
        start_server: None,
        host: "http://127.0.0.1:11434".into(),
        look_around_from: None,
    }
}
