//! What the planning of one call may take: everything it read is held until the user answers.

use crate::blocking::Stop;
use crate::words;
use agent_protocol::{Failure, FailureKind};
use std::time::{Duration, Instant};

/// Bytes of all that is read to be changed or shown later.
const BYTES: u64 = 64 * 1024 * 1024;
/// For reading what is shown later.
const TIME: Duration = Duration::from_secs(20);

#[derive(Debug)]
pub(super) struct Budget {
    most: u64,
    held: u64,
    pub(super) late: Stop,
}

impl Default for Budget {
    fn default() -> Self {
        Budget::new(BYTES, Instant::now() + TIME)
    }
}

impl Budget {
    pub(super) fn new(most: u64, until: Instant) -> Self {
        Budget { most, held: 0, late: Stop::at(until) }
    }

    /// So many bytes more are held.
    pub(super) fn hold(&mut self, bytes: u64) -> Result<(), Failure> {
        self.held = self.held.saturating_add(bytes);
        if self.held <= self.most {
            return Ok(());
        }
        let most = words::size(self.most);
        let message = format!("the files of this call are larger than {most} together; do fewer at a time");
        Err(Failure::new(FailureKind::TooLarge, message))
    }

    /// A failure where there is no time left for readings.
    pub(super) fn check_time(&self) -> Result<(), Failure> {
        if !self.late.wanted() {
            return Ok(());
        }
        let message = "reading the files of this call takes too long; read fewer at a time";
        Err(Failure::new(FailureKind::Timeout, message))
    }
}
