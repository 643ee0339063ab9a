//! What this face answers where a person would be asked: No, and how it could have been Yes.

use agent_protocol::{Action, Question, Subject};

/// The word that goes with the No: to the model, and to standard error.
pub(crate) fn word(question: &Question) -> Option<String> {
    let inside = question.why.starts_with("safe mode");
    match &question.subject {
        Subject::Action { action: Action::Write { .. } } if inside => {
            Some("nobody is here to approve writes; `--allow write` (or `--unsafe`) lets them happen".into())
        }
        Subject::Action { action: Action::Run { .. } } if inside => {
            Some("nobody is here to approve commands; `--allow run` (or `--unsafe`) lets them happen".into())
        }
        Subject::Action { .. } => {
            Some(format!("nobody is here to approve this, and no flag allows it: {}", question.why))
        }
        Subject::Steps { .. } | Subject::Repeat { .. } | Subject::Folder { .. } => None,
    }
}
