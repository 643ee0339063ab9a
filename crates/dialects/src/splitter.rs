//! Takes the reply piece by piece and yields text, reasoning and calls.
//!
//! What has arrived is held only as long as it may still become something else than text. Every decision is made by
//! readings that are prefix-monotone (see `page`), so it does not matter when they are asked; how often they are asked is
//! paid for by the bytes that arrive, so that no input takes more than linear time.

mod block;
mod line;
mod scan;
mod thought;

use crate::page::Before;
use crate::{Fault, Found, Lost, Piece, Tools};
use line::Line;

/// In what a reply begins.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Start {
    /// In the answer.
    #[default]
    Answer,
    /// In reasoning that the prompt has opened already.
    Reasoning,
}

/// Ends of reasoning whose beginning was not seen.
const ANY_END: &[&str] = &[
    "</think>",
    "</thinking>",
    "[/THINK]",
    "</seed:think>",
    "</mm:think>",
    "</longcat_think>",
    "<|END_THINKING|>",
    "<channel|>",
    "<|inner_suffix|>",
    "<|plamo:end_think:plamo|>",
    "<|close|>think<|sep|>",
    "<|end|>",
    "</ifm|think>",
    "</ifm|think_fast>",
];

/// A byte that arrives pays for so many bytes read again.
const PAY: usize = 8;

/// Paid in advance: blocks up to some hundred bytes are read again at every chance.
const ADVANCE: usize = 1 << 16;

/// A block that only looks like a call is held up to this size.
pub(crate) const MOST_HELD_BY_LOOKS: usize = 256 * 1024;

/// Reads one reply.
#[derive(Debug)]
pub struct Splitter {
    tools: Tools,
    /// What has arrived and is not decided.
    held: String,
    /// Bytes of `held` that are decided already.
    at: usize,
    mode: Mode,
    before: Before,
    line: Line,
    credit: usize,
    /// The last push brought something that may end what is held.
    hopeful: bool,
    holds_a_call: bool,
    out: Vec<Piece>,
}

/// What the text at hand is part of.
#[derive(Debug, Clone, Copy)]
enum Mode {
    Answer,
    Thinking {
        ends: &'static [&'static str],
    },
    /// Made up: kept only to be shown as such.
    Invented,
}

/// Whether there is more to do with what has arrived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    On,
    Wait,
}

impl Splitter {
    /// For a reply of a model that was offered `tools`. `family` (the server's word, like `qwen3`) only breaks ties.
    pub fn new(tools: Tools, start: Start, family: Option<&str>) -> Self {
        // No two formats of the catalogue are told apart by the family alone: what follows the opener tells.
        let _ = family;
        Splitter {
            tools,
            held: String::new(),
            at: 0,
            mode: match start {
                Start::Answer => Mode::Answer,
                Start::Reasoning => Mode::Thinking { ends: ANY_END },
            },
            before: Before::Nothing,
            line: Line::default(),
            credit: ADVANCE,
            hopeful: true,
            holds_a_call: false,
            out: Vec::new(),
        }
    }

    /// The next piece of the reply.
    pub fn push(&mut self, text: &str) -> Vec<Piece> {
        if text.is_empty() {
            return Vec::new();
        }
        let closing = |byte: &u8| matches!(byte, b'>' | b'}' | b']' | b')' | b'\n' | b'`');
        self.hopeful = self.held.len() < 256 || text.as_bytes().iter().any(closing);
        self.credit = self.credit.saturating_add(text.len() * PAY);
        self.held.push_str(text);
        self.advance(false);
        std::mem::take(&mut self.out)
    }

    /// The reply is complete, or broke off: whatever is held back is decided now.
    pub fn finish(&mut self) -> Vec<Piece> {
        self.advance(true);
        std::mem::take(&mut self.out)
    }

    /// Is something held back that looks like a call?
    pub fn holds_a_call(&self) -> bool {
        self.holds_a_call
    }

    fn advance(&mut self, over: bool) {
        self.holds_a_call = false;
        while self.at < self.held.len() {
            let step = match self.mode {
                Mode::Answer => self.answer(over),
                Mode::Thinking { ends } => self.think(ends, over),
                Mode::Invented => self.invented(),
            };
            if step == Step::Wait {
                break;
            }
        }
        self.held.drain(..self.at);
        self.at = 0;
    }

    /// May what is held be read once more? Reading costs its length.
    fn afford(&mut self, over: bool) -> bool {
        let cost = self.held.len() - self.at;
        if over {
            return true;
        }
        if !self.hopeful || self.credit < cost {
            return false;
        }
        self.credit -= cost;
        true
    }

    fn rest(&self) -> &str {
        &self.held[self.at..]
    }

    /// Passes `len` bytes on as text.
    fn text(&mut self, len: usize) {
        let text = &self.held[self.at..self.at + len];
        if !text.trim().is_empty() {
            self.before = match self.before {
                Before::Nothing | Before::Text => Before::Text,
                Before::Call | Before::CallAndText => Before::CallAndText,
            };
        }
        match self.out.last_mut() {
            Some(Piece::Text(last)) => last.push_str(text),
            _ => self.out.push(Piece::Text(text.to_owned())),
        }
        self.at += len;
    }

    fn thinking(&mut self, len: usize) {
        let text = &self.held[self.at..self.at + len];
        match self.out.last_mut() {
            Some(Piece::Thinking(last)) => last.push_str(text),
            _ if text.is_empty() => {}
            _ => self.out.push(Piece::Thinking(text.to_owned())),
        }
        self.at += len;
    }

    fn invented(&mut self) -> Step {
        let text = &self.held[self.at..];
        match self.out.last_mut() {
            Some(Piece::Invented(last)) => last.push_str(text),
            _ => self.out.push(Piece::Invented(text.to_owned())),
        }
        self.at = self.held.len();
        Step::On
    }

    /// Passes on calls that stand in the next `len` bytes.
    fn found(&mut self, calls: Vec<crate::page::Call>, dialect: &'static str, len: usize) {
        let raw = &self.held[self.at..self.at + len];
        for call in calls {
            let (name, arguments, repairs) = (call.name, call.arguments, call.repairs);
            self.out.push(Piece::Call(Found { name, arguments, dialect, raw: raw.to_owned(), repairs }));
        }
        self.before = Before::Call;
        self.line.after_mark();
        self.at += len;
    }

    fn lost(&mut self, why: Fault, name: Option<String>, dialect: &'static str, len: usize) {
        let raw = self.held[self.at..self.at + len].to_owned();
        let name = name.or_else(|| first_known(&raw, &self.tools));
        self.out.push(Piece::Lost(Lost { why, name, dialect, raw }));
        self.before = Before::Call;
        self.line.after_mark();
        self.at += len;
    }

    fn dropped(&mut self, len: usize) {
        self.at += len;
        self.line.after_mark();
    }
}

/// The first word of a text that is the name of a tool.
fn first_known(raw: &str, tools: &Tools) -> Option<String> {
    let mut words = raw.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-'))).take(64);
    words.find(|word| !tools.is_any() && tools.offers(word)).map(str::to_owned)
}

/// The calls in a text that is known to hold one: what a server quotes in its error.
pub fn salvage(text: &str, tools: &Tools) -> Vec<Found> {
    let mut splitter = Splitter::new(tools.clone(), Start::Answer, None);
    let mut pieces = splitter.push(text);
    pieces.extend(splitter.finish());
    let calls = pieces.into_iter().filter_map(|piece| match piece {
        Piece::Call(found) => Some(found),
        Piece::Text(_) | Piece::Thinking(_) | Piece::Lost(_) | Piece::Invented(_) => None,
    });
    calls.collect()
}
