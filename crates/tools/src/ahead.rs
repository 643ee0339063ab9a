//! How long is looked for what goes with a person's words: they wait meanwhile, so all that is looked for with one message has to
//! be found in one time, and what is not found by then is left out.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// For all of it where a person waits, so that with what comes after that it is no more than 150 ms.
const TIME: Duration = Duration::from_millis(100);
/// Where nobody does: what a script is told does not depend on what else the machine is doing.
const TIME_ALONE: Duration = Duration::from_secs(5);

/// The message for which is looked just now, and until when. Clones share it.
#[derive(Debug, Clone)]
pub(crate) struct Ahead {
    time: Duration,
    now: Arc<Mutex<Option<(u64, Instant)>>>,
}

impl Default for Ahead {
    fn default() -> Self {
        Ahead { time: TIME, now: Arc::default() }
    }
}

impl Ahead {
    pub(crate) fn alone(&mut self) {
        self.time = TIME_ALONE;
    }

    /// Until when is looked for something that goes with this `message`; none: it is looked for alone.
    pub(crate) fn until(&self, message: Option<u64>) -> Instant {
        let fresh = Instant::now() + self.time;
        let Some(message) = message else { return fresh };
        let mut known = self.now.lock().unwrap_or_else(PoisonError::into_inner);
        match *known {
            Some((of, until)) if of == message => until,
            Some(_) | None => {
                *known = Some((message, fresh));
                fresh
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_with_one_message_has_one_time_and_the_next_has_its_own() {
        let ahead = Ahead::default();
        let first = ahead.until(Some(1));
        assert_eq!(ahead.clone().until(Some(1)), first);
        let next = ahead.until(Some(2));
        assert!(next >= first);
        assert_eq!(ahead.until(Some(2)), next);
        assert!(ahead.until(None) >= next);
    }
}
