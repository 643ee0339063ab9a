//! A reply that cannot be used, or not to its end: what becomes of what arrived of it.

use crate::conversation::Conversation;
use crate::out::Out;
use crate::turn::phases::received::Received;
use agent_protocol::{TurnEvent, Usage};

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
