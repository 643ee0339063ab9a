//! A hand-cranked machine: what a test feeds it, and what came out, as lines of text.

use agent_dialects::Form;
use agent_policy::{Facts, PathKind, Permit, Policy, Query, Setup, queries};
use agent_protocol::*;
use agent_session::{
    CallEffect, CallInput, Effect, Family, Input, Keep, Machine, Planned, Reached, ServerEffect, ServerInput,
    SessionEffect, Settings, ToolsMode,
};
use serde_json::json;
use std::collections::HashMap;

pub(crate) const ROOT: &str = "/p";

pub(crate) struct Play {
    pub(crate) machine: Machine,
    /// Every effect so far, one line each.
    pub(crate) lines: Vec<String>,
    pub(crate) events: Vec<Event>,
    pub(crate) requests: Vec<ChatRequest>,
    pub(crate) permits: Vec<Permit>,
    /// What was learned of the model and kept.
    pub(crate) profiles: Vec<ModelProfile>,
    /// What was written down.
    pub(crate) records: Vec<Record>,
    /// What is waited for: files to be brought back, or to be looked at.
    pub(crate) wanted: Vec<Restoring>,
    /// The calls that were begun.
    pub(crate) begun: HashMap<CallId, ModelCall>,
    reply: ReplyId,
}

pub(crate) fn settings() -> Settings {
    let tools = vec![tool("read_file", &["path"]), tool("write_file", &["path", "content"])];
    Settings {
        host: "http://127.0.0.1:11434".into(),
        model: Some("m".into()),
        keep: Keep::Everything,
        ..Settings::bare(ROOT.into(), "system", tools)
    }
}

/// A server that can do all.
pub(crate) fn server_card() -> ServerCard {
    ServerCard {
        version: "0.33.0".into(),
        product: "Ollama".into(),
        can: Capability::ALL.into(),
        library: None,
        window_variable: Some("OLLAMA_CONTEXT_LENGTH".into()),
        ..ServerCard::default()
    }
}

/// What fails in a check goes back twice, and nothing else is done around the model.
pub(crate) fn with_checks() -> LeverChanges {
    LeverChanges { check_rounds: Some(2), unmade_changes: Some(true), ..LeverChanges::off() }
}

/// A family that matches nothing and says nothing.
pub(crate) fn family() -> Family {
    Family::default()
}

/// Is this about how full the window is, or what is known of the model? That has tests of its own.
fn is_measuring(effect: &Effect) -> bool {
    match effect {
        Effect::Emit(event) => matches!(
            event,
            Event::Context(ContextEvent::Window { .. }) | Event::Context(ContextEvent::WindowMeasured { .. })
        ),
        Effect::Server(ServerEffect::Load { .. })
        | Effect::Server(ServerEffect::Renew { .. })
        | Effect::Server(ServerEffect::LookLoaded)
        | Effect::Remember(agent_session::Memory::Model(_)) => true,
        _ => false,
    }
}

fn tool(name: &str, required: &[&str]) -> ToolSpec {
    let properties: serde_json::Map<String, serde_json::Value> =
        required.iter().map(|name| ((*name).to_owned(), json!({"type": "string"}))).collect();
    ToolSpec {
        name: name.into(),
        description: "does it".into(),
        parameters: json!({"type": "object", "properties": properties, "required": required}),
        aliases: Vec::new(),
    }
}

impl Play {
    pub(crate) fn new(settings: Settings, mode: Mode) -> Self {
        Play::with(settings, Setup::new(ROOT.into(), mode))
    }

    /// A session in a project whose own settings cannot be read, which is `why`.
    pub(crate) fn held_back(why: &str) -> Self {
        Play::with(settings(), Setup { held_back: Some(why.into()), ..Setup::new(ROOT.into(), Mode::Safe) })
    }

    /// The same, with a policy that starts from `setup`.
    pub(crate) fn ready_by(settings: Settings, setup: Setup) -> Self {
        Play::with(settings, setup).made_ready()
    }

    fn with(settings: Settings, setup: Setup) -> Self {
        Play {
            machine: Machine::new(settings, Policy::new(setup)),
            lines: Vec::new(),
            events: Vec::new(),
            requests: Vec::new(),
            permits: Vec::new(),
            profiles: Vec::new(),
            records: Vec::new(),
            wanted: Vec::new(),
            begun: HashMap::new(),
            reply: ReplyId(0),
        }
    }

    /// A session with a server and a model that calls tools, ready to be spoken to.
    pub(crate) fn ready(mode: Mode) -> Self {
        Play::ready_with(settings(), mode)
    }
    pub(crate) fn ready_with(settings: Settings, mode: Mode) -> Self {
        Play::new(settings, mode).made_ready()
    }

    fn made_ready(mut self) -> Self {
        self.feed(Input::Start);
        self.feed(Input::Server(ServerInput::Probed { result: Ok(server_card()), can_start: false }));
        self.feed(Input::Server(ServerInput::Described {
            name: "m".into(),
            result: Ok(card(Some(true))),
            loaded: None,
        }));
        self.lines.clear();
        self.events.clear();
        self
    }

    /// A session whose tools go by text, in the form of Hermes.
    pub(crate) fn by_text(mode: Mode) -> Self {
        let hermes = Family { matches: vec!["m".into()], form: Form::Hermes, starts_in_reasoning: false, ..family() };
        Play::ready_with(Settings { tools_mode: ToolsMode::Text, families: vec![hermes], ..settings() }, mode)
    }

    pub(crate) fn feed(&mut self, input: Input) {
        for effect in self.machine.step(input) {
            if !is_measuring(&effect) {
                self.lines.push(line(&effect));
            }
            match effect {
                Effect::Emit(event) => self.events.push(event),
                Effect::Server(ServerEffect::CallModel { reply, request }) => {
                    self.reply = reply;
                    self.requests.push(*request);
                    self.assert_roles_alternate();
                }
                Effect::Call(CallEffect::Reach(call)) => drop(self.begun.insert(call.id, call.call)),
                Effect::Call(CallEffect::Plan { permit, .. }) | Effect::Call(CallEffect::Run { permit, .. }) => {
                    self.permits.push(permit)
                }
                Effect::Remember(agent_session::Memory::Model(profile)) => self.profiles.push(*profile),
                Effect::Session(SessionEffect::Record { records, .. }) => self.records.extend(records),
                Effect::Session(SessionEffect::PlanUndo { wanted, .. }) => self.wanted = wanted,
                Effect::Session(SessionEffect::PlanPart { file, .. }) => self.wanted = vec![file],
                Effect::Session(SessionEffect::Restore { permit }) => self.permits.push(permit),
                _ => {}
            }
        }
    }

    pub(crate) fn op(&mut self, op: Op) {
        self.feed(Input::Op(op));
    }

    /// The user says this; a file that their words may name is not there.
    pub(crate) fn say(&mut self, text: &str) {
        self.say_only(text);
        let waits = self.lines.last().is_some_and(|line| line.starts_with("reach"));
        let gathers = self.begun.iter().filter(|(_, made)| made.name == "gather_files").map(|(call, _)| *call).max();
        if let Some(call) = gathers.filter(|_| waits) {
            self.reached(call.0, ROOT);
            self.planned(call.0, Action::Read { paths: Vec::new() });
        }
    }

    /// The user says this, and nothing else happens.
    pub(crate) fn say_only(&mut self, text: &str) {
        self.op(Op::Turn(TurnOp::Say { text: text.into() }));
    }

    pub(crate) fn model(&mut self, event: ModelEvent) {
        self.feed(Input::Server(ServerInput::Model { reply: self.reply, event }));
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.model(ModelEvent::Text { text: text.into() });
    }

    pub(crate) fn done(&mut self) {
        let usage = Usage { prompt_tokens: Some(self.counted()), reply_tokens: Some(10), ..Usage::default() };
        self.model(ModelEvent::Done { reason: Some("stop".into()), usage });
    }

    /// The last request as a server would count it.
    pub(crate) fn counted(&self) -> u64 {
        let request = self.requests.last().expect("a request was made");
        let messages = serde_json::to_string(&request.messages).expect("messages can be written");
        let tools = serde_json::to_string(&request.tools).expect("tools can be written");
        (messages.len() + tools.len()) as u64 / 4
    }

    /// A complete reply of text.
    pub(crate) fn writes(&mut self, text: &str) {
        self.text(text);
        self.done();
    }

    /// A complete reply without anything, of so many tokens.
    pub(crate) fn empty(&mut self, tokens: u64) {
        let usage = Usage { reply_tokens: Some(tokens), ..Usage::default() };
        self.model(ModelEvent::Done { reason: Some("stop".into()), usage });
    }

    pub(crate) fn broken(&mut self, trouble: ServerError) {
        self.model(ModelEvent::Broken { trouble });
    }

    /// The server could not read a call.
    pub(crate) fn bad_call(&mut self, message: &str) {
        self.broken(ServerError::BadCall { message: message.into() });
    }

    /// The model calls these tools and ends its reply.
    pub(crate) fn calls(&mut self, names: &[&str]) {
        let calls = names.iter().map(|name| model_call(name)).collect();
        self.model(ModelEvent::Calls { calls });
        self.done();
    }

    pub(crate) fn reached(&mut self, call: u64, path: &str) {
        let action = Action::Read { paths: vec![path.into()] };
        let facts = facts(&action);
        let call = CallId(call);
        let name = self.begun.get(&call).map(|made| made.name.clone()).unwrap_or_default();
        let reached = Reached { action, name, stands_for: Vec::new(), notes: Vec::new() };
        self.feed(Input::Call(CallInput::Reached { call, result: Ok(reached), facts }));
    }

    pub(crate) fn planned(&mut self, call: u64, action: Action) {
        let facts = facts(&action);
        let preview = Preview { title: "Do it".into(), body: PreviewBody::Plain };
        self.feed(Input::Call(CallInput::Planned {
            call: CallId(call),
            result: Ok(Planned { action, preview }),
            facts,
        }));
    }

    pub(crate) fn ran(&mut self, call: u64, told: &str) {
        self.feed(Input::Call(CallInput::Ran { call: CallId(call), outcome: outcome(told) }));
    }

    /// Reach, plan and run of a harmless read, which nobody asks about.
    pub(crate) fn reads(&mut self, call: u64, told: &str) {
        self.reached(call, "/p/a");
        self.planned(call, read("/p/a"));
        self.ran(call, told);
    }

    /// The number of the question that stands open.
    pub(crate) fn asked(&self) -> AskId {
        self.question().id
    }

    /// The question asked last.
    pub(crate) fn question(&self) -> &Question {
        let question = self.events.iter().rev().find_map(|event| match event {
            Event::Call(CallEvent::Asked { question }) => Some(question),
            _ => None,
        });
        question.expect("a question was asked")
    }

    pub(crate) fn answer(&mut self, answer: Answer) {
        let ask = self.asked();
        self.op(Op::Call(CallOp::Reply { ask, answer }));
    }

    pub(crate) fn ended(&self) -> Option<TurnEndReason> {
        self.events.iter().rev().find_map(|event| match event {
            Event::Turn(TurnEvent::Ended { reason, .. }) => Some(reason.clone()),
            _ => None,
        })
    }

    /// The conversation as the next request would send it, one line a message.
    pub(crate) fn conversation(&self) -> Vec<String> {
        let request = self.requests.last().expect("a request was made");
        request.messages.iter().map(message_line).collect()
    }

    pub(crate) fn proposed(&self) -> Vec<ToolCall> {
        let calls = self.events.iter().filter_map(|event| match event {
            Event::Call(CallEvent::Proposed { call }) => Some(call.clone()),
            _ => None,
        });
        calls.collect()
    }

    pub(crate) fn set_aside(&self) -> Vec<(SetAside, String)> {
        let aside = self.events.iter().filter_map(|event| match event {
            Event::Turn(TurnEvent::SetAside { text, why }) => Some((*why, text.clone())),
            _ => None,
        });
        aside.collect()
    }

    /// By which ways the tools were offered, one after the other.
    pub(crate) fn offered(&self) -> Vec<ToolsBy> {
        let offered = self.events.iter().filter_map(|event| match event {
            Event::Context(ContextEvent::Offered { by, .. }) => Some(*by),
            _ => None,
        });
        offered.collect()
    }

    /// What the user reads as the model's answer.
    pub(crate) fn shown(&self) -> String {
        let text = self.events.iter().filter_map(|event| match event {
            Event::Turn(TurnEvent::Text { text }) => Some(text.as_str()),
            _ => None,
        });
        text.collect()
    }

    pub(crate) fn notices(&self) -> Vec<String> {
        let texts = self.events.iter().filter_map(|event| match event {
            Event::Session(SessionEvent::Notice { text, .. }) => Some(text.clone()),
            _ => None,
        });
        texts.collect()
    }

    /// The last message of the last request.
    pub(crate) fn last_said(&self) -> String {
        let request = self.requests.last().expect("a request was made");
        request.messages.last().expect("a request has messages").content.to_string()
    }

    /// What the open question is about, if one is open.
    pub(crate) fn subject(&self) -> Option<Subject> {
        let mut open = None;
        for event in &self.events {
            match event {
                Event::Call(CallEvent::Asked { question }) => open = Some(question.subject.clone()),
                Event::Call(CallEvent::Settled { .. }) => open = None,
                _ => {}
            }
        }
        open
    }

    /// Each request's conversation begins with that of the one before.
    pub(crate) fn assert_prompt_only_grows(&self) {
        for pair in self.requests.windows(2) {
            let (before, after) = (&pair[0].messages, &pair[1].messages);
            assert_eq!(before[..], after[..before.len().min(after.len())]);
        }
    }

    /// The last request has the system message first and no two messages in a row by the user, or by the model.
    /// Looked at with every request of every test.
    pub(crate) fn assert_roles_alternate(&self) {
        let messages = &self.requests.last().expect("a request was made").messages;
        let system = messages.iter().filter(|message| message.role == Role::System).count();
        assert!(system == 1 && messages[0].role == Role::System, "{:?}", self.conversation());
        for pair in messages.windows(2) {
            let same = pair[0].role == pair[1].role;
            assert!(!same || pair[0].role == Role::Tool, "{:?}", self.conversation());
        }
    }

    pub(crate) fn has(&self, start: &str) -> bool {
        self.lines.iter().any(|line| line.starts_with(start))
    }
}

pub(crate) fn yes() -> Answer {
    Answer::Yes { remember: None, word: None }
}

pub(crate) fn no(word: &str) -> Answer {
    Answer::No { word: (!word.is_empty()).then(|| word.into()) }
}

pub(crate) fn card(tools: Option<bool>) -> ModelCard {
    let size = Some("24B".to_owned());
    ModelCard { name: "m".into(), context_length: Some(8_192), tools, parameter_size: size, ..ModelCard::default() }
}

/// A call as Hermes writes it.
pub(crate) fn hermes(name: &str, path: &str) -> String {
    format!("<tool_call>\n{{\"name\": \"{name}\", \"arguments\": {{\"path\": \"{path}\"}}}}\n</tool_call>")
}

pub(crate) fn model_call(name: &str) -> ModelCall {
    ModelCall {
        server_id: Some(format!("call_{name}")),
        index: Some(0),
        name: name.into(),
        arguments: json!({"z": 1, "a": 2}),
    }
}

pub(crate) fn read(path: &str) -> Action {
    Action::Read { paths: vec![path.into()] }
}

pub(crate) fn write(path: &str) -> Action {
    let change = Change { path: path.into(), before: None, after: Some("new".into()) };
    Action::Write { changes: Changes(vec![change]) }
}

pub(crate) fn run(command: &str) -> Action {
    Action::Run {
        command: command.into(),
        argv: Vec::new(),
        cwd: ROOT.into(),
        timeout_secs: 120,
        profile: agent_protocol::Profile::Project,
        background: false,
        input: None,
    }
}

pub(crate) fn outcome(told: &str) -> Outcome {
    Outcome {
        status: Status::Done,
        told: told.into(),
        summary: told.into(),
        detail: String::new(),
        fence: None,
        failing: None,
        ..Failure::new(FailureKind::NotReady, "").into()
    }
}

pub(crate) fn facts(action: &Action) -> Facts {
    let mut facts = Facts::default();
    for query in queries(action) {
        match query {
            Query::Kind(path) => {
                let folder = path.as_os_str() == ROOT;
                facts.set_kind(path, if folder { PathKind::Folder } else { PathKind::File { names: 1 } });
            }
            Query::Program(name) => facts.set_program(name.clone(), std::path::Path::new("/usr/bin").join(name)),
            _ => {}
        }
    }
    facts
}

fn message_line(message: &Message) -> String {
    let calls: Vec<&str> = message.calls.iter().map(|call| call.name.as_str()).collect();
    let calls = if calls.is_empty() { String::new() } else { format!(" calls {}", calls.join(",")) };
    let tool = message.tool_call_id.as_ref().map(|id| format!(" for {id}")).unwrap_or_default();
    format!("{:?}{tool}: {}{calls}", message.role, message.content).to_lowercase()
}

pub(crate) fn line(effect: &Effect) -> String {
    match effect {
        Effect::Emit(event) => {
            let value = serde_json::to_value(event).expect("events can be written");
            let kind = value["type"].as_str().expect("events are tagged").to_owned();
            let mut rest = value;
            rest.as_object_mut().expect("events are objects").remove("type");
            format!("emit {kind} {rest}")
        }
        Effect::Server(ServerEffect::CallModel { reply, request }) => {
            format!("call model {reply} with {} messages", request.messages.len())
        }
        Effect::Server(ServerEffect::HangUp) => "hang up".into(),
        Effect::Call(CallEffect::Reach(call)) => format!("reach {}", call.id),
        Effect::Call(CallEffect::Plan { call, .. }) => format!("plan {}", call.id),
        Effect::Call(CallEffect::Again { call, profile }) => format!("again {call} {profile:?}").to_lowercase(),
        Effect::Call(CallEffect::Amend { call, .. }) => format!("amend {call}"),
        Effect::Call(CallEffect::Run { call, .. }) => format!("run {call}"),
        Effect::Call(CallEffect::Stop(call)) => format!("stop {call}"),
        Effect::Call(CallEffect::Forget(call)) => format!("forget {call}"),
        Effect::Call(CallEffect::LetReach { reach, allowed }) => format!("let reach {} {allowed}", reach.0),
        Effect::Call(other) => format!("{other:?}").to_lowercase(),
        Effect::Server(other) => format!("{other:?}").to_lowercase(),
        Effect::Session(other) => format!("{other:?}").to_lowercase(),
        other @ Effect::Remember(_) => format!("{other:?}").to_lowercase(),
    }
}
