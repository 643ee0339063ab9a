//! What is not in memory any more is read from the session's journal: a turn that a front end wants to see once more.

use agent_protocol::{Event, Record, SessionEvent, SessionId, TurnEvent, TurnId};

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
