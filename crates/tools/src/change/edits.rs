//! The job of every tool that changes files: one question with a part for each file, and all of them written or none.

use super::checks::Checks;
use super::diagnostics::Watched;
use super::{EditPart, Verb};
use crate::apply::apply;
use crate::blocking::blocking;
use crate::lsp::Servers;
use crate::read_only_job::ReadOnlyJob;
use crate::workspace::Workspace;
use crate::{Output, PlannedCall, words};
use agent_policy::Permit;
use agent_protocol::{
    Action, Changes, Digest, Failure, FailureKind, Outcome, PartText, Preview, PreviewBody, Proposal,
};
use futures_util::future::BoxFuture;
use std::path::PathBuf;
use std::sync::Arc;

/// Files that are named when the user's text is for none of them.
const NAMED: usize = 5;

/// What is told besides, in so many bytes.
pub(crate) type ReadingsAfter = Box<dyn FnOnce(usize) -> Outcome + Send>;

/// A planned change of files.
pub(crate) struct Edits {
    workspace: Workspace,
    parts: Vec<EditPart>,
    /// What they are called together, where they are not only one.
    title: Option<String>,
    /// What is to be said of files that were planned and are already as they were to be.
    idle: Vec<String>,
    beside: Option<ReadingsAfter>,
    /// Those that are asked what the changes broke; `None`: nobody is.
    servers: Option<Arc<Servers>>,
}

impl Edits {
    /// Written in this order. None of them names the same file as another.
    pub(crate) fn new(workspace: Workspace, parts: Vec<EditPart>) -> Self {
        Edits { workspace, parts, title: None, idle: Vec::new(), beside: None, servers: None }
    }

    /// Looked over as the model in use has it.
    ///
    /// # Errors
    /// [`FailureKind::Syntax`] where a file would be broken that is not.
    pub(crate) fn checked(self, checks: &Checks) -> Result<Self, Failure> {
        let Edits { workspace, parts, .. } = self;
        let parts = parts.into_iter().map(|part| part.looked_over(checks, &workspace)).collect::<Result<_, _>>()?;
        Ok(Edits { workspace, parts, servers: checks.servers.clone(), ..self })
    }

    pub(crate) fn titled(self, title: String) -> Self {
        Edits { title: Some(title), ..self }
    }

    /// With something that is told when all is written.
    pub(crate) fn beside(self, beside: Option<ReadingsAfter>) -> Self {
        Edits { beside, ..self }
    }

    /// The job that makes the changes; one that only says so where there is nothing to change.
    pub(crate) fn planned(mut self) -> Box<dyn PlannedCall> {
        let title = self.title();
        let (idle, parts): (Vec<EditPart>, Vec<EditPart>) = self.parts.into_iter().partition(EditPart::is_idle);
        // What came and went on the way is worth a word only where nothing else happens.
        let worth = idle.iter().filter(|part| parts.is_empty() || part.after.is_some());
        self.idle.extend(worth.map(|part| part.idle_words(&self.workspace)));
        self.parts = parts;
        if !self.parts.is_empty() {
            return Box::new(self);
        }
        let (told, beside) = (self.idle.join("\n"), self.beside);
        Box::new(ReadOnlyJob {
            paths: idle.into_iter().map(|part| part.path).collect(),
            title,
            rest: "",
            work: Box::new(move |_, room| {
                let outcome = words::done(told, "unchanged".into(), String::new());
                Ok(with_beside(outcome, beside, room))
            }),
        })
    }

    fn title(&self) -> String {
        match (&self.title, self.parts.as_slice()) {
            (Some(title), _) => title.clone(),
            (None, [part]) => part.title(&self.workspace),
            (None, parts) => format!("Edit {}", words::count(parts.len() as u64, "file")),
        }
    }

    /// What the model knows of the files now. What a person wrote it has not seen.
    fn remember(&self) {
        let seen = self.workspace.seen();
        let known: Vec<Option<Digest>> = self.parts.iter().map(|part| part.sight(&self.workspace)).collect();
        for (part, known) in self.parts.iter().zip(known) {
            match known {
                Some(digest) => seen.note(&part.path, digest),
                None if part.after.is_none() => seen.doubt(&part.path),
                None => {}
            }
        }
    }

    /// What became of it; `lost` is what of the old files could not be kept.
    fn outcome(&self, lost: &[String]) -> Outcome {
        let counts: Vec<(u64, u64)> = self.parts.iter().map(EditPart::counts).collect();
        let told = self.parts.iter().zip(&counts).map(|(part, counts)| part.told(&self.workspace, *counts));
        let told: Vec<String> = told.chain(self.idle.iter().cloned()).collect();
        let summary = match (self.parts.as_slice(), counts.as_slice()) {
            ([part], [counts]) => part.summary(*counts),
            (parts, counts) => {
                let sum = counts.iter().fold((0, 0), |sum, counts| (sum.0 + counts.0, sum.1 + counts.1));
                format!("{}, +{} −{}", words::count(parts.len() as u64, "file"), sum.0, sum.1)
            }
        };
        let lost: String = lost.iter().map(|lost| format!("; {lost}")).collect();
        words::done(told.join("\n") + &lost, summary + &lost, String::new())
    }

    /// What language servers say of the files before they are changed.
    fn watched(&self, servers: Arc<Servers>) -> Watched {
        let written = self.parts.iter().filter(|part| part.after.is_some());
        Watched::before(servers, &self.workspace, written.map(|part| (part.path.as_path(), part.before.is_some())))
    }

    /// Why a text for the file `shown` has no place here.
    fn elsewhere(&self, shown: &str) -> Failure {
        let mut names: Vec<String> = self.parts.iter().map(|part| part.shown(&self.workspace)).collect();
        if names.len() > NAMED {
            names = vec![words::count(names.len() as u64, "file")];
        }
        Failure::new(FailureKind::InvalidArguments, format!("this changes {}, not {shown}", names.join(" and ")))
    }
}

impl PlannedCall for Edits {
    fn action(&self) -> Action {
        Action::Write { changes: Changes(self.parts.iter().map(EditPart::change).collect()) }
    }

    fn preview(&self) -> Preview {
        let files = self.parts.iter().map(|part| part.diff(&self.workspace)).collect();
        Preview { title: self.title(), body: PreviewBody::Diff { files } }
    }

    fn amend(mut self: Box<Self>, proposal: Proposal) -> Result<Box<dyn PlannedCall>, Failure> {
        match proposal {
            Proposal::Text { path, text } => match self.parts.iter_mut().find(|part| part.path == path) {
                Some(part) if part.verb == Verb::Delete => {
                    let message = format!("{} is deleted here and holds no text", part.shown(&self.workspace));
                    Err(Failure::new(FailureKind::InvalidArguments, message))
                }
                Some(part) => {
                    part.amended(text);
                    Ok(self.planned())
                }
                None => Err(self.elsewhere(&self.workspace.shown(&path))),
            },
            Proposal::Part { files, .. } => {
                let whole: Box<dyn PlannedCall> = self;
                files
                    .into_iter()
                    .try_fold(whole, |call, PartText { path, text }| call.amend(Proposal::Text { path, text }))
            }
            Proposal::Command { .. } | Proposal::Profile { .. } | Proposal::Plan { .. } => {
                let what = if self.parts.len() == 1 { "a file" } else { "files" };
                let message = format!("this changes {what} and runs no command");
                Err(Failure::new(FailureKind::InvalidArguments, message))
            }
        }
    }

    fn unread(&self) -> Vec<PathBuf> {
        let seen = self.workspace.seen();
        // What lies elsewhere afterwards is not gone.
        let lies_elsewhere = |text: &str| self.parts.iter().any(|part| part.after.as_deref() == Some(text));
        let unread = |part: &&EditPart| part.unread(seen).is_some_and(|text| !lies_elsewhere(text));
        self.parts.iter().filter(unread).map(|part| part.path.clone()).collect()
    }

    fn run(mut self: Box<Self>, permit: Permit, out: Output) -> BoxFuture<'static, Outcome> {
        blocking(move |stop| {
            let watch = self.servers.take().map(|servers| self.watched(servers));
            // What is written is what the permit says, to the letter.
            let bytes = self.parts.iter().map(|part| part.bytes(&self.workspace)).collect::<Result<_, _>>()?;
            let lost = apply(permit.action().changes(), bytes, &self.workspace, stop)?;
            // What is told besides was there before the change, and is known by then.
            let outcome = with_beside(self.outcome(&lost), self.beside.take(), out.room);
            let outcome = watch.map_or(outcome.clone(), |watch| watch.told(outcome));
            self.remember();
            Ok(outcome)
        })
    }
}

/// The outcome, and what is told besides in what is left of `room`.
fn with_beside(outcome: Outcome, beside: Option<ReadingsAfter>, room: usize) -> Outcome {
    let Some(beside) = beside else { return outcome };
    let besides = beside(room.saturating_sub(outcome.told.len() + 2));
    Outcome {
        told: format!("{}\n\n{}", outcome.told, besides.told),
        summary: format!("{}; read {}", outcome.summary, besides.summary),
        detail: besides.detail,
        images: besides.images,
        ..outcome
    }
}
