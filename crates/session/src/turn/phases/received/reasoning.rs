//! Reasoning and answer in each other's place: an answer that was reasoning, and calls at the end of reasoning.

use super::{Reader, Received};
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

    /// Calls are here that the server sent: the text that comes next stands behind them. Nothing of it is read where no
    /// reasoning can end in it.
    pub(super) fn calls_came(&mut self) {
        self.begin();
        let Reader::Reading(splitter) = &mut self.reader else { return };
        let is_open = self.thinking.is_empty() || splitter.is_in_reasoning();
        if self.setup.calls && self.servers_thinking.is_empty() && is_open {
            splitter.calls_came();
        } else {
            self.reader = Reader::Over;
        }
    }

    /// Text behind calls that the server sent is none of the answer; but the server may have taken them out of reasoning, which
    /// then ends in it.
    pub(super) fn text_behind_calls(&mut self, text: &str, out: &mut Vec<Event>) {
        if self.servers_thinking.is_empty() && matches!(self.reader, Reader::Reading(_)) {
            let pieces = self.split(text);
            return self.take_behind_calls(pieces, out);
        }
        self.looping |= self.said.hear(text);
        self.after.push_str(text);
    }

    /// The pieces of text behind calls: as it was written, up to the end of reasoning that the calls were part of.
    pub(super) fn take_behind_calls(&mut self, pieces: Vec<Piece>, out: &mut Vec<Event>) {
        let mut pieces = pieces.into_iter();
        let mut last_raw = String::new();
        while let Some(piece) = pieces.next() {
            let text = match piece {
                Piece::Text(text) | Piece::Thinking(text) | Piece::Invented(text) => text,
                Piece::Lost(lost) => lost.raw,
                // Several calls in one block have the whole block for their text.
                Piece::Call(found) if found.raw == last_raw => continue,
                Piece::Call(found) => {
                    last_raw.clone_from(&found.raw);
                    found.raw
                }
                Piece::WasThinking(was) => {
                    self.sent.clear();
                    self.was_thinking(was, out);
                    return self.take(pieces.collect(), out);
                }
            };
            self.looping |= self.said.hear(&text);
            self.after.push_str(&text);
        }
    }

    /// A reply of reasoning alone that ends in marked calls means them: models forget to close their reasoning.
    pub(super) fn look_in_thinking(&mut self) {
        let pieces = self.setup.split_all(&self.servers_thinking);
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
    use agent_protocol::ModelCall;
    use serde_json::json;

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

    /// Ollama takes a call out of reasoning that the prompt opened, and sends the rest as the answer.
    #[test]
    fn a_call_that_the_server_took_out_of_reasoning_is_none() {
        let call = || ModelCall { server_id: None, index: None, name: "read_file".into(), arguments: json!({}) };
        for before in ["", "Maybe.\n"] {
            let mut heard = received(true);
            heard.text(before, &mut Vec::new());
            heard.calls(vec![call()], &mut Vec::new());
            heard.text("No.\n</thi", &mut Vec::new());
            heard.text("nk>\n\nShall I?", &mut Vec::new());
            heard.finish(&mut Vec::new());
            assert_eq!((heard.has_calls(), heard.text.trim()), (false, "Shall I?"), "{heard:?}");
            assert_eq!(heard.thinking.trim(), format!("{before}No."));
        }
        let mut heard = received(true);
        heard.calls(vec![call()], &mut Vec::new());
        heard.text("I read `</think>` there.", &mut Vec::new());
        heard.finish(&mut Vec::new());
        assert_eq!((heard.has_calls(), heard.after.as_str()), (true, "I read `</think>` there."));
    }
}
