//! How long things are waited for, in one place.

use std::time::Duration;

/// How long things are waited for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    /// Before each further try of what may pass, at least; up to half as long again is added at random, so that many who
    /// were refused together do not all come back together.
    pub(crate) retries: [Duration; 2],
    /// Before the first further try where the server has no room; each later pause is twice as long, up to `longest_pause`.
    pub(crate) first_pause: Duration,
    /// The longest of these pauses.
    pub(crate) longest_pause: Duration,
    /// So long a place is waited for in all; a server that asks for a longer pause is not waited for.
    pub(crate) patience: Duration,
    /// Before the first look at whether the model is loaded.
    pub(crate) first_look: Duration,
    pub(crate) next_look: Duration,
    /// Without a word in the middle of a reply, before it is said.
    pub(crate) silence: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Pace {
            retries: [Duration::from_millis(500), Duration::from_millis(1500)],
            first_pause: Duration::from_secs(1),
            longest_pause: Duration::from_secs(15),
            patience: Duration::from_secs(30 * 60),
            first_look: Duration::from_millis(300),
            next_look: Duration::from_millis(500),
            silence: Duration::from_secs(5),
        }
    }
}
