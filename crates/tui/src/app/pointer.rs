//! What the mouse does: the wheel scrolls what is under it, a click folds or unfolds.

use super::App;
use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

/// Lines a step of the wheel moves.
const STEP: i32 = 3;

impl App {
    pub(super) fn pointer(&mut self, mouse: MouseEvent) {
        let at = Position::new(mouse.column, mouse.row);
        match mouse.kind {
            MouseEventKind::ScrollUp => self.scroll_under(at, -STEP),
            MouseEventKind::ScrollDown => self.scroll_under(at, STEP),
            MouseEventKind::Down(MouseButton::Left) if self.regions.transcript.contains(at) => {
                self.transcript.toggle_at(at.y - self.regions.transcript.y);
            }
            _ => {}
        }
    }

    fn scroll_under(&mut self, at: Position, lines: i32) {
        if self.gate.holds() && self.regions.dialog.contains(at) {
            // What a letter is about stays as it was when it was pressed.
        } else if !self.regions.dialog.contains(at) {
            self.transcript.scroll_by(lines);
        } else if let Some(question) = self.questions.front_mut() {
            question.scroll_by(lines);
        } else if let Some(dialog) = &mut self.dialog {
            dialog.scroll_by(lines);
        }
    }
}
