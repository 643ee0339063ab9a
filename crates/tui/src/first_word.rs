//! The first word of a reply is drawn at once: whoever sent a message waits for nothing else. What answers them is heard at once.

use agent_protocol::{CallEvent, Event, Phase, TurnEvent};

/// Whether a reply is awaited of which nothing has arrived yet, or an answer to something else.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct FirstWord {
    awaited: bool,
    /// The house was asked for something, and has said nothing since.
    asked: bool,
}

impl FirstWord {
    /// The house is asked for something.
    pub(crate) fn asked(&mut self) {
        self.asked = true;
    }

    /// Is one awaited, or an answer? Then the house is listened to without a pause.
    pub(crate) fn is_awaited(self) -> bool {
        self.awaited || self.asked
    }

    /// Takes note of `event`. True if it is the first word of a reply, or a call in its place.
    pub(crate) fn is_in(&mut self, event: &Event) -> bool {
        self.asked = false;
        match event {
            // What is heard of the turn's begin may come alone: what follows it must not wait for a frame.
            Event::Turn(TurnEvent::Started { .. } | TurnEvent::Waiting { phase: Phase::Sending }) => {
                self.awaited = true;
                false
            }
            Event::Turn(TurnEvent::Text { .. } | TurnEvent::Thinking { .. })
            | Event::Call(CallEvent::Proposed { .. }) => std::mem::take(&mut self.awaited),
            Event::Turn(TurnEvent::Replied { .. } | TurnEvent::Ended { .. }) => {
                self.awaited = false;
                false
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_protocol::TurnId;

    #[test]
    fn only_the_first_word_of_each_reply_is_one() {
        let waiting = || Event::Turn(TurnEvent::Waiting { phase: Phase::Sending });
        let text = || Event::Turn(TurnEvent::Text { text: "a".into() });
        let reading = Event::Turn(TurnEvent::Waiting { phase: Phase::Writing });
        let mut first = FirstWord::default();
        let heard = [text(), waiting(), reading, text(), text(), waiting(), text()].map(|event| first.is_in(&event));
        assert_eq!(heard, [false, false, false, true, false, false, true]);
        assert!(!first.is_awaited() && !first.is_in(&waiting()) && first.is_awaited());
    }

    #[test]
    fn an_answer_is_awaited_until_anything_is_said() {
        let mut first = FirstWord::default();
        first.asked();
        assert!(first.is_awaited());
        assert!(!first.is_in(&Event::Turn(TurnEvent::Text { text: "a".into() })) && !first.is_awaited());
    }

    #[test]
    fn it_is_awaited_from_the_begin_of_a_turn_on() {
        let mut first = FirstWord::default();
        let begun = Event::Turn(TurnEvent::Started { turn: TurnId(1), text: "go".into() });
        assert!(!first.is_in(&begun) && first.is_awaited());
        assert!(first.is_in(&Event::Turn(TurnEvent::Text { text: "a".into() })) && !first.is_awaited());
    }
}
