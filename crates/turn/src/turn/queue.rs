//! What the person says while the model works: shown as queued, can be taken back, goes out at the next step.

use crate::machine::Machine;
use agent_protocol::{Event, Piped};
use std::collections::VecDeque;

/// Messages that wait, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    waiting: VecDeque<(String, Option<Piped>)>,
    /// What the faces were told last.
    shown: Vec<String>,
}

/// All that waited, as one message.
#[derive(Debug)]
pub(crate) struct Waiting {
    /// The person's words.
    pub(crate) text: String,
    /// What came along with them.
    pub(crate) inputs: Vec<Piped>,
}

impl Queue {
    pub(crate) fn push(&mut self, text: String, input: Option<Piped>) {
        self.waiting.push_back((text, input));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// All that waits as one message.
    pub(crate) fn take_all(&mut self) -> Option<Waiting> {
        let (texts, inputs): (Vec<String>, Vec<Option<Piped>>) = self.waiting.drain(..).unzip();
        (!texts.is_empty())
            .then(|| Waiting { text: texts.join("\n\n"), inputs: inputs.into_iter().flatten().collect() })
    }
}

impl Machine {
    /// Tells the faces what waits, where that changed.
    pub(crate) fn show_queue(&mut self) {
        let texts: Vec<String> = self.queue.waiting.iter().map(|(text, _)| text.clone()).collect();
        if texts != self.queue.shown {
            self.queue.shown.clone_from(&texts);
            self.out.emit(Event::Queued { texts });
        }
    }

    pub(crate) fn unqueue(&mut self) {
        let text = self.queue.take_all().map(|waiting| waiting.text).unwrap_or_default();
        self.show_queue();
        self.out.emit(Event::Unqueued { text });
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
        if let Some(waiting) = self.queue.take_all() {
            self.show_queue();
            let text = self.with_inputs(&waiting);
            self.take_saying(&text);
            self.out.emit(Event::Steered { text });
        }
    }
}
