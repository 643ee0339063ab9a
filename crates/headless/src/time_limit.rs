//! The time that a run may take. It is counted from the moment the prompt is said.

use std::time::Duration;
use tokio::time::{Instant, sleep_until};

/// So long a turn that was told to end is waited for.
const ENDING: Duration = Duration::from_secs(15);

/// The share of the time after which the model is told that little is left.
const NEARLY: f64 = 0.9;

/// How long a run may take, and since when.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TimeLimit {
    time: Option<Duration>,
    until: Option<Instant>,
    /// When most of it is over; none: that was said.
    nearly: Option<Instant>,
}

/// How far the time has gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Passed {
    /// Most of it is over. Comes once.
    Nearly,
    All,
}

impl TimeLimit {
    /// Not begun yet; none: it is never over.
    pub(crate) fn of(time: Option<Duration>) -> Self {
        TimeLimit { time, until: None, nearly: None }
    }

    /// It counts from now on.
    pub(crate) fn begin(&mut self) {
        // A time that no clock reaches is none.
        self.until = self.time.and_then(|time| Instant::now().checked_add(time));
        self.nearly = self.time.and_then(|time| Instant::now().checked_add(time.mul_f64(NEARLY)));
    }

    /// Comes back when most of it is over, and when all is.
    pub(crate) async fn passes(&mut self) -> Passed {
        let Some(until) = self.until else { return std::future::pending().await };
        if let Some(nearly) = self.nearly.filter(|nearly| *nearly < until) {
            sleep_until(nearly).await;
            self.nearly = None;
            return Passed::Nearly;
        }
        sleep_until(until).await;
        Passed::All
    }

    /// What is under way was told to end, and gets a while for that.
    pub(crate) fn leave_time_to_end(&mut self) {
        self.until = Some(Instant::now() + ENDING);
        self.nearly = None;
    }
}
