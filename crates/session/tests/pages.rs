//! What is read from the session's journal instead of being held in memory: turns that are over, and the conversation as
//! it was before it was made shorter.

use agent_protocol::{ContextOp, SessionEvent, SessionOp, TurnEvent, TurnOp};

use crate::play::*;
use agent_protocol::*;
use agent_session::{Input, SessionInput, Settings};

const SUMMARY: &str = "## Goal\nx\n\n## Decisions\nnone\n\n## Files\nnone\n\n## Commands\nnone\n\n## Open\nnone";

fn id() -> SessionId {
    SessionId("20261122-100000-abcd".into())
}

/// Two turns, then a conversation that is made shorter, then one more.
fn made_shorter(journal: JournalState) -> Play {
    let mut play = Play::ready_with(Settings { record: true, ..settings() }, Mode::Safe);
    play.feed(Input::Session(SessionInput::Journal { state: journal }));
    play.say("one");
    play.calls(&["read_file"]);
    play.reads(1, "what is there");
    let words: String = (0..400).map(|at| format!("thing {at}, ")).collect();
    play.writes(&format!("It is there. {words}"));
    play.say("two");
    play.writes(&format!("Yes. {words}"));
    play.op(Op::Context(ContextOp::Compact { instructions: String::new() }));
    play.writes(SUMMARY);
    play.say("three");
    play.writes("And three.");
    play
}

fn kept() -> JournalState {
    JournalState::Kept { id: id() }
}

fn rewind(said: u64) -> Op {
    Op::Session(SessionOp::Rewind { said: SaidId(said), what: RewindWhat::Conversation, choices: Vec::new() })
}

fn asked_for(play: &Play, what: &str) -> bool {
    play.lines.iter().any(|line| line.contains(what))
}

fn rewound(play: &Play) -> bool {
    play.events.iter().any(|event| matches!(event, Event::Session(SessionEvent::Rewound { .. })))
}

/// The records from where this turn begins to where the next does.
fn of_turn(play: &Play, turn: u64) -> Vec<Record> {
    let begins = |number| move |record: &Record| matches!(record, Record::Event { event: Event::Turn(TurnEvent::Started { turn, .. }) } if turn.0 == number);
    let first = play.records.iter().position(begins(turn)).unwrap();
    let end = play.records.iter().position(begins(turn + 1)).unwrap_or(play.records.len());
    play.records[first..end].to_vec()
}

#[test]
fn a_turn_is_told_once_more_from_its_beginning_to_its_end() {
    let mut play = made_shorter(kept());
    let result = Ok(of_turn(&play, 1));
    play.op(Op::Session(SessionOp::Page { session: id(), turn: TurnId(1) }));
    assert!(asked_for(&play, "readpage"), "{:?}", play.lines);
    let heard: Vec<Event> = play.events.clone();
    let written = play.records.len();
    play.feed(Input::Session(SessionInput::PageRead { session: id(), turn: TurnId(1), result }));
    let Some(Event::Session(SessionEvent::Page { session, turn: TurnId(1), events })) = play.events.last().cloned()
    else {
        panic!("no page")
    };
    assert_eq!(session, id());
    assert!(matches!(events[0], Event::Turn(TurnEvent::Started { turn: TurnId(1), .. })), "{events:?}");
    assert!(matches!(events.last(), Some(Event::Turn(TurnEvent::Ended { turn: TurnId(1), .. }))), "{events:?}");
    let missing: Vec<&Event> = events.iter().filter(|event| !heard.contains(event)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert_eq!(play.records.len(), written, "it is not written down once more");
}

#[test]
fn a_turn_that_cannot_be_read_is_said_to_be_so() {
    let mut play = made_shorter(kept());
    for result in [Err("line 7 is damaged".to_owned()), Ok(Vec::new()), Ok(of_turn(&play, 2))] {
        play.feed(Input::Session(SessionInput::PageRead { session: id(), turn: TurnId(1), result }));
        assert!(
            matches!(play.events.last(), Some(Event::Session(SessionEvent::NoPage { turn: TurnId(1), why, .. })) if !why.is_empty())
        );
    }
}

#[test]
fn one_goes_back_into_what_only_the_journal_holds_and_the_prompt_is_the_same_to_the_byte() {
    let (mut held, mut read) = (made_shorter(JournalState::Unkept { why: "full".into() }), made_shorter(kept()));
    held.op(rewind(2));
    assert!(rewound(&held) && !asked_for(&held, "readback"), "what is not written down is in memory");
    read.op(rewind(2));
    assert!(asked_for(&read, "readback") && !rewound(&read));
    read.say("queued while it is read");
    read.op(Op::Turn(TurnOp::Unqueue));
    let result = Ok(read.records.clone());
    read.feed(Input::Session(SessionInput::ReadBack { said: SaidId(2), result }));
    assert!(rewound(&read));
    for play in [&mut held, &mut read] {
        play.say("other");
    }
    assert_eq!(read.requests.last().unwrap().messages, held.requests.last().unwrap().messages);
    assert!(read.conversation().join("\n").contains("it is there."), "{:?}", read.conversation());
}

#[test]
fn what_was_queued_while_it_is_read_begins_then() {
    let mut play = made_shorter(kept());
    play.op(rewind(2));
    let requests = play.requests.len();
    play.say("queued");
    play.op(Op::Turn(TurnOp::Interrupt));
    assert_eq!(play.requests.len(), requests, "nothing begins before that is over");
    let result = Ok(play.records.clone());
    play.feed(Input::Session(SessionInput::ReadBack { said: SaidId(2), result }));
    assert_eq!(play.requests.len(), requests + 1);
    assert!(play.last_said().ends_with("queued"), "{}", play.last_said());
}

#[test]
fn where_it_cannot_be_read_the_conversation_stays_as_it_is() {
    let mut play = made_shorter(kept());
    let before = play.conversation();
    play.op(rewind(2));
    play.feed(Input::Session(SessionInput::ReadBack { said: SaidId(2), result: Err("the disk is gone".into()) }));
    assert!(!rewound(&play));
    let Some(Event::Session(SessionEvent::Notice { level: NoticeLevel::Warning, text })) = play.events.last() else {
        panic!("nothing is said")
    };
    assert!(text.contains("the disk is gone") && text.contains("choose a later message"), "{text}");
    // Nor where the end of it is all that was written down.
    play.op(rewind(2));
    let result = Ok(of_turn(&play, 4));
    play.feed(Input::Session(SessionInput::ReadBack { said: SaidId(2), result }));
    assert!(!rewound(&play));
    // A late answer changes nothing.
    let result = Ok(play.records.clone());
    play.feed(Input::Session(SessionInput::ReadBack { said: SaidId(2), result }));
    assert!(!rewound(&play));
    play.say("go on");
    assert_eq!(play.conversation()[..before.len()], before[..]);
}
