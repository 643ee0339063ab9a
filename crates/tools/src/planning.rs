//! The plan at hand, as far as it can be given up: most plans are made in a moment, and some wait for a server.

use crate::blocking::Stop;
use std::sync::{Arc, Mutex, PoisonError};

#[derive(Debug, Clone, Default)]
pub(crate) struct Planning(Arc<Mutex<Stop>>);

impl Planning {
    /// Another plan is to be made: what was said of the last does not concern it.
    pub(crate) fn begins(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Stop::default();
    }

    /// Nobody waits for it any more.
    pub(crate) fn give_up(&self) {
        self.stop().ask();
    }

    /// Says when to stop to whoever makes the plan.
    pub(crate) fn stop(&self) -> Stop {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
