//! Takes the reply piece by piece and yields text, reasoning and calls.
//!
//! What has arrived is held only as long as it may still become something else than text. Every decision is made by
//! readings that are prefix-monotone (see `page`), so it does not matter when they are asked; see `wait` for when they are.

mod block;
mod line;
mod scan;
mod thought;
mod unopened;
mod verdict;
mod wait;

use crate::dialects::{REASONING_ENDS, end_of_reasoning};
use crate::page::{Ahead, Before};
use crate::{Fault, Found, Lost, Piece, Tools};
use line::LineState;
use scan::Begun;
use unopened::Unopened;
use verdict::Looked;
use wait::Wait;

/// In what a reply begins.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Start {
    #[default]
    Answer,
    /// In reasoning that the prompt has opened already.
    Reasoning,
    /// In the answer, as reasoning came before it by a way of its own.
    AfterReasoning,
}

/// So many things that the end of the reply leaves undecided are decided one by one, so that time stays linear; what
/// then is still open is as it stands.
const TRIES: usize = 16;

/// A block that only looks like a call is held up to this size.
pub(crate) const MOST_HELD_BY_LOOKS: usize = 256 * 1024;

#[derive(Debug)]
pub struct Splitter {
    tools: Tools,
    /// What has arrived and is not decided.
    held: String,
    /// Bytes of `held` that are decided already.
    at: usize,
    mode: Mode,
    before: Before,
    line: LineState,
    unopened: Unopened,
    /// What has been read of a block that may go on.
    looked: Option<Looked>,
    /// What that block begins with.
    begun: Option<Begun>,
    /// Nothing can be said before this has come.
    wait: Option<Wait>,
    /// What may end that which is waited for.
    ends_by: &'static [&'static str],
    /// So many bytes may be read again.
    credit: usize,
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
enum Progress {
    On,
    Wait,
}

impl Splitter {
    /// For a reply of a model that was offered `tools`. Which model it is need not be known: where two formats begin alike,
    /// what follows the opener tells them apart. Only whether the prompt has opened the reasoning does not show in the text.
    pub fn new(tools: Tools, start: Start) -> Self {
        Splitter {
            tools,
            held: String::new(),
            at: 0,
            mode: match start {
                Start::Answer | Start::AfterReasoning => Mode::Answer,
                Start::Reasoning => Mode::Thinking { ends: REASONING_ENDS },
            },
            before: Before::Nothing,
            line: LineState::default(),
            unopened: Unopened::new(start),
            looked: None,
            begun: None,
            wait: None,
            ends_by: &[],
            credit: wait::ADVANCE,
            holds_a_call: false,
            out: Vec::new(),
        }
    }

    /// The next piece of the reply.
    pub fn push(&mut self, text: &str) -> Vec<Piece> {
        if text.is_empty() {
            return Vec::new();
        }
        self.held.push_str(text);
        if self.is_due(text.len()) {
            self.advance();
        }
        std::mem::take(&mut self.out)
    }

    /// The reply is complete, or broke off: whatever is held back is decided now.
    pub fn finish(&mut self) -> Vec<Piece> {
        self.decide();
        if self.reasoning_ended_in_fence() {
            self.decide();
        }
        std::mem::take(&mut self.out)
    }

    /// Calls came by another way than the text, in which more may follow. For use after `finish`.
    pub fn calls_came(&mut self) {
        self.mode = Mode::Answer;
        self.note_call();
    }

    fn decide(&mut self) {
        self.advance();
        for _ in 0..TRIES {
            if self.held.is_empty() {
                break;
            }
            // Only what cannot be decided otherwise is told that no more comes.
            self.step(true);
            self.advance();
        }
        match self.mode {
            _ if self.held.is_empty() => {}
            Mode::Thinking { .. } => self.thinking(self.held.len()),
            Mode::Answer => self.text(self.held.len()),
            Mode::Invented => self.made_up(self.held.len()),
        }
        self.at = self.held.len();
        self.let_go();
        (self.looked, self.begun, self.wait) = (None, None, None);
    }

    /// Does what comes next belong to reasoning?
    pub fn is_in_reasoning(&self) -> bool {
        matches!(self.mode, Mode::Thinking { .. })
    }

    /// Is something held back that looks like a call?
    pub fn holds_a_call(&self) -> bool {
        self.holds_a_call
    }

    /// The tool of the call that is held back, as soon as its name is there.
    pub fn held_name(&self) -> Option<&str> {
        if self.holds_a_call { first_known(self.rest(), &self.tools) } else { None }
    }

    /// How many bytes have arrived and are not decided.
    pub fn held(&self) -> usize {
        self.held.len() - self.at
    }

    fn advance(&mut self) {
        self.holds_a_call = false;
        self.wait = None;
        while self.at < self.held.len() {
            if self.step(false) == Progress::Wait {
                self.let_go();
                return self.wait();
            }
        }
        self.let_go();
    }

    /// What is decided is held no longer.
    fn let_go(&mut self) {
        self.held.drain(..self.at);
        self.unopened.let_go += self.at;
        self.at = 0;
    }

    fn step(&mut self, over: bool) -> Progress {
        match self.mode {
            Mode::Answer => self.answer(over),
            Mode::Thinking { ends } => self.think(ends, over),
            Mode::Invented => self.invented(over),
        }
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
        self.unopened.text.push_str(text);
        match self.out.last_mut() {
            Some(Piece::Text(last)) => last.push_str(text),
            _ => self.out.push(Piece::Text(text.to_owned())),
        }
        self.at += len;
    }

    fn thinking(&mut self, len: usize) {
        let text = &self.held[self.at..self.at + len];
        self.unopened.reasoned = true;
        match self.out.last_mut() {
            Some(Piece::Thinking(last)) => last.push_str(text),
            _ if text.is_empty() => {}
            _ => self.out.push(Piece::Thinking(text.to_owned())),
        }
        self.at += len;
    }

    /// What is made up goes on, or was reasoning like all before it, where that ends.
    fn invented(&mut self, over: bool) -> Progress {
        let rest = self.rest();
        let (len, end) = if self.unopened.reasoned { (rest.len(), Ahead::No) } else { end_of_reasoning(rest) };
        self.made_up(len);
        match end {
            Ahead::No => {}
            Ahead::Maybe if over => self.made_up(self.held.len() - self.at),
            Ahead::Maybe => return Progress::Wait,
            Ahead::Yes(mark) => {
                let line = self.unopened.text.rsplit('\n').next().unwrap_or_default();
                let next = self.rest()[mark..].chars().next();
                match next {
                    None if !over && !line.trim().is_empty() => return Progress::Wait,
                    Some(next) if !next.is_whitespace() && !line.trim().is_empty() => self.made_up(mark),
                    None | Some(_) => {
                        self.was_thinking(mark);
                        self.mode = Mode::Answer;
                    }
                }
            }
        }
        Progress::On
    }

    /// Passes `len` bytes on as made up.
    fn made_up(&mut self, len: usize) {
        let text = &self.held[self.at..self.at + len];
        self.unopened.text.push_str(text);
        match self.out.last_mut() {
            Some(Piece::Invented(last)) => last.push_str(text),
            _ if text.is_empty() => {}
            _ => self.out.push(Piece::Invented(text.to_owned())),
        }
        self.at += len;
    }

    /// Passes on calls that stand in the next `len` bytes.
    fn found(&mut self, calls: Vec<crate::page::Call>, dialect: &'static str, len: usize) {
        let raw = &self.held[self.at..self.at + len];
        self.unopened.text.push_str(raw);
        for call in calls {
            let (name, arguments, repairs) = (call.name, call.arguments, call.repairs);
            self.out.push(Piece::Call(Found { name, arguments, dialect, raw: raw.to_owned(), repairs }));
        }
        self.note_call();
        self.at += len;
    }

    fn lost(&mut self, why: Fault, name: Option<String>, dialect: &'static str, len: usize) {
        let raw = self.held[self.at..self.at + len].to_owned();
        let name = name.or_else(|| first_known(&raw, &self.tools).map(str::to_owned));
        self.unopened.text.push_str(&raw);
        self.out.push(Piece::Lost(Lost { why, name, dialect, raw }));
        self.note_call();
        self.at += len;
    }

    fn dropped(&mut self, len: usize) {
        self.at += len;
        self.line.after_mark();
    }
}

/// The first word of a text that is the name of a tool.
fn first_known<'a>(raw: &'a str, tools: &Tools) -> Option<&'a str> {
    let mut words = raw.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-'))).take(64);
    words.find(|word| !tools.is_any() && (tools.offers(word) || (word.contains('_') && tools.knows(word))))
}

/// The calls in a text that is known to hold one: what a server quotes in its error.
pub fn salvage(text: &str, tools: &Tools) -> Vec<Found> {
    let mut splitter = Splitter::new(tools.clone(), Start::Answer);
    let mut pieces = splitter.push(text);
    pieces.extend(splitter.finish());
    let mut calls = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Call(found) => calls.push(found),
            Piece::WasThinking(_) => calls.clear(),
            Piece::Text(_) | Piece::Thinking(_) | Piece::Lost(_) | Piece::Invented(_) => {}
        }
    }
    calls
}
