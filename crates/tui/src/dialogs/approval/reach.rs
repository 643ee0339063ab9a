//! What a command would reach: the question while it is held, and the hosts that a yes to a run names.

use super::{Approval, command};
use crate::clean::clean_line;
use crate::dialogs::frame::paragraph;
use crate::palette::Palette;
use crate::text::Lines;
use crate::text::wrap::wrap;
use agent_protocol::{Host, Question, Subject};
use ratatui::text::{Line, Span};

/// The command that is held, what a yes lets it reach where that is more than the title says, and that nothing is lost while
/// the question stands.
pub(super) fn lines(question: &Question, columns: u16, palette: Palette) -> Lines {
    let Subject::Reach { command, hosts, host, .. } = &question.subject else { return Vec::new() };
    let mut lines = command::lines(command, question, columns, palette);
    let others: Vec<&Host> = hosts.iter().filter(|other| *other != host).collect();
    if !others.is_empty() {
        let words = format!("a yes covers {} too, which the same package manager uses", named(&others));
        lines.extend(paragraph(&words, palette.text(), columns));
    }
    let held = "the command is held, and its clock stands still, until you answer";
    lines.extend(paragraph(held, palette.dim(), columns));
    lines
}

/// The hosts that a yes to a run lets it reach.
pub(super) fn beside(approval: &Approval, columns: u16) -> Lines {
    let hosts: Vec<&Host> = approval.question.hosts.iter().collect();
    if hosts.is_empty() {
        return Vec::new();
    }
    let style = approval.palette.warn();
    let words = Span::styled(format!("a yes lets it reach {}", named(&hosts)), style);
    wrap(&Line::from(vec![words]), columns, 2)
}

fn named(hosts: &[&Host]) -> String {
    let names: Vec<String> = hosts.iter().map(ToString::to_string).collect();
    clean_line(&names.join(", ")).into_owned()
}
