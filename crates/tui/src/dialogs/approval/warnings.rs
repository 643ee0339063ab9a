//! What a person should know of a question that looking at it does not tell: characters that nobody sees, words of mixed scripts.

use super::command::whole;
use crate::diff::Doubts;
use agent_protocol::{PreviewBody, Question, Subject};

/// What cannot be told by looking at a command, or at the names of what would be read. A diff says so itself.
pub(super) fn of(question: &Question) -> Vec<String> {
    match (&question.preview.body, &question.subject) {
        (PreviewBody::Command { command, .. }, _) => Doubts::of(&whole(command, question)).warnings(),
        (PreviewBody::Plain, Subject::Action { action }) => {
            let names: Vec<_> = action.looked_at().iter().map(|path| path.to_string_lossy()).collect();
            Doubts::of(&names.join("\n")).warnings()
        }
        (PreviewBody::Plain, Subject::Reach { command, .. }) => Doubts::of(command).warnings(),
        (PreviewBody::Fetch { url, sends }, _) => Doubts::of(&format!("{url}\n{sends}")).warnings(),
        (PreviewBody::Call { arguments, .. }, _) => Doubts::of(arguments).warnings(),
        (PreviewBody::Task { prompt, .. }, _) => Doubts::of(prompt).warnings(),
        (PreviewBody::Plain | PreviewBody::Diff { .. }, _) => Vec::new(),
        (PreviewBody::Plan { .. } | PreviewBody::Choices { .. }, _) => Vec::new(),
    }
}
