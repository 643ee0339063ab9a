//! How much of what a model thought aloud comes back to it in later prompts.
//!
//! Templates differ: most give back what was thought in the running turn, and leave out what was thought in earlier ones;
//! some give back all, some nothing.

use super::log::Seen;
use agent_protocol::Role;

/// Fewer tokens of thinking tell nothing.
const TELLING: f64 = 24.0;

/// Tokens of thinking in a conversation.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Thoughts {
    /// Since the person spoke last.
    pub(super) now: f64,
    /// Before.
    pub(super) earlier: f64,
}

impl Thoughts {
    pub(super) fn of<'a>(seen: impl Iterator<Item = &'a Seen>) -> Thoughts {
        let mut thoughts = Thoughts::default();
        for seen in seen {
            if seen.role == Role::User {
                thoughts.earlier += std::mem::take(&mut thoughts.now);
            }
            thoughts.now += seen.thinking;
        }
        thoughts
    }

    pub(super) fn all(self) -> f64 {
        self.now + self.earlier
    }

    fn since(self, before: Thoughts) -> Thoughts {
        Thoughts { now: self.now - before.now, earlier: self.earlier - before.earlier }
    }
}

/// Which share of it comes back, and how well that is known.
#[derive(Debug, Clone)]
pub(super) struct GivenBack {
    shares: [f64; 2],
    covariance: [[f64; 2]; 2],
}

impl Default for GivenBack {
    fn default() -> Self {
        GivenBack { shares: [1.0, 0.0], covariance: [[0.16, 0.0], [0.0, 0.16]] }
    }
}

impl GivenBack {
    /// Tokens of it in a prompt.
    pub(super) fn of(&self, thoughts: Thoughts) -> f64 {
        self.shares[0] * thoughts.now + self.shares[1] * thoughts.earlier
    }

    /// Tokens of it in one message, of the running turn or an earlier one.
    pub(super) fn of_message(&self, seen: &Seen, now: bool) -> f64 {
        self.shares[usize::from(!now)] * seen.thinking
    }

    /// By how many tokens a prompt grew through it.
    pub(super) fn change(&self, before: Thoughts, after: Thoughts) -> f64 {
        self.of(after.since(before))
    }

    /// How uncertain that is, in tokens.
    pub(super) fn doubt(&self, thoughts: Thoughts) -> f64 {
        let bearing = self.bearing(thoughts);
        (bearing[0] * thoughts.now + bearing[1] * thoughts.earlier).max(0.0).sqrt()
    }

    pub(super) fn doubt_of_change(&self, before: Thoughts, after: Thoughts) -> f64 {
        self.doubt(after.since(before))
    }

    /// A prompt grew by so many tokens that nothing but thinking explains, give or take `doubt`.
    pub(super) fn learn(&mut self, before: Thoughts, after: Thoughts, tokens: f64, doubt: f64) {
        let change = after.since(before);
        if change.now.abs().max(change.earlier.abs()) < TELLING {
            return;
        }
        let bearing = self.bearing(change);
        let variance = bearing[0] * change.now + bearing[1] * change.earlier;
        // What thinking takes is itself only estimated.
        let inexact = 0.1 * (change.now.abs() + change.earlier.abs());
        let expected = variance + doubt * doubt + inexact * inexact;
        let off = tokens - self.of(change);
        for index in 0..2 {
            self.shares[index] = (self.shares[index] + bearing[index] / expected * off).clamp(0.0, 1.0);
            for other in 0..2 {
                self.covariance[index][other] -= bearing[index] * bearing[other] / expected;
            }
            // A template may be changed, and an estimate was wrong before.
            self.covariance[index][index] = self.covariance[index][index].clamp(0.003, 0.16);
        }
    }

    fn bearing(&self, change: Thoughts) -> [f64; 2] {
        [0, 1].map(|index: usize| self.covariance[index][0] * change.now + self.covariance[index][1] * change.earlier)
    }
}
