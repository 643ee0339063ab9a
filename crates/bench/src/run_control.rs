//! The control: what a person wishes of a run while it is under way, and what the run tells of the trial that it makes.
//!
//! A run without a screen has a control too; nobody sits at it.

use crate::rows::TrialKey;
use std::collections::BTreeSet;
use std::path::PathBuf;
use tokio::sync::{mpsc, watch};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunRequests {
    /// No trial begins for now.
    pub paused: bool,
    /// Tasks of which no more trials are made; one that is under way is thrown away.
    pub skipped: BTreeSet<String>,
}

/// A trial began, or the second try of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Began {
    pub key: TrialKey,
    /// The file to which its events are written as they happen.
    pub stream: PathBuf,
}

/// The run's side of the control.
#[derive(Debug)]
pub struct RunControl {
    wishes: watch::Receiver<RunRequests>,
    news: mpsc::UnboundedSender<Began>,
}

#[derive(Debug)]
pub struct TrialHandle {
    pub wishes: watch::Sender<RunRequests>,
    pub news: mpsc::UnboundedReceiver<Began>,
}

impl RunControl {
    pub fn new() -> (RunControl, TrialHandle) {
        let ((say, wishes), (news, hear)) = (watch::channel(RunRequests::default()), mpsc::unbounded_channel());
        (RunControl { wishes, news }, TrialHandle { wishes: say, news: hear })
    }

    /// A control at which nobody sits: nothing is wished.
    pub fn empty() -> RunControl {
        RunControl::new().0
    }

    /// Tasks that a person skipped.
    pub fn skipped(&self) -> BTreeSet<String> {
        self.wishes.borrow().skipped.clone()
    }

    /// Waits while the run is paused, and says whether a trial of this task is still wanted.
    pub(crate) async fn may_begin(&self, task: &str) -> bool {
        let mut wishes = self.wishes.clone();
        // Who left the control wishes nothing more: what was paused goes on.
        let _left = wishes.wait_for(|wishes| !wishes.paused || wishes.skipped.contains(task)).await.is_err();
        !self.is_skipped(task)
    }

    /// No more trials of this task are wanted.
    pub(crate) fn is_skipped(&self, task: &str) -> bool {
        self.wishes.borrow().skipped.contains(task)
    }

    /// Tells that a try begins, whose events go to `stream`.
    pub(crate) fn begins(&self, key: TrialKey, stream: PathBuf) {
        // Nobody listens: that is how it is without a screen.
        let _ = self.news.send(Began { key, stream });
    }

    /// What `work` comes to; none when its task is skipped meanwhile.
    pub(crate) async fn unless_skipped<T>(&self, task: &str, work: impl Future<Output = T>) -> Option<T> {
        let mut wishes = self.wishes.clone();
        tokio::select! {
            biased;
            done = work => Some(done),
            true = async { wishes.wait_for(|wishes| wishes.skipped.contains(task)).await.is_ok() } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on_a_thread<T>(work: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(work)
    }

    fn skips_t(wishes: &mut RunRequests) {
        wishes.skipped.insert("t".into());
    }

    #[test]
    fn a_skipped_task_is_thrown_away_and_does_not_begin_again() {
        let (control, handle) = RunControl::new();
        on_a_thread(async {
            assert!(control.may_begin("t").await);
            let skip = async { handle.wishes.send_modify(skips_t) };
            let (made, ()) = tokio::join!(control.unless_skipped("t", std::future::pending::<()>()), skip);
            assert_eq!(made, None);
            assert!(!control.may_begin("t").await && control.may_begin("other").await);
        });
    }

    #[test]
    fn what_is_paused_waits_until_it_goes_on_is_skipped_or_the_person_leaves() {
        for (what, begins) in [("go on", true), ("skip", false), ("leave", true)] {
            let (control, handle) = RunControl::new();
            handle.wishes.send_modify(|wishes| wishes.paused = true);
            on_a_thread(async {
                let mut begin = Box::pin(control.may_begin("t"));
                assert!(
                    std::future::poll_fn(|context| {
                        std::task::Poll::Ready(begin.as_mut().poll(context).is_pending())
                    })
                    .await
                );
                match what {
                    "go on" => handle.wishes.send_modify(|wishes| wishes.paused = false),
                    "skip" => handle.wishes.send_modify(skips_t),
                    _ => drop(handle),
                }
                assert_eq!(begin.await, begins, "{what}");
            });
        }
    }

    #[test]
    fn nobody_at_the_desk_stops_nothing() {
        let control = RunControl::empty();
        on_a_thread(async {
            assert!(control.may_begin("t").await);
            assert_eq!(control.unless_skipped("t", async { 1 }).await, Some(1));
        });
    }
}
