//! Git, as tools: each call is git itself with the words that are shown, started without a shell.
//!
//! Hooks, filters and other programs that a repository names do not run: policy sets the variables that see to that, and
//! the words are chosen so that what only looks is proved to.

mod asked;
mod commands;
mod diff;
mod operands;
mod operation;
mod outgoing;
mod preview;
mod pwd;
mod replies;
mod repository;
mod staging;
mod status;

use super::Listed;
use crate::arguments::Form;
use agent_protocol::ToolSpec;
use serde_json::{Value, json};

/// The tools of this group, in the order in which the model is told of them.
pub(super) fn tools() -> Vec<Listed> {
    vec![
        (&operation::FORM, Box::new(operation::GitOperation)),
        (&status::FORM, Box::new(status::GitStatus)),
        (&diff::FORM, Box::new(diff::GitDiff)),
        (&pwd::FORM, Box::new(pwd::Pwd)),
    ]
}

/// A tool as the model is told of it, with nothing in it that says nothing: several files go into one text, and what
/// requires no argument need not say so.
fn brief(form: &Form) -> ToolSpec {
    let mut spec = form.spec();
    let Value::Object(parameters) = &mut spec.parameters else { return spec };
    if parameters.get("required").and_then(Value::as_array).is_some_and(Vec::is_empty) {
        parameters.remove("required");
    }
    if let Some(files) = parameters.get_mut("properties").and_then(|properties| properties.get_mut("files")) {
        *files = json!({ "type": "string" });
    }
    spec
}

#[cfg(test)]
mod tests;
