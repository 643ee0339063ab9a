//! Writes a session out as a trajectory in ATIF, the Agent Trajectory Interchange Format that Harbor defines
//! (`harbor/models/trajectories`, read in version 0.26). It is strict: a field that it does not name is an error, so what
//! is ours alone stands under `extra`.
//!
//! A reply of the model with its calls and their results is one step. What an agent did for a task is a trajectory of its
//! own, inside this one, to which the result of the task points. Events have no times, so steps have none either.

mod steps;

use super::{quoted, session_line, words};
use crate::records::said::words_of;
use agent_protocol::{
    CallEvent, CallId, ContextEvent, Event, PartOrigin, Record, Role, ServerEvent, SessionCard, SessionEvent, TurnEvent,
};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use steps::Steps;

/// Nothing of a later version is used, and older readers take this one.
const VERSION: &str = "ATIF-v1.7";

/// The session as one ATIF trajectory. `None` where nothing happened in it: a trajectory has at least one step.
pub fn atif(card: &SessionCard, records: &[Record]) -> Option<String> {
    let mut trajectory = Trajectory::new(card.model.clone());
    for record in records {
        trajectory.record(record);
    }
    let whole = trajectory.finish(card)?;
    Some(serde_json::to_string_pretty(&whole).expect("a value is always JSON") + "\n")
}

/// One trajectory as far as it is written.
struct Trajectory {
    /// What the agent is said to run with; a step by another model says so.
    model: Option<String>,
    /// The version of this program, and the tools that it offered.
    version: Option<String>,
    tools: Vec<String>,
    settings: u64,
    /// So many messages of the conversation are known.
    messages: usize,
    steps: Steps,
    /// By the task for which an agent works.
    agents: BTreeMap<CallId, Trajectory>,
}

impl Trajectory {
    fn new(model: Option<String>) -> Self {
        Trajectory {
            steps: Steps::new(model.clone()),
            model,
            version: None,
            tools: Vec::new(),
            settings: 0,
            messages: 0,
            agents: BTreeMap::new(),
        }
    }

    fn record(&mut self, record: &Record) {
        match record {
            Record::Setting(setting) => {
                self.settings += 1;
                self.version = Some(setting.version.clone());
                self.tools.clone_from(&setting.tools);
                match self.settings {
                    1 => self.steps.system(&setting.instructions, json!({"is": "instructions"})),
                    _ => self.steps.system("the session goes on", json!({"is": "remark"})),
                }
            }
            Record::Event { event } => self.event(event),
            Record::Conversation { from, messages, .. } => {
                // What replaces earlier messages is the same once more, made shorter.
                if *from == self.messages {
                    messages.iter().for_each(|message| self.message(message));
                }
                self.messages = from + messages.len();
            }
            Record::Undoing { .. } | Record::Before { .. } => {}
        }
    }

    /// What the program said to the model in the user's place stands in the conversation alone.
    fn message(&mut self, message: &agent_protocol::Message) {
        let parts = message.parts();
        if message.role == Role::User && parts.iter().all(|part| part.origin == PartOrigin::Program) {
            self.steps.system(message.content.as_str(), json!({"is": "words of the program to the model"}));
        }
    }

    fn event(&mut self, event: &Event) {
        if let Some(text) = words_of(event) {
            self.steps.user(text);
        }
        match event {
            Event::Turn(event) => self.turn(event),
            Event::Call(event) => self.call(event),
            Event::Server(ServerEvent::ModelSet { card, .. }) => {
                self.model.get_or_insert_with(|| card.name.clone());
                self.steps.model(&card.name);
            }
            Event::Context(ContextEvent::Fitted { how, before, after }) => {
                self.steps.system(&words::fitted(how, *before, *after), json!({"is": "remark"}));
            }
            Event::Session(event) => self.session(event),
            Event::Server(_) | Event::Context(_) | Event::List(_) => {}
        }
    }

    fn turn(&mut self, event: &TurnEvent) {
        match event {
            TurnEvent::Thinking { text } => self.steps.thinking(text),
            TurnEvent::Text { text } => self.steps.text(text),
            TurnEvent::WasThinking { text } => self.steps.was_thinking(text),
            TurnEvent::Replied { usage, .. } => self.steps.replied(usage),
            TurnEvent::SetAside { text, why } => {
                self.steps.remark("set_aside", json!({"why": why.words(), "text": text}));
            }
            TurnEvent::Receipt { receipt, .. } => {
                self.steps.remark("receipt", serde_json::to_value(receipt).unwrap_or_default());
            }
            TurnEvent::Ended { reason, .. } => {
                self.steps.remark("ended", serde_json::to_value(reason).unwrap_or_default());
                self.steps.close();
            }
            TurnEvent::Started { .. }
            | TurnEvent::Steered { .. }
            | TurnEvent::Queued { .. }
            | TurnEvent::Unqueued { .. }
            | TurnEvent::Waiting { .. }
            | TurnEvent::Todos { .. } => {}
        }
    }

    fn call(&mut self, event: &CallEvent) {
        match event {
            CallEvent::Proposed { call } => self.steps.proposed(call),
            CallEvent::Understood { call, name, notes } => self.steps.understood(*call, name, notes),
            CallEvent::Finished { call, outcome } => {
                let agent = self.agents.contains_key(call).then(|| id_of_agent(*call));
                self.steps.finished(*call, outcome, agent.as_deref());
            }
            CallEvent::Delegated { call, event } => {
                let model = self.model.clone();
                self.agents.entry(*call).or_insert_with(|| Trajectory::new(model)).event(event);
            }
            CallEvent::Jobs { .. }
            | CallEvent::Asked { .. }
            | CallEvent::Settled { .. }
            | CallEvent::Running { .. }
            | CallEvent::Output { .. }
            | CallEvent::ModeChanged { .. }
            | CallEvent::Tried { .. } => {}
        }
    }

    fn session(&mut self, event: &SessionEvent) {
        let line = match event {
            SessionEvent::Rewound { text, .. } => Some(format!("went back to before “{}”", quoted(text))),
            SessionEvent::Undone { .. }
            | SessionEvent::Renamed { .. }
            | SessionEvent::HookRan { .. }
            | SessionEvent::Notice { .. } => session_line(event),
            SessionEvent::Opened { .. }
            | SessionEvent::CheckedOut { .. }
            | SessionEvent::Said { .. }
            | SessionEvent::Restored { .. }
            | SessionEvent::NotRestored { .. }
            | SessionEvent::Page { .. }
            | SessionEvent::NoPage { .. }
            | SessionEvent::Journal { .. }
            | SessionEvent::UndoPlanned { .. }
            | SessionEvent::Closed => None,
        };
        line.iter().for_each(|line| self.steps.system(line, json!({"is": "remark"})));
    }

    fn finish(self, card: &SessionCard) -> Option<Value> {
        let extra = json!({"title": card.title, "project": card.project, "began": words::date(card.began)});
        self.object(&card.id.0, &card.id.0, Some(extra))
    }

    fn object(self, session: &str, id: &str, extra: Option<Value>) -> Option<Value> {
        let Trajectory { model, version, tools, steps, agents, .. } = self;
        let version = version.unwrap_or_else(|| env!("CARGO_PKG_VERSION").to_owned());
        let mut agent = Map::from_iter([("name".to_owned(), json!("agent")), ("version".to_owned(), json!(version))]);
        agent.extend(model.map(|model| ("model_name".to_owned(), json!(model))));
        if !tools.is_empty() {
            agent.insert("extra".into(), json!({"tools": tools}));
        }
        let inner = agents
            .into_iter()
            .filter_map(|(call, inner)| inner.object(session, &id_of_agent(call), None))
            .collect::<Vec<_>>();
        let (steps, metrics) = steps.finish(|agent| inner.iter().any(|inner| inner["trajectory_id"] == agent))?;
        let mut whole = Map::new();
        whole.insert("schema_version".into(), VERSION.into());
        whole.insert("session_id".into(), session.into());
        whole.insert("trajectory_id".into(), id.into());
        whole.insert("agent".into(), agent.into());
        whole.insert("steps".into(), steps.into());
        whole.insert("final_metrics".into(), metrics);
        whole.extend(extra.map(|extra| ("extra".to_owned(), extra)));
        if !inner.is_empty() {
            whole.insert("subagent_trajectories".into(), inner.into());
        }
        Some(whole.into())
    }
}

/// What an agent's trajectory is called.
fn id_of_agent(call: CallId) -> String {
    format!("agent-of-call-{}", call.0)
}
