//! What a call really changed, looked up on disk: how much, and what of it cannot be undone.

use super::super::files::{Item, figures};
use super::super::{Break, MOST_LINES, beside};
use crate::palette::Palette;
use agent_protocol::sanitize::figures::counted;
use agent_protocol::{FileChange, FileState, Unkept};
use ratatui::text::{Line, Span};
use std::collections::BTreeMap;

#[derive(Default)]
pub(super) struct Changed {
    items: Vec<Item>,
    added: u64,
    removed: u64,
    /// What cannot be undone, by the reason.
    uncovered: BTreeMap<Unkept, usize>,
}

impl Changed {
    pub(super) fn of(changes: &[FileChange], palette: Palette) -> Self {
        let mut uncovered = BTreeMap::new();
        for change in changes {
            if let FileState::Unkept { why, .. } = change.before {
                *uncovered.entry(why).or_default() += 1;
            }
        }
        Changed {
            items: changes.iter().map(|change| Item::of_change(change, palette)).collect(),
            added: changes.iter().map(|change| change.added).sum(),
            removed: changes.iter().map(|change| change.removed).sum(),
            uncovered,
        }
    }

    /// Are there more files than the line can name?
    pub(super) fn is_listed(&self) -> bool {
        self.items.len() > 1
    }

    /// `changed 4 files +10 −3`.
    pub(super) fn line(&self, width: usize, palette: Palette) -> Vec<Line<'static>> {
        let words = match &self.items[..] {
            [] => return Vec::new(),
            [one] => std::iter::once(Span::raw("changed ")).chain(one.words_within(width.saturating_sub(12))).collect(),
            many => {
                let count = Span::raw(format!("changed {}", counted(many.len(), "file")));
                let figures = figures(self.added, self.removed, palette);
                std::iter::once(count).chain(figures.into_iter().flat_map(|part| [Span::raw(" "), part])).collect()
            }
        };
        beside(&Span::raw("  "), &Span::raw("  "), words, width, Break::Words)
    }

    /// `1 of them cannot be undone: too large`.
    pub(super) fn doubt(&self, width: usize, palette: Palette) -> Vec<Line<'static>> {
        let Some(words) = self.uncovered_words() else { return Vec::new() };
        let style = palette.warn();
        let words = vec![Span::styled(words, style)];
        beside(&Span::styled("  ! ", style), &Span::raw("    "), words, width, Break::Words)
    }

    fn uncovered_words(&self) -> Option<String> {
        let count: usize = self.uncovered.values().sum();
        let reasons: Vec<String> = match self.uncovered.len() {
            0 => return None,
            1 => self.uncovered.keys().map(|why| why.words().to_owned()).collect(),
            _ => self.uncovered.iter().map(|(why, count)| format!("{count} {}", why.words())).collect(),
        };
        let which = match (count, self.items.len()) {
            (1, 1) => "it cannot be undone".to_owned(),
            (count, all) if count == all => "none of them can be undone".to_owned(),
            (count, _) => format!("{count} of them cannot be undone"),
        };
        Some(format!("{which}: {}", reasons.join(", ")))
    }

    /// One line a file; nothing where the line has said it.
    pub(super) fn details(&self, width: usize, palette: Palette) -> Vec<Line<'static>> {
        if !self.is_listed() {
            return Vec::new();
        }
        let sign = Span::styled("  ± ", palette.dim());
        let line = |item: &Item| beside(&sign, &Span::raw("    "), item.words(usize::MAX), width, Break::Anywhere);
        let mut lines: Vec<Line<'static>> = self.items.iter().take(MOST_LINES).flat_map(line).collect();
        if let Some(hidden) = self.items.len().checked_sub(MOST_LINES).filter(|hidden| *hidden > 0) {
            let words = format!("⋯ {} more", counted(hidden, "file"));
            lines.push(Line::from(vec![Span::raw("    "), Span::styled(words, palette.dim())]));
        }
        lines
    }
}
