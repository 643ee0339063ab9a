//! What a model that works by files is told before it answers, and when its answer is of no use.

use crate::by_files::*;
use crate::play::*;
use agent_protocol::*;
use agent_turn::{CallInput, Input};

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

#[test]
fn where_a_name_is_to_change_everywhere_the_tests_change_too() {
    let mut play = by_files(Mode::Unsafe);
    asks(&mut play, "Rename the function calc in a.py to total, everywhere.", 1, &["a.py", "test_a.py"]);
    play.writes(ANSWER);
    writes(&mut play, 2, "a.py");
    wrote(&mut play, 2, "a.py");
    checked(&mut play, 3, 1, "calc was to be renamed and is still used:\ntest_a.py:3 calc(1)");
    gathers(&mut play, 4, &["test_a.py"]);
    let said = play.last_said();
    assert!(
        said.starts_with("test_a.py\n```\ntext of test_a.py") && said.contains("calc is still used in test_a.py"),
        "{said}"
    );
    play.writes("test_a.py\n```python\npass\n```\n");
    assert!(play.has("reach 5"), "{:?}", play.lines.last());
}
