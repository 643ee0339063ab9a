//! Reads the bytes of a reply into events. Pure: the same bytes give the same events, wherever they are cut.
//!
//! Server-sent events, of which each holds a piece of the reply as JSON.
//!
//! **Invariant.** A reply ends in `Done` only if the server said why it stopped, or said `[DONE]`; nothing is read after that,
//! and no call is told before, except ahead of an error about a call: which calls came shows whether it quotes all of them.

use super::calls::Calls;
use super::wire::{CallPiece, Chunk, Delta, PromptProgress};
use crate::http::reply::{ReadLine, Reply};
use crate::http::{CALLS_LIMIT, REPLY_LIMIT, broken, json, trouble};
use agent_protocol::{ModelEvent, ServerError, Usage};
use serde_json::Value;

/// The lines of a reply: server-sent events.
#[derive(Default)]
pub(super) struct Events {
    model: String,
    calls: Calls,
    /// Why the server stopped, once it has said so. Its counts may still follow.
    stopped: Option<String>,
    usage: Usage,
    said: usize,
    /// The server said that it has not read the whole prompt yet.
    reading: bool,
}

/// A reply of `model`, of which nothing has arrived yet.
pub(super) fn reply_of(model: &str) -> Reply<Events> {
    Reply::read_by(Events { model: model.to_owned(), ..Events::default() })
}

impl Events {
    fn read_data(&mut self, data: &[u8], events: &mut Vec<ModelEvent>) {
        if data == b"[DONE]" {
            return self.complete(events);
        }
        // A struct can also be read from an array, which would be taken for an event that says nothing.
        let read = if data.starts_with(b"{") { json::read::<Chunk>(data, json::PIECES) } else { None };
        match read {
            Some(chunk) => self.tell(chunk, events),
            None => events.push(broken(trouble::of_garbage(data))),
        }
    }

    fn tell(&mut self, mut chunk: Chunk, events: &mut Vec<ModelEvent>) {
        if let Some(error) = chunk.error() {
            return self.fail(&error, events);
        }
        chunk.count_in(&mut self.usage);
        self.reading = chunk.prompt_progress.as_ref().is_some_and(PromptProgress::goes_on);
        if let Some(phase) = chunk.prompt_progress.as_ref().and_then(PromptProgress::phase) {
            events.push(ModelEvent::Waiting { phase });
        }
        let Some(mut choice) = chunk.choices.unwrap_or_default().into_iter().next() else { return };
        let said = choice.said();
        self.say(said, events);
        if self.said > REPLY_LIMIT || self.calls.count() > CALLS_LIMIT {
            return events.push(broken(ServerError::ReplyTooLong { limit: REPLY_LIMIT }));
        }
        self.stopped = choice.finish_reason.filter(|reason| !reason.is_empty()).or(self.stopped.take());
    }

    fn fail(&mut self, error: &Value, events: &mut Vec<ModelEvent>) {
        let trouble = trouble::of_line(error, &self.model);
        if matches!(trouble, ServerError::BadCall { .. }) {
            self.tell_calls(events);
        }
        events.push(broken(trouble));
    }

    fn tell_calls(&mut self, events: &mut Vec<ModelEvent>) {
        let calls = std::mem::take(&mut self.calls).complete();
        if !calls.is_empty() {
            events.push(ModelEvent::Calls { calls });
        }
    }

    fn say(&mut self, mut said: Delta, events: &mut Vec<ModelEvent>) {
        if let Some(text) = said.thinking() {
            self.said += text.len();
            events.push(ModelEvent::Thinking { text });
        }
        if let Some(text) = said.content.filter(|text| !text.is_empty()) {
            self.said += text.len();
            events.push(ModelEvent::Text { text });
        }
        let old = said.function_call.map(|function| CallPiece {
            index: Some(0),
            function: Some(function),
            ..Default::default()
        });
        for piece in said.tool_calls.unwrap_or_default().into_iter().chain(old) {
            self.said += self.calls.take(piece);
        }
    }

    /// The reply is whole: its calls are, too.
    fn complete(&mut self, events: &mut Vec<ModelEvent>) {
        self.tell_calls(events);
        let reason = self.stopped.take();
        events.push(ModelEvent::Done { reason, usage: self.usage });
    }
}

impl ReadLine for Events {
    fn read(&mut self, line: &[u8], events: &mut Vec<ModelEvent>) -> bool {
        let (before, said) = (events.len(), self.said);
        if let Some(error) = line.strip_prefix(b"error:").map(<[u8]>::trim_ascii) {
            // The field in which llama.cpp's server told errors until it took `data` for them, too.
            let told = json::read::<Value>(error, json::PIECES);
            let told = told.unwrap_or_else(|| String::from_utf8_lossy(error).into());
            self.fail(&told, events);
        } else if let Some(data) = data_of(line) {
            self.read_data(data, events);
        }
        events.len() > before || self.said > said
    }

    fn end(&mut self, events: &mut Vec<ModelEvent>) {
        match self.stopped {
            Some(_) => self.complete(events),
            None => events.push(broken(ServerError::NotDone)),
        }
    }

    fn is_reading(&self) -> bool {
        self.reading
    }

    fn has_stopped(&self) -> bool {
        self.stopped.is_some()
    }
}

/// What a line of the stream brings: the data of an event, or a whole answer of a server that does not stream. Comments,
/// names and numbers of events bring nothing.
fn data_of(line: &[u8]) -> Option<&[u8]> {
    let nothing = [&b":"[..], b"event:", b"id:", b"retry:"];
    if line.is_empty() || nothing.iter().any(|start| line.starts_with(start)) {
        return None;
    }
    let data = line.strip_prefix(b"data:").unwrap_or(line).trim_ascii();
    (!data.is_empty()).then_some(data)
}
