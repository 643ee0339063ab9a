//! What is kept of the tries at one task. Plain data.

use crate::turn::program_calls::check_state::Check;
use agent_protocol::{FileReceipt, SaidId};

/// The tries at what the user asked for in this turn.
#[derive(Debug)]
pub(crate) struct Tries {
    /// Those before the one at hand.
    pub(crate) earlier: Vec<Try>,
    /// What the one at hand was said as.
    pub(crate) said: SaidId,
    /// There will be no other.
    pub(crate) closed: bool,
}

/// One try that has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Try {
    pub(crate) said: SaidId,
    /// Tests that failed at its end; what cannot be told counts as the most.
    pub(crate) failing: usize,
    /// Lines that it added and removed.
    pub(crate) lines: u64,
    pub(crate) check: Check,
}

impl Try {
    /// The try that was said as `said`, after which the check ended so and these files are others.
    pub(crate) fn ended(said: SaidId, check: &Check, failing: usize, files: &[FileReceipt]) -> Self {
        let failing = match check {
            Check::Passed(_) => 0,
            Check::Failed(_) => failing.max(1),
            Check::None | Check::NotRun(_) => usize::MAX,
        };
        let lines = files.iter().map(|file| file.added + file.removed).sum();
        Try { said, failing, lines, check: check.clone() }
    }

    /// What decides which of several stays: fewer failures, then a smaller change.
    fn rank(&self) -> (usize, u64) {
        (self.failing, self.lines)
    }
}

impl Tries {
    /// The first try is under way, at what was said as this.
    pub(crate) fn starting_at(said: SaidId) -> Self {
        Tries { earlier: Vec::new(), said, closed: false }
    }

    /// The first of the best of these and those before; `last` is the one at hand.
    pub(crate) fn best<'a>(&'a self, last: &'a Try) -> &'a Try {
        self.earlier.iter().chain([last]).min_by_key(|one| one.rank()).unwrap_or(last)
    }

    /// What the try after this one was said as.
    pub(crate) fn after(&self, one: &Try) -> SaidId {
        let later = self.earlier.iter().map(|other| other.said).filter(|said| *said > one.said);
        later.min().unwrap_or(self.said)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(said: u64, failing: usize, lines: u64) -> Try {
        Try { said: SaidId(said), failing, lines, check: Check::Failed(String::new()) }
    }

    #[test]
    fn fewer_failures_count_before_a_smaller_change_and_the_earlier_of_two_alike() {
        let tries = |earlier: &[Try]| Tries { earlier: earlier.to_vec(), said: SaidId(9), closed: false };
        assert_eq!(tries(&[one(1, 2, 5)]).best(&one(9, 1, 50)).said, SaidId(9));
        assert_eq!(tries(&[one(1, 2, 5)]).best(&one(9, 2, 4)).said, SaidId(9));
        assert_eq!(tries(&[one(1, 2, 5), one(3, 2, 5)]).best(&one(9, 2, 5)).said, SaidId(1));
        let three = tries(&[one(1, 2, 5), one(3, 4, 5)]);
        assert_eq!((three.after(&one(1, 2, 5)), three.after(&one(3, 4, 5))), (SaidId(3), SaidId(9)));
    }
}
