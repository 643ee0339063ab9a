//! What would leave this machine, or go to another program, as a question shows it.

use crate::clean::{clean_line, clean_text};
use crate::dialogs::frame::paragraph;
use crate::palette::Palette;
use agent_protocol::PreviewBody;
use ratatui::text::Line;

/// The address and what goes with it; the arguments, and what the server says of its tool; what an agent is told.
pub(super) fn lines(body: &PreviewBody, columns: u16, palette: Palette) -> Vec<Line<'static>> {
    let strong = |text: &str| paragraph(&clean_line(text), palette.strong(), columns);
    let each =
        |text: &str| clean_text(text).lines().flat_map(|line| paragraph(line, palette.text(), columns)).collect();
    let dim = |text: &str| paragraph(&clean_line(text), palette.dim(), columns);
    match body {
        PreviewBody::Fetch { url, sends } if sends.is_empty() => strong(url),
        PreviewBody::Fetch { url, sends } => [strong(sends), dim(&format!("is sent to {url}"))].concat(),
        PreviewBody::Call { arguments, description, .. } => [each(arguments), dim(description)].concat(),
        PreviewBody::Task { prompt, .. } => each(prompt),
        PreviewBody::Plain
        | PreviewBody::Diff { .. }
        | PreviewBody::Command { .. }
        | PreviewBody::Plan { .. }
        | PreviewBody::Choices { .. } => Vec::new(),
    }
}
