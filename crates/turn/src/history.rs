//! The conversation as the model sees it.
//!
//! **Invariant.** It only grows, and it is well-formed whenever a request is made: one system message first, and a result
//! for every call; never do two messages by the person stand in a row, for many templates refuse that. Three things change what stands there: clearing it, asking again for a reply that broke off (its tail
//! goes), and another way for the tools to go (the system message, and calls made before).

use agent_dialects::Form;
use agent_protocol::{Message, ModelCall, Role};

/// What stands for a reply that did not come, or of which nothing can be sent back.
const NO_ANSWER: &str = "(no answer)";

/// All messages of the session.
#[derive(Debug, Clone)]
pub(crate) struct History {
    messages: Vec<Message>,
    /// The last message is what arrived of a reply that broke off.
    broken_tail: bool,
    /// So many messages the model has seen; what is said after them may still be joined.
    seen: usize,
}

impl History {
    pub(crate) fn new(system: &str) -> Self {
        History { messages: vec![Message::text(Role::System, system)], broken_tail: false, seen: 0 }
    }

    pub(crate) fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// Forgets everything but the system message.
    pub(crate) fn clear(&mut self) {
        self.messages.truncate(1);
        (self.broken_tail, self.seen) = (false, 0);
    }

    /// The standing instructions, where they became others.
    pub(crate) fn set_system(&mut self, system: String) {
        if let Some(first) = self.messages.first_mut() {
            first.content = system;
        }
    }

    /// From here on tools go by text: calls and results that are messages of their own would not be shown to the model.
    pub(crate) fn turn_into_text(&mut self, form: Form) {
        if self.messages.iter().all(|message| message.calls.is_empty() && message.role != Role::Tool) {
            return;
        }
        let broken_tail = self.broken_tail;
        for mut message in std::mem::take(&mut self.messages) {
            for call in std::mem::take(&mut message.calls) {
                let arguments = call.arguments.as_object().cloned().unwrap_or_default();
                message.content.push_str(if message.content.is_empty() { "" } else { "\n" });
                message.content.push_str(&form.call(&call.name, &arguments));
            }
            match message.role {
                Role::Tool => self.add_by_user(&form.result(&message.content), "\n"),
                Role::User => self.add_by_user(&message.content, "\n\n"),
                Role::System | Role::Assistant => self.messages.push(message),
            }
            self.seen = 0;
        }
        // A reply that broke off is still the last message: nothing is joined to a model's own words.
        self.broken_tail = broken_tail;
        self.seen = self.messages.len();
    }

    /// A request with all messages so far goes out.
    pub(crate) fn sent(&mut self) {
        self.seen = self.messages.len();
    }

    /// What a person says, or is told in their place. Joined to what stands there unsent; where their last words were
    /// sent, and nothing came back, a word stands for the answer.
    pub(crate) fn said(&mut self, text: &str) {
        self.add_by_user(text, "\n\n");
    }

    /// The result of a call that was written as text, in the form that the model knows.
    pub(crate) fn result_by_text(&mut self, result: &str) {
        self.add_by_user(result, "\n");
    }

    fn add_by_user(&mut self, text: &str, between: &str) {
        let unsent = self.messages.len() > self.seen;
        match self.messages.last_mut().filter(|last| last.role == Role::User) {
            Some(last) if unsent => {
                last.content.push_str(between);
                last.content.push_str(text);
                return;
            }
            Some(_) => self.replied(NO_ANSWER.into(), String::new(), Vec::new()),
            None => {}
        }
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
            self.seen = self.seen.min(self.messages.len());
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
