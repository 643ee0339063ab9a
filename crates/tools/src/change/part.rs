//! One file of a planned change.

use super::checks::{ChangedText, Checks, Findings};
use super::{Author, Before, Verb, counts};
use crate::apply::digest;
use crate::read_tracker::{ReadTracker, Sight};
use crate::text::Certainty;
use crate::words;
use crate::workspace::Workspace;
use agent_policy::names::runs_on_build;
use agent_protocol::{Change, Digest, Failure, FileDiff};
use std::path::PathBuf;

/// A file as it is and as it will be.
pub(crate) struct EditPart {
    pub(crate) path: PathBuf,
    pub(crate) before: Option<Before>,
    /// `None`: it will be gone.
    pub(crate) after: Option<String>,
    pub(crate) verb: Verb,
    /// Something to know besides the difference.
    pub(crate) note: Option<String>,
    /// How it came about, where that is worth a word.
    pub(crate) how: Option<String>,
    pub(crate) author: Author,
    pub(crate) known: KnownState,
    pub(crate) findings: Findings,
}

/// Does the model know all of the new text?
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum KnownState {
    Whole,
    /// If it knew this file when it had this content.
    If(PathBuf, Digest),
}

impl KnownState {
    pub(crate) fn is_known(&self, seen: &ReadTracker) -> bool {
        match self {
            KnownState::Whole => true,
            KnownState::If(path, digest) => seen.sight(path, digest) == Sight::AsItIs,
        }
    }
}

impl EditPart {
    pub(super) fn is_idle(&self) -> bool {
        self.before.as_ref().map(|before| &before.text) == self.after.as_ref()
    }

    pub(super) fn shown(&self, workspace: &Workspace) -> String {
        workspace.shown(&self.path)
    }

    pub(super) fn idle_words(&self, workspace: &Workspace) -> String {
        let shown = self.shown(workspace);
        match self.after {
            Some(_) => format!("{shown} already holds exactly this text; nothing was written"),
            None => format!("{shown} is not there, as before; nothing was written"),
        }
    }

    /// The bytes that will be there; none where it will be gone.
    pub(super) fn bytes(&self, workspace: &Workspace) -> Result<Vec<u8>, Failure> {
        let after = self.after.as_deref().unwrap_or_default();
        match &self.before {
            Some(before) if !before.charset.is_utf_8() => {
                before.charset.written(&before.text, after, &self.shown(workspace))
            }
            Some(_) | None => Ok(after.as_bytes().to_vec()),
        }
    }

    fn looked_at(&self, workspace: &Workspace) -> ChangedText<'_> {
        ChangedText {
            path: &self.path,
            shown: self.shown(workspace),
            before: self.before.as_ref().map(|before| before.text.as_str()),
            after: self.after.as_deref(),
            verb: self.verb,
            author: self.author,
            is_secret: workspace.is_secret(&self.path),
        }
    }

    /// With what is to be known of it; a failure where it is not to be made.
    pub(super) fn looked_over(mut self, checks: &Checks, workspace: &Workspace) -> Result<Self, Failure> {
        self.findings = Findings::of(&self.looked_at(workspace), checks);
        match self.findings.refusal(&self.looked_at(workspace), checks) {
            Some(refusal) => Err(refusal),
            None => self.bytes(workspace).map(|_| self),
        }
    }

    /// What the user made of it: nothing of what was found out about the model's text is true any more.
    pub(super) fn amended(&mut self, text: String) {
        (self.after, self.author, self.findings) = (Some(text), Author::Person, Findings::default());
    }

    pub(super) fn title(&self, workspace: &Workspace) -> String {
        format!("{} {}", self.verb.present(), self.shown(workspace))
    }

    pub(super) fn change(&self) -> Change {
        let before = self.before.as_ref().map(|before| before.digest.clone());
        Change { path: self.path.clone(), before, after: self.after.clone() }
    }

    pub(super) fn diff(&self, workspace: &Workspace) -> FileDiff {
        FileDiff {
            path: self.path.clone(),
            shown_path: self.shown(workspace),
            before: self.before.as_ref().map(|before| before.text.clone()),
            after: self.after.clone(),
            note: self.whole_note(workspace),
            skipped: 0,
            marks: self.findings.marks(),
        }
    }

    /// Also that to write it is to have it run.
    fn whole_note(&self, workspace: &Workspace) -> Option<String> {
        let below = self.path.strip_prefix(workspace.root()).unwrap_or(&self.path);
        let runs = runs_on_build(below).filter(|_| self.after.is_some()).map(|runs| format!("this file {runs}"));
        let found = self.findings.notes(&self.looked_at(workspace));
        let is_told = self.after.as_ref().is_some_and(|after| !after.is_ascii());
        let charset =
            self.before.as_ref().map(|before| before.charset).filter(|charset| is_told && !charset.is_utf_8());
        let charset = charset.and_then(|charset| match charset.certainty {
            Certainty::Exact | Certainty::Looks => Some(format!("its encoding stays {}", charset.name())),
            Certainty::Guessed if self.verb == Verb::Edit => Some("not UTF-8; all other bytes stay unchanged".into()),
            Certainty::Guessed => None,
        });
        let notes: Vec<String> = found.into_iter().chain(self.note.clone()).chain(charset).chain(runs).collect();
        (!notes.is_empty()).then(|| notes.join("; "))
    }

    pub(super) fn counts(&self) -> (u64, u64) {
        let old = self.before.as_ref().map_or("", |before| before.text.as_str());
        counts(old, self.after.as_deref().unwrap_or_default())
    }

    /// What became of it, for the model; `added` and `removed` are lines.
    pub(super) fn told(&self, workspace: &Workspace, (added, removed): (u64, u64)) -> String {
        let (past, shown) = (self.verb.past(), self.shown(workspace));
        let how: String = self
            .how
            .clone()
            .into_iter()
            .chain(self.findings.told(&self.looked_at(workspace)))
            .map(|how| format!("; {how}"))
            .collect();
        let added = words::count(added, "line");
        match (self.author, self.verb) {
            (Author::Person, _) => format!(
                "{past} {shown} with the text as the user changed it: {added} added, {removed} removed; read it again \
                 before you edit it"
            ),
            (Author::Model, Verb::Create) => format!("{past} {shown}: {added}{how}"),
            (Author::Model, Verb::Write | Verb::Edit) => {
                format!("{past} {shown}: {added} added, {removed} removed{how}")
            }
            (Author::Model, Verb::Delete) => format!("{past} {shown}{how}"),
        }
    }

    /// In a word, for the user.
    pub(super) fn summary(&self, (added, removed): (u64, u64)) -> String {
        let made = match self.verb {
            Verb::Create => words::count(added, "line"),
            Verb::Write | Verb::Edit => format!("+{added} −{removed}"),
            Verb::Delete => "deleted".into(),
        };
        self.findings.summary().map_or(made.clone(), |found| format!("{made}; {found}"))
    }

    /// The text that is gone with it and that the model never read. None where a person wrote what is there now, for they
    /// saw it, and none of a file that went elsewhere, of which it is said how.
    pub(super) fn unread(&self, seen: &ReadTracker) -> Option<&str> {
        let replaced = self.author == Author::Model
            && match self.verb {
                Verb::Write => true,
                Verb::Delete => self.how.is_none(),
                Verb::Create | Verb::Edit => false,
            };
        let unread =
            |before: &&Before| !before.text.trim().is_empty() && seen.sight(&self.path, &before.digest) == Sight::Never;
        self.before.as_ref().filter(|_| replaced).filter(unread).map(|before| before.text.as_str())
    }

    /// Under what the model knows the new text from now on; `None` where it does not.
    pub(super) fn sight(&self, workspace: &Workspace) -> Option<Digest> {
        let known = self.author == Author::Model && self.known.is_known(workspace.seen());
        self.after.as_ref().filter(|_| known).and_then(|_| self.bytes(workspace).ok()).map(|bytes| digest(&bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn an_edit_of_a_part_shows_nothing_of_the_rest() {
        let part = |known: KnownState, author| EditPart {
            path: "/b".into(),
            before: None,
            after: Some("new".into()),
            verb: Verb::Edit,
            note: None,
            how: None,
            author,
            known,
            findings: Findings::default(),
        };
        let old = || KnownState::If("/a".into(), Digest("old".into()));
        let workspace = Workspace::new(Path::new("/"));
        let seen = workspace.seen();
        assert_eq!(part(old(), Author::Model).sight(&workspace), None, "it was never read");
        assert_eq!(part(KnownState::Whole, Author::Model).sight(&workspace), Some(digest(b"new")));
        seen.note(Path::new("/a"), Digest("other".into()));
        assert_eq!(part(old(), Author::Model).sight(&workspace), None, "it was another when it was read");
        seen.note(Path::new("/a"), Digest("old".into()));
        assert_eq!(part(old(), Author::Model).sight(&workspace), Some(digest(b"new")));
        assert_eq!(part(old(), Author::Person).sight(&workspace), None, "a person wrote it");
    }
}
