//! Going through a change hunk by hunk, and leaving some of it out: what is approved is exactly what is written.

use super::{Approval, ApprovalStage, Matter};
use crate::composer::Editor;
use crate::dialogs::frame::choice;
use crate::dialogs::{Press, Reply};
use crate::diff::split::LEAST;
use crate::diff::{Columns, Extent};
use agent_frontend::{Hunks, Remaining, reply};
use agent_protocol::PreviewBody;

/// The keys that go through hunks, and the one that puts both texts side by side.
pub(super) const KEYS: &str = "[] ";
pub(super) const SIDE_BY_SIDE: char = 't';
/// The one that shows all of the files, and the one that opens folded lines of them.
pub(super) const WHOLE: char = 'f';
pub(super) const OPENS: char = 'o';

impl Approval {
    /// The hunks, where there are several to go through.
    pub(super) fn hunks(&self) -> Option<&Hunks> {
        match &self.matter {
            Matter::Files(files) if files.diff.is_reviewed() && self.is_a_change() => Some(&files.diff.hunks),
            Matter::Files(_) | Matter::Words | Matter::Plan(_) | Matter::Inquiry(_) => None,
        }
    }

    /// What a command acts on is shown as files, too, and is no change of theirs.
    fn is_a_change(&self) -> bool {
        matches!(self.question.preview.body, PreviewBody::Diff { .. })
    }

    fn hunks_mut(&mut self) -> Option<&mut Hunks> {
        self.hunks()?;
        match &mut self.matter {
            Matter::Files(files) => Some(&mut files.diff.hunks),
            Matter::Words | Matter::Plan(_) | Matter::Inquiry(_) => None,
        }
    }

    /// A key that goes to another hunk, or leaves the one that is looked at out; `None`: it is no such key.
    pub(super) fn goes_through_hunks(&mut self, press: Press) -> Option<Reply> {
        let letter = press.chord.letter().filter(|letter| KEYS.contains(*letter))?;
        let hunks = self.hunks_mut()?;
        match letter {
            '[' => hunks.go_to(hunks.at().saturating_sub(1)),
            ']' => hunks.go_to(hunks.at() + 1),
            _ if hunks.toggle() => {}
            _ => {
                return Some(self.stay_and_say(
                    "this file is written whole or not at all: it is new, deleted, or its line ends change",
                ));
            }
        }
        self.show_hunk(letter != ' ');
        Some(Reply::stay())
    }

    fn show_hunk(&mut self, goes: bool) {
        self.laid_for = None;
        let Matter::Files(files) = &mut self.matter else { return };
        if goes {
            files.show_hunk(&mut self.scroll);
        } else {
            files.diff.hunks_changed();
        }
        files.stay();
    }

    /// A key that shows all of the files, or opens folded lines of them; `None`: it is no such key. What a yes covers stays what
    /// it was, and so does what was read of it.
    pub(super) fn shows_more(&mut self, press: Press) -> Option<Reply> {
        let letter = press.chord.letter().filter(|letter| self.more_keys().any(|key| key == *letter))?;
        let (width, PreviewBody::Diff { files: diffs }) = (self.width, &self.question.preview.body) else {
            return None;
        };
        let Matter::Files(files) = &mut self.matter else { return None };
        let done = match letter {
            WHOLE => files.switch_extent(diffs, width, &mut self.scroll),
            _ => files.open_fold(&self.scroll),
        };
        Some(if done { Reply::stay() } else { self.stay_and_say("no more folded lines from here on") })
    }

    /// A row of it was clicked: folded lines there are opened.
    pub(crate) fn click(&mut self, row: u16) {
        if self.more_keys().any(|key| key == OPENS)
            && let Matter::Files(files) = &mut self.matter
        {
            files.click(row, &self.scroll);
        }
    }

    /// The letters that do so now.
    pub(super) fn more_keys(&self) -> impl Iterator<Item = char> + use<> {
        let shown = match &self.matter {
            Matter::Files(files) if self.is_a_change() && !self.details.unfolded() => Some(&files.diff),
            Matter::Files(_) | Matter::Words | Matter::Plan(_) | Matter::Inquiry(_) => None,
        };
        let whole = shown.filter(|diff| diff.can_be_whole()).map(|_| WHOLE);
        whole.into_iter().chain(shown.filter(|diff| diff.folds() > 0).map(|_| OPENS))
    }

    /// The letter that puts both texts side by side, where there is room; says whether that was the key.
    pub(super) fn switches_columns(&mut self, press: Press) -> bool {
        if press.chord.letter() != Some(SIDE_BY_SIDE) || !self.is_wide() {
            return false;
        }
        self.laid_for = None;
        if let Matter::Files(files) = &mut self.matter {
            files.switch_columns();
            self.columns = files.columns;
        }
        true
    }

    /// As the user had it last.
    pub(crate) fn with_columns(mut self, columns: Columns) -> Self {
        self.columns = columns;
        if let (Matter::Files(files), Columns::Two) = (&mut self.matter, columns) {
            files.switch_columns();
        }
        self
    }

    pub(super) fn is_wide(&self) -> bool {
        self.width >= LEAST && self.is_a_change()
    }

    /// The word that goes with the hunk that is looked at, where that is left out, is written instead of one for all.
    pub(super) fn begin_word(&mut self) {
        let of_hunk = self.hunks_mut().filter(|hunks| hunks.is_this_out()).and_then(|hunks| hunks.why().cloned());
        let word = of_hunk.unwrap_or_else(|| self.word.clone());
        self.stage = ApprovalStage::Wording(Editor::holding(word.as_deref().unwrap_or_default()));
    }

    pub(super) fn keep_word(&mut self, word: &str) {
        let word = Some(word.trim().to_owned()).filter(|word| !word.is_empty());
        match self.hunks_mut().filter(|hunks| hunks.is_this_out()).and_then(Hunks::why) {
            Some(why) => {
                *why = word;
                self.show_hunk(false);
            }
            None => self.word = word,
        }
        self.stage = ApprovalStage::Choosing;
    }

    /// What is left of the change, where hunks are left out.
    pub(super) fn left(&self) -> Option<Remaining> {
        let PreviewBody::Diff { files } = &self.question.preview.body else { return None };
        self.hunks()?.remaining(files)
    }

    pub(super) fn approve_part(&mut self, remaining: Remaining) -> Reply {
        Reply::close_and(reply(self.id(), remaining.into_answer(self.word.take())))
    }

    fn more_words(&self, key: char) -> &'static str {
        match (&self.matter, key) {
            (_, OPENS) => "open folded lines",
            (Matter::Files(files), _) if files.diff.extent() == Extent::Whole => "only the hunks",
            (Matter::Files(_) | Matter::Words | Matter::Plan(_) | Matter::Inquiry(_), _) => "whole file",
        }
    }

    /// The keys of hunks, as they are shown.
    pub(super) fn hunk_keys(&self) -> Vec<(String, String)> {
        let mut keys = Vec::new();
        if let Some(hunks) = self.hunks() {
            let leave = if hunks.is_this_out() { "take it in again" } else { "leave it out" };
            keys.extend([choice("[ ]", "other hunk"), choice("Space", leave)]);
        }
        keys.extend(self.more_keys().map(|key| choice(key, self.more_words(key))));
        if self.is_wide() {
            keys.push(choice(SIDE_BY_SIDE, if self.columns == Columns::Two { "one column" } else { "side by side" }));
        }
        keys
    }
}
