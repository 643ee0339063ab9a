//! `@undo`: the call in `after` is made, the lines in `then` run, and what was done is taken back as a person does it:
//! they see the list, look at the plan, and say yes to it without choosing anything for files in conflict.

use crate::checks::Happened;
use crate::house::{House, Session, call};
use crate::rows::Row;
use agent_protocol::*;
use agent_protocol::{ListEvent, ListOp, SessionEvent, SessionOp};
use serde_json::Value;

/// Plays the row; each file of the undo is an outcome.
pub(crate) async fn turn(session: &mut Session, row: &Row, house: &House) -> Happened {
    let args: Value = serde_json::from_str(&house.spelled(&row.args.to_string())).unwrap();
    session.say(vec![call(args["after"][0].as_str().unwrap(), args["after"][1].clone())]);
    session.finish_well().await;
    let then = args["then"].as_array().into_iter().flatten();
    then.for_each(|line| house.shell(line.as_str().unwrap()));
    let plan = plan(session).await;
    row.during.iter().for_each(|line| house.shell(line));
    session.wish(Op::Session(SessionOp::Undo { direction: plan.direction, said: plan.said, choices: Vec::new() }));
    let Event::Session(SessionEvent::Undone { files, .. }) =
        session.hear(|event| matches!(event, Event::Session(SessionEvent::Undone { .. }))).await
    else {
        unreachable!("it was waited for")
    };
    assert_eq!(files.len(), plan.files.len(), "{files:?}");
    for (planned, done) in plan.files.iter().zip(&files) {
        let foreseen = planned.conflict.as_ref().is_some_and(|conflict| conflict.since.before != conflict.since.after);
        assert!(done.left.is_none() || foreseen || !row.during.is_empty(), "the plan did not show it: {planned:?}");
    }
    let outcomes = plan.files.iter().zip(files).map(|(planned, done)| outcome(planned, &done)).collect();
    Happened { outcomes, ..Happened::default() }
}

/// What taking back the last thing would change.
async fn plan(session: &mut Session) -> UndoPlan {
    session.wish(Op::List(ListOp::Undoable));
    let Event::List(ListEvent::Undoable { turns }) =
        session.hear(|event| matches!(event, Event::List(ListEvent::Undoable { .. }))).await
    else {
        unreachable!("it was waited for")
    };
    let last = turns.last().unwrap();
    assert_eq!((last.undone, last.uncovered), (false, 0), "{last:?}");
    session.wish(Op::Session(SessionOp::PlanUndo { direction: UndoDirection::Undo, said: last.said }));
    match session.hear(|event| matches!(event, Event::Session(SessionEvent::UndoPlanned { .. }))).await {
        Event::Session(SessionEvent::UndoPlanned { plan }) => *plan,
        _ => unreachable!("it was waited for"),
    }
}

/// How it went with one file, in the words of a call: one that stays because somebody else wrote it is stale.
fn outcome(planned: &UndoFile, done: &UndoneFile) -> Outcome {
    assert_eq!(planned.path, done.path);
    match &done.left {
        Some(why) => Failure::new(FailureKind::Stale, why.clone()).into(),
        None if planned.conflict.is_some() => panic!("what somebody else wrote is gone: {done:?}"),
        None => Outcome {
            status: Status::Done,
            told: String::new(),
            summary: String::new(),
            detail: String::new(),
            fence: None,
            changed: Vec::new(),
            failing: None,
            images: Vec::new(),
            job: None,
        },
    }
}
