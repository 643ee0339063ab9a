//! The conversation as the model sees it.
//!
//! **Invariant.** It only grows (until it is cleared, and but for the tail of a reply that is asked for again), and it
//! is well-formed whenever a request is made: one system
//! message first, and a result for every call.

use agent_protocol::{Message, ModelCall, Role};

/// All messages of the session.
#[derive(Debug, Clone)]
pub(crate) struct History {
    messages: Vec<Message>,
    /// The last message is what arrived of a reply that broke off.
    broken_tail: bool,
}

impl History {
    pub(crate) fn new(system: &str) -> Self {
        History { messages: vec![Message::text(Role::System, system)], broken_tail: false }
    }

    pub(crate) fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// Forgets everything but the system message.
    pub(crate) fn clear(&mut self) {
        self.messages.truncate(1);
        self.broken_tail = false;
    }

    pub(crate) fn said(&mut self, text: &str) {
        self.push(Message::text(Role::User, text));
    }

    /// A complete reply, kept exactly as received.
    pub(crate) fn replied(&mut self, text: String, thinking: String, calls: Vec<ModelCall>) {
        let thinking = (!thinking.is_empty()).then_some(thinking);
        self.push(Message { thinking, calls, ..Message::text(Role::Assistant, text) });
    }

    /// What arrived of a reply that broke off or was interrupted; its calls are not part of it, for they never run.
    pub(crate) fn replied_in_part(&mut self, text: String, thinking: String) {
        if !text.is_empty() {
            self.replied(text, thinking, Vec::new());
            self.broken_tail = true;
        }
    }

    pub(crate) fn result(&mut self, call: &ModelCall, told: &str) {
        self.push(Message::result(call, told));
    }

    /// Takes the broken tail away, so that the reply can be asked for again.
    pub(crate) fn drop_broken_tail(&mut self) {
        if self.broken_tail {
            self.messages.pop();
            self.broken_tail = false;
        }
    }

    /// Is there something the model has not answered?
    pub(crate) fn awaits_reply(&self) -> bool {
        self.messages.last().is_some_and(|last| match last.role {
            Role::User | Role::Tool => true,
            Role::Assistant => self.broken_tail,
            Role::System => false,
        })
    }

    fn push(&mut self, message: Message) {
        self.messages.push(message);
        self.broken_tail = false;
    }
}
