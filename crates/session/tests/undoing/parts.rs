//! Taking only a part of what was changed in one file back.

use super::*;

/// `b` is shown as it is; one line of it is to be as it was.
fn plan_part(play: &mut Play, now: &str, becomes: &str) {
    let lines = vec![LinesBack { now: 0..1, was: 0..1 }];
    play.op(Op::Session(SessionOp::PlanPart {
        said: SaidId(1),
        path: "/p/b".into(),
        base: DiffBase::Start,
        now: state(now),
        lines,
    }));
    let file = UndoFile {
        path: "/p/b".into(),
        now: state(now),
        target: state(becomes),
        diff: diff(),
        possible: true,
        conflict: None,
    };
    let part = Some(UndoPart { added: 1, removed: 1 });
    let plan = UndoPlan { direction: Undo, said: SaidId(1), files: vec![file], part };
    play.feed(Input::Session(SessionInput::UndoPlanned { plan }));
}

#[test]
fn a_part_is_taken_back_as_it_was_shown_told_and_brought_back() {
    let mut play = two_writes();
    plan_part(&mut play, "b2", "part");
    assert_eq!(
        play.wanted,
        [Restoring { path: "/p/b".into(), from: state("b2"), to: state("b0") }],
        "how it was, the log says"
    );
    play.op(undo(Undo, 1));
    let restore =
        Action::Restore { files: vec![Restoring { path: "/p/b".into(), from: state("b2"), to: state("part") }] };
    assert_eq!(*play.permits.last().unwrap().action(), restore);
    carried_out(&mut play);
    let part = play.events.iter().any(|event| {
        matches!(event, Event::Session(SessionEvent::Undone { part: Some(UndoPart { added: 1, removed: 1 }), .. }))
    });
    assert!(part, "{:?}", play.events.last());
    play.say("next");
    assert!(play.last_said().starts_with("(the user took changes back"), "{}", play.last_said());
    play.writes("I see.");
    plan(&mut play, Redo, 2, None);
    play.op(undo(Redo, 2));
    let restore =
        Action::Restore { files: vec![Restoring { path: "/p/b".into(), from: state("part"), to: state("b2") }] };
    assert_eq!(*play.permits.last().unwrap().action(), restore);
}

#[test]
fn a_part_is_written_down_and_there_again_after_resuming() {
    let mut play = two_writes();
    plan_part(&mut play, "b2", "part");
    play.op(undo(Undo, 1));
    let intent = play.records.iter().any(|record| matches!(record, Record::Undoing { part: Some(_), .. }));
    assert!(intent, "before it is done");
    let begun = play.records.clone();
    carried_out(&mut play);
    for records in [play.records.clone(), begun] {
        let mut resumed = gone_on(&records);
        plan(&mut resumed, Redo, 2, None);
        assert_eq!(resumed.wanted, [Restoring { path: "/p/b".into(), from: state("part"), to: state("b2") }]);
    }
}

#[test]
fn the_plan_of_a_part_is_no_plan_of_going_back() {
    let mut play = two_writes();
    let permits = play.permits.len();
    plan_part(&mut play, "b2", "part");
    play.op(Op::Session(SessionOp::Rewind { said: SaidId(1), what: RewindWhat::Both, choices: Vec::new() }));
    assert_eq!(play.permits.len(), permits);
}

#[test]
fn of_a_file_that_nothing_changed_no_part_is_planned() {
    let mut play = two_writes();
    let op = SessionOp::PlanPart {
        said: SaidId(1),
        path: "/p/other".into(),
        base: DiffBase::Start,
        now: state("x"),
        lines: Vec::new(),
    };
    play.op(Op::Session(op));
    assert!(play.wanted.is_empty());
    assert!(play.notices().last().unwrap().contains("/p/other was changed by nothing that stands"));
}

#[test]
fn where_somebody_else_changed_the_file_as_well_that_is_said() {
    for (now, said) in [("b2", None), ("theirs", Some("somebody else changed this file as well"))] {
        let mut play = two_writes();
        plan_part(&mut play, now, "part");
        let Some(Event::Session(SessionEvent::UndoPlanned { plan })) = play.events.last() else { panic!() };
        let note = plan.files[0].diff.note.as_deref();
        assert_eq!(note.map(|note| said.is_some_and(|said| note.starts_with(said))), said.map(|_| true), "{note:?}");
        play.op(undo(Undo, 1));
        let Action::Restore { files } = play.permits.last().unwrap().action() else { panic!() };
        assert_eq!((&files[0].from, &files[0].to), (&state(now), &state("part")));
    }
}

/// What `b` holds now and what the commit holds, as the user is told.
fn committed(now: &str, was: &str) -> UndoFile {
    let (now, target) = (state(now), state(was));
    UndoFile { path: "/p/b".into(), now, target, diff: diff(), possible: true, conflict: None }
}

/// Lines of `b` are to be as the last commit has them.
fn back_to_head() -> Op {
    let (path, lines) = ("/p/b".into(), vec![LinesBack { now: 0..1, was: 0..1 }]);
    Op::Session(SessionOp::PlanPart { said: SaidId(1), path, base: DiffBase::Head, now: state("b2"), lines })
}

#[test]
fn lines_go_back_to_the_last_commit_as_it_was_shown_and_that_is_undone_like_all_else() {
    let mut play = two_writes();
    play.op(Op::List(ListOp::AgainstHead));
    play.feed(Input::Session(SessionInput::AgainstHead { result: Ok(vec![committed("b2", "head")]) }));
    play.op(back_to_head());
    assert_eq!(
        play.wanted,
        [Restoring { path: "/p/b".into(), from: state("b2"), to: state("head") }],
        "what the commit holds, not what the session found"
    );
    let part = Some(UndoPart { added: 1, removed: 1 });
    let plan = UndoPlan { direction: Undo, said: SaidId(1), files: vec![committed("b2", "part")], part };
    play.feed(Input::Session(SessionInput::UndoPlanned { plan }));
    let Some(Event::Session(SessionEvent::UndoPlanned { plan })) = play.events.last() else { panic!() };
    let note = plan.files[0].diff.note.as_deref().unwrap();
    assert!(note.contains("these lines become what git HEAD holds, whoever changed them since"), "{note}");
    play.op(undo(Undo, 1));
    carried_out(&mut play);
    plan_redo_brings(&mut play, "part", "b2");
}

fn plan_redo_brings(play: &mut Play, from: &str, to: &str) {
    plan(play, Redo, 2, None);
    assert_eq!(play.wanted, [Restoring { path: "/p/b".into(), from: state(from), to: state(to) }]);
}

#[test]
fn what_was_not_seen_of_the_last_commit_is_not_gone_back_to() {
    let mut play = two_writes();
    play.op(back_to_head());
    assert!(play.wanted.is_empty(), "it was never looked at");
    play.op(Op::List(ListOp::AgainstHead));
    let refused = UndoFile { possible: false, ..committed("b2", "b2") };
    play.feed(Input::Session(SessionInput::AgainstHead { result: Ok(vec![refused]) }));
    play.op(back_to_head());
    assert!(play.wanted.is_empty(), "it was said that this cannot be done");
}
