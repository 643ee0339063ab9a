//! What a reply has said so far: counted as it is written, and as the model will find it in the next prompt.

use crate::Script;
use crate::counting::{Counts, Tally};
use crate::prompt::PromptPart;
use crate::request::{Heard, HeardCall};
use serde_json::Value;

/// A reply that is being written.
#[derive(Debug)]
pub(crate) struct Said {
    counts: Counts,
    reply: Heard,
    text: Tally,
    thinking: Tally,
}

impl Said {
    /// Nothing yet.
    pub(crate) fn by(counts: Counts) -> Self {
        Said { counts, reply: Heard::reply(), text: Tally::by(counts), thinking: Tally::by(counts) }
    }

    /// Tokens that this piece of text takes behind what was said.
    pub(crate) fn tokens_of_text(&mut self, piece: &str) -> u64 {
        grown(&mut self.text, self.counts, piece)
    }

    /// Tokens that this piece of thinking takes behind what was thought.
    pub(crate) fn tokens_of_thinking(&mut self, piece: &str) -> u64 {
        grown(&mut self.thinking, self.counts, piece)
    }

    /// Tokens that this call takes.
    pub(crate) fn tokens_of_call(&self, name: &str, arguments: &Value) -> u64 {
        self.counts.call(name, arguments)
    }

    pub(crate) fn text(&mut self, piece: &str) {
        self.reply.content.push_str(piece);
    }

    pub(crate) fn thinking(&mut self, piece: &str) {
        self.reply.thinking.push_str(piece);
    }

    pub(crate) fn call(&mut self, name: &str, arguments: &Value) {
        self.reply.calls.push(HeardCall::written(name, arguments));
    }

    /// The reply as a part of the next prompt.
    pub(crate) fn part(&self, script: &Script) -> PromptPart {
        PromptPart::of(&self.reply, true, script)
    }
}

fn grown(tally: &mut Tally, counts: Counts, piece: &str) -> u64 {
    if counts == Counts::Quarter {
        return 1;
    }
    let before = tally.tokens();
    tally.read(piece);
    tally.tokens() - before
}
