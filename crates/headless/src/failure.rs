//! What failed, in the words that programs know: an error with its type, a text for the model, one for the user.
//!
//! The one place that knows the types. Five of them are those of other agents' documents (`file_not_found`,
//! `permission_denied`, `invalid_tool_params`, `execution_failed`, `timeout`); the others say more closely what those
//! have no word for.

use agent_protocol::{FailureKind, Outcome, Status};
use serde_json::{Value, json};

/// The type of a failure; `None`: it is none.
fn code(status: Status) -> Option<&'static str> {
    Some(match status {
        Status::Done => return None,
        Status::Exited { .. } => "execution_failed",
        Status::Failed { kind } => kind_code(kind),
        Status::Refused => "permission_denied",
        Status::Stopped => "stopped",
        Status::Unknown => "unknown",
    })
}

fn kind_code(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::NotFound => "file_not_found",
        FailureKind::PermissionDenied | FailureKind::Denied => "permission_denied",
        FailureKind::InvalidArguments | FailureKind::UnknownTool => "invalid_tool_params",
        FailureKind::Io => "execution_failed",
        FailureKind::Timeout => "timeout",
        FailureKind::NoMatch => "no_match",
        FailureKind::Ambiguous => "ambiguous",
        FailureKind::Stale => "stale",
        FailureKind::Replaced => "replaced",
        FailureKind::NotText => "not_text",
        FailureKind::Syntax => "syntax",
        FailureKind::TooLarge => "too_large",
        FailureKind::NotInstalled => "not_installed",
        FailureKind::NotReady => "precondition_failed",
        FailureKind::Unfinished => "unfinished",
        FailureKind::CannotRun => "cannot_run",
        FailureKind::Unreachable => "unreachable",
    }
}

/// Adds to `entry` what failed of a call: `error` with `message` and `type`, `llmContent`, `returnDisplay`. Nothing
/// where nothing did.
pub(crate) fn add(entry: &mut Value, outcome: &Outcome) {
    let Some(code) = code(outcome.status) else { return };
    entry["error"] = json!({"message": message(outcome), "type": code});
    entry["llmContent"] = json!(outcome.told);
    entry["returnDisplay"] = json!(display(outcome));
}

/// What went wrong: why the tool could not, or how a command ended; never nothing.
fn message(outcome: &Outcome) -> &str {
    let (summary, detail) = (outcome.summary.trim(), outcome.detail.trim());
    match outcome.status {
        Status::Failed { .. } if !detail.is_empty() => detail,
        // The detail of all others is the output of a command.
        _ if !summary.is_empty() => summary,
        Status::Refused => "refused",
        Status::Stopped => "stopped",
        Status::Unknown => "it may have run, wholly or in part",
        Status::Done | Status::Exited { .. } | Status::Failed { .. } => outcome.told.trim(),
    }
}

/// What the user is shown: what happened. What to do next is for the model, unless only the user can do it.
fn display(outcome: &Outcome) -> String {
    let (message, summary, detail) = (message(outcome), outcome.summary.trim(), outcome.detail.trim());
    match outcome.status {
        Status::Failed { kind } if is_for_the_person(kind) || summary.is_empty() => with_kind(kind, message),
        Status::Failed { kind } => with_kind(kind, summary),
        _ if message.contains(detail) => message.to_owned(),
        _ => format!("{message}\n{detail}"),
    }
}

/// Is the next step one that the user takes: to allow it, or to install something?
fn is_for_the_person(kind: FailureKind) -> bool {
    matches!(kind, FailureKind::Denied | FailureKind::NotInstalled | FailureKind::NotReady)
}

/// Words that say in which way it failed.
fn with_kind(kind: FailureKind, words: &str) -> String {
    let way = kind.words();
    if kind == FailureKind::Denied || words.contains(way) { words.to_owned() } else { format!("{way}: {words}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_protocol::Failure;

    #[test]
    fn every_failure_has_a_type_and_what_went_well_has_none() {
        let failed = |kind| code(Status::Failed { kind });
        for (kind, expected) in [
            (FailureKind::NotFound, "file_not_found"),
            (FailureKind::PermissionDenied, "permission_denied"),
            (FailureKind::Denied, "permission_denied"),
            (FailureKind::InvalidArguments, "invalid_tool_params"),
            (FailureKind::UnknownTool, "invalid_tool_params"),
            (FailureKind::Io, "execution_failed"),
            (FailureKind::Timeout, "timeout"),
            (FailureKind::NoMatch, "no_match"),
            (FailureKind::Ambiguous, "ambiguous"),
            (FailureKind::Stale, "stale"),
            (FailureKind::Unfinished, "unfinished"),
            (FailureKind::CannotRun, "cannot_run"),
            (FailureKind::Replaced, "replaced"),
            (FailureKind::NotText, "not_text"),
            (FailureKind::Syntax, "syntax"),
            (FailureKind::TooLarge, "too_large"),
            (FailureKind::NotInstalled, "not_installed"),
        ] {
            assert_eq!(failed(kind), Some(expected));
        }
        assert_eq!(code(Status::Done), None);
        assert_eq!(code(Status::Exited { code: Some(2) }), Some("execution_failed"));
        let others = [Status::Refused, Status::Stopped, Status::Unknown].map(code);
        assert_eq!(others, [Some("permission_denied"), Some("stopped"), Some("unknown")]);
    }

    #[test]
    fn a_failure_says_what_happened_to_the_person_and_what_to_do_next_to_the_model() {
        let mut entry = json!({});
        let failure = Failure::new(FailureKind::NotFound, "there is no a.rs; list_directory shows what there is");
        add(&mut entry, &Outcome::from(failure));
        let message = "there is no a.rs; list_directory shows what there is";
        let expected = json!({
            "error": {"message": message, "type": "file_not_found"},
            "llmContent": format!("error: {message}"),
            "returnDisplay": "not found: there is no a.rs",
        });
        assert_eq!(entry, expected);
        let absent = "gofmt is not installed; install it with: apt install golang";
        add(&mut entry, &Outcome::from(Failure::new(FailureKind::NotInstalled, absent)));
        assert_eq!(entry["returnDisplay"], absent);
    }

    #[test]
    fn what_went_well_carries_no_error() {
        let mut entry = json!({});
        let (told, summary) = ("x".to_owned(), "1 line".to_owned());
        add(
            &mut entry,
            &Outcome {
                status: Status::Done,
                told,
                summary,
                detail: String::new(),
                fence: None,
                changed: Vec::new(),
                failing: None,
                images: Vec::new(),
                job: None,
            },
        );
        assert_eq!(entry, json!({}));
    }
}
