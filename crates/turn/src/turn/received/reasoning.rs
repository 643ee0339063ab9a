//! Reasoning and answer in each other's place: an answer that was reasoning, and calls at the end of reasoning.

use super::Received;
use agent_dialects::{Piece, WasThinking};
use agent_protocol::{Event, TurnEvent};

impl Received {
    /// What seemed to be the answer was reasoning: nothing of it counts, and it goes back to no model.
    pub(super) fn was_thinking(&mut self, WasThinking { text, end }: WasThinking, out: &mut Vec<Event>) {
        self.written.drain(..end);
        self.talked = self.talked.saturating_sub(end);
        self.call = None;
        let shown = std::mem::take(&mut self.text);
        (self.after, self.invented) = <_>::default();
        (self.found, self.lost) = <_>::default();
        self.thinking.push_str(&text);
        let was_shown = !shown.trim().is_empty();
        out.push(Event::Turn(if was_shown { TurnEvent::WasThinking { text } } else { TurnEvent::Thinking { text } }));
    }

    /// A reply of reasoning alone that ends in marked calls means them: models forget to close their reasoning.
    pub(super) fn look_in_thinking(&mut self) {
        let pieces = self.setup.read(&self.servers_thinking);
        for piece in pieces.into_iter().rev() {
            match piece {
                Piece::Call(found) if found.is_marked() => self.found.insert(0, found),
                Piece::Text(text) if text.trim().is_empty() => {}
                Piece::Text(_) | Piece::Thinking(_) | Piece::WasThinking(_) => return,
                Piece::Call(_) | Piece::Lost(_) | Piece::Invented(_) => return,
            }
        }
    }
}
