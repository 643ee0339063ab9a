//! The conversation as the model sees it.
//!
//! **Invariant.** It only grows, and it is well-formed whenever a request is made: one system message first, and a result
//! for every call; never do two messages by the user stand in a row, for many templates refuse that. Five things change what stands
//! there: clearing it, making it shorter, asking again for a reply that broke off (its tail goes) or that changed nothing (it
//! goes), and another way for the tools to go (the system message, and calls made before).

use agent_dialects::Form;
use agent_protocol::{Image, Message, MessagePart, ModelCall, PartOrigin, Record, Role};

/// What stands for a reply that did not come, or of which nothing can be sent back.
const NO_ANSWER: &str = "(no answer)";

/// What is written down besides the messages.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct WrittenMarks {
    broken_tail: bool,
    settled: bool,
    unsent: bool,
}

/// Every message is as it was written down.
const NONE: usize = usize::MAX;

/// All messages of the session.
#[derive(Debug, Clone)]
pub(crate) struct History {
    messages: Vec<Message>,
    /// The last message is what arrived of a reply that broke off.
    broken_tail: bool,
    /// What stands last was answered, although it is no reply: it stands for a conversation.
    settled: bool,
    /// So many messages the model has seen; what is said after them may still be joined.
    seen: usize,
    /// From this message on they are not as they were written down, or [`NONE`].
    unwritten: usize,
    /// The marks, as they were written down.
    written_marks: WrittenMarks,
    /// Messages that lost their pictures on suspicion: where they stand, how they were and how they are now.
    suspected: Vec<(usize, Message, Message)>,
}

impl History {
    pub(crate) fn new(system: &str) -> Self {
        History { seen: 0, ..History::from_messages(vec![Message::text(Role::System, system)]) }
    }

    /// A conversation as it stands.
    pub(crate) fn from_messages(messages: Vec<Message>) -> Self {
        History {
            seen: messages.len(),
            messages,
            broken_tail: false,
            settled: false,
            unwritten: 0,
            written_marks: WrittenMarks::default(),
            suspected: Vec::new(),
        }
    }

    /// A conversation that was written down like this, and is taken up again.
    pub(crate) fn taken_up(messages: Vec<Message>, broken_tail: bool, settled: bool, unsent: bool) -> Self {
        let written_marks = WrittenMarks { broken_tail, settled, unsent };
        let seen = if unsent { 0 } else { messages.len() };
        History { broken_tail, settled, seen, unwritten: NONE, written_marks, ..History::from_messages(messages) }
    }

    /// What is to be written down so that it can be taken up again; `None` where nothing changed since the last time.
    pub(crate) fn take_change(&mut self) -> Option<Record> {
        let (broken_tail, settled, unsent) = (self.broken_tail, self.settled, self.messages.len() > self.seen);
        let marks = WrittenMarks { broken_tail, settled, unsent };
        if self.unwritten == NONE && self.written_marks == marks {
            return None;
        }
        let from = self.unwritten.min(self.messages.len());
        (self.unwritten, self.written_marks) = (NONE, marks);
        Some(Record::Conversation { from, messages: self.messages[from..].to_vec(), broken_tail, settled, unsent })
    }

    /// From this message on they are others now.
    fn changed(&mut self, from: usize) {
        self.unwritten = self.unwritten.min(from);
    }

    pub(crate) fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// Forgets everything but the system message.
    pub(crate) fn clear(&mut self) {
        self.messages.truncate(1);
        // What is written down next is another session.
        self.changed(0);
        (self.broken_tail, self.settled, self.seen) = (false, false, 0);
    }

    /// The standing instructions, with what the tools are at their end where the model is told that way.
    pub(crate) fn set_system(&mut self, system: &str, tools: Option<&str>) {
        let whole = tools.map_or_else(|| system.to_owned(), |tools| format!("{system}\n{tools}"));
        if let Some(first) = self.messages.first_mut().filter(|first| first.role == Role::System)
            && first.content != whole
        {
            first.content = whole.into();
            self.changed(0);
        }
    }

    /// From here on tools go by text: calls and results that are messages of their own would not be shown to the model.
    pub(crate) fn turn_into_text(&mut self, form: Form) {
        if self.messages.iter().all(|message| message.calls.is_empty() && message.role != Role::Tool) {
            return;
        }
        self.changed(0);
        let broken_tail = self.broken_tail;
        for mut message in std::mem::take(&mut self.messages) {
            for call in std::mem::take(&mut message.calls) {
                let arguments = call.arguments.as_object().cloned().unwrap_or_default();
                let between = if message.content.is_empty() { "" } else { "\n" };
                let text = format!("{}{between}{}", message.content, form.call(&call.name, &arguments));
                message.content = text.into();
            }
            match message.role {
                Role::Tool => self.add_by_user(&as_text(&message, form), "\n"),
                Role::User => self.add_by_user(&message, "\n\n"),
                Role::System | Role::Assistant => self.messages.push(message),
            }
            self.seen = 0;
        }
        // A reply that broke off is still the last message: nothing is joined to a model's own words.
        self.broken_tail = broken_tail;
        self.seen = self.messages.len();
    }

    /// Other messages stand for those there were; none of them was sent yet. What awaited a reply still does, and nothing
    /// else does.
    pub(crate) fn rewrite(&mut self, messages: Vec<Message>) {
        self.settled = !self.awaits_reply();
        self.broken_tail &= self.messages.last() == messages.last();
        self.changed(self.messages.iter().zip(&messages).take_while(|(before, now)| before == now).count());
        self.messages = messages;
        self.seen = 0;
    }

    /// Goes back to how it was once; what stands last awaits no reply.
    pub(crate) fn go_back(&mut self, messages: Vec<Message>) {
        self.changed(self.messages.iter().zip(&messages).take_while(|(now, before)| now == before).count());
        (self.broken_tail, self.settled, self.seen) = (false, true, messages.len());
        self.messages = messages;
    }

    /// Does nothing of a reply stand last yet?
    pub(crate) fn may_take_a_reply(&self) -> bool {
        self.messages.last().is_some_and(|last| matches!(last.role, Role::User | Role::Tool))
    }

    /// Takes back what the user said last and was not answered, from the `from`-th message on.
    pub(crate) fn take_back(&mut self, from: usize) -> String {
        let taken: Vec<Message> = self.messages.drain(from.max(1)..).collect();
        self.seen = self.seen.min(self.messages.len());
        self.changed(self.messages.len());
        self.settled = true;
        taken.iter().map(|message| message.content.as_str()).collect::<Vec<_>>().join("\n\n")
    }

    /// A request with all messages so far goes out.
    pub(crate) fn sent(&mut self) {
        self.seen = self.messages.len();
    }

    /// What a person says, or is told in their place. Joined to what stands there unsent; where their last words were
    /// sent, and nothing came back, a word stands for the answer.
    pub(crate) fn append_user_part(&mut self, origin: PartOrigin, text: &str) {
        self.add_by_user(&Message::by(Role::User, origin, text), "\n\n");
    }

    /// The same where not all of it is of one origin.
    pub(crate) fn said_in_parts(&mut self, message: &Message) {
        self.add_by_user(message, "\n\n");
    }

    /// Puts the output of a command where it stands among the user's last words, as long as these were not sent. `command`:
    /// as it is written there, by the program; the first one that is left where a hook had another run in its place.
    pub(crate) fn put_in_place(&mut self, command: &str, output: &str) {
        let unsent = self.messages.len() > self.seen;
        let last = self.messages.last_mut().filter(|last| unsent && last.role == Role::User);
        let Some((last, place)) = last.and_then(|last| place_of(command, last).map(|place| (last, place))) else {
            return self.append_user_part(PartOrigin::Result, output);
        };
        let mut message = Message { images: last.images.clone(), ..Message::text(Role::User, "") };
        for (at, part) in last.parts().iter().enumerate() {
            if at != place {
                message.push(part.origin, part.text);
                continue;
            }
            if !message.content.is_empty() && !message.content.ends_with('\n') {
                message.push(PartOrigin::Program, "\n");
            }
            message.push(PartOrigin::Result, output);
        }
        *last = message;
        self.changed(self.messages.len() - 1);
    }

    /// The result of a call that was written as text: a message in the user's place.
    pub(crate) fn result_by_text(&mut self, result: &Message) {
        self.add_by_user(result, "\n");
    }

    /// Puts what was read for the user's last words before them, as long as they were not sent.
    pub(crate) fn put_before_words(&mut self, text: &str) {
        let unsent = self.messages.len() > self.seen;
        match self.messages.last_mut().filter(|last| unsent && last.role == Role::User) {
            Some(last) => {
                let mut message = Message::by(Role::User, PartOrigin::Result, text);
                message.push(PartOrigin::Program, "\n\n");
                last.parts().iter().for_each(|part| message.push(part.origin, part.text));
                message.images = std::mem::take(&mut last.images);
                *last = message;
                self.changed(self.messages.len() - 1);
            }
            None => self.append_user_part(PartOrigin::Result, text),
        }
    }

    /// Shows pictures with the user's last words, as long as these were not sent.
    pub(crate) fn show_images(&mut self, images: Vec<Image>) {
        let unsent = self.messages.len() > self.seen;
        if let Some(last) = self.messages.last_mut().filter(|last| unsent && last.role == Role::User)
            && !images.is_empty()
        {
            last.images.extend(images);
            self.changed(self.messages.len() - 1);
        }
    }

    /// Puts `instead` in the place of pictures that came since the model answered last. Where the first of them stood, if any did.
    pub(crate) fn take_out_new_images(&mut self, instead: &str) -> Option<usize> {
        let answered = self.messages.iter().rposition(|message| message.role == Role::Assistant);
        self.take_out_images_from(answered.map_or(0, |at| at + 1), instead)
    }

    /// The same for all pictures.
    pub(crate) fn take_out_images(&mut self, instead: &str) -> Option<usize> {
        self.take_out_images_from(0, instead)
    }

    fn take_out_images_from(&mut self, from: usize, instead: &str) -> Option<usize> {
        let first = self.messages.iter().skip(from).position(|message| !message.images.is_empty())? + from;
        for (at, message) in self.messages.iter_mut().enumerate().skip(first) {
            if message.images.is_empty() {
                continue;
            }
            let before = message.clone();
            message.images.clear();
            message.push(PartOrigin::Program, &format!("\n{instead}"));
            self.suspected.push((at, before, message.clone()));
        }
        self.changed(first);
        Some(first)
    }

    /// Puts back the pictures that were taken out last, unless it is known that they were to blame. Where the first of them
    /// stands, if there are any.
    pub(crate) fn put_back_images(&mut self) -> Option<usize> {
        let mut first = None;
        for (at, before, without) in std::mem::take(&mut self.suspected) {
            if self.messages.get(at) == Some(&without) {
                self.messages[at] = before;
                first.get_or_insert(at);
            }
        }
        self.changed(first?);
        first
    }

    /// The pictures that were taken out were to blame.
    pub(crate) fn leave_images_out(&mut self) {
        self.suspected.clear();
    }

    /// Leaves out all behind the message in which the user spoke last.
    pub(crate) fn back_to_words(&mut self) {
        let spoke = |message: &Message| {
            message.role == Role::User && message.parts().iter().any(|part| part.origin == PartOrigin::Person)
        };
        if let Some(at) = self.messages.iter().rposition(spoke) {
            self.messages.truncate(at + 1);
            (self.broken_tail, self.settled) = (false, false);
            // It goes out again, and something may be put before it.
            self.seen = self.seen.min(at);
            self.changed(at);
        }
    }

    /// Leaves out the last reply and what came of it: what was said before it is answered anew.
    pub(crate) fn drop_reply(&mut self) {
        if let Some(at) = self.messages.iter().rposition(|message| message.role == Role::Assistant) {
            self.messages.truncate(at);
            (self.broken_tail, self.settled) = (false, false);
            // What stands last now goes out again, and something may be added to it.
            self.seen = self.seen.min(at.saturating_sub(1));
            self.changed(at.saturating_sub(1));
        }
    }

    /// What stands last needs no reply: the turn is over without one.
    pub(crate) fn settle(&mut self) {
        self.settled = true;
    }

    fn add_by_user(&mut self, message: &Message, between: &str) {
        let unsent = self.messages.len() > self.seen;
        match self.messages.last_mut().filter(|last| last.role == Role::User) {
            Some(last) if unsent => {
                self.settled = false;
                last.push(PartOrigin::Program, between);
                message.parts().iter().for_each(|part| last.push(part.origin, part.text));
                last.images.extend(message.images.iter().cloned());
                let at = self.messages.len() - 1;
                return self.changed(at);
            }
            Some(_) => self.push(Message::by(Role::Assistant, PartOrigin::Program, NO_ANSWER)),
            None => {}
        }
        self.push(message.clone());
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

    /// The result of a call, as a message of its own.
    pub(crate) fn result(&mut self, result: Message) {
        self.push(result);
    }

    /// Takes the broken tail away, so that the reply can be asked for again. True where there was one.
    pub(crate) fn drop_broken_tail(&mut self) -> bool {
        let broken = std::mem::take(&mut self.broken_tail);
        if broken {
            self.messages.pop();
            self.changed(self.messages.len());
            self.seen = self.seen.min(self.messages.len());
        }
        broken
    }

    /// Is there something the model has not answered?
    pub(crate) fn awaits_reply(&self) -> bool {
        !self.settled
            && self.messages.last().is_some_and(|last| match last.role {
                Role::User | Role::Tool => true,
                Role::Assistant => self.broken_tail,
                Role::System => false,
            })
    }

    fn push(&mut self, message: Message) {
        self.changed(self.messages.len());
        self.messages.push(message);
        (self.broken_tail, self.settled) = (false, false);
    }
}

/// Which part of a message is this command, or else the first command there is.
fn place_of(command: &str, message: &Message) -> Option<usize> {
    let parts = message.parts();
    let is_command = |part: &MessagePart| part.origin == PartOrigin::Program && part.text.starts_with("!`");
    let exactly = parts.iter().position(|part| is_command(part) && part.text == command);
    exactly.or_else(|| parts.iter().position(is_command))
}

/// A result as a message in the user's place, in the form that the model knows. What the user said in it stays theirs.
pub(crate) fn as_text(result: &Message, form: Form) -> Message {
    let text = form.result(&result.content);
    let parts = result.parts();
    let words = parts.iter().find(|part| part.origin == PartOrigin::Person).map(|part| part.text);
    let (begin, length) = words.and_then(|words| Some((text.rfind(words)?, words.len()))).unwrap_or_default();
    let mut message = Message { images: result.images.clone(), ..Message::text(Role::User, "") };
    message.push(PartOrigin::Result, &text[..begin]);
    message.push(PartOrigin::Person, &text[begin..begin + length]);
    message.push(PartOrigin::Result, &text[begin + length..]);
    message
}
