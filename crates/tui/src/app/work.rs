//! The turn under way: what is waited for, and since when.

use crate::words::seconds;
use agent_protocol::{CallId, Phase};
use std::time::Duration;

/// A turn under way.
#[derive(Debug)]
pub(crate) struct Work {
    pub(crate) began: Duration,
    doing: Doing,
    since: Duration,
}

/// What is going on.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Doing {
    /// The model is waited for.
    Waiting(Phase),
    /// The model thinks aloud.
    Thinking,
    /// A tool is at work.
    Running { call: CallId, title: String },
}

impl Work {
    pub(crate) fn begin(now: Duration) -> Self {
        Work { began: now, doing: Doing::Waiting(Phase::Sending), since: now }
    }

    /// Something else is going on from now on; the same thing keeps its time.
    pub(crate) fn now_doing(&mut self, doing: Doing, now: Duration) {
        if self.doing != doing {
            (self.doing, self.since) = (doing, now);
        }
    }

    /// Is this call the one at work?
    pub(crate) fn is_running(&self, wanted: CallId) -> bool {
        matches!(&self.doing, Doing::Running { call, .. } if *call == wanted)
    }

    /// What is going on, in words, with the time.
    pub(crate) fn words(&self, model: &str, now: Duration) -> String {
        let passed = now.saturating_sub(self.since);
        let time = seconds(passed);
        match &self.doing {
            Doing::Waiting(Phase::Sending) => format!("waiting for {model} · {time}"),
            Doing::Waiting(Phase::Loading) => format!("loading {model} · {time}"),
            Doing::Waiting(Phase::Reading) => format!("reading the prompt · {time}"),
            Doing::Waiting(Phase::Writing) => format!("writing · {time}"),
            Doing::Thinking => format!("thinking · {time}"),
            Doing::Running { title, .. } => format!("{title} · {time}"),
            Doing::Waiting(Phase::Silent { secs }) => {
                let silent = seconds(passed + Duration::from_secs(*secs));
                format!("nothing has arrived for {silent}: a long tool call may be being written, or the server stalls")
            }
            Doing::Waiting(Phase::Retrying { attempt, wait_ms, trouble }) => {
                match Duration::from_millis(*wait_ms).saturating_sub(passed) {
                    Duration::ZERO => format!("trying again, for the {} time: {trouble}", ordinal(*attempt)),
                    left => format!("retrying in {}: {trouble}", seconds(left + Duration::from_millis(999))),
                }
            }
        }
    }
}

fn ordinal(number: u32) -> String {
    match number {
        2 => "2nd".into(),
        3 => "3rd".into(),
        other => format!("{other}th"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_protocol::Trouble;

    fn words(phase: Phase, passed: u64) -> String {
        let mut work = Work::begin(Duration::ZERO);
        work.now_doing(Doing::Waiting(phase), Duration::from_secs(10));
        work.words("qwen3:8b", Duration::from_secs(10 + passed))
    }

    #[test]
    fn loading_reading_and_writing_are_told_apart_with_time() {
        assert_eq!(words(Phase::Loading, 12), "loading qwen3:8b · 12 s");
        assert_eq!(words(Phase::Reading, 3), "reading the prompt · 3 s");
        assert_eq!(words(Phase::Writing, 65), "writing · 1 min 05 s");
    }

    #[test]
    fn silence_counts_from_its_beginning_and_says_what_it_may_be() {
        let said = words(Phase::Silent { secs: 20 }, 5);
        assert_eq!(said, "nothing has arrived for 25 s: a long tool call may be being written, or the server stalls");
    }

    #[test]
    fn a_retry_counts_down() {
        let retry = || Phase::Retrying {
            attempt: 2,
            wait_ms: 2_000,
            trouble: Trouble::Busy { status: 503, message: "loading".into() },
        };
        assert_eq!(words(retry(), 0), "retrying in 2 s: the server is busy (503: loading)");
        assert_eq!(words(retry(), 1), "retrying in 1 s: the server is busy (503: loading)");
        assert_eq!(words(retry(), 2), "trying again, for the 2nd time: the server is busy (503: loading)");
    }
}
