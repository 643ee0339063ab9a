//! How a call ended: one text for the model, one for the user.

use crate::{BackgroundId, FileChange, Image, SandboxReport};
use serde::{Deserialize, Serialize};

/// How a call ended. Nobody compares strings to learn what happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    pub status: Status,
    /// For the model: part of the prompt from now on.
    pub told: String,
    /// For the user: one line, like `42 lines` or `exit 1 after 3.2 s`.
    pub summary: String,
    /// For the user: what can be unfolded under the call; empty where the summary says it all.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// What the sandbox has to tell, where a command ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fence: Option<SandboxReport>,
    /// What it really changed, also where it failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<FileChange>,
    /// Names of the tests that failed, where it was a run of tests that could be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failing: Option<Vec<String>>,
    /// Pictures that go along with `told`, for a model that can see.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<Image>,
    /// The background command that it left running.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub job: Option<BackgroundId>,
}

/// What became of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum Status {
    /// It did what it said.
    Done,
    /// A command ran and did not end well: with a code other than 0, or with 0 while a part of it failed, which its report
    /// tells then.
    Exited {
        /// The code; `None`: ended by a signal.
        code: Option<i32>,
    },
    /// It could not.
    Failed { kind: FailureKind },
    /// The user said no.
    Refused,
    /// Stopped by the user while it ran, or never begun because the turn was.
    Stopped,
    /// The program ended while it was being carried out: it may have run, wholly or in part.
    Unknown,
}

/// Why a call could not do what it should: part of normal life, told to the model with what to do next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    pub kind: FailureKind,
    /// What happened and what to do next. Lower case, no full stop.
    pub message: String,
}

impl Failure {
    /// A failure of `kind` that says `message`.
    pub fn new(kind: FailureKind, message: impl Into<String>) -> Self {
        Failure { kind, message: message.into() }
    }
}

impl Failure {
    /// For the user, in one line: why it was refused, or why it failed. What to do next, which follows, is for the
    /// model.
    pub fn summary(&self) -> &str {
        let line = self.message.lines().next().unwrap_or_default();
        let why = line.strip_prefix("refused: ").unwrap_or(line);
        match why.split("; ").next().unwrap_or(why).trim_end_matches([':', ' ']) {
            "" => self.kind.words(),
            clause => clause,
        }
    }
}

impl From<Failure> for Outcome {
    fn from(failure: Failure) -> Self {
        Outcome {
            status: Status::Failed { kind: failure.kind },
            told: format!("error: {}", failure.message),
            summary: failure.summary().into(),
            detail: failure.message,
            fence: None,
            changed: Vec::new(),
            failing: None,
            images: Vec::new(),
            job: None,
        }
    }
}

/// Ways to fail that a caller would tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// There is no such tool.
    UnknownTool,
    /// The arguments are missing, of the wrong type, or contradict each other.
    InvalidArguments,
    /// There is no such file or folder.
    NotFound,
    /// The system does not allow it.
    PermissionDenied,
    /// The policy does not allow it.
    Denied,
    /// The text to replace is not there.
    NoMatch,
    /// The text to replace is there more than once.
    Ambiguous,
    /// The file changed since it was looked at.
    Stale,
    /// What would be started is not what the user was asked about; they are asked anew.
    Replaced,
    /// The file is not text, or not text we can write back faithfully.
    NotText,
    /// A file that was changed does not parse.
    Syntax,
    TooLarge,
    /// It took too long and was ended.
    Timeout,
    /// The program that does it is not there.
    NotInstalled,
    /// Something else must be done first.
    NotReady,
    /// A change left a body unwritten, or uses a name that nothing defines.
    Unfinished,
    /// A check could not begin, or found nothing to check: that says nothing of the code.
    CannotRun,
    /// The net, or a server in it, does not answer as it should.
    Unreachable,
    /// Anything else the system reported.
    Io,
}

impl FailureKind {
    /// What happened, in two or three words.
    pub fn words(self) -> &'static str {
        match self {
            FailureKind::UnknownTool => "no such tool",
            FailureKind::InvalidArguments => "wrong arguments",
            FailureKind::NotFound => "not found",
            FailureKind::PermissionDenied => "the system does not allow it",
            FailureKind::Denied => "not allowed",
            FailureKind::NoMatch => "text not found",
            FailureKind::Ambiguous => "text found more than once",
            FailureKind::Stale => "changed meanwhile",
            FailureKind::Replaced => "changed since the question",
            FailureKind::NotText => "not text",
            FailureKind::Syntax => "does not parse",
            FailureKind::TooLarge => "too large",
            FailureKind::Timeout => "took too long",
            FailureKind::NotInstalled => "not installed",
            FailureKind::NotReady => "not possible yet",
            FailureKind::Unfinished => "unfinished",
            FailureKind::CannotRun => "not run",
            FailureKind::Unreachable => "not reached",
            FailureKind::Io => "failed",
        }
    }
}

/// A piece of live output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk {
    /// Where it came out.
    pub stream: Stream,
    /// The text; bytes that are no UTF-8 are replaced. May hold control characters: a face cleans what it draws.
    pub text: String,
}

/// Where output comes out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stream {
    Stdout,
    Stderr,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_says_why_in_one_line_and_the_model_hears_all_of_it() {
        for (kind, message, summary) in [
            (FailureKind::InvalidArguments, "`path` is missing: text; for example {}", "`path` is missing: text"),
            (FailureKind::Denied, "refused: plan mode changes nothing; end with a plan", "plan mode changes nothing"),
            (
                FailureKind::NoMatch,
                "old_string is not in a.rs; the nearest lines are:\n1 a",
                "old_string is not in a.rs",
            ),
            (FailureKind::Ambiguous, "it is there twice:\n1 a\n9 a", "it is there twice"),
            (FailureKind::Io, "", "failed"),
        ] {
            let outcome = Outcome::from(Failure::new(kind, message));
            assert_eq!((outcome.summary.as_str(), outcome.told), (summary, format!("error: {message}")));
        }
    }
}
