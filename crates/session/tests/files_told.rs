//! What a model that works by files is told before it answers, and when its answer is of no use.

use crate::by_files::*;
use crate::play::*;
use agent_protocol::*;
use agent_session::{CallInput, Input};

#[test]
fn a_text_that_does_not_fit_its_file_is_taken_away_and_the_reason_told() {
    let mut play = by_files(Mode::Unsafe);
    asks(&mut play, "Fix the bug in a.py.", 1, &["a.py"]);
    play.writes(ANSWER);
    play.reached(2, &format!("{ROOT}/a.py"));
    let message = "the text for a.py does not belong in a.py\na.py is now:\ntext of a.py";
    let result = Err(Failure::new(FailureKind::InvalidArguments, message));
    play.feed(Input::Call(CallInput::Planned { call: CallId(2), result, facts: agent_policy::Facts::default() }));
    let said = play.last_said();
    assert!(said.ends_with("Fix the bug in a.py.\n\n(the text for a.py does not belong in a.py)"), "{said}");
    assert!(!play.requests.last().unwrap().messages.iter().any(|message| message.content.contains("print(1)")));
}

#[test]
fn where_a_file_is_to_be_made_others_of_which_nobody_spoke_are_left_alone_once() {
    let mut play = by_files(Mode::Unsafe);
    asks(&mut play, "write endings.sh, which counts files", 1, &["README.md"]);
    play.writes("README.md\n```\nIt counts files.\n```");
    let said = play.last_said();
    assert!(said.contains("endings.sh was asked for, and is not there yet. Answer with endings.sh"), "{said}");
    assert!(!play.has("reach 2"), "{:?}", play.lines.last());
    play.writes("README.md\n```\nIt counts files.\n```");
    assert!(play.has("reach 2"), "a model that insists is let: {:?}", play.lines.last());
}

#[test]
fn where_something_fails_the_check_says_what_before_the_model_answers() {
    let mut play = by_files(Mode::Unsafe);
    asks(&mut play, "make check fails, please fix a.py", 1, &["a.py"]);
    assert_eq!(play.requests.len(), 0);
    checked(&mut play, 2, 1, "test_a failed: 3 is not 4");
    assert_eq!(play.requests.len(), 1);
    let said = play.last_said();
    assert!(
        said.contains("please fix a.py") && said.contains("(the check fails now:\ntest_a failed: 3 is not 4"),
        "{said}"
    );
    play.writes(ANSWER);
    writes(&mut play, 3, "a.py");
    wrote(&mut play, 3, "a.py");
    checked(&mut play, 4, 0, "all well");
    looked_after(&mut play, &["a.py"]);
    assert_eq!((play.ended(), play.requests.len()), (Some(TurnEndReason::Done), 1));
    assert_eq!(receipt(&play).unwrap().failing, None);
}

#[test]
fn the_answer_to_what_fails_before_it_does_not_change_the_tests_either() {
    let mut play = by_files(Mode::Unsafe);
    asks(&mut play, "make check fails, please fix it", 1, &["a.py", "test_a.py"]);
    checked(&mut play, 2, 1, "test_a failed");
    play.writes("test_a.py\n```python\npass\n```\n");
    assert!(!play.has("reach 3"), "{:?}", play.lines.last());
    assert!(play.last_said().contains("the tests are not changed"), "{}", play.last_said());
}

#[test]
fn nobody_is_asked_for_the_check_before_the_model_answers() {
    let mut play = by_files(Mode::Safe);
    asks(&mut play, "make check fails, please fix a.py", 1, &["a.py"]);
    play.reached(2, ROOT);
    play.planned(2, run("make check"));
    assert_eq!((play.subject(), play.requests.len()), (None, 1));
    assert!(play.last_said().ends_with("please fix a.py"), "{}", play.last_said());
}

#[test]
fn a_check_that_passes_or_cannot_run_says_nothing_before_the_model_answers() {
    for (code, told) in [(0, "all well"), (127, "make: not found")] {
        let mut play = by_files(Mode::Unsafe);
        asks(&mut play, "the build is broken, please fix a.py", 1, &["a.py"]);
        checked(&mut play, 2, code, told);
        assert!(play.last_said().ends_with("please fix a.py"), "{}", play.last_said());
        assert_eq!(play.requests.len(), 1);
    }
    let mut play = by_files(Mode::Unsafe);
    asks(&mut play, "write a test for a.py", 1, &["a.py"]);
    assert_eq!(play.requests.len(), 1, "nothing is said to fail");
}

/// A model that changed the definition of a name and left a use of it in a test; the call that puts it right has number 4.
fn half_renamed(mode: Mode) -> Play {
    let mut play = by_files(mode);
    asks(&mut play, "Rename the function calc in a.py to total, everywhere.", 1, &["a.py", "test_a.py"]);
    play.writes(ANSWER);
    writes(&mut play, 2, "a.py");
    if play.subject().is_some() {
        play.answer(yes());
    }
    wrote(&mut play, 2, "a.py");
    play.reached(3, ROOT);
    no_plan(&mut play, 3, FailureKind::Syntax, "calc was to be renamed and is still used:\ntest_a.py:3 calc(1)");
    play.reached(4, ROOT);
    play
}

fn no_plan(play: &mut Play, call: u64, kind: FailureKind, why: &str) {
    let result = Err(Failure::new(kind, why));
    play.feed(Input::Call(CallInput::Planned { call: CallId(call), result, facts: agent_policy::Facts::default() }));
}

fn plans_the_rest(play: &mut Play) {
    play.planned(4, write(&format!("{ROOT}/test_a.py")));
}

#[test]
fn what_is_left_of_a_name_is_changed_by_the_program_and_checked_and_the_model_is_not_asked_for_it() {
    let mut play = half_renamed(Mode::Unsafe);
    plans_the_rest(&mut play);
    wrote(&mut play, 4, "test_a.py");
    checked(&mut play, 5, 0, "all well");
    looked_after(&mut play, &["a.py", "test_a.py"]);
    assert_eq!((play.ended(), play.requests.len()), (Some(TurnEndReason::Done), 1));
    assert_eq!(receipt(&play).unwrap().failing, None);
}

#[test]
fn what_fails_when_a_name_was_changed_everywhere_goes_back_with_what_the_program_did() {
    let mut play = half_renamed(Mode::Unsafe);
    plans_the_rest(&mut play);
    wrote(&mut play, 4, "test_a.py");
    checked(&mut play, 5, 1, "test_a failed: 3 is not 4");
    let said = play.last_said();
    assert!(said.contains("(what was left of calc in test_a.py is total now.)"), "{said}");
    assert!(said.contains("test_a failed: 3 is not 4"), "{said}");
}

#[test]
fn where_not_all_places_may_be_meant_the_model_is_asked_and_the_tests_change_too() {
    let mut play = half_renamed(Mode::Unsafe);
    no_plan(&mut play, 4, FailureKind::NotReady, "calc is still defined in b.py");
    gathers(&mut play, 5, &["test_a.py"]);
    let said = play.last_said();
    assert!(
        said.starts_with("test_a.py\n```\ntext of test_a.py") && said.contains("calc is still used in test_a.py"),
        "{said}"
    );
    play.writes("test_a.py\n```python\npass\n```\n");
    assert!(play.has("reach 6"), "{:?}", play.lines.last());
}

#[test]
fn a_person_is_asked_before_the_rest_of_a_name_changes_and_a_no_ends_it() {
    let mut play = half_renamed(Mode::Safe);
    plans_the_rest(&mut play);
    assert!(play.subject().is_some());
    play.answer(no(""));
    looked_after(&mut play, &["a.py"]);
    assert_eq!((play.ended(), play.requests.len()), (Some(TurnEndReason::Done), 1));
    assert!(receipt(&play).unwrap().failing.is_some(), "the check that found it still stands");
}

#[test]
fn who_was_to_write_tests_mends_the_tests_that_fail() {
    let mut play = by_files(Mode::Unsafe);
    asks(&mut play, "write tests for a.py into test_a.py", 1, &["a.py"]);
    play.writes("test_a.py\n```python\nassert f() == 28\n```\n");
    writes(&mut play, 2, "test_a.py");
    wrote(&mut play, 2, "test_a.py");
    checked(&mut play, 3, 1, "test_a failed: 29 is not 28");
    let said = play.last_said();
    assert!(said.contains("test_a failed: 29 is not 28") && said.contains("mend what they expect"), "{said}");
    assert!(!said.contains("Leave the tests"), "{said}");
    play.writes("test_a.py\n```python\nassert f() == 29\n```\n");
    assert!(play.has("reach 4"), "{:?}", play.lines.last());
}
