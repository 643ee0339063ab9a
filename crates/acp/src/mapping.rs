//! From what happens in a session to updates of the editor's. Pure: the same events, the same updates.
//!
//! Questions, the end of a turn and what is known of the server are not told by updates; see `session`.

use crate::ending;
use crate::kinds::{self, ToolKind};
use crate::options::mode_id;
use crate::shown;
use crate::words::{Voice, aside, chunk, remark};
use agent_protocol::sanitize::clean_line;
use agent_protocol::{
    CallEvent, CallId, Compaction, ContextEvent, Event, FailureKind, HookFate, HookFiring, NoticeLevel, Outcome,
    Preview, PreviewBody, SessionEvent, Status, Todo, TodoStatus, ToolCall, TurnEvent,
};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::PathBuf;

/// What was said before, or is said now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Telling {
    /// It happens now: the editor knows what its person said.
    Now,
    /// It happened in an earlier life of the session: the user's words are told as well.
    Again,
}

/// Knows of each call what later updates need.
#[derive(Debug)]
pub(crate) struct Mapping {
    project: PathBuf,
    telling: Telling,
    calls: HashMap<CallId, Call>,
}

/// A call that has not ended.
#[derive(Debug, Default)]
struct Call {
    kind: ToolKind,
    /// The change that it makes.
    diffs: Vec<Value>,
    output: String,
    /// Some of the output was not told yet.
    due: bool,
}

/// The editor's name for a call.
pub(crate) fn call_id(call: CallId) -> String {
    format!("call-{call}")
}

impl Mapping {
    pub(crate) fn new(project: PathBuf, telling: Telling) -> Self {
        Mapping { project, telling, calls: HashMap::new() }
    }

    /// The updates that follow from an event.
    pub(crate) fn take(&mut self, event: &Event) -> Vec<Value> {
        match event {
            Event::Turn(event) => self.turn_updates(event),
            Event::Call(event) => self.call_updates(event),
            Event::Context(event) => context_updates(event),
            Event::Session(event) => session_updates(event),
            // The server is told of by options and by how a prompt ends; nobody asks for lists here.
            Event::Server(_) | Event::List(_) => Vec::new(),
        }
    }

    /// Has a command put out something that was not told yet?
    pub(crate) fn has_outputs(&self) -> bool {
        self.calls.values().any(|call| call.due)
    }

    /// What commands have put out since the last time.
    pub(crate) fn outputs(&mut self) -> Vec<Value> {
        let due = self.calls.iter_mut().filter(|(_, call)| call.due);
        due.map(|(id, call)| {
            call.due = false;
            update(*id, json!({"content": [shown::output(&call.output)]}))
        })
        .collect()
    }

    fn turn_updates(&mut self, event: &TurnEvent) -> Vec<Value> {
        match event {
            TurnEvent::Started { text, .. } | TurnEvent::Steered { text } => {
                let said = self.telling == Telling::Again && !text.is_empty();
                said.then(|| chunk(Voice::Person, text)).into_iter().collect()
            }
            TurnEvent::Text { text } => vec![chunk(Voice::Model, text)],
            TurnEvent::Thinking { text } => vec![chunk(Voice::Thought, text)],
            // An editor cannot take back what it was told as the answer.
            TurnEvent::WasThinking { .. } => vec![remark("The text above was the model's reasoning, not its answer.")],
            TurnEvent::SetAside { text, why } => vec![aside(&why.told(text))],
            TurnEvent::Todos { items } => {
                let entries: Vec<Value> = items.iter().map(entry).collect();
                vec![json!({"sessionUpdate": "plan", "entries": entries})]
            }
            TurnEvent::Receipt { receipt, .. } => ending::doubts(receipt).iter().map(|doubt| remark(doubt)).collect(),
            TurnEvent::Ended { reason, .. } => {
                // What had not ended did with the turn, and told how.
                self.calls.clear();
                ending::turn_end_text(reason).map(remark).into_iter().collect()
            }
            TurnEvent::Queued { .. }
            | TurnEvent::Unqueued { .. }
            | TurnEvent::Waiting { .. }
            | TurnEvent::Replied { .. } => Vec::new(),
        }
    }

    fn call_updates(&mut self, event: &CallEvent) -> Vec<Value> {
        match event {
            CallEvent::Proposed { call } => vec![self.proposed(call)],
            CallEvent::Understood { call, name, .. } => {
                let kind = kinds::tool_kind(name);
                self.calls.entry(*call).or_default().kind = kind;
                vec![update(*call, json!({"kind": kind.word(), "title": clean_line(name)}))]
            }
            CallEvent::Running { call, preview } => vec![self.running(*call, preview)],
            CallEvent::Output { call, chunk } => {
                let call = self.calls.entry(*call).or_default();
                call.output.push_str(&chunk.text);
                let over = call.output.len().saturating_sub(2 * shown::MOST_OUTPUT);
                if over > shown::MOST_OUTPUT {
                    call.output.drain(..call.output.ceil_char_boundary(over));
                }
                call.due = true;
                Vec::new()
            }
            CallEvent::Finished { call, outcome } => vec![self.finished(*call, outcome)],
            CallEvent::Delegated { event, .. } => self.subagent_updates(event),
            CallEvent::ModeChanged { mode } => {
                vec![json!({"sessionUpdate": "current_mode_update", "currentModeId": mode_id(*mode)})]
            }
            CallEvent::Asked { .. } | CallEvent::Settled { .. } | CallEvent::Jobs { .. } | CallEvent::Tried { .. } => {
                Vec::new()
            }
        }
    }

    /// The calls of a second agent are shown like others; what it says comes as the result of its task.
    fn subagent_updates(&mut self, event: &Event) -> Vec<Value> {
        match event {
            Event::Call(event) => self.call_updates(event),
            Event::Turn(_) | Event::Context(_) | Event::Server(_) | Event::Session(_) | Event::List(_) => Vec::new(),
        }
    }

    fn proposed(&mut self, call: &ToolCall) -> Value {
        let kind = kinds::tool_kind(call.name());
        self.calls.insert(call.id, Call { kind, ..Call::default() });
        json!({
            "sessionUpdate": "tool_call",
            "toolCallId": call_id(call.id),
            "title": clean_line(call.name()),
            "kind": kind.word(),
            "status": "pending",
            "locations": kinds::named_places(call, &self.project),
            "rawInput": call.call.arguments,
        })
    }

    fn running(&mut self, id: CallId, preview: &Preview) -> Value {
        let call = self.calls.entry(id).or_default();
        call.kind = kinds::preview_kind(&preview.body).unwrap_or(call.kind);
        let mut fields = described(preview);
        if let PreviewBody::Diff { files } = &preview.body {
            call.diffs = shown::diffs(files);
        }
        fields["status"] = "in_progress".into();
        fields["kind"] = call.kind.word().into();
        update(id, fields)
    }

    fn finished(&mut self, id: CallId, outcome: &Outcome) -> Value {
        let call = self.calls.remove(&id).unwrap_or_default();
        let (status, done) = match outcome.status {
            Status::Done => ("completed", true),
            Status::Failed { kind: FailureKind::CannotRun } => ("completed", false),
            Status::Exited { .. } | Status::Failed { .. } | Status::Refused | Status::Stopped | Status::Unknown => {
                ("failed", false)
            }
        };
        let mut content = if done { call.diffs } else { Vec::new() };
        content.push(shown::outcome(outcome, call.kind == ToolKind::Execute));
        update(id, json!({"status": status, "content": content}))
    }
}

/// What a preview says of a call.
pub(crate) fn described(preview: &Preview) -> Value {
    let mut fields = json!({"title": clean_line(&preview.title)});
    let content = shown::preview(&preview.body);
    if !content.is_empty() {
        fields["content"] = content.into();
    }
    if let PreviewBody::Diff { files } = &preview.body {
        fields["locations"] = kinds::changed_places(files).into();
    }
    fields
}

fn update(call: CallId, mut fields: Value) -> Value {
    fields["sessionUpdate"] = "tool_call_update".into();
    fields["toolCallId"] = call_id(call).into();
    fields
}

fn entry(todo: &Todo) -> Value {
    let status = match todo.status {
        TodoStatus::Pending => "pending",
        TodoStatus::InProgress => "in_progress",
        TodoStatus::Completed => "completed",
    };
    json!({"content": clean_line(&todo.content), "priority": "medium", "status": status})
}

fn context_updates(event: &ContextEvent) -> Vec<Value> {
    match event {
        ContextEvent::Window { used, of } => {
            vec![json!({"sessionUpdate": "usage_update", "used": used, "size": of})]
        }
        ContextEvent::Fitted { how, before, after } => {
            let how = match how {
                Compaction::Stubbed { .. } => "old results were left out",
                Compaction::Summarised { .. } => "the model summarised what came before",
                Compaction::Digested { .. } => "what came before was put together by rule",
            };
            vec![aside(&format!("compacted from {before} to {after} tokens: {how}"))]
        }
        ContextEvent::WindowMeasured { .. }
        | ContextEvent::Fitting { .. }
        | ContextEvent::Offered { .. }
        | ContextEvent::Cleared => Vec::new(),
    }
}

/// What a hook brought about; one that had nothing to say is not worth a line there.
fn hook_updates(firing: &HookFiring) -> Vec<Value> {
    let words = format!("hook {}", firing.line());
    match (firing.fate == HookFate::Nothing, firing.fate.is_warning()) {
        (true, _) => Vec::new(),
        (false, true) => vec![remark(&words)],
        (false, false) => vec![aside(&words)],
    }
}

fn session_updates(event: &SessionEvent) -> Vec<Value> {
    match event {
        SessionEvent::Renamed { title } => {
            vec![json!({"sessionUpdate": "session_info_update", "title": clean_line(title)})]
        }
        SessionEvent::Notice { level: NoticeLevel::Warning, text } => vec![remark(text)],
        SessionEvent::Notice { level: NoticeLevel::Info, text } => vec![aside(text)],
        SessionEvent::HookRan { firing } => hook_updates(firing),
        SessionEvent::Opened { .. }
        | SessionEvent::CheckedOut { .. }
        | SessionEvent::Said { .. }
        | SessionEvent::Restored { .. }
        | SessionEvent::NotRestored { .. }
        | SessionEvent::Page { .. }
        | SessionEvent::NoPage { .. }
        | SessionEvent::Journal { .. }
        | SessionEvent::UndoPlanned { .. }
        | SessionEvent::Undone { .. }
        | SessionEvent::Rewound { .. }
        | SessionEvent::Closed => Vec::new(),
    }
}

#[cfg(test)]
mod tests;
