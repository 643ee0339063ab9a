//! What a script gets to see of a run whose time is up.

use super::Printed;
use crate::printing::streams;
use agent_headless::{End, Format, Settings, Start, run};
use agent_protocol::{Event, Op, TurnEndReason, TurnEvent, TurnId, TurnOp, Usage};
use std::time::Duration;
use tokio::sync::mpsc::unbounded_channel;

/// A run that may take no time at all, in which these events come; a loop that is told to end says that it has.
async fn out_of_time(events: Vec<Event>) -> Printed {
    within(Duration::ZERO, events).await
}

/// The same that may take so long.
async fn within(time: Duration, events: Vec<Event>) -> Printed {
    let (ops, mut wishes) = unbounded_channel();
    let (facts, listening) = unbounded_channel();
    events.into_iter().for_each(|event| facts.send(event).unwrap());
    let (mut out, mut progress) = (Vec::new(), Vec::new());
    let mut streams = streams(&mut out, &mut progress, true);
    let settings = Settings {
        prompt: "hi".into(),
        format: Format::Text,
        start: Start::AtOnce,
        time: Some(time),
        commands: Vec::new(),
    };
    let ends = async {
        let mut seen = Vec::new();
        while let Some(op) = wishes.recv().await {
            if op == Op::Turn(TurnOp::TimeUp) {
                let reason = TurnEndReason::TimeLimit;
                let ended = TurnEvent::Ended { turn: TurnId(1), reason, usage: Usage::default() };
                facts.send(Event::Turn(ended)).unwrap();
            }
            seen.push(op);
        }
        drop(facts);
        seen
    };
    let (end, ops) = tokio::join!(run(ops, listening, settings, &mut streams), ends);
    let (out, progress) = (String::from_utf8(out).unwrap(), String::from_utf8(progress).unwrap());
    Printed { end: end.unwrap(), out, progress, ops }
}

#[tokio::test]
async fn a_turn_whose_time_is_up_says_so_and_prints_what_there_is() {
    let started = TurnEvent::Started { turn: TurnId(1), text: "hi".into() };
    let events = [started, TurnEvent::Text { text: "So far".into() }].map(Event::Turn);
    let printed = out_of_time(events.into()).await;
    assert_eq!((printed.end, printed.out.as_str()), (End::TimeLimit, "So far\n"));
    assert_eq!(
        printed.progress.trim_end().lines().last(),
        Some("stopped: the time is up; -c goes on with the session")
    );
    assert_eq!(printed.ops.last(), Some(&Op::Turn(TurnOp::TimeUp)));
}

#[tokio::test]
async fn where_no_turn_began_in_time_nothing_is_waited_for() {
    let printed = out_of_time(Vec::new()).await;
    assert_eq!((printed.end, printed.progress.as_str()), (End::TimeLimit, "stopped: the time is up\n"));
}

#[tokio::test]
async fn before_the_time_is_up_the_model_is_told_once_that_little_is_left() {
    let started = TurnEvent::Started { turn: TurnId(1), text: "hi".into() };
    let printed = within(Duration::from_millis(200), vec![Event::Turn(started)]).await;
    assert_eq!(printed.ops[1..], [TurnOp::TimeShort, TurnOp::TimeUp].map(Op::Turn));
}
