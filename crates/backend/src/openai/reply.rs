//! Reads the bytes of a reply into events. Pure: the same bytes give the same events, wherever they are cut.
//!
//! Server-sent events, of which each holds a piece of the reply as JSON.
//!
//! **Invariant.** A reply ends in `Done` only if the server said why it stopped, or said `[DONE]`; nothing is read after that,
//! and no call is told before.

use super::calls::Calls;
use super::wire::{Chunk, Delta};
use crate::http::frame::{LINE_LIMIT, Lines, Nothing};
use crate::http::{CALLS_LIMIT, REPLY_LIMIT, ReadReply, broken, json, trouble};
use agent_protocol::{ModelEvent, ServerError, Usage};

/// A reply that is being read.
pub(super) struct Reply {
    lines: Lines,
    model: String,
    calls: Calls,
    /// Why the server stopped, once it has said so. Its counts may still follow.
    stopped: Option<String>,
    usage: Usage,
    said: usize,
    over: bool,
    nothing: Nothing,
}

impl Reply {
    /// A reply of `model`, of which nothing has arrived yet.
    pub(super) fn of(model: &str) -> Reply {
        Reply {
            lines: Lines::up_to(LINE_LIMIT),
            model: model.to_owned(),
            calls: Calls::default(),
            stopped: None,
            usage: Usage::default(),
            said: 0,
            over: false,
            nothing: Nothing::default(),
        }
    }

    fn read(&mut self, line: &[u8], events: &mut Vec<ModelEvent>) {
        let before = events.len();
        let carried = self.said;
        if let Some(data) = data_of(line) {
            self.read_data(data, events);
        }
        if events.len() == before
            && self.said == carried
            && let Err(trouble) = self.nothing.take(line.len())
        {
            self.finish(broken(trouble), events);
        }
    }

    fn read_data(&mut self, data: &[u8], events: &mut Vec<ModelEvent>) {
        if data == b"[DONE]" {
            return self.complete(events);
        }
        // A struct can also be read from an array, which would be taken for an event that says nothing.
        let read = if data.starts_with(b"{") { json::read::<Chunk>(data, json::PIECES) } else { None };
        match read {
            Some(chunk) => self.tell(chunk, events),
            None => self.finish(broken(trouble::of_garbage(data)), events),
        }
    }

    fn tell(&mut self, mut chunk: Chunk, events: &mut Vec<ModelEvent>) {
        if let Some(error) = chunk.error() {
            return self.finish(broken(trouble::of_line(&error, &self.model)), events);
        }
        chunk.count_in(&mut self.usage);
        let Some(mut choice) = chunk.choices.unwrap_or_default().into_iter().next() else { return };
        let said = choice.said();
        self.say(said, events);
        if self.said > REPLY_LIMIT || self.calls.count() > CALLS_LIMIT {
            return self.finish(broken(ServerError::ReplyTooLong { limit: REPLY_LIMIT }), events);
        }
        self.stopped = choice.finish_reason.filter(|reason| !reason.is_empty()).or(self.stopped.take());
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
        let old = said.function_call.map(|function| super::wire::CallPiece {
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
        let calls = std::mem::take(&mut self.calls).complete();
        if !calls.is_empty() {
            events.push(ModelEvent::Calls { calls });
        }
        let reason = self.stopped.take();
        self.finish(ModelEvent::Done { reason, usage: self.usage }, events);
    }

    fn finish(&mut self, last: ModelEvent, events: &mut Vec<ModelEvent>) {
        self.over = true;
        events.push(last);
    }
}

impl ReadReply for Reply {
    fn take(&mut self, bytes: &[u8], events: &mut Vec<ModelEvent>) {
        if self.over {
            return;
        }
        self.lines.push(bytes);
        while !self.over {
            match self.lines.next() {
                None => return,
                Some(Ok(line)) => self.read(&line, events),
                Some(Err(_)) => self.finish(broken(ServerError::LineTooLong { limit: LINE_LIMIT }), events),
            }
        }
    }

    fn end(mut self, events: &mut Vec<ModelEvent>) {
        if self.over {
            return;
        }
        let rest = self.lines.rest();
        self.read(&rest, events);
        match self.stopped {
            _ if self.over => {}
            Some(_) => self.complete(events),
            None => self.finish(broken(ServerError::NotDone), events),
        }
    }

    fn is_over(&self) -> bool {
        self.over
    }

    fn has_stopped(&self) -> bool {
        self.stopped.is_some()
    }
}

/// What a line of the stream brings: the data of an event, or a whole answer of a server that does not stream. Comments,
/// names and numbers of events bring nothing.
fn data_of(line: &[u8]) -> Option<&[u8]> {
    let line = line.trim_ascii();
    let nothing = [&b":"[..], b"event:", b"id:", b"retry:"];
    if line.is_empty() || nothing.iter().any(|start| line.starts_with(start)) {
        return None;
    }
    let data = line.strip_prefix(b"data:").unwrap_or(line).trim_ascii();
    (!data.is_empty()).then_some(data)
}
