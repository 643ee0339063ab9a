//! A step by which the conversation was compacted: one line, and when unfolded the words that the model reads from
//! then on in the place of what stands above. Nothing above goes away.

use super::{Cell, Fold, Place, Room, fold_sign, quoted, signed};
use crate::clean::clean_text;
use crate::palette::Palette;
use crate::text::wrap::Break;
use agent_protocol::Compaction;
use agent_protocol::sanitize::figures::{counted, short};
use ratatui::text::{Line, Span};

/// Said above the words, unfolded.
const IN_PLACE: &str = "the model reads this in the place of what stands above:";

pub(in crate::transcript) struct Fitted {
    palette: Palette,
    words: String,
    /// What stands for what came before; empty where nothing does.
    summary: String,
}

impl Fitted {
    /// The conversation had `before` tokens and has `after` now.
    pub(in crate::transcript) fn new(how: &Compaction, before: u64, after: u64, palette: Palette) -> Self {
        let (what, summary) = match how {
            Compaction::Stubbed { results } => (format!("{} left out", counted(*results, "old result")), ""),
            Compaction::Summarised { summary, messages } => {
                (format!("{} became a summary", counted(*messages, "message")), summary.as_str())
            }
            Compaction::Digested { summary, messages } => {
                (format!("{} became a rule-based summary", counted(*messages, "message")), summary.as_str())
            }
        };
        let words = format!("compacted: {what} · {} → {} tokens", short(before), short(after));
        let summary = clean_text(&summary.trim().replace("\r\n", "\n")).into_owned();
        Fitted { palette, words, summary }
    }
}

impl Cell for Fitted {
    fn rows(&self, Room { width, fold, .. }: Room<'_>) -> Vec<Line<'static>> {
        let dim = self.palette.dim();
        let sign = fold_sign(self.folds(), fold);
        let mut rows = signed(Span::styled(sign, dim), vec![Span::raw(self.words.clone())], width);
        if self.folds() && fold == Fold::Unfolded {
            rows.extend(signed(Span::raw("  "), vec![Span::styled(IN_PLACE, dim)], width));
            rows.extend(quoted(&self.summary, width, Break::Words, dim));
        }
        rows
    }

    fn place(&self, height: usize) -> Place {
        if height == 1 { Place::Listed } else { Place::Alone }
    }

    fn folds(&self) -> bool {
        !self.summary.is_empty()
    }
}
