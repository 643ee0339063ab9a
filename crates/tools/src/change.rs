//! What every tool that changes files plans: the files as they are and as they will be. The job that shows the
//! difference, and has it written when it is permitted, is the same for one file and for many (`edits`).

mod checks;
mod diagnostics;
mod edits;
mod part;
mod reindent;
mod rewrite;

use crate::apply::{LARGEST, digest, writable};
use crate::open::{Found, open, read_all};
use crate::text::Charset;
use crate::workspace::Workspace;
use crate::{PlannedCall, replace, text};
use agent_protocol::{Digest, Failure, FailureKind};
use rustix::fs::{Access, access};
use similar::{ChangeTag, TextDiff};
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(crate) use checks::{Checks, Findings, Refused};
pub(crate) use edits::{Edits, ReadingsAfter};
pub(crate) use part::{EditPart, KnownState};
pub(crate) use reindent::mended;
pub(crate) use rewrite::{Rewrite, Whole};

/// A file as it is before a change.
pub(crate) struct Before {
    pub(crate) text: String,
    pub(crate) digest: Digest,
    /// In which its bytes are that text, and stay so.
    pub(crate) charset: Charset,
}

/// Reads the file at `path`, if there is one.
pub(crate) fn before(workspace: &Workspace, path: &Path) -> Result<Option<Before>, Failure> {
    let shown = workspace.shown(path);
    match open(workspace, path)? {
        Found::Missing => Ok(None),
        Found::Folder => {
            Err(Failure::new(FailureKind::InvalidArguments, format!("{shown} is a folder; give the path of a file")))
        }
        Found::File(mut file, metadata) => {
            writable(access(path, Access::WRITE_OK), &metadata).map_err(|denied| denied.failure(&shown))?;
            let bytes = read_all(&mut file, &shown, LARGEST)?;
            let digest = digest(&bytes);
            let (text, charset) = text::faithful(bytes, &shown)?;
            Ok(Some(Before { text, digest, charset }))
        }
    }
}

/// A planned change of one file alone.
pub(crate) struct Edit {
    pub(crate) workspace: Workspace,
    pub(crate) path: PathBuf,
    pub(crate) before: Option<Before>,
    pub(crate) after: String,
    pub(crate) verb: Verb,
    /// Something to know besides the difference.
    pub(crate) note: Option<String>,
    /// How the place was found, where that is worth a word.
    pub(crate) how: Option<String>,
    pub(crate) author: Author,
}

impl Edit {
    /// The job that makes the change; one that only says so where there is nothing to change.
    ///
    /// # Errors
    /// [`FailureKind::Syntax`] where the file would be broken, and is not.
    pub(crate) fn planned(self, checks: &Checks) -> Result<Box<dyn PlannedCall>, Failure> {
        let Edit { workspace, path, before, after, verb, note, how, author } = self;
        let known = match (verb, &before) {
            (Verb::Edit, Some(before)) => KnownState::If(path.clone(), before.digest.clone()),
            (Verb::Create | Verb::Write | Verb::Edit | Verb::Delete, _) => KnownState::Whole,
        };
        let findings = Findings::default();
        let part = EditPart { path, before, after: Some(after), verb, note, how, author, known, findings };
        Ok(Edits::new(workspace, vec![part]).checked(checks)?.planned())
    }
}

/// What the change does to the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verb {
    Create,
    Write,
    Edit,
    Delete,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Author {
    Model,
    Person,
}

impl Verb {
    fn present(self) -> &'static str {
        match self {
            Verb::Create => "Create",
            Verb::Write => "Write",
            Verb::Edit => "Edit",
            Verb::Delete => "Delete",
        }
    }

    fn past(self) -> &'static str {
        match self {
            Verb::Create => "created",
            Verb::Write => "wrote",
            Verb::Edit => "edited",
            Verb::Delete => "deleted",
        }
    }
}

/// The file is not what the model knows of it: somebody changed it, and that is not to be lost.
pub(crate) fn read_again(shown: &str) -> Failure {
    Failure::new(FailureKind::Stale, format!("{shown} changed since you read it; read it again before you change it"))
}

/// What to know about line ends, where they are not the usual ones.
pub(crate) fn note_on_ends(text: &str) -> Option<String> {
    replace::is_crlf(text).then(|| "lines end with CRLF, and stay so".into())
}

fn counts(old: &str, new: &str) -> (u64, u64) {
    counts_within(old, new, Duration::from_secs(1))
}

/// The same; roughly, where it would take longer than this.
pub(crate) fn counts_within(old: &str, new: &str, limit: Duration) -> (u64, u64) {
    let diff = TextDiff::configure().timeout(limit).diff_lines(old, new);
    let count = |tag| diff.iter_all_changes().filter(|change| change.tag() == tag).count() as u64;
    (count(ChangeTag::Insert), count(ChangeTag::Delete))
}
