//! What the user says while the model works: shown as queued, can be taken back, goes out at the next step.

use agent_protocol::{Image, Message, PartOrigin, Piece, Piped, Role};
use std::collections::VecDeque;

/// What stands between two messages that go out as one.
const BETWEEN: &str = "\n\n";

#[derive(Debug, Clone, Default)]
pub(crate) struct QueuedMessage {
    /// The user's words, and commands whose output will stand among them.
    pub(crate) pieces: Vec<Piece>,
    /// What came along with them.
    pub(crate) input: Option<Piped>,
    /// Pictures that came along with them.
    pub(crate) images: Vec<Image>,
}

impl QueuedMessage {
    pub(crate) fn from_text(text: String) -> Self {
        QueuedMessage { pieces: vec![Piece::Words(text)], ..QueuedMessage::default() }
    }

    pub(crate) fn text(&self) -> String {
        Piece::all_written(&self.pieces)
    }
}

/// Messages that wait, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    waiting: VecDeque<QueuedMessage>,
    /// What the faces were told last.
    shown: Vec<String>,
}

/// All that waited, as one message.
#[derive(Debug)]
pub(crate) struct Waiting {
    /// The user's words as they are shown.
    pub(crate) text: String,
    /// The same in pieces.
    pub(crate) pieces: Vec<Piece>,
    /// What came along with them.
    pub(crate) inputs: Vec<Piped>,
    pub(crate) images: Vec<Image>,
}

impl Waiting {
    /// What the user wrote, without the commands among it.
    pub(crate) fn user_text(&self) -> String {
        let words = self.pieces.iter().map(|piece| match piece {
            Piece::Words(words) => words.as_str(),
            Piece::Output(_) => " ",
        });
        words.collect()
    }

    pub(crate) fn commands(&self) -> Vec<String> {
        let commands = self.pieces.iter().filter_map(|piece| match piece {
            Piece::Words(_) => None,
            Piece::Output(command) => Some(command.clone()),
        });
        commands.collect()
    }

    /// The message that the model is sent, with `rest` behind the words. A command is no words of the user's: so the place of
    /// its output can be told from words that look like one.
    pub(crate) fn message(&self, rest: &str) -> Message {
        let mut message = Message::text(Role::User, "");
        for piece in &self.pieces {
            let origin = match piece {
                Piece::Words(_) => PartOrigin::Person,
                Piece::Output(_) => PartOrigin::Program,
            };
            message.push(origin, &piece.written());
        }
        if !rest.is_empty() {
            message.truncate(message.content.trim_end().len());
            message.push(PartOrigin::Person, rest);
        }
        message
    }
}

impl Queue {
    pub(crate) fn push(&mut self, saying: QueuedMessage) {
        self.waiting.push_back(saying);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.waiting.len()
    }

    /// The words of all that waits.
    pub(crate) fn text(&self) -> String {
        self.texts().join(BETWEEN)
    }

    fn texts(&self) -> Vec<String> {
        self.waiting.iter().map(QueuedMessage::text).collect()
    }

    /// What waits, where that is not what was told last.
    pub(crate) fn news(&mut self) -> Option<Vec<String>> {
        let texts = self.texts();
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
        let first: Vec<QueuedMessage> = self.waiting.drain(..messages.min(self.waiting.len())).collect();
        if first.is_empty() {
            return None;
        }
        let text = first.iter().map(QueuedMessage::text).collect::<Vec<_>>().join(BETWEEN);
        let (mut pieces, mut inputs, mut images) = (Vec::new(), Vec::new(), Vec::new());
        for saying in first {
            if !pieces.is_empty() {
                pieces.push(Piece::Words(BETWEEN.to_owned()));
            }
            pieces.extend(saying.pieces);
            inputs.extend(saying.input);
            images.extend(saying.images);
        }
        Some(Waiting { text, pieces, inputs, images })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_that_wait_go_out_as_one_with_their_commands_apart_from_their_words() {
        let mut queue = Queue::default();
        queue.push(QueuedMessage::from_text("look at !`ls`".into()));
        let pieces = vec![Piece::Words("and ".into()), Piece::Output("git status".into())];
        queue.push(QueuedMessage { pieces, ..QueuedMessage::default() });
        let waiting = queue.take_all().unwrap();
        assert_eq!(waiting.text, "look at !`ls`\n\nand !`git status`");
        assert_eq!(
            (waiting.user_text().as_str(), waiting.commands()),
            ("look at !`ls`\n\nand  ", vec!["git status".into()])
        );
        let message = waiting.message("\n\nmore");
        assert_eq!(message.content, format!("{}\n\nmore", waiting.text));
        let programs = message.parts().into_iter().filter(|part| part.origin == PartOrigin::Program);
        assert_eq!(programs.map(|part| part.text).collect::<Vec<_>>(), ["!`git status`"]);
        assert!(queue.take_all().is_none());
    }
}
