//! The job of every tool that changes a file: shows the difference, and has it written when it is permitted.

use crate::apply::{LARGEST, apply, digest, writable};
use crate::blocking::blocking;
use crate::look::Look;
use crate::open::{Found, open, read_all};
use crate::workspace::Workspace;
use crate::{Job, Output, replace, text, words};
use agent_policy::Permit;
use agent_policy::names::runs_on_build;
use agent_protocol::{
    Action, Change, Changes, Digest, Failure, FailureKind, FileDiff, Outcome, Preview, PreviewBody, Proposal,
};
use futures_util::future::BoxFuture;
use rustix::fs::{Access, access};
use similar::{ChangeTag, TextDiff};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A file as it is before a change.
pub(crate) struct Before {
    pub(crate) text: String,
    pub(crate) digest: Digest,
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
            Ok(Some(Before { text: text::exact(bytes, &shown)?, digest }))
        }
    }
}

/// A planned change of one file.
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

/// What the change does to the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verb {
    Create,
    Write,
    Edit,
}

/// Whose text it is.
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
        }
    }

    fn past(self) -> &'static str {
        match self {
            Verb::Create => "created",
            Verb::Write => "wrote",
            Verb::Edit => "edited",
        }
    }
}

impl Edit {
    /// The job that makes the change; one that only says so where there is nothing to change.
    pub(crate) fn planned(self) -> Box<dyn Job> {
        match &self.before {
            Some(before) if before.text == self.after => {
                let told = format!("{} already holds exactly this text; nothing was written", self.shown());
                Box::new(Look {
                    title: self.title(),
                    path: self.path,
                    rest: "",
                    work: Box::new(move |_, _| Ok(words::done(told, "unchanged".into(), String::new()))),
                })
            }
            Some(_) | None => Box::new(self),
        }
    }

    fn shown(&self) -> String {
        self.workspace.shown(&self.path)
    }

    fn title(&self) -> String {
        format!("{} {}", self.verb.present(), self.shown())
    }

    /// Also that to write it is to have it run.
    fn whole_note(&self) -> Option<String> {
        let below = self.path.strip_prefix(self.workspace.root()).unwrap_or(&self.path);
        let runs = runs_on_build(below).map(|runs| format!("this file {runs}"));
        let notes: Vec<String> = self.note.clone().into_iter().chain(runs).collect();
        (!notes.is_empty()).then(|| notes.join("; "))
    }

    /// What the model knows of the file now. What a person wrote it has not seen.
    fn remember(&self) {
        let (seen, after) = (self.workspace.seen(), digest(self.after.as_bytes()));
        match (self.author, self.verb, &self.before) {
            (Author::Person, _, _) => {}
            (Author::Model, Verb::Edit, Some(before)) => seen.carry(&self.path, &before.digest, after),
            (Author::Model, Verb::Create | Verb::Write | Verb::Edit, _) => seen.note(&self.path, after),
        }
    }

    /// What became of it; `lost` is what of the old file could not be kept.
    fn outcome(&self, lost: &[String]) -> Outcome {
        let old = self.before.as_ref().map_or("", |before| before.text.as_str());
        let (added, removed) = counts(old, &self.after);
        let (past, shown) = (self.verb.past(), self.shown());
        let told = match (self.author, self.verb) {
            (Author::Person, _) => format!(
                "{past} {shown} with the text as the person changed it: {} added, {removed} removed; read it again \
                 before you edit it",
                words::count(added, "line")
            ),
            (Author::Model, Verb::Create) => format!("{past} {shown}: {}", words::count(added, "line")),
            (Author::Model, Verb::Write | Verb::Edit) => {
                let how = self.how.as_ref().map_or(String::new(), |how| format!("; {how}"));
                format!("{past} {shown}: {} added, {removed} removed{how}", words::count(added, "line"))
            }
        };
        let summary = match self.verb {
            Verb::Create => words::count(added, "line"),
            Verb::Write | Verb::Edit => format!("+{added} −{removed}"),
        };
        let lost: String = lost.iter().map(|lost| format!("; {lost}")).collect();
        words::done(told + &lost, summary + &lost, String::new())
    }
}

impl Job for Edit {
    fn action(&self) -> Action {
        let before = self.before.as_ref().map(|before| before.digest.clone());
        let change = Change { path: self.path.clone(), before, after: Some(self.after.clone()) };
        Action::Write { changes: Changes(vec![change]) }
    }

    fn preview(&self) -> Preview {
        let file = FileDiff {
            path: self.path.clone(),
            shown_path: self.shown(),
            before: self.before.as_ref().map(|before| before.text.clone()),
            after: Some(self.after.clone()),
            note: self.whole_note(),
            skipped: 0,
        };
        Preview { title: self.title(), body: PreviewBody::Diff { files: vec![file] } }
    }

    fn amend(self: Box<Self>, proposal: Proposal) -> Result<Box<dyn Job>, Failure> {
        match proposal {
            Proposal::Text { path, text } if path == self.path => {
                Ok(Edit { after: text, author: Author::Person, ..*self }.planned())
            }
            Proposal::Text { path, .. } => {
                let message = format!("this changes {}, not {}", self.shown(), self.workspace.shown(&path));
                Err(Failure::new(FailureKind::InvalidArguments, message))
            }
            Proposal::Command { .. } | Proposal::Profile { .. } | Proposal::Plan { .. } => {
                Err(Failure::new(FailureKind::InvalidArguments, "this changes a file and runs no command"))
            }
        }
    }

    fn run(self: Box<Self>, permit: Permit, _out: Output) -> BoxFuture<'static, Outcome> {
        blocking(move |stop| {
            // What is written is what the permit says, to the letter.
            let lost = match permit.action() {
                Action::Write { changes } => apply(changes, &self.workspace, stop)?,
                Action::Read { .. } | Action::Restore { .. } | Action::Run { .. } | Action::Session { .. } => {
                    Vec::new()
                }
            };
            self.remember();
            Ok(self.outcome(&lost))
        })
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

/// Lines added and removed.
fn counts(old: &str, new: &str) -> (u64, u64) {
    counts_within(old, new, Duration::from_secs(1))
}

/// The same; roughly, where it would take longer than this.
pub(crate) fn counts_within(old: &str, new: &str, limit: Duration) -> (u64, u64) {
    let diff = TextDiff::configure().timeout(limit).diff_lines(old, new);
    let count = |tag| diff.iter_all_changes().filter(|change| change.tag() == tag).count() as u64;
    (count(ChangeTag::Insert), count(ChangeTag::Delete))
}
