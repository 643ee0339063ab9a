//! What a question is about, as far as it is more than words.

use super::inquiry::Inquiry;
use super::plan::Plan;
use crate::dialogs::files::Files;
use crate::diff::Names;
use crate::palette::Palette;
use crate::text::highlight::Highlighter;
use agent_protocol::PreviewBody;

/// What is asked about, as far as it is more than words.
pub(super) enum Matter {
    Words,
    Files(Files),
    Plan(Plan),
    Inquiry(Inquiry),
}

impl Matter {
    pub(super) fn of(body: &PreviewBody, palette: Palette, highlighter: &Highlighter) -> Self {
        match body {
            PreviewBody::Plain | PreviewBody::Fetch { .. } | PreviewBody::Call { .. } => Matter::Words,
            PreviewBody::Task { .. } => Matter::Words,
            PreviewBody::Command { files, .. } if files.is_empty() => Matter::Words,
            PreviewBody::Diff { files } => Matter::Files(Files::asked(files, Names::OfSeveral, palette, highlighter)),
            // Its title says what is run, not on what.
            PreviewBody::Command { files, .. } => {
                Matter::Files(Files::asked(files, Names::OfAll, palette, highlighter))
            }
            PreviewBody::Plan { text } => Matter::Plan(Plan::new(text, palette, highlighter)),
            PreviewBody::Choices { question, choices } => Matter::Inquiry(Inquiry::new(question, choices)),
        }
    }
}
