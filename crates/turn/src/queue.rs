//! What the person says while the model works: shown as queued, can be taken back, goes out at the next step.

use crate::machine::Machine;
use agent_protocol::Event;
use std::collections::VecDeque;

/// Messages that wait, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    texts: VecDeque<String>,
    /// What the faces were told last.
    shown: Vec<String>,
}

impl Queue {
    pub(crate) fn push(&mut self, text: String) {
        self.texts.push_back(text);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.texts.is_empty()
    }

    /// All that waits as one message.
    pub(crate) fn take_all(&mut self) -> Option<String> {
        let texts: Vec<String> = self.texts.drain(..).collect();
        (!texts.is_empty()).then(|| texts.join("\n\n"))
    }
}

impl Machine {
    /// Tells the faces what waits, where that changed.
    pub(crate) fn show_queue(&mut self) {
        let texts: Vec<String> = self.queue.texts.iter().cloned().collect();
        if texts != self.queue.shown {
            self.queue.shown.clone_from(&texts);
            self.emit(Event::Queued { texts });
        }
    }

    pub(crate) fn unqueue(&mut self) {
        let text = self.queue.take_all().unwrap_or_default();
        self.show_queue();
        self.emit(Event::Unqueued { text });
    }

    pub(crate) fn unqueue_if_any(&mut self) {
        if !self.queue.is_empty() {
            self.unqueue();
        }
    }

    /// Adds what is queued to the running turn.
    pub(crate) fn steer(&mut self) {
        if self.is_delegating() {
            // The person speaks to the one they know.
            return;
        }
        if let Some(text) = self.queue.take_all() {
            self.show_queue();
            self.take_saying(&text);
            self.emit(Event::Steered { text });
        }
    }
}
