//! Pages and searches. What comes of them was written by strangers, and is told as such.

mod fetch;
mod search;

use super::Listed;
use crate::Secrets;
use agent_protocol::{Action, Failure, FailureKind, Outcome, Status};

/// The group's tools.
pub(super) fn tools() -> Vec<Listed> {
    vec![(&fetch::FORM, Box::new(fetch::WebFetch)), (&search::FORM, Box::new(search::WebSearch))]
}

/// What such a call looks at here.
fn nothing() -> Action {
    Action::Read { paths: Vec::new() }
}

fn nothing_to_edit() -> Failure {
    Failure::new(FailureKind::InvalidArguments, "what is fetched cannot be edited; answer yes or no")
}

/// Secrets go nowhere, in whatever dress.
fn refuse_secrets(secrets: &Secrets, text: &str, what: &str) -> Result<(), Failure> {
    if secrets.are_carried_by(text) {
        let message =
            format!("refused: the {what} holds a secret of this machine, which may not leave it; leave it out");
        return Err(Failure::new(FailureKind::Denied, message));
    }
    Ok(())
}

fn done(told: String, summary: String, detail: String) -> Outcome {
    Outcome { status: Status::Done, told, summary, detail, fence: None, changed: Vec::new(), images: Vec::new() }
}
