//! The list of what there is to do, as it became, so that it can go back with the conversation.

use crate::conversation::Conversation;
use agent_protocol::{SaidId, Todo, TodoStatus};

/// What stands above the list where a conversation was made shorter.
const LIST: &str = "## To do";

/// The list of what there is to do, as it became.
#[derive(Debug, Default)]
pub(crate) struct TodoLists(Vec<(SaidId, Vec<Todo>)>);

impl TodoLists {
    pub(crate) fn now(&self) -> &[Todo] {
        self.0.last().map_or(&[], |(_, items)| items)
    }

    /// It is this now, after what was `said` last.
    pub(crate) fn set(&mut self, said: SaidId, items: Vec<Todo>) {
        self.0.push((said, items));
    }

    /// As it was before this was said. True where that is another.
    pub(crate) fn go_back(&mut self, said: SaidId) -> bool {
        let before = self.0.len();
        self.0.retain(|(made, _)| *made < said);
        self.0.len() < before
    }
}

impl Conversation {
    /// `summary` with the list of what there is to do, which a summary may leave out and the work needs.
    pub(super) fn with_list(&self, summary: &str) -> String {
        if self.is_delegating() || self.todos.now().iter().all(|item| item.status == TodoStatus::Completed) {
            return summary.to_owned();
        }
        let lines = self.todos.now().iter().map(|item| {
            let mark = match item.status {
                TodoStatus::Pending => "[ ]",
                TodoStatus::InProgress => "[>]",
                TodoStatus::Completed => "[x]",
            };
            format!("\n- {mark} {} (id {})", item.content.split_whitespace().collect::<Vec<_>>().join(" "), item.id)
        });
        format!("{}\n\n{LIST}{}", summary.trim_end(), lines.collect::<String>())
    }
}
