//! What there is to know of the call that is asked about: what undo covers of it, by which way it came, what was mended
//! and changed, and what the model wrote. Unfolded, it stands in the place of the thing itself.
//!
//! Lays nothing out before it is unfolded, and then once for a width: what a model wrote can be long.

use super::super::frame::Scroll;
use super::cover;
use crate::palette::Palette;
use crate::transcript::Recognised;
use agent_protocol::Cover;
use ratatui::text::Line;

/// The details of one call.
#[derive(Debug, Default)]
pub(crate) struct Details {
    pub(super) remarks: Recognised,
    cover: Option<Cover>,
    /// The key that unfolds them, as the user knows it.
    pub(super) key: String,
    shown: Shown,
    pub(super) scroll: Scroll,
    width: u16,
    pub(super) lines: Vec<Line<'static>>,
}

/// Are they unfolded?
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Shown {
    #[default]
    Folded,
    Unfolded,
}

impl Details {
    /// Details that `key` unfolds.
    pub(crate) fn new(remarks: Recognised, key: String) -> Self {
        Details { remarks, key, ..Details::default() }
    }

    /// With what undo covers of the call.
    pub(super) fn with_cover(self, cover: Option<Cover>) -> Self {
        Details { cover, ..self }
    }

    /// Is there anything to unfold?
    pub(super) fn are_there(&self) -> bool {
        !self.remarks.is_plain() || self.cover.is_some()
    }

    pub(super) fn unfolded(&self) -> bool {
        self.shown == Shown::Unfolded
    }

    /// Unfolds or folds them; says whether there are any.
    pub(super) fn toggle(&mut self) -> bool {
        self.shown = match self.shown {
            Shown::Folded if self.are_there() => Shown::Unfolded,
            Shown::Folded | Shown::Unfolded => Shown::Folded,
        };
        self.are_there()
    }

    /// Folds them; says whether they were unfolded.
    pub(super) fn fold(&mut self) -> bool {
        std::mem::take(&mut self.shown) == Shown::Unfolded
    }

    /// Lays them out, where that has not been done for this width.
    pub(super) fn lay_out(&mut self, width: u16, palette: Palette) {
        if self.width != width {
            self.width = width;
            let cover = self.cover.iter().flat_map(|cover| cover::details(cover, width, palette));
            self.lines = cover.chain(self.remarks.lines(0, usize::from(width), palette.dim())).collect();
        }
    }
}
