//! What is no longer in memory is read from the journal, as it was.

use crate::scripted::*;
use agent_protocol::*;
use agent_protocol::{ContextOp, SessionEvent, SessionOp, TurnEvent};
use serde_json::json;
use std::mem::discriminant;

const SUMMARY: &str = "## Goal\nx\n\n## Decisions\nnone\n\n## Files\nnone\n\n## Commands\nnone\n\n## Open\nnone";

/// Says something and gives all that was heard until the turn was over.
async fn heard(session: &mut Session, words: &str) -> Vec<Event> {
    session.say(words);
    let mut heard = Vec::new();
    loop {
        let event = session.events.recv().await.expect("the session goes on");
        heard.push(event);
        if matches!(heard.last(), Some(Event::Turn(TurnEvent::Ended { .. }))) {
            let begun = heard.iter().position(|event| matches!(event, Event::Turn(TurnEvent::Started { .. }))).unwrap();
            return heard.split_off(begun);
        }
    }
}

async fn page(session: &mut Session, id: &SessionId, turn: u64) -> Result<Vec<Event>, String> {
    session.op(Op::Session(SessionOp::Page { session: id.clone(), turn: TurnId(turn) }));
    session
        .until(|event| match event {
            Event::Session(SessionEvent::Page { turn: of, events, session }) if of.0 == turn && session == id => {
                Some(Ok(events.clone()))
            }
            Event::Session(SessionEvent::NoPage { turn: of, why, session }) if of.0 == turn && session == id => {
                Some(Err(why.clone()))
            }
            _ => None,
        })
        .await
}

#[tokio::test]
async fn a_turn_that_is_read_again_is_what_was_heard_of_it() {
    let write = calls("write_file", json!({"file_path": "a.txt", "content": "one\n"}));
    let read = calls("read_file", json!({"file_path": "a.txt"}));
    let replies = vec![write, read, says("It is written."), says("You are welcome."), says("And goodbye.")];
    let mut session = open_kept(replies);
    let first = heard(&mut session, "write a.txt").await;
    let second = heard(&mut session, "thank you").await;
    heard(&mut session, "goodbye").await;
    let id = listed(&mut session).await[0].id.clone();
    for (turn, heard) in [(1, first), (2, second)] {
        let events = page(&mut session, &id, turn).await.unwrap();
        // What only showed how far it was is written down by nobody.
        let is_told = |event: &&Event| events.iter().any(|told| discriminant(told) == discriminant(*event));
        let expected: Vec<Event> = heard.iter().filter(is_told).cloned().collect();
        assert_eq!(events, expected);
        assert!(
            matches!(events.first(), Some(Event::Turn(TurnEvent::Started { .. }))) && events.len() > 3,
            "{events:?}"
        );
    }
    assert!(page(&mut session, &id, 9).await.unwrap_err().contains("does not stand"));
    let another = SessionId("20200101-000000-aaaa".into());
    assert_eq!(page(&mut session, &another, 1).await, Err("another session is open now".into()));
}

#[tokio::test]
async fn a_turn_of_a_session_that_nobody_writes_down_cannot_be_read_again() {
    let opening = Opening { replies: vec![says("Hello.")], kept: false, ..Opening::default() };
    let mut session = open_in(folder(), opening);
    heard(&mut session, "hello").await;
    let id = SessionId("20200101-000000-aaaa".into());
    assert!(page(&mut session, &id, 1).await.is_err());
}

#[tokio::test]
async fn one_goes_back_to_before_the_conversation_was_made_shorter() {
    let words: String = (0..400).map(|at| format!("thing {at}, ")).collect();
    let (one, two) = (format!("One. {words}"), format!("Two. {words}"));
    let replies = vec![says(&one), says(&two), says(SUMMARY), says("Three."), says("Otherwise.")];
    let mut session = open_kept(replies);
    turn(&mut session, "first").await;
    turn(&mut session, "second").await;
    session.op(Op::Context(ContextOp::Compact { instructions: String::new() }));
    session.ended().await;
    turn(&mut session, "third").await;
    session.op(Op::Session(SessionOp::Rewind { said: SaidId(2), what: RewindWhat::Conversation, choices: Vec::new() }));
    session.until(|event| matches!(event, Event::Session(SessionEvent::Rewound { .. })).then_some(())).await;
    turn(&mut session, "second, otherwise").await;
    let told: Vec<String> =
        session.last_request().into_iter().skip(1).map(|message| message.content.to_string()).collect();
    assert_eq!(told[..2], ["first".to_owned(), one]);
    assert!(told.len() == 3 && told[2].ends_with("second, otherwise"), "{told:?}");
}
