//! Whether the tokens that the server counted of a reply are those that the reply takes in the next prompt.

use crate::{Estimator, Features};
use agent_protocol::{Message, Role};

/// How much of the errors is that of the last time.
const NEWEST: f64 = 0.5;

/// Replies of fewer tokens tell nothing.
const TELLING: u64 = 8;

/// What both ways of taking a reply came to so far: mean errors, as shares of the reply.
#[derive(Debug, Clone)]
pub(super) struct Replies {
    by_count: f64,
    by_estimate: f64,
    /// A count was seen to be right.
    confirmed: bool,
}

impl Default for Replies {
    /// As long as nothing else is known the count is believed.
    fn default() -> Self {
        Replies { by_count: 0.0, by_estimate: 0.1, confirmed: false }
    }
}

impl Replies {
    /// Is this a reply?
    pub(super) fn is_one(message: &Message) -> bool {
        message.role == Role::Assistant
    }

    /// Is what was counted of a reply nearer to the truth than an estimate?
    pub(super) fn are_counted_well(&self) -> bool {
        self.by_count <= self.by_estimate
    }

    /// The next prompt was counted: by so many tokens it was off either way; so many tokens of it were replies.
    pub(super) fn compare(&mut self, by_count: f64, by_estimate: f64, replies: f64) {
        let share = |off: f64| (off.abs() / replies.max(1.0)).min(4.0);
        self.by_count += NEWEST * (share(by_count) - self.by_count);
        self.by_estimate += NEWEST * (share(by_estimate) - self.by_estimate);
        self.confirmed |= share(by_count) < 0.1;
    }

    /// The model's own words and their count tell what its words take.
    pub(super) fn teach(&self, message: &Message, counted: u64, estimator: &mut Estimator) {
        let (written, tokens) = (Features::of_message(message).as_written(), counted as f64);
        let expected = estimator.weigh(&written);
        let in_question = counted < TELLING || tokens * 4.0 < expected || tokens > expected * 4.0;
        if self.are_counted_well() && !in_question {
            // The token that ends a reply is counted too, and how a model writes a call is not quite how a prompt holds it.
            let share = if self.confirmed { 0.01 } else { 0.06 };
            let doubt = 1.0 + share * tokens + 4.0 * message.calls.len() as f64;
            estimator.learn_with(&written, tokens - 1.0, doubt);
        }
    }
}
