//! The job of one call that changes several files: all of them or none, one question with a part for each.

use crate::apply::{apply, digest};
use crate::blocking::blocking;
use crate::change::{Before, counts_within};
use crate::workspace::Workspace;
use crate::{Job, Output, words};
use agent_policy::Permit;
use agent_protocol::{
    Action, Change, Changes, Failure, FailureKind, FileDiff, Outcome, Preview, PreviewBody, Proposal,
};
use futures_util::future::BoxFuture;
use std::path::PathBuf;
use std::time::Duration;

/// Time to count the lines that change in one file.
const COUNTING: Duration = Duration::from_millis(200);

/// A file and what becomes of it.
pub(super) struct Formatted {
    pub(super) path: PathBuf,
    pub(super) before: Before,
    pub(super) after: String,
    /// The person wrote it, and the model has not seen it.
    pub(super) by_person: bool,
}

/// A planned change of several files.
pub(super) struct Several {
    pub(super) workspace: Workspace,
    pub(super) title: String,
    pub(super) files: Vec<Formatted>,
    pub(super) note: Option<String>,
    /// What is told besides of files that stay as they are.
    pub(super) rest: String,
}

impl Several {
    fn outcome(&self, lost: &[String]) -> Outcome {
        let lines: Vec<String> = self.files.iter().map(|file| self.line(file)).collect();
        let lost: String = lost.iter().map(|lost| format!("; {lost}")).collect();
        let files = words::count(self.files.len() as u64, "file");
        let told = format!("formatted {files}{}{lost}:\n{}", self.rest, lines.join("\n"));
        words::done(told, files, lines.join("\n"))
    }

    fn line(&self, file: &Formatted) -> String {
        let (added, removed) = counts_within(&file.before.text, &file.after, COUNTING);
        let whose = if file.by_person { ", as the person changed it" } else { "" };
        format!("{}: {} added, {removed} removed{whose}", self.workspace.shown(&file.path), words::count(added, "line"))
    }

    /// What the model knows of the files now.
    fn remember(&self) {
        for file in self.files.iter().filter(|file| !file.by_person) {
            self.workspace.seen().carry(&file.path, &file.before.digest, digest(file.after.as_bytes()));
        }
    }
}

impl Job for Several {
    fn action(&self) -> Action {
        let change = |file: &Formatted| Change {
            path: file.path.clone(),
            before: Some(file.before.digest.clone()),
            after: Some(file.after.clone()),
        };
        Action::Write { changes: Changes(self.files.iter().map(change).collect()) }
    }

    fn preview(&self) -> Preview {
        let diff = |file: &Formatted| FileDiff {
            path: file.path.clone(),
            shown_path: self.workspace.shown(&file.path),
            before: Some(file.before.text.clone()),
            after: Some(file.after.clone()),
            note: self.note.clone(),
            skipped: 0,
        };
        Preview { title: self.title.clone(), body: PreviewBody::Diff { files: self.files.iter().map(diff).collect() } }
    }

    fn amend(mut self: Box<Self>, proposal: Proposal) -> Result<Box<dyn Job>, Failure> {
        match proposal {
            Proposal::Text { path, text } => {
                let Some(file) = self.files.iter_mut().find(|file| file.path == path) else {
                    let message = format!("this does not change {}", self.workspace.shown(&path));
                    return Err(Failure::new(FailureKind::InvalidArguments, message));
                };
                (file.after, file.by_person) = (text, true);
                Ok(self)
            }
            Proposal::Command { .. } | Proposal::Profile { .. } | Proposal::Plan { .. } => {
                Err(Failure::new(FailureKind::InvalidArguments, "this changes files and runs no command"))
            }
        }
    }

    fn run(self: Box<Self>, permit: Permit, _out: Output) -> BoxFuture<'static, Outcome> {
        blocking(move |stop| {
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
