//! Something the model wrote that is neither its answer nor acted upon: one calm line that says why, and the words
//! when unfolded.

use super::{Cell, Fold, INDENT, Place, Room, fold_sign, quoted, signed};
use crate::clean::clean_text;
use crate::palette::Palette;
use crate::text::width::shorten;
use crate::text::wrap::Break;
use agent_protocol::SetAside;
use ratatui::text::{Line, Span};

/// Text that was set aside.
pub(in crate::transcript) struct Aside {
    palette: Palette,
    why: SetAside,
    text: String,
}

impl Aside {
    /// `text` was set aside. `None` where there is nothing to be told: a blank after a call is no news.
    pub(in crate::transcript) fn new(text: &str, why: SetAside, palette: Palette) -> Option<Self> {
        let text = text.trim_matches(['\n', '\r']).trim_end();
        let matters = match why {
            SetAside::Invented | SetAside::AfterCall | SetAside::Beside => !text.trim().is_empty(),
            SetAside::CutOff | SetAside::Unreadable => true,
        };
        let text = clean_text(&text.replace("\r\n", "\n")).into_owned();
        matters.then_some(Aside { palette, why, text })
    }

    /// What was written after a call is mostly prose; the rest is code.
    fn breaks(&self) -> Break {
        match self.why {
            SetAside::AfterCall => Break::Words,
            SetAside::Invented | SetAside::Beside | SetAside::CutOff | SetAside::Unreadable => Break::Anywhere,
        }
    }

    fn words(&self) -> String {
        self.why.told(&self.text)
    }
}

impl Cell for Aside {
    fn rows(&self, Room { width, fold, .. }: Room<'_>) -> Vec<Line<'static>> {
        let dim = self.palette.dim();
        let sign = fold_sign(self.folds(), fold);
        let words = match fold {
            Fold::Folded => shorten(&self.words(), width.saturating_sub(INDENT)).into_owned(),
            Fold::Unfolded => self.words(),
        };
        let mut rows = signed(Span::styled(sign, dim), vec![Span::styled(words, dim)], width);
        if fold == Fold::Unfolded {
            rows.extend(quoted(&self.text, width, self.breaks(), dim));
        }
        rows
    }

    fn place(&self, height: usize) -> Place {
        if height == 1 { Place::Listed } else { Place::Alone }
    }

    fn folds(&self) -> bool {
        !self.text.is_empty()
    }
}
