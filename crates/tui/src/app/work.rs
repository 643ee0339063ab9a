//! The turn under way: what is waited for, since when, and how fast the reply comes.

use crate::clean::clean_line;
use crate::text::width::shorten;
use agent_protocol::sanitize::figures::{growing, seconds, short};
use agent_protocol::{CallId, Phase, Preview, PreviewBody, Probe, ReadingEstimate};
use std::time::Duration;

/// A prompt this long in the reading may well be a call in the writing: servers send neither as it comes.
const LONG_READING: Duration = Duration::from_secs(10);
/// A reading is late when it takes a quarter longer than expected, and at least so much.
const LATE: Duration = Duration::from_secs(1);
/// The speed of a reply is told from then on.
const FIRST_MEASURE: Duration = Duration::from_secs(1);

/// Columns of a tool's name at most: a model can write anything there.
const LONGEST_NAME: usize = 40;

#[derive(Debug)]
pub(crate) struct Work {
    pub(crate) began: Duration,
    doing: Doing,
    since: Duration,
    reply: ReplyPace,
    /// What the model is at work for, and since when; `None`: its answer.
    errand: Option<(SideWork, Duration)>,
    /// The agent that works on a task, and the call that gave it.
    agent: Option<(CallId, String)>,
    /// Bytes of the call being written, as they are shown: a figure that changes with each piece cannot be read.
    written: u64,
    /// Tokens of thinking in the reply under way, and of how many; none: nothing was said of a bound.
    thought: Option<(u64, u64)>,
}

/// What a model is at work for besides its answer. Nothing of what it writes then is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SideWork {
    /// A summary of the conversation.
    Shortening,
    /// The answer to a question of the examination.
    Examination(Probe),
}

/// The reply under way, as far as it has come.
#[derive(Debug, Default)]
struct ReplyPace {
    began: Option<Duration>,
    pieces: u64,
    speed: Option<f64>,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Doing {
    /// The model is waited for.
    Waiting(Phase),
    Thinking,
    /// A tool is at work.
    Running {
        call: CallId,
        work: &'static str,
    },
}

impl Doing {
    /// Is `other` the same thing, perhaps further on?
    fn goes_on_as(&self, other: &Doing) -> bool {
        match (self, other) {
            (Doing::Waiting(Phase::Reading { .. }), Doing::Waiting(Phase::Reading { .. })) => true,
            (
                Doing::Waiting(Phase::WritingCall { name, bytes }),
                Doing::Waiting(Phase::WritingCall { name: next, bytes: more }),
            ) => bytes <= more && (name.is_none() || name == next),
            (one, other) => one == other,
        }
    }

    /// Bytes of the call that is being written.
    fn written(&self) -> u64 {
        match self {
            Doing::Waiting(Phase::WritingCall { bytes, .. }) => *bytes,
            Doing::Waiting(_) | Doing::Thinking | Doing::Running { .. } => 0,
        }
    }
}

impl Work {
    pub(crate) fn begin(now: Duration) -> Self {
        Work {
            began: now,
            doing: Doing::Waiting(Phase::Sending),
            since: now,
            reply: ReplyPace::default(),
            errand: None,
            agent: None,
            written: 0,
            thought: None,
        }
    }

    /// An agent works on a task from now on.
    pub(crate) fn begin_task(&mut self, call: CallId, agent: &str) {
        self.agent = Some((call, shorten(&clean_line(agent), LONGEST_NAME).into_owned()));
    }

    /// This call has ended; it may have been the one that gave the task.
    pub(crate) fn end_task(&mut self, ended: CallId) {
        self.agent.take_if(|(call, _)| *call == ended);
    }

    /// The model is at work for this from now on.
    pub(crate) fn go_on_errand(&mut self, errand: SideWork, now: Duration) {
        self.errand = Some((errand, now));
    }

    /// It is at work for its answer again.
    pub(crate) fn errand_over(&mut self) {
        self.errand = None;
    }

    /// Something else is going on from now on; the same thing keeps its time, and a call that grows is the same thing.
    pub(crate) fn now_doing(&mut self, doing: Doing, now: Duration) {
        if !self.doing.goes_on_as(&doing) {
            self.since = now;
            self.written = doing.written();
        }
        self.doing = doing;
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

    /// The thinking of the reply has come so far, in tokens.
    pub(crate) fn thinks(&mut self, tokens: u64, of: u64) {
        self.thought = Some((tokens, of));
    }

    /// Nothing more comes of the last reply.
    pub(crate) fn reply_over(&mut self) {
        self.thought = None;
        self.reply = ReplyPace::default();
    }

    /// Takes the speed of the reply and the size of its call; called once a second, so that the figures can be read.
    pub(crate) fn measure(&mut self, now: Duration) {
        self.written = self.doing.written();
        let passed = self.reply.began.map(|began| now.saturating_sub(began)).filter(|passed| *passed >= FIRST_MEASURE);
        self.reply.speed = passed.map(|passed| self.reply.pieces as f64 / passed.as_secs_f64());
    }

    /// About how many tokens come in a second: a server sends each in a piece of its own.
    pub(crate) fn speed(&self) -> Option<f64> {
        self.reply.speed
    }

    /// What is going on, in words, with the time, and for which agent.
    pub(crate) fn words(&self, model: &str, now: Duration) -> String {
        let words = self.words_of_anybody(model, now);
        self.agent.as_ref().map_or(words.clone(), |(_, agent)| format!("{agent}: {words}"))
    }

    fn words_of_anybody(&self, model: &str, now: Duration) -> String {
        match (&self.doing, self.errand) {
            // What stands in the way of it matters more than what it is for.
            (
                Doing::Waiting(Phase::Loading | Phase::Silent { .. } | Phase::Queued { .. } | Phase::Retrying { .. }),
                _,
            )
            | (_, None) => self.doing_words(model, now.saturating_sub(self.since)),
            (Doing::Waiting(Phase::Reading { estimate: Some(_) } | Phase::ReadingPart { .. }), Some((errand, _))) => {
                format!("{}: {}", errand.words(), self.doing_words(model, now.saturating_sub(self.since)))
            }
            (_, Some((errand, since))) => format!("{} · {}", errand.words(), seconds(now.saturating_sub(since))),
        }
    }

    fn doing_words(&self, model: &str, passed: Duration) -> String {
        let time = seconds(passed);
        match &self.doing {
            Doing::Waiting(Phase::Sending) => format!("waiting for {model} · {time}"),
            Doing::Waiting(Phase::Loading) => format!("loading {model} · {time}"),
            Doing::Waiting(Phase::Reading { estimate }) => reading(*estimate, passed),
            Doing::Waiting(Phase::ReadingPart { done, of, left_ms }) => reading_part((*done, *of), *left_ms, passed),
            Doing::Waiting(Phase::Writing) => format!("writing · {time}"),
            Doing::Waiting(Phase::WritingCall { name, .. }) => {
                let name = name
                    .as_ref()
                    .map_or(String::new(), |name| format!(": {}", shorten(&clean_line(name), LONGEST_NAME)));
                let size = if self.written < 1_000 { String::new() } else { format!(" · {}", growing(self.written)) };
                format!("writing a call{name}{size} · {time}")
            }
            Doing::Thinking => match self.thought {
                Some((tokens, of)) => format!("thinking {} of {} · {time}", short(tokens), short(of)),
                None => format!("thinking · {time}"),
            },
            // Said of what is shown as thinking.
            Doing::Waiting(Phase::Thinking { tokens, of }) => {
                format!("thinking {} of {} · {time}", short(*tokens), short(*of))
            }
            Doing::Running { work, .. } => format!("{work} · {time}"),
            Doing::Waiting(Phase::Silent { secs }) => {
                let silent = seconds(passed + Duration::from_secs(*secs));
                format!("nothing has arrived for {silent}: a long tool call may be being written, or the server stalls")
            }
            Doing::Waiting(Phase::Queued { trouble }) => {
                format!("waiting until the server has room · {time} · {trouble}")
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

impl SideWork {
    fn words(self) -> String {
        match self {
            SideWork::Shortening => "compacting the conversation".to_owned(),
            SideWork::Examination(probe) => format!("examining the model: {}", probe.words()),
        }
    }
}

/// How much is being read, and how long that will take, as far as it is known.
fn reading(estimate: Option<ReadingEstimate>, passed: Duration) -> String {
    let what = match estimate {
        None => "the prompt".to_owned(),
        Some(ReadingEstimate { new, of, .. }) if new >= of => format!("{} tokens", short(of)),
        Some(ReadingEstimate { new, of, .. }) => format!("{} new of {} tokens", short(new), short(of)),
    };
    let usual = estimate.and_then(|estimate| estimate.ms).map(Duration::from_millis);
    if let Some(usual) = usual
        && passed <= usual + (usual / 4).max(LATE)
    {
        return format!("reading {what} · about {} left", whole_seconds(usual.saturating_sub(passed)));
    }
    let call = if passed > LONG_READING { ", queued, or writing a call" } else { "" };
    let time = match usual {
        Some(usual) => format!("longer than the usual {}", whole_seconds(usual)),
        None => seconds(passed),
    };
    format!("reading {what}{call} · {time}")
}

/// How much of the prompt is read, and how long the rest will take, by the server's own word.
fn reading_part((done, of): (u64, u64), left_ms: Option<u64>, passed: Duration) -> String {
    let part = format!("reading the prompt: {} of {} tokens", short(done), short(of));
    let left = left_ms.map(Duration::from_millis).filter(|left| *left > LATE && passed <= *left + (*left / 4));
    left.map_or(part.clone(), |left| format!("{part} · about {} left", whole_seconds(left.saturating_sub(passed))))
}

/// A span of time in whole seconds, never none: what is begun takes as long.
fn whole_seconds(span: Duration) -> String {
    seconds((span + Duration::from_millis(999)).max(Duration::from_secs(1)))
}

/// What a running call does, in a word or two; which one it is stands in the conversation.
pub(super) fn work_of(preview: &Preview) -> &'static str {
    match &preview.body {
        PreviewBody::Command { .. } => "running a command",
        PreviewBody::Diff { files } if files.len() > 1 => "writing files",
        PreviewBody::Diff { .. } => "writing a file",
        PreviewBody::Plain => "reading",
        PreviewBody::Plan { .. } | PreviewBody::Choices { .. } => "asking",
        PreviewBody::Fetch { .. } => "fetching",
        PreviewBody::Call { .. } => "waiting for another program",
        PreviewBody::Task { .. } => "at a task",
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
    use agent_protocol::ServerError;

    fn words(phase: Phase, passed: u64) -> String {
        let mut work = Work::begin(Duration::ZERO);
        work.now_doing(Doing::Waiting(phase), Duration::from_secs(10));
        work.words("qwen3:8b", Duration::from_secs(10 + passed))
    }

    #[test]
    fn loading_reading_and_writing_are_told_apart_with_time() {
        assert_eq!(words(Phase::Loading, 12), "loading qwen3:8b · 12 s");
        assert_eq!(words(Phase::Reading { estimate: None }, 3), "reading the prompt · 3 s");
        assert_eq!(words(Phase::Writing, 65), "writing · 1 min 05 s");
    }

    #[test]
    fn a_long_reading_may_be_a_call_being_written_or_a_queue() {
        assert_eq!(words(Phase::Reading { estimate: None }, 10), "reading the prompt · 10 s");
        assert_eq!(
            words(Phase::Reading { estimate: None }, 60),
            "reading the prompt, queued, or writing a call · 1 min 00 s"
        );
    }

    fn reading(new: u64, ms: Option<u64>, passed: u64) -> String {
        words(Phase::Reading { estimate: Some(ReadingEstimate { new, of: 18_040, ms }) }, passed)
    }

    #[test]
    fn what_is_to_be_read_is_told_and_its_time_counts_down() {
        assert_eq!(reading(6_120, Some(14_000), 0), "reading 6.1k new of 18k tokens · about 14 s left");
        assert_eq!(reading(6_120, Some(14_000), 13), "reading 6.1k new of 18k tokens · about 1 s left");
        assert_eq!(reading(18_040, Some(90_500), 1), "reading 18k tokens · about 1 min 30 s left");
        assert_eq!(reading(6_120, None, 3), "reading 6.1k new of 18k tokens · 3 s");
        assert_eq!(reading(6_120, None, 60), "reading 6.1k new of 18k tokens, queued, or writing a call · 1 min 00 s");
    }

    #[test]
    fn a_reading_that_takes_longer_than_it_should_says_so() {
        assert_eq!(reading(6_120, Some(14_000), 17), "reading 6.1k new of 18k tokens · about 1 s left");
        let late = "reading 6.1k new of 18k tokens, queued, or writing a call · longer than the usual 14 s";
        assert_eq!(reading(6_120, Some(14_000), 18), late);
        let short = "reading 40 new of 18k tokens · longer than the usual 1 s";
        assert_eq!(reading(40, Some(300), 2), short);
    }

    #[test]
    fn a_model_on_an_errand_says_what_it_is_for_and_what_stands_in_its_way() {
        let second = Duration::from_secs;
        let mut work = Work::begin(Duration::ZERO);
        work.go_on_errand(SideWork::Shortening, second(3));
        work.now_doing(Doing::Waiting(Phase::Writing), second(9));
        assert_eq!(work.words("m", second(15)), "compacting the conversation · 12 s");
        work.now_doing(Doing::Waiting(Phase::Loading), second(16));
        assert_eq!(work.words("m", second(20)), "loading m · 4 s");
        work.go_on_errand(SideWork::Examination(Probe::TwoCalls), second(20));
        work.now_doing(Doing::Waiting(Phase::Sending), second(20));
        assert_eq!(work.words("m", second(21)), "examining the model: two calls at once · 1 s");
        work.errand_over();
        assert_eq!(work.words("m", second(21)), "waiting for m · 1 s");
    }

    #[test]
    fn thinking_that_is_bounded_says_how_much_of_it_is_used() {
        let mut work = Work::begin(Duration::ZERO);
        work.now_doing(Doing::Thinking, Duration::ZERO);
        assert_eq!(work.words("m", Duration::from_secs(2)), "thinking · 2 s");
        work.thinks(3_120, 4_096);
        assert_eq!(work.words("m", Duration::from_secs(9)), "thinking 3.1k of 4.1k · 9 s");
        work.reply_over();
        assert_eq!(work.words("m", Duration::from_secs(9)), "thinking · 9 s", "the next reply begins anew");
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

    fn writing(name: Option<&str>, bytes: u64) -> Doing {
        Doing::Waiting(Phase::WritingCall { name: name.map(Into::into), bytes })
    }

    #[test]
    fn a_call_that_grows_keeps_its_time_and_shows_its_size_once_a_second() {
        let mut work = Work::begin(Duration::ZERO);
        let second = Duration::from_secs;
        let mut said = Vec::new();
        for (at, name, bytes) in
            [(1, None, 3), (2, None, 30), (3, Some("write_file"), 900), (12, Some("write_file"), 4_160)]
        {
            work.now_doing(writing(name, bytes), second(at));
            work.measure(second(at));
            said.push(work.words("qwen3:8b", second(at)));
        }
        work.now_doing(writing(Some("write_file"), 4_260), second(12));
        said.push(work.words("qwen3:8b", second(13)));
        let before = ["writing a call · 0 s", "writing a call · 1 s", "writing a call: write_file · 2 s"];
        let size = ["writing a call: write_file · 4.2 kB · 11 s", "writing a call: write_file · 4.2 kB · 12 s"];
        assert_eq!((&said[..3], &said[3..]), (&before.map(String::from)[..], &size.map(String::from)[..]));
    }

    #[test]
    fn the_next_call_has_a_time_of_its_own() {
        let mut work = Work::begin(Duration::ZERO);
        let mut said = |name, bytes, at| {
            work.now_doing(writing(name, bytes), Duration::from_secs(at));
            work.words("m", Duration::from_secs(at))
        };
        assert_eq!(said(Some("glob"), 2_000, 0), "writing a call: glob · 2.0 kB · 0 s");
        assert_eq!(said(Some("glob"), 2_000, 5), "writing a call: glob · 2.0 kB · 5 s");
        assert_eq!(said(None, 12, 6), "writing a call · 0 s");
    }

    #[test]
    fn silence_counts_from_its_beginning_and_says_what_it_may_be() {
        let said = words(Phase::Silent { secs: 20 }, 5);
        let silent = "nothing has arrived for 25 s: a long tool call may be being written, or the server stalls";
        assert_eq!(said, silent);
    }

    #[test]
    fn a_full_queue_is_told_with_the_time_and_the_servers_words() {
        let message = "server busy, please try again.  maximum pending requests exceeded".to_owned();
        let said = words(Phase::Queued { trouble: ServerError::Busy { status: 503, message: message.clone() } }, 65);
        let busy = format!("the server is busy (503: {message})");
        assert_eq!(said, format!("waiting until the server has room · 1 min 05 s · {busy}"));
    }

    #[test]
    fn a_prompt_that_is_being_read_is_told_with_how_much_of_it_and_how_long_still() {
        let part = |left_ms, passed| words(Phase::ReadingPart { done: 2_072, of: 10_200, left_ms }, passed);
        assert_eq!(part(None, 0), "reading the prompt: 2.1k of 10.2k tokens");
        assert_eq!(part(Some(200_000), 20), "reading the prompt: 2.1k of 10.2k tokens · about 3 min 00 s left");
        assert_eq!(part(Some(200_000), 251), "reading the prompt: 2.1k of 10.2k tokens", "that was no good estimate");
    }

    #[test]
    fn a_retry_counts_down() {
        let retry = || Phase::Retrying {
            attempt: 2,
            wait_ms: 2_000,
            trouble: ServerError::Busy { status: 503, message: "loading".into() },
        };
        assert_eq!(words(retry(), 0), "retrying in 2 s: the server is busy (503: loading)");
        assert_eq!(words(retry(), 1), "retrying in 1 s: the server is busy (503: loading)");
        assert_eq!(words(retry(), 2), "trying again, for the 2nd time: the server is busy (503: loading)");
    }
}
