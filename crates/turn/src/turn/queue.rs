//! What the user says while the model works: shown as queued, can be taken back, goes out at the next step.

use agent_protocol::Piped;
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
    /// The user's words.
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

    /// So many messages wait.
    pub(crate) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// The words of all that waits.
    pub(crate) fn text(&self) -> String {
        self.waiting.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>().join("\n\n")
    }

    /// What waits, where that is not what was told last.
    pub(crate) fn news(&mut self) -> Option<Vec<String>> {
        let texts: Vec<String> = self.waiting.iter().map(|(text, _)| text.clone()).collect();
        let news = texts != self.shown;
        self.shown.clone_from(&texts);
        news.then_some(texts)
    }

    /// All that waits as one message.
    pub(crate) fn take_all(&mut self) -> Option<Waiting> {
        self.take(self.waiting.len())
    }

    /// The first so many messages as one.
    pub(crate) fn take(&mut self, messages: usize) -> Option<Waiting> {
        let first = self.waiting.drain(..messages.min(self.waiting.len()));
        let (texts, inputs): (Vec<String>, Vec<Option<Piped>>) = first.unzip();
        (!texts.is_empty())
            .then(|| Waiting { text: texts.join("\n\n"), inputs: inputs.into_iter().flatten().collect() })
    }
}
