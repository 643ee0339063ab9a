//! How a call ended, as the other program's model reads it.

use agent_protocol::{FailureKind, Outcome, Status};
use rmcp::model::{CallToolResult, ContentBlock};

/// What is told, with the pictures that go along.
pub(super) fn result(outcome: &Outcome) -> CallToolResult {
    let pictures = outcome.images.iter().map(|image| ContentBlock::image(image.base64.clone(), image.mime.clone()));
    let content = std::iter::once(ContentBlock::text(outcome.told.clone())).chain(pictures).collect();
    match outcome.status {
        // A command that ran has its exit code in what is told: that a test fails is a result.
        Status::Done | Status::Exited { .. } | Status::Failed { kind: FailureKind::CannotRun } => {
            CallToolResult::success(content)
        }
        Status::Failed { .. } | Status::Refused | Status::Stopped | Status::Unknown => CallToolResult::error(content),
    }
}

/// The session was over before the call was.
pub(super) fn never_ended() -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text("not carried out: agent is ending")])
}
