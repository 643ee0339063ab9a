//! What is not in memory any more is read from the session's journal: a turn that a face wants to see once more, and the
//! conversation as it was before it was made shorter.

use crate::machine::{Machine, State};
use crate::records::resume::Past;
use agent_protocol::{Event, NoticeLevel, Record, SaidId, SessionId, TurnId};

impl Machine {
    /// What was written down of a turn is here.
    pub(crate) fn page_read(&mut self, session: SessionId, turn: TurnId, result: Result<Vec<Record>, String>) {
        self.out.emit(match result.map(|records| told(records, turn)) {
            Ok(events) if events.is_empty() => {
                Event::NoPage { session, turn, why: "it does not stand in the session's file".into() }
            }
            Ok(events) => Event::Page { session, turn, events },
            Err(why) => Event::NoPage { session, turn, why },
        });
    }

    /// The session is here as it was written down: the conversation goes back to before this was said.
    pub(crate) fn read_back(&mut self, said: SaidId, result: Result<Vec<Record>, String>) {
        if !matches!(self.state, State::GoingBack(wanted) if wanted == said) {
            return;
        }
        self.state = State::Idle;
        match result.map(|records| Past::conversation_before(records, said)) {
            Ok(Some(before)) => self.go_back_to(said, before),
            Ok(None) => self.not_read_back("it does not stand there"),
            Err(why) => self.not_read_back(&why),
        }
        self.clear_if_wanted();
        self.go_on_if_idle();
    }

    fn not_read_back(&mut self, why: &str) {
        let text =
            format!("what was said before that cannot be read from the session's file: {why}; choose a later message");
        self.out.notice(NoticeLevel::Warning, text);
    }
}

/// What the faces heard of this turn, from its beginning to its end.
fn told(records: Vec<Record>, turn: TurnId) -> Vec<Event> {
    let events = records.into_iter().filter_map(|record| match record {
        Record::Event { event } => Some(event),
        Record::Setting(_) | Record::Undoing { .. } | Record::Before { .. } | Record::Conversation { .. } => None,
    });
    let begins = |event: &Event| matches!(event, Event::TurnStarted { turn: begun, .. } if *begun == turn);
    let mut of_turn = Vec::new();
    for event in events.skip_while(|event| !begins(event)) {
        let ends = matches!(event, Event::TurnEnded { .. });
        of_turn.push(event);
        if ends {
            break;
        }
    }
    of_turn
}
