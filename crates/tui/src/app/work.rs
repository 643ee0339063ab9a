//! The turn under way: what is waited for, since when, and how fast the reply comes.

use crate::words::seconds;
use agent_protocol::{CallId, Phase, Preview, PreviewBody};
use std::time::Duration;

/// A prompt this long in the reading may well be a call in the writing: servers send neither as it comes.
const LONG_READING: Duration = Duration::from_secs(10);
/// The speed of a reply is told from then on.
const FIRST_MEASURE: Duration = Duration::from_secs(1);

/// A turn under way.
#[derive(Debug)]
pub(crate) struct Work {
    pub(crate) began: Duration,
    doing: Doing,
    since: Duration,
    reply: Reply,
}

/// The reply under way, as far as it has come.
#[derive(Debug, Default)]
struct Reply {
    began: Option<Duration>,
    pieces: u64,
    speed: Option<f64>,
}

/// What is going on.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Doing {
    /// The model is waited for.
    Waiting(Phase),
    /// The model thinks aloud.
    Thinking,
    /// A tool is at work.
    Running { call: CallId, work: &'static str },
}

impl Work {
    pub(crate) fn begin(now: Duration) -> Self {
        Work { began: now, doing: Doing::Waiting(Phase::Sending), since: now, reply: Reply::default() }
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

    /// A piece of the reply is here.
    pub(crate) fn piece(&mut self, now: Duration) {
        self.reply.began.get_or_insert(now);
        self.reply.pieces += 1;
    }

    /// Nothing more comes of the last reply.
    pub(crate) fn reply_over(&mut self) {
        self.reply = Reply::default();
    }

    /// Takes the speed of the reply; called once a second, so that the figure can be read.
    pub(crate) fn measure(&mut self, now: Duration) {
        let passed = self.reply.began.map(|began| now.saturating_sub(began)).filter(|passed| *passed >= FIRST_MEASURE);
        self.reply.speed = passed.map(|passed| self.reply.pieces as f64 / passed.as_secs_f64());
    }

    /// About how many tokens come in a second: a server sends each in a piece of its own.
    pub(crate) fn speed(&self) -> Option<f64> {
        self.reply.speed
    }

    /// What is going on, in words, with the time.
    pub(crate) fn words(&self, model: &str, now: Duration) -> String {
        let passed = now.saturating_sub(self.since);
        let time = seconds(passed);
        match &self.doing {
            Doing::Waiting(Phase::Sending) => format!("waiting for {model} · {time}"),
            Doing::Waiting(Phase::Loading) => format!("loading {model} · {time}"),
            Doing::Waiting(Phase::Reading) if passed > LONG_READING => {
                format!("reading the prompt, or writing a call · {time}")
            }
            Doing::Waiting(Phase::Reading) => format!("reading the prompt · {time}"),
            Doing::Waiting(Phase::Writing) => format!("writing · {time}"),
            Doing::Waiting(Phase::WritingCall { .. }) => format!("writing a call · {time}"),
            Doing::Thinking => format!("thinking · {time}"),
            Doing::Running { work, .. } => format!("{work} · {time}"),
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

/// What a running call does, in a word or two; which one it is stands in the conversation.
pub(super) fn work_of(preview: &Preview) -> &'static str {
    match &preview.body {
        PreviewBody::Command { .. } => "running a command",
        PreviewBody::Diff { files } if files.len() > 1 => "writing files",
        PreviewBody::Diff { .. } => "writing a file",
        PreviewBody::Plain => "reading",
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
    fn a_long_reading_may_be_a_call_being_written() {
        assert_eq!(words(Phase::Reading, 10), "reading the prompt · 10 s");
        assert_eq!(words(Phase::Reading, 60), "reading the prompt, or writing a call · 1 min 00 s");
    }

    #[test]
    fn the_speed_of_a_reply_is_told_after_its_first_second() {
        let mut work = Work::begin(Duration::ZERO);
        (0..20).for_each(|piece| work.piece(Duration::from_millis(3_000 + piece * 40)));
        work.measure(Duration::from_millis(3_800));
        assert_eq!(work.speed(), None);
        work.measure(Duration::from_secs(4));
        assert_eq!(work.speed(), Some(20.0));
        work.reply_over();
        assert_eq!(work.speed(), None);
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
