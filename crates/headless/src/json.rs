//! The same for programs: every event as a line, or one object at the end.

use crate::advice::no_model;
use crate::figures::Figures;
use crate::streams::json_line;
use crate::streams::{NOT_SAVED, Printer};
use crate::text::Begins;
use crate::{End, Streams, failure, receipt};
use agent_protocol::{
    CallEvent, CallId, Event, HookFate, JournalState, Outcome, Phase, ServerCard, ServerEvent, ServerState,
    SessionEvent, SessionId, Todo, ToolCall, TurnEndReason, TurnEvent, Usage, Way,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io;

/// Every event as it happens; of a session that goes on its card alone, not all that happened in it. A call that failed
/// says besides what `failure` makes of it.
#[derive(Debug)]
pub(crate) struct Lines;

impl Printer for Lines {
    fn event(&mut self, event: &Event, streams: &mut Streams<'_>) -> io::Result<()> {
        let line = match event {
            Event::Session(SessionEvent::Restored { card, .. }) => {
                serde_json::to_string(&Event::Session(SessionEvent::Restored {
                    card: card.clone(),
                    events: Vec::new(),
                }))
            }
            Event::Call(CallEvent::Delegated { event: inner, .. }) => {
                let mut line = serde_json::to_value(event)?;
                if let Event::Call(CallEvent::Finished { outcome, .. }) = inner.as_ref() {
                    failure::add(&mut line["event"], outcome);
                }
                Ok(line.to_string())
            }
            Event::Call(CallEvent::Finished { outcome, .. }) => {
                let mut line = serde_json::to_value(event)?;
                failure::add(&mut line, outcome);
                Ok(line.to_string())
            }
            event => serde_json::to_string(event),
        };
        json_line(streams, &line?)
    }

    fn answered(&mut self, event: &Event, streams: &mut Streams<'_>) -> io::Result<()> {
        self.event(event, streams)
    }

    fn end(&mut self, end: End, streams: &mut Streams<'_>) -> io::Result<()> {
        json_line(streams, &json!({"type": "end", "exit_code": end.code()}).to_string())
    }
}

/// One object at the end: `answer`, `calls` (an agent's with `in_task`; those that failed with what `failure` makes of it) and by which `ways` they came, what was `set_aside`, `notices`, `reason`,
/// `error`, `usage` and how fast it went, the `window`, what was `fitted` (made shorter), the `session` that `-r` goes on
/// with, the `todos` as they stood last, the `receipt` (`files` and `commands` as they really are, `doubts` about what the answer claims), `exit_code`.
#[derive(Debug, Default)]
pub(crate) struct Summary {
    answer: String,
    begins: Begins,
    calls: Vec<(CallId, Value)>,
    ways: BTreeMap<Way, u64>,
    repaired: u64,
    set_aside: Vec<Value>,
    notices: Vec<String>,
    reason: Option<TurnEndReason>,
    error: Option<String>,
    usage: Usage,
    figures: Figures,
    session: Option<SessionId>,
    receipt: Option<Value>,
    todos: Vec<Todo>,
    server: ServerCard,
}

impl Printer for Summary {
    fn event(&mut self, event: &Event, _streams: &mut Streams<'_>) -> io::Result<()> {
        self.figures.take(event.of_agent());
        match event {
            Event::Call(CallEvent::Delegated { event, .. }) => self.on_subagent_event(event)?,
            Event::Turn(TurnEvent::Waiting { phase: Phase::Sending }) => self.begins = Begins::Reply,
            Event::Turn(TurnEvent::Text { text }) => {
                if std::mem::take(&mut self.begins) == Begins::Reply {
                    self.answer.clear();
                }
                self.answer.push_str(text);
            }
            Event::Turn(TurnEvent::WasThinking { .. }) => self.answer.clear(),
            Event::Call(CallEvent::Proposed { call }) => {
                self.answer.clear();
                self.proposed(call)?;
            }
            Event::Call(CallEvent::Understood { call, name, notes }) => self.understood(*call, name, notes),
            Event::Turn(TurnEvent::SetAside { text, why }) => self.set_aside.push(json!({"why": why, "text": text})),
            Event::Call(CallEvent::Finished { call, outcome }) => self.finished(*call, outcome)?,
            Event::Session(SessionEvent::Notice { text, .. }) => self.notices.push(text.clone()),
            Event::Session(SessionEvent::HookRan { firing }) if firing.fate != HookFate::Nothing => {
                self.notices.push(format!("hook {}", firing.line()));
            }
            Event::Server(ServerEvent::Server { state: ServerState::Down { trouble, .. } }) => {
                self.error = Some(trouble.to_string())
            }
            Event::Server(ServerEvent::Server { state: ServerState::Up(card) }) => self.server = card.clone(),
            Event::Server(ServerEvent::Models { models, reason }) => {
                self.error = Some(no_model(models, reason, &self.server))
            }
            Event::Session(SessionEvent::NotRestored { why }) => self.error = Some(why.clone()),
            Event::Session(SessionEvent::Restored { card, .. }) => self.session = Some(card.id.clone()),
            Event::Session(SessionEvent::Journal { state: JournalState::Kept { id } }) => {
                self.session = Some(id.clone())
            }
            Event::Session(SessionEvent::Journal { state: JournalState::Unkept { why } }) => {
                self.notices.push(format!("{NOT_SAVED}{why}"))
            }
            Event::Turn(TurnEvent::Todos { items }) => self.todos.clone_from(items),
            Event::Turn(TurnEvent::Receipt { receipt, .. }) => self.receipt = Some(receipt::object(receipt)),
            Event::Turn(TurnEvent::Ended { reason, usage, .. }) => {
                if let TurnEndReason::Broken { trouble } = reason {
                    self.error = Some(trouble.to_string());
                }
                self.reason = Some(reason.clone());
                self.usage = *usage;
            }
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, end: End, streams: &mut Streams<'_>) -> io::Result<()> {
        let calls: Vec<&Value> = self.calls.iter().map(|(_, call)| call).collect();
        let summary = json!({
            "answer": self.answer,
            "calls": calls,
            "ways": self.ways,
            "repaired": self.repaired,
            "set_aside": self.set_aside,
            "notices": self.notices,
            "reason": self.reason,
            "error": self.error,
            "usage": self.figures.usage(&self.usage)?,
            "window": self.figures.window(),
            "fitted": &self.figures.fitted,
            "session": self.session,
            "todos": self.todos,
            "receipt": self.receipt,
            "exit_code": end.code(),
        });
        json_line(streams, &summary.to_string())
    }
}

impl Summary {
    /// A call that came the straight way says nothing of it.
    fn proposed(&mut self, call: &ToolCall) -> io::Result<()> {
        let mut entry = json!({"name": call.name(), "arguments": call.call.arguments});
        if !call.origin.is_plain() {
            entry["origin"] = serde_json::to_value(&call.origin)?;
        }
        *self.ways.entry(call.origin.way).or_default() += 1;
        self.repaired += u64::from(!call.origin.repairs.is_empty());
        self.calls.push((call.id, entry));
        Ok(())
    }

    fn understood(&mut self, call: CallId, name: &str, notes: &[String]) {
        if let Some(entry) = self.entry(call) {
            entry["tool"] = json!(name);
            entry["changed"] = json!(notes);
        }
    }

    fn finished(&mut self, call: CallId, outcome: &Outcome) -> io::Result<()> {
        if let Some(entry) = self.entry(call) {
            entry["outcome"] = serde_json::to_value(outcome)?;
            failure::add(entry, outcome);
        }
        Ok(())
    }

    /// The calls of an agent stand among the others, between the proposal of its task and what comes next.
    fn on_subagent_event(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::Call(CallEvent::Proposed { call }) => {
                self.proposed(call)?;
                if let Some(entry) = self.entry(call.id) {
                    entry["in_task"] = json!(true);
                }
            }
            Event::Call(CallEvent::Understood { call, name, notes }) => self.understood(*call, name, notes),
            Event::Call(CallEvent::Finished { call, outcome }) => self.finished(*call, outcome)?,
            Event::Session(SessionEvent::Notice { text, .. }) => self.notices.push(text.clone()),
            _ => {}
        }
        Ok(())
    }

    fn entry(&mut self, call: CallId) -> Option<&mut Value> {
        self.calls.iter_mut().find(|(id, _)| *id == call).map(|(_, entry)| entry)
    }
}
