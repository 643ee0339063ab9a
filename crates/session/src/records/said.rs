//! What the user said, and where the conversation stood before each of it, so that it can go back there; also what
//! one turn of the session's journal held, for a front end that wants to see it once more.

use agent_protocol::{Event, Message, Record, SaidId, SessionEvent, SessionId, TurnEvent, TurnId};

/// Everything said in a session.
#[derive(Debug, Default)]
pub(crate) struct Sayings {
    count: u64,
    /// What can be gone back to, oldest first.
    list: Vec<Saying>,
    /// Conversations as they were before they were made shorter.
    earlier: Vec<EarlierConversation>,
}

/// Where a conversation lies that is another now.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Lies {
    /// Nowhere but in memory.
    #[default]
    InMemory,
    /// In the session's journal, and whoever wants it reads it there.
    InJournal,
}

/// A conversation as it was.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum EarlierConversation {
    Known(Vec<Message>),
    /// It has to be read.
    InJournal,
}

#[derive(Debug)]
struct Saying {
    id: SaidId,
    text: String,
    /// The conversation it was said in: one of the earlier ones, else that of now.
    earlier: Option<usize>,
    /// So many messages stood before it.
    messages: usize,
    /// Bytes that the last of them had: what is said may be joined to it.
    last: usize,
}

impl Sayings {
    /// Something is said, in the conversation as it stands before it.
    pub(crate) fn say(&mut self, text: &str, before: &[Message]) {
        self.count += 1;
        self.list.push(Saying {
            id: SaidId(self.count),
            text: text.to_owned(),
            earlier: None,
            messages: before.len(),
            last: before.last().map_or(0, |last| last.content.len()),
        });
    }

    /// What was said last; before anything was said, what will be first.
    pub(crate) fn current(&self) -> SaidId {
        SaidId(self.count.max(1))
    }

    pub(crate) fn text(&self, id: SaidId) -> Option<&str> {
        self.list.iter().find(|saying| saying.id == id).map(|saying| saying.text.as_str())
    }

    /// The conversation `before` is about to be another, but for its first `same` messages.
    pub(crate) fn rewritten(&mut self, before: &[Message], same: usize, lies: Lies) {
        let changes = |saying: &Saying| saying.earlier.is_none() && saying.messages > same;
        if !self.list.iter().any(changes) {
            return;
        }
        let place = self.earlier.len();
        self.earlier.push(match lies {
            Lies::InMemory => EarlierConversation::Known(before.to_vec()),
            Lies::InJournal => EarlierConversation::InJournal,
        });
        self.list.iter_mut().filter(|saying| changes(saying)).for_each(|saying| saying.earlier = Some(place));
    }

    /// The conversation as it stood before this was said.
    pub(crate) fn conversation_before(&self, id: SaidId, now: &[Message]) -> Option<EarlierConversation> {
        let saying = self.list.iter().find(|saying| saying.id == id)?;
        let whole = match saying.earlier.map(|place| &self.earlier[place]) {
            None => now,
            Some(EarlierConversation::Known(earlier)) => earlier,
            Some(EarlierConversation::InJournal) => return Some(EarlierConversation::InJournal),
        };
        let mut before = whole.get(..saying.messages)?.to_vec();
        if let Some(last) = before.last_mut() {
            last.truncate(saying.last);
        }
        Some(EarlierConversation::Known(before))
    }

    /// The journal holds all of it: what is not the conversation of now is read there.
    pub(crate) fn let_go(&mut self) {
        self.earlier.fill(EarlierConversation::InJournal);
    }

    /// The conversation went back to before this was said.
    pub(crate) fn go_back(&mut self, id: SaidId) {
        let Some(at) = self.list.iter().position(|saying| saying.id == id) else { return };
        let to = self.list[at].earlier;
        self.list.truncate(at);
        // Who went back into an earlier conversation is in that one now.
        if let Some(place) = to {
            self.list
                .iter_mut()
                .filter(|saying| saying.earlier == Some(place))
                .for_each(|saying| saying.earlier = None);
        }
    }
}

/// The words of the user, where the event is that they say something.
pub(crate) fn words_of(event: &Event) -> Option<&str> {
    let Event::Turn(TurnEvent::Started { text, .. } | TurnEvent::Steered { text }) = event else { return None };
    Some(text.as_str()).filter(|text| !text.trim().is_empty())
}

/// What was written down of a turn, for a front end that wants to see it once more.
pub(crate) fn page(session: SessionId, turn: TurnId, result: Result<Vec<Record>, String>) -> Event {
    match result.map(|records| events_of_turn(records, turn)) {
        Ok(events) if events.is_empty() => Event::Session(SessionEvent::NoPage {
            session,
            turn,
            why: "it does not stand in the session's file".into(),
        }),
        Ok(events) => Event::Session(SessionEvent::Page { session, turn, events }),
        Err(why) => Event::Session(SessionEvent::NoPage { session, turn, why }),
    }
}

/// What the faces heard of this turn, from its beginning to its end.
fn events_of_turn(records: Vec<Record>, turn: TurnId) -> Vec<Event> {
    let events = records.into_iter().filter_map(|record| match record {
        Record::Event { event } => Some(event),
        Record::Setting(_) | Record::Undoing { .. } | Record::Before { .. } | Record::Conversation { .. } => None,
    });
    let begins = |event: &Event| matches!(event, Event::Turn(TurnEvent::Started { turn: begun, .. }) if *begun == turn);
    let mut of_turn = Vec::new();
    for event in events.skip_while(|event| !begins(event)) {
        let ends = matches!(event, Event::Turn(TurnEvent::Ended { .. }));
        of_turn.push(event);
        if ends {
            break;
        }
    }
    of_turn
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_protocol::Role;

    fn message(text: &str) -> Message {
        Message::text(Role::User, text)
    }

    fn known(before: Option<EarlierConversation>) -> Option<Vec<Message>> {
        match before? {
            EarlierConversation::Known(messages) => Some(messages),
            EarlierConversation::InJournal => panic!("it is here"),
        }
    }

    #[test]
    fn what_the_journal_holds_is_not_held_in_memory_as_well() {
        let mut sayings = Sayings::default();
        let mut now = vec![message("system")];
        for text in ["one", "two"] {
            sayings.say(text, &now);
            now.extend([message(text), message("answer")]);
        }
        sayings.rewritten(&now, 1, Lies::InJournal);
        let now = [message("system"), message("summary")];
        assert_eq!(sayings.conversation_before(SaidId(2), &now), Some(EarlierConversation::InJournal));
        // What stands before the first is the same in both.
        assert_eq!(known(sayings.conversation_before(SaidId(1), &now)).unwrap(), now[..1]);
        assert_eq!(sayings.conversation_before(SaidId(3), &now), None);
        // Who went back into that conversation has it again.
        let long = [message("system"), message("one"), message("answer")];
        sayings.go_back(SaidId(2));
        assert_eq!(known(sayings.conversation_before(SaidId(1), &long)).unwrap(), long[..1]);
    }

    #[test]
    fn each_saying_knows_the_conversation_before_it_also_after_that_was_made_shorter() {
        let mut sayings = Sayings::default();
        let mut now = vec![message("system")];
        for text in ["one", "two", "three"] {
            sayings.say(text, &now);
            now.extend([message(text), message("answer")]);
        }
        let long = now.clone();
        sayings.rewritten(&now, 1, Lies::InMemory);
        now = vec![message("system"), message("summary")];
        sayings.say("four", &now);
        now.push(message("four"));
        let before = |sayings: &Sayings, id| known(sayings.conversation_before(SaidId(id), &now));
        assert_eq!(before(&sayings, 1).unwrap(), long[..1]);
        assert_eq!(before(&sayings, 3).unwrap(), long[..5]);
        assert_eq!(before(&sayings, 4).unwrap(), now[..2]);
        sayings.go_back(SaidId(3));
        assert_eq!(known(sayings.conversation_before(SaidId(2), &long[..5])).unwrap(), long[..3]);
        assert_eq!((before(&sayings, 3), before(&sayings, 4)), (None, None));
        sayings.say("again", &long[..5]);
        assert_eq!(sayings.current(), SaidId(5), "a number is never used twice");
    }

    #[test]
    fn what_was_joined_to_an_unsent_message_is_taken_off_it() {
        let mut sayings = Sayings::default();
        sayings.say("one", &[message("system"), message("said")]);
        let joined = [message("system"), message("said\n\none")];
        let before = known(sayings.conversation_before(SaidId(1), &joined));
        assert_eq!(before.unwrap(), [message("system"), message("said")]);
    }
}
