//! What is kept of a turn for models that cannot call: how their files went, and how calls came to nothing. Plain data.

use agent_protocol::{FailureKind, Outcome, Status};
use std::borrow::Cow;

/// Parts of paths by which tests are known.
const TESTS: [&str; 6] = ["test_", "_test.", ".test.", ".spec.", "tests/", "test/"];

/// Does its path say that it holds tests?
pub(crate) fn is_test(path: &str) -> bool {
    TESTS.iter().any(|part| path.contains(part))
}

/// What came of the turn so far.
#[derive(Debug, Default)]
pub(crate) struct FileWork {
    /// What came of the calls since the last reply.
    pub(super) since: Since,
    /// So often something failed and the model was told.
    pub(super) rounds: u32,
    /// Files that it wrote in this turn.
    pub(crate) written: Vec<String>,
    /// What the model is told when it is asked again.
    pub(super) remind: Option<Cow<'static, str>>,
    /// The model was told that its answer changes nothing, and has changed nothing since.
    pub(super) told_same: bool,
    /// The model was told that a file is not there yet which it was to make.
    pub(super) told_lacking: bool,
    /// The project was checked though nothing was changed, for the model to see what fails.
    pub(super) checked_same: bool,
    /// The model was told that it changed nothing.
    pub(super) told_unchanged: bool,
}

/// What came of the calls of one reply.
#[derive(Debug, Default)]
pub(super) struct Since {
    pub(super) wrote: bool,
    pub(super) failed: bool,
    /// The answer is of no use: it is taken away before the model is asked again, as models copy what they see, their own
    /// answer first.
    pub(super) useless: bool,
    /// Files of the answer that are just as they were.
    pub(super) same: Vec<String>,
    pub(super) refused: bool,
    pub(super) with_word: bool,
    pub(super) looked: bool,
    pub(super) ran: bool,
}

impl FileWork {
    /// What the model wants is not done, and it is told why.
    pub(super) fn failed_for(&mut self, why: &'static str) {
        self.since.failed = true;
        self.remind = Some(why.into());
    }

    /// The answer is of no use, and the model is told so in place of it.
    pub(super) fn useless_for(&mut self, why: impl Into<Cow<'static, str>>) {
        (self.since.failed, self.since.useless) = (true, true);
        self.remind = Some(why.into());
    }
}

/// Calls that came to nothing.
#[derive(Debug, Default)]
pub(crate) struct FruitlessCalls {
    /// A call changed something, or ran something.
    pub(crate) worked: bool,
    /// So many replies in a row held only calls that failed by the model's own fault.
    pub(crate) replies: u32,
    /// A call of the last reply was as it should be.
    usable: bool,
}

impl FruitlessCalls {
    /// A call of the model has ended.
    pub(crate) fn ended(&mut self, outcome: &Outcome) {
        let own_fault = matches!(
            outcome.status,
            Status::Failed {
                kind: FailureKind::UnknownTool
                    | FailureKind::InvalidArguments
                    | FailureKind::NotFound
                    | FailureKind::NoMatch
                    | FailureKind::Ambiguous
            }
        );
        self.usable |= !own_fault;
        self.worked |= !outcome.changed.is_empty() || matches!(outcome.status, Status::Exited { .. });
    }

    /// All calls of a reply have ended.
    pub(crate) fn replied(&mut self) {
        self.replies = if std::mem::take(&mut self.usable) { 0 } else { self.replies + 1 };
    }
}
