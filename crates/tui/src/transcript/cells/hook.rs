//! A hook that was run, and what came of it.

use super::{Cell, Room, signed};
use crate::clean::clean_line;
use crate::palette::Palette;
use agent_protocol::HookFiring;
use ratatui::text::{Line, Span};

/// One row: `hook  pre_tool · guard.sh · refused: not on main`.
pub(in crate::transcript) struct HookRow {
    palette: Palette,
    warns: bool,
    words: String,
}

impl HookRow {
    pub(in crate::transcript) fn new(firing: &HookFiring, palette: Palette) -> Self {
        let words = clean_line(&format!("hook  {}", firing.line())).into_owned();
        HookRow { palette, warns: firing.fate.is_warning(), words }
    }
}

impl Cell for HookRow {
    fn rows(&self, Room { width, .. }: Room<'_>) -> Vec<Line<'static>> {
        let (sign, style) = if self.warns { ("! ", self.palette.warn()) } else { ("· ", self.palette.dim()) };
        signed(Span::styled(sign, style), vec![Span::styled(self.words.clone(), style)], width)
    }
}
