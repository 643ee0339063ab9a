//! Calls of a reply that are not whole: the reply broke off, or its length limit ended it in the middle of one. None of them is
//! run. Also what becomes of the rest of a reply that cannot be used.

use crate::conversation::{Conversation, schema};
use crate::out::Out;
use crate::turn::phases::received::{NO_DIALECT, Received, is_same};
use agent_dialects::{Fault, Found, Lost};
use agent_protocol::{ModelCall, TurnEvent, Usage};
use serde_json::Value;

impl Received {
    /// Takes out what was cut off of the calls in a reply that ended. `length`: its length limit ended it; a last call that
    /// nothing closes may have lost part of its last value with it.
    pub(crate) fn drop_unfinished(&mut self, length: bool) {
        let closed = |found: &Found| found.raw.trim_end().ends_with(['}', ']', ')', '>', '`']);
        if let Some(found) = self.found.pop_if(|found| length && !closed(found)) {
            self.lost.push(from_text(found));
        }
        let last = self.sent.len().saturating_sub(1);
        let mut at = 0;
        let cut = self.sent.extract_if(.., |call| {
            at += 1;
            ends_early(&call.arguments) || length && at > last && !call.arguments.is_object()
        });
        self.lost.extend(cut.map(from_server));
    }

    /// Calls in a reply that broke off, whoever read them: they are not run.
    pub(crate) fn give_up_calls(&mut self) {
        let (sent, kept) = (std::mem::take(&mut self.sent), self.kept.take());
        let found = self.found.drain(..).filter(|found| !sent.iter().any(|call| is_same(call, found)));
        self.lost.extend(found.map(from_text));
        self.lost.extend(sent.into_iter().chain(kept).map(from_server));
    }

    /// Forgets the calls that the server sent whole or in part before it quoted them in its error.
    pub(crate) fn forget_quoted(&mut self, quoted: &[Found]) {
        let begins = |call: &ModelCall, found: &Found| {
            is_same(call, found) || call.name == found.name && !call.arguments.is_object()
        };
        self.sent.retain(|call| !quoted.iter().any(|found| begins(call, found)));
    }
}

/// Are the arguments the beginning of an object, and no more? They come as text where they are no object.
fn ends_early(arguments: &Value) -> bool {
    arguments.as_str().is_some_and(schema::is_cut_off)
}

fn from_text(found: Found) -> Lost {
    Lost { why: Fault::CutOff, name: Some(found.name), dialect: found.dialect, raw: found.raw }
}

fn from_server(call: ModelCall) -> Lost {
    let arguments = match &call.arguments {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    };
    let raw = format!("{} {arguments}", call.name).trim_end().to_owned();
    Lost { why: Fault::CutOff, raw, name: Some(call.name), dialect: NO_DIALECT }
}

/// A reply is over without being usable, and the turn goes on: what is said of it stands below it.
pub(crate) fn finish_unusable(heard: &mut Received, out: &mut Out) {
    finish_broken(heard, out);
    out.emit(TurnEvent::Replied { usage: Usage::default(), reused: None });
}

/// A reply broke off: text that was held back is shown after all, and calls are set aside, for they never run.
pub(crate) fn finish_broken(heard: &mut Received, out: &mut Out) {
    let mut events = Vec::new();
    heard.finish(&mut events);
    heard.give_up_calls();
    events.extend(heard.set_aside());
    out.emit_all(events);
}

/// What the user has read of a reply that cannot be used stays part of the conversation.
pub(crate) fn keep_words(heard: Received, conversation: &mut Conversation) {
    if !heard.text.trim().is_empty() {
        conversation.now.history.replied(heard.text, heard.thinking, Vec::new());
    }
}
