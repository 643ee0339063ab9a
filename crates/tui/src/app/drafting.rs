//! Has what is being written kept now and then: after a crash it is there again.

use super::App;
use crate::cmd::Cmd;
use crate::composer::Writing;
use agent_protocol::{Op, SessionOp};
use std::time::Duration;

/// So long after a change the draft is kept; a message that is sent sooner is in the journal.
const AFTER: Duration = Duration::from_secs(2);
/// How long it is said that a draft is there again.
const SAID: Duration = Duration::from_secs(10);

/// What is known of the draft that is kept.
#[derive(Debug, Default)]
pub(super) struct KeptDraft {
    /// As it was kept last.
    text: String,
    /// When what has changed since is kept.
    due: Option<Duration>,
}

impl KeptDraft {
    pub(super) fn of(draft: &str) -> Self {
        KeptDraft { text: draft.to_owned(), due: None }
    }
}

impl App {
    /// Says that the draft comes from a session that ended while it was written.
    pub(super) fn tell_of_recovered_draft(&mut self) {
        if self.settings.recovered && !self.composer.is_empty() {
            self.say_for("this is what you were writing when agent ended; Ctrl+C clears it", SAID);
        }
    }

    /// When the draft is to be kept.
    pub(super) fn draft_due(&self) -> Option<Duration> {
        self.kept_draft.due
    }

    /// Something may have changed in the draft. One that is gone is forgotten at once: the screen may be left next.
    pub(super) fn note_draft(&mut self) -> Vec<Cmd> {
        if !self.settings.keeps_drafts {
            return Vec::new();
        }
        let draft = self.draft();
        self.kept_draft.due = match draft == self.kept_draft.text {
            true => None,
            false if draft.is_empty() => Some(self.now),
            false => self.kept_draft.due.or(Some(self.now + AFTER)),
        };
        if draft.is_empty() { self.keep_draft() } else { Vec::new() }
    }

    /// Has it kept, where it is time for that.
    pub(super) fn keep_draft(&mut self) -> Vec<Cmd> {
        if self.kept_draft.due.is_none_or(|due| self.now < due) {
            return Vec::new();
        }
        let text = self.draft();
        self.kept_draft = KeptDraft::of(&text);
        vec![Cmd::Send(Op::Session(SessionOp::KeepDraft { text }))]
    }

    /// The message that is being written; a command of one's own is none.
    fn draft(&self) -> String {
        match self.composer.writing() {
            Writing::Message => self.composer.text(),
            Writing::Shell | Writing::Memory => String::new(),
        }
    }
}
