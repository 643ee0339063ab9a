//! Pages and searches. What comes of them was written by strangers, and is told as such.

mod fetch;
mod search;

use super::Listed;
use crate::Secrets;
use agent_protocol::{Failure, FailureKind};

pub(super) fn tools() -> Vec<Listed> {
    vec![(&fetch::FORM, Box::new(fetch::WebFetch)), (&search::FORM, Box::new(search::WebSearch))]
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
