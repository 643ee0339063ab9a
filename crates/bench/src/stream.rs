//! Reads what a trial's process prints: every event as a line of JSON.
//!
//! Keeps counts and the last answer, not the text. A line that cannot be read is left out.

use agent_protocol::{CallEvent, Event, FailureKind, Phase, ServerError, Status, TurnEndReason, TurnEvent, Usage};

/// A model that is in memory is ready sooner: 1 s.
const LOADED_NS: u64 = 1_000_000_000;

/// So many bytes of an answer are read; one without end says no more.
const ANSWER: usize = 256 << 10;

/// What a trial's process told.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Told {
    pub steps: u64,
    /// Tokens of prompts that the server had to read.
    pub read: u64,
    /// Tokens of prompts that it had in mind already, as far as it counts them.
    pub reused: u64,
    pub written: u64,
    /// Nanoseconds of writing, as far as the server tells.
    pub writing_ns: u64,
    /// Tokens of thinking, by its letters: about four a token.
    pub thought: u64,
    pub calls: u64,
    /// Calls whose name or arguments were changed before they were carried out.
    pub repaired: u64,
    /// Calls that failed, for whatever reason.
    pub missed: u64,
    /// Of these, calls that named no tool or had arguments that cannot be read.
    pub unreadable: u64,
    /// What the model wrote since its last call.
    pub answer: String,
    /// Claims of the answer that did not happen.
    pub doubts: usize,
    /// A change was asked for, and none was made.
    pub unchanged: bool,
    /// The check after the last change fails.
    pub failing: Option<String>,
    /// A reply reached its length, or the window is full.
    pub token_limit: bool,
    /// The server failed, and the turn ended for that.
    pub server_failed: bool,
    /// The server failed, and it went on.
    pub retries: u64,
    /// Replies before which the server loaded the model again.
    pub reloads: u64,
    /// A turn began and was ended by the model or by us.
    pub went_on: bool,
}

impl Told {
    /// Takes in one line.
    pub fn line(&mut self, line: &str) {
        if let Ok(event) = serde_json::from_str::<Event>(line) {
            self.event(&event);
        }
    }

    /// Tokens written per second, where the server tells how long it wrote.
    pub fn speed(&self) -> Option<f64> {
        (self.writing_ns > 0 && self.written > 0).then(|| self.written as f64 * 1e9 / self.writing_ns as f64)
    }

    /// Both together: counts of both, and how the later one ended.
    pub(crate) fn followed_by(self, later: Told) -> Told {
        Told {
            steps: self.steps + later.steps,
            read: self.read + later.read,
            reused: self.reused + later.reused,
            written: self.written + later.written,
            writing_ns: self.writing_ns + later.writing_ns,
            thought: self.thought + later.thought,
            calls: self.calls + later.calls,
            repaired: self.repaired + later.repaired,
            missed: self.missed + later.missed,
            unreadable: self.unreadable + later.unreadable,
            retries: self.retries + later.retries,
            reloads: self.reloads + later.reloads,
            ..later
        }
    }

    fn event(&mut self, event: &Event) {
        match event {
            Event::Turn(turn) => self.turn(turn),
            Event::Call(call) => self.call(call),
            Event::Context(_) | Event::Server(_) | Event::Session(_) | Event::List(_) => {}
        }
    }

    fn turn(&mut self, event: &TurnEvent) {
        match event {
            TurnEvent::Text { text } if self.answer.len() < ANSWER => self.answer.push_str(text),
            TurnEvent::Text { .. } => {}
            TurnEvent::Thinking { text } => self.thought += text.chars().count() as u64,
            TurnEvent::WasThinking { text } => {
                self.answer.clear();
                self.thought += text.chars().count() as u64;
            }
            TurnEvent::Replied { usage, .. } => self.replied(usage),
            TurnEvent::Ended { reason, .. } => self.ended(reason),
            TurnEvent::Receipt { receipt, .. } => {
                self.doubts = receipt.doubts.len();
                self.unchanged = receipt.unchanged;
                self.failing.clone_from(&receipt.failing);
            }
            TurnEvent::Waiting { phase: Phase::Retrying { .. } } => self.retries += 1,
            TurnEvent::Started { .. }
            | TurnEvent::Steered { .. }
            | TurnEvent::Queued { .. }
            | TurnEvent::Unqueued { .. }
            | TurnEvent::Waiting { .. }
            | TurnEvent::Todos { .. }
            | TurnEvent::SetAside { .. } => {}
        }
    }

    fn replied(&mut self, usage: &Usage) {
        let loads = usage.load_ns.is_some_and(|load| load >= LOADED_NS);
        self.reloads += u64::from(loads && self.steps > 0);
        self.steps += 1;
        let (prompt, cached) = (usage.prompt_tokens.unwrap_or(0), usage.cached_tokens.unwrap_or(0));
        self.read += prompt.saturating_sub(cached);
        self.reused += cached;
        self.written += usage.reply_tokens.unwrap_or(0);
        self.writing_ns += usage.reply_ns.unwrap_or(0);
    }

    fn ended(&mut self, reason: &TurnEndReason) {
        match reason {
            TurnEndReason::Length | TurnEndReason::Full | TurnEndReason::TooSmall { .. } => self.token_limit = true,
            TurnEndReason::Broken { trouble: ServerError::TooLong { .. } } => self.token_limit = true,
            TurnEndReason::Broken { .. } | TurnEndReason::Lost => self.server_failed = true,
            TurnEndReason::Done
            | TurnEndReason::Interrupted
            | TurnEndReason::StepLimit
            | TurnEndReason::TimeLimit
            | TurnEndReason::Repeating
            | TurnEndReason::Stuck { .. } => {}
        }
        self.went_on = true;
    }

    fn call(&mut self, event: &CallEvent) {
        match event {
            CallEvent::Proposed { .. } => {
                self.calls += 1;
                self.answer.clear();
            }
            CallEvent::Understood { .. } => self.repaired += 1,
            CallEvent::Finished { outcome, .. } => match outcome.status {
                Status::Failed { kind: FailureKind::CannotRun } => {}
                Status::Failed { kind } => {
                    self.missed += 1;
                    let unread = matches!(kind, FailureKind::UnknownTool | FailureKind::InvalidArguments);
                    self.unreadable += u64::from(unread);
                }
                Status::Refused | Status::Unknown => self.missed += 1,
                Status::Done | Status::Exited { .. } | Status::Stopped => {}
            },
            CallEvent::Delegated { event, .. } => {
                if let Event::Turn(TurnEvent::Replied { usage, .. }) = event.of_agent() {
                    self.replied(usage);
                }
            }
            CallEvent::Jobs { .. }
            | CallEvent::Asked { .. }
            | CallEvent::Settled { .. }
            | CallEvent::Running { .. }
            | CallEvent::Output { .. }
            | CallEvent::ModeChanged { .. }
            | CallEvent::Tried { .. } => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(lines: &[&str]) -> Told {
        let mut told = Told::default();
        lines.iter().for_each(|line| told.line(line));
        told
    }

    #[test]
    fn counts_are_summed_and_the_last_answer_is_kept() {
        let told = told(&[
            r#"{"type":"text","text":"Let me look."}"#,
            r#"{"type":"replied","usage":{"prompt_tokens":1000,"cached_tokens":200,"reply_tokens":50,"reply_ns":2000000000}}"#,
            r#"{"type":"proposed","call":{"id":1,"name":"read_file","arguments":{}}}"#,
            "no JSON at all",
            r#"{"type":"text","text":"It is "}"#,
            r#"{"type":"text","text":"done."}"#,
            r#"{"type":"replied","usage":{"prompt_tokens":1200,"cached_tokens":1000,"reply_tokens":30}}"#,
            r#"{"type":"receipt","turn":1,"receipt":{"files":[],"commands":[],"doubts":["x"],"unchanged":true,"failing":"2 of 14"}}"#,
            r#"{"type":"turn_ended","turn":1,"reason":{"reason":"done"},"usage":{}}"#,
            r#"{"type":"end","exit_code":9}"#,
        ]);
        assert_eq!((told.steps, told.read, told.reused, told.written), (2, 1000, 1200, 80));
        assert_eq!((told.answer.as_str(), told.doubts, told.unchanged), ("It is done.", 1, true));
        assert_eq!((told.failing.as_deref(), told.went_on, told.server_failed), (Some("2 of 14"), true, false));
        assert_eq!((told.calls, told.speed()), (1, Some(40.0)));
    }

    #[test]
    fn only_a_load_after_the_first_reply_is_one_too_many() {
        let reply = |load: u64| format!(r#"{{"type":"replied","usage":{{"load_ns":{load}}}}}"#);
        let told = |loads: [u64; 3]| told(&loads.map(reply).each_ref().map(String::as_str)).reloads;
        assert_eq!((told([8_000_000_000, 40_000_000, 0]), told([0, 2_000_000_000, 0])), (0, 1));
    }

    #[test]
    fn a_server_that_fails_is_told_from_a_reply_that_is_too_long() {
        let ended =
            |reason: &str| told(&[&format!(r#"{{"type":"turn_ended","turn":1,"reason":{reason},"usage":{{}}}}"#)]);
        let gone = ended(r#"{"reason":"broken","trouble":{"trouble":"unreachable","host":"h","why":"w"}}"#);
        assert!(gone.server_failed && !gone.token_limit);
        assert!(ended(r#"{"reason":"length"}"#).token_limit);
    }
}
