//! What this face answers where a person would be asked: No, and how it could have been Yes.

use agent_protocol::{Action, Question, Subject};
use std::path::Path;

/// The word that goes with the No: to the model, and to standard error. The flags reach as far as the `project`.
pub(crate) fn word(question: &Question, project: &Path) -> Option<String> {
    match &question.subject {
        Subject::Action { action: Action::Write { changes } }
            if changes.0.iter().all(|change| change.path.starts_with(project)) =>
        {
            Some("nobody is here to approve writes; `--allow write` (or `--unsafe`) lets them happen".into())
        }
        Subject::Action { action: Action::Run { cwd, .. } } if cwd.starts_with(project) => {
            Some("nobody is here to approve commands; `--allow run` (or `--unsafe`) lets them happen".into())
        }
        Subject::Action { .. } => {
            Some(format!("nobody is here to approve this, and no flag allows it: {}", question.why))
        }
        Subject::Steps { .. } | Subject::Repeat { .. } | Subject::Stuck { .. } | Subject::Folder { .. } => None,
    }
}
