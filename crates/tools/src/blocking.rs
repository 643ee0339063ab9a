//! Runs work that blocks on a thread of its own, and tells it when nobody waits for it any more.

use agent_protocol::{Failure, FailureKind, Outcome};
use futures_util::future::BoxFuture;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Says when to stop. Long work asks every now and then; a write asks right before the point of no return.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stop {
    wanted: Arc<AtomicBool>,
    /// When it is too late for anybody, asked or not.
    until: Option<Instant>,
}

impl Stop {
    /// For work that nobody waits for after `until`.
    pub(crate) fn at(until: Instant) -> Self {
        Stop { until: Some(until), ..Stop::default() }
    }

    /// The same, and at the latest at `until`.
    pub(crate) fn until(&self, until: Instant) -> Self {
        let until = self.until.map_or(until, |earlier| earlier.min(until));
        Stop { wanted: self.wanted.clone(), until: Some(until) }
    }

    pub(crate) fn wanted(&self) -> bool {
        self.wanted.load(Ordering::Relaxed) || self.until.is_some_and(|until| Instant::now() >= until)
    }

    pub(crate) fn ask(&self) {
        self.wanted.store(true, Ordering::Relaxed);
    }

    /// An early way out of work that nobody waits for; the failure reaches nobody.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        if self.wanted() { Err(Failure::new(FailureKind::Io, "stopped")) } else { Ok(()) }
    }
}

struct StopOnDrop(Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.ask();
    }
}

/// Does `work` elsewhere. Dropping the future asks the work to stop.
pub(crate) fn blocking(
    work: impl FnOnce(&Stop) -> Result<Outcome, Failure> + Send + 'static,
) -> BoxFuture<'static, Outcome> {
    let guard = StopOnDrop(Stop::default());
    Box::pin(async move {
        let stop = guard.0.clone();
        match tokio::task::spawn_blocking(move || work(&stop)).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(failure)) => failure.into(),
            Err(error) => crashed(&error.to_string()).into(),
        }
    })
}

/// A fault of our own: the call fails, the session goes on.
pub(crate) fn crashed(what: &str) -> Failure {
    Failure::new(FailureKind::Io, format!("the tool itself failed ({what}); try it in another way"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_protocol::Status;
    use std::sync::mpsc;

    #[test]
    fn work_stops_when_its_time_is_over_though_nobody_asked() {
        assert!(Stop::at(Instant::now()).clone().wanted());
        let later = Stop::at(Instant::now() + std::time::Duration::from_secs(3600));
        assert!(!later.wanted());
        later.clone().ask();
        assert!(later.wanted());
    }

    #[tokio::test]
    async fn a_panic_becomes_a_failure() {
        let outcome = blocking(|_| panic!("oh")).await;
        assert_eq!(outcome.status, Status::Failed { kind: FailureKind::Io });
    }

    #[tokio::test]
    async fn dropping_asks_the_work_to_stop() {
        let (started, has_started) = tokio::sync::oneshot::channel();
        let (stopped, has_stopped) = mpsc::channel();
        let mut running = blocking(move |stop| {
            started.send(()).unwrap();
            while !stop.wanted() {
                std::thread::yield_now();
            }
            stopped.send(()).unwrap();
            Ok(crate::words::done(String::new(), String::new(), String::new()))
        });
        tokio::select! {
            _ = &mut running => panic!("it ended by itself"),
            started = has_started => started.unwrap(),
        }
        drop(running);
        has_stopped.recv().unwrap();
    }
}
