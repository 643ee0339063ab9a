//! Answers after a call of the turn was refused.

use super::{FIX, Nothing, said};
use crate::turn::guards::claims::{Facts, unverified};

/// What is said after an edit and a command of the turn were refused, and nothing else happened.
fn said_after_refusals(answer: &str) -> Vec<String> {
    let facts = Facts {
        files: &[],
        earlier: &[],
        commands: &[],
        failed_tests: None,
        ran_earlier: false,
        denied: true,
        asked: "Fix the bug in src/main.rs",
    };
    unverified(answer, &facts)
}

#[test]
fn work_that_was_refused_is_not_said_to_be_done() {
    let changed = "it says that something was changed, but no file was";
    let ran = "it says that something was run, but no command was";
    assert_eq!(said_after_refusals("I fixed the bug in the code. The tests were run."), [changed, ran]);
    for answer in ["Fixed the bug.", "The bug is fixed.", "The bug has been fixed and works.", "Done, fixed the error."]
    {
        assert_eq!(said_after_refusals(answer), [changed], "{answer}");
    }
    assert_eq!(said_after_refusals("All tests were run and are fine."), [ran]);
    assert_eq!(said(Nothing, FIX, "Fixed the bug."), [""; 0], "without a refusal it may be a report");
}

#[test]
fn who_says_that_it_was_refused_is_believed() {
    for answer in [
        "I could not fix the bug, because the edit was refused.",
        "The edit was refused, so the bug is not fixed and the tests were not run.",
        "The bug is still there. Shall I try again?",
        "If you allow the edit, the bug is fixed.",
        "The function was fixed in length before.",
        "The bug was fixed by the commit of yesterday.",
        "Upstream found and fixed the bug.",
        "The tests were run by the CI.",
    ] {
        assert_eq!(said_after_refusals(answer), [""; 0], "{answer}");
    }
}
