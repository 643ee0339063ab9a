//! What the fence has to tell of a command that ran: what it kept it from, and which protected files are not as they were.

use crate::clean::clean_line;
use crate::palette::Palette;
use crate::text::wrap::Break;
use crate::transcript::cells::beside;
use agent_protocol::SandboxReport;
use ratatui::text::{Line, Span};

#[derive(Debug, Default)]
pub(super) struct SandboxWords {
    blocked: Option<String>,
    tampered: Vec<String>,
}

impl SandboxWords {
    pub(super) fn of(report: &SandboxReport) -> Self {
        SandboxWords {
            blocked: report.blocked_words().map(|words| clean_line(&words).into_owned()),
            tampered: report.tampered.iter().map(|name| clean_line(name).into_owned()).collect(),
        }
    }

    /// It is told whether the call is folded or not.
    pub(super) fn lines(&self, width: usize, palette: Palette) -> Vec<Line<'static>> {
        let blocked = self.blocked.iter().map(|words| (words.clone(), palette.warn()));
        let bad = palette.bad().patch(palette.strong());
        let tampered = self.tampered.iter().map(|name| (format!("changed a protected file: {name}"), bad));
        let line = |(words, style)| {
            let (sign, margin) = (Span::styled("  ! ", style), Span::raw("    "));
            beside(&sign, &margin, vec![Span::styled(words, style)], width, Break::Words)
        };
        blocked.chain(tampered).flat_map(line).collect()
    }
}
