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

#[cfg(test)]
mod tests {
    use super::super::Setup;
    use super::*;
    use agent_dialects::{Start, Tools};

    const CALL: &str = "<tool_call>{\"name\": \"read_file\", \"arguments\": {\"path\": \"a\"}}</tool_call>";

    fn received(calls: bool) -> Received {
        let setup = Setup { tools: Tools::any(), calls, start: Start::Answer, thinking_is_known: false };
        Received::new(setup, 5)
    }

    #[test]
    fn a_call_behind_two_marks_at_once_is_talk_where_nothing_is_a_call() {
        let mut heard = received(false);
        heard.text(&format!("é\n</think>\nééééééé\n</think>\né {CALL} é"), &mut Vec::new());
        heard.finish(&mut Vec::new());
        assert_eq!(heard.text.trim(), format!("é {CALL} é"));
    }
}
