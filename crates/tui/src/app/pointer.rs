//! What the mouse does: the wheel scrolls what is under it, a click folds or unfolds, in a dialog too, a drag over the conversation selects. With
//! Shift the terminal selects by itself; one that tells of it all the same is not heard.

use super::App;
use crate::cmd::Cmd;
use crate::transcript::Pressed;
use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

/// Lines a step of the wheel moves.
const STEP: i32 = 3;

impl App {
    pub(super) fn pointer(&mut self, mouse: MouseEvent) -> Vec<Cmd> {
        let at = Position::new(mouse.column, mouse.row);
        match mouse.kind {
            MouseEventKind::ScrollUp => self.scroll_under(at, -STEP),
            MouseEventKind::ScrollDown => self.scroll_under(at, STEP),
            _ if mouse.modifiers.contains(KeyModifiers::SHIFT) => {}
            MouseEventKind::Down(MouseButton::Left) => self.pressed(at),
            MouseEventKind::Drag(MouseButton::Left) => self.dragged(at),
            MouseEventKind::Up(MouseButton::Left) => return self.let_go(at),
            _ => {}
        }
        Vec::new()
    }

    fn pressed(&mut self, at: Position) {
        let area = self.regions.transcript;
        self.transcript.unselect();
        if area.contains(at) {
            self.transcript.select_from(at.y - area.y, at.x - area.x);
        }
        let dialog = self.regions.dialog;
        // What a letter is about stays as it was when it was pressed.
        if dialog.contains(at) && !self.gate.holds() {
            match (self.questions.front_mut(), &mut self.dialog) {
                (Some(question), _) => question.click(at.y - dialog.y),
                (None, Some(open)) => open.click(at.y - dialog.y),
                (None, None) => {}
            }
        }
    }

    /// Below the last row the conversation goes on by a line, as far as there is more of it; above the first there is no row to
    /// drag to, so the wheel does that.
    fn dragged(&mut self, at: Position) {
        let area = self.regions.transcript;
        if !self.transcript.is_selecting() || area.is_empty() {
            return;
        }
        if at.y >= area.bottom() {
            self.transcript.scroll_by(1);
        }
        let (row, column) = (at.y.clamp(area.y, area.bottom() - 1), at.x.clamp(area.x, area.right() - 1));
        self.transcript.select_to(row - area.y, column - area.x);
    }

    fn let_go(&mut self, at: Position) -> Vec<Cmd> {
        let area = self.regions.transcript;
        match self.transcript.let_go() {
            Pressed::Nothing => Vec::new(),
            Pressed::Click => {
                if area.contains(at) {
                    self.transcript.toggle_at(at.y - area.y);
                }
                Vec::new()
            }
            Pressed::Selected(text) if text.trim().is_empty() => {
                self.transcript.unselect();
                Vec::new()
            }
            Pressed::Selected(text) => self.copy(Some(text), "selection"),
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
