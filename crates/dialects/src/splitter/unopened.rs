//! Reasoning whose opening mark stood in the prompt: what seemed to be the answer turns out to be none when its closing mark
//! comes.
//!
//! A mark that is only talked about is text: in code, in quotation marks, behind its opening mark, and where a sentence goes
//! on around it. Where a call stands before it, only code and quotation marks make it talk: a call in reasoning must not run.

use super::line::LineState;
use super::{Progress, Splitter, Start};
use crate::dialects::{REASONING_ENDS, mark_here};
use crate::index::INDEX;
use crate::page::{Ahead, Before, ahead, blank};
use crate::{Piece, WasThinking};

/// So many bytes without meaning behind a mark are waited through to see whether an answer follows.
const PATIENCE: usize = 16;

/// Opening marks that may be talked about; the others are tokens.
const OPENERS: [&str; 2] = ["<think>", "<thinking>"];

/// What has to be known of a reply when reasoning ends in it that nothing opened.
#[derive(Debug)]
pub(super) struct Unopened {
    /// What the reasoning would be: the answer so far, calls included.
    pub(super) text: String,
    /// Bytes of the reply that are held no longer.
    pub(super) let_go: usize,
    /// Where the last such reasoning ended in the reply.
    from: usize,
    /// The reply has reasoning already.
    pub(super) reasoned: bool,
    /// The reply tells itself what its first message is.
    pub(super) headed: bool,
    /// Opening marks on lines of their own in what seemed to be the answer, less the closing ones.
    blocks: usize,
    /// A call came behind the first of them.
    pub(super) call_in_block: bool,
    /// Where in `text` the code block begins that is open.
    pub(super) fence: usize,
}

impl Unopened {
    pub(super) fn new(start: Start) -> Self {
        let reasoned = start != Start::Answer;
        Unopened {
            text: String::new(),
            let_go: 0,
            from: 0,
            reasoned,
            headed: false,
            blocks: 0,
            call_in_block: false,
            fence: 0,
        }
    }
}

impl Splitter {
    /// A mark of `len` bytes ends reasoning here that nothing opened, unless it is talk about the mark.
    pub(super) fn think_end(&mut self, len: usize, of_any: bool, over: bool) -> Progress {
        if self.line.opened > 0 {
            self.line.opened -= 1;
            return self.pass(len);
        }
        if self.unopened.blocks > 0 && !self.unopened.call_in_block {
            self.unopened.blocks -= 1;
            return self.pass(len);
        }
        match if of_any { Some(false) } else { self.is_talk(len, over) } {
            None => return Progress::Wait,
            Some(true) => return self.pass(len),
            Some(false) => {}
        }
        // A second mark behind the whole answer is one too many, unless a call stands between an opening mark and it.
        let stray = if self.unopened.reasoned && !self.unopened.call_in_block {
            self.nothing_follows(len, over)
        } else {
            Some(false)
        };
        match stray {
            None => return Progress::Wait,
            Some(true) => self.dropped(len),
            Some(false) => self.was_thinking(len),
        }
        Progress::On
    }

    pub(super) fn was_thinking(&mut self, len: usize) {
        self.dropped(len);
        let unopened = &mut self.unopened;
        let to = unopened.let_go + self.at;
        let text = std::mem::take(&mut unopened.text);
        self.out.push(Piece::WasThinking(WasThinking { text, end: to - unopened.from }));
        (unopened.from, unopened.reasoned) = (to, true);
        (unopened.blocks, unopened.call_in_block) = (0, false);
        self.before = Before::Nothing;
    }

    /// Does a sentence go on around the mark? `None`: not known yet.
    fn is_talk(&self, len: usize, over: bool) -> Option<bool> {
        if self.line.ends_sentence() || self.has_calls() {
            return Some(false);
        }
        let mut next = self.rest()[len..].chars();
        match (next.next(), next.next()) {
            (None, _) | (Some(' '), None) if !over => None,
            (None, _) | (Some(' '), None) => Some(false),
            (Some(' '), Some(c)) => Some(!c.is_whitespace() && !matches!(c, '<' | '[')),
            (Some('*' | '_'), _) => Some(matches!(self.line.last, Some('*' | '_'))),
            (Some(c), _) => Some(".,;:!?)]}|/…".contains(c)),
        }
    }

    /// Has a call come since the answer began, or what cannot be carried out of one?
    pub(super) fn has_calls(&self) -> bool {
        matches!(self.before, Before::Call | Before::CallAndText)
    }

    pub(super) fn note_call(&mut self) {
        self.before = Before::Call;
        self.unopened.call_in_block |= self.unopened.blocks > 0;
        self.line.after_mark();
    }

    /// The reply ended in a code block that nothing closes: where reasoning that nothing opened ends on a line of it, what
    /// stands behind that is read as the answer. True where something is held again.
    pub(super) fn reasoning_ended_in_fence(&mut self) -> bool {
        if self.line.fence.is_none() || self.unopened.reasoned {
            return false;
        }
        let unopened = &mut self.unopened;
        let Some((at, len)) = mark_on_line(&unopened.text[unopened.fence..]) else { return false };
        let mark = unopened.fence + at;
        let rest = unopened.text.split_off(mark + len);
        unopened.text.truncate(mark);
        unopened.let_go -= rest.len();
        self.line = LineState::default();
        self.was_thinking(0);
        self.held = rest;
        true
    }

    /// Does nothing follow but white space and marks without meaning? `None`: not known yet.
    fn nothing_follows(&self, len: usize, over: bool) -> Option<bool> {
        let after = &self.rest()[len..];
        let mut rest = after;
        loop {
            rest = &rest[blank(rest)..];
            match (rest.is_empty(), INDEX.tail(rest)) {
                _ if after.len() - rest.len() > PATIENCE => return Some(false),
                (true, _) => return over.then_some(true),
                (false, Ahead::Yes(tail)) => rest = &rest[tail..],
                (false, Ahead::Maybe) if !over => return None,
                (false, Ahead::Maybe | Ahead::No) => return Some(false),
            }
        }
    }

    /// Keeps in mind an opening mark that is passed on as text.
    pub(super) fn note_opener(&mut self) {
        if !OPENERS.iter().any(|opener| self.rest().starts_with(opener)) {
            return;
        }
        if self.line.fresh {
            self.unopened.blocks += 1;
        } else {
            self.line.opened += 1;
        }
    }

    /// The reply ends in the middle of a call: how much of it stands before a mark on a line of its own that ends reasoning
    /// which nothing opened.
    pub(super) fn before_think_end(&self) -> Option<usize> {
        let mut at = 0;
        for line in self.rest().split_inclusive('\n') {
            let rest = line.trim_start();
            if OPENERS.iter().any(|opener| line.contains(opener)) {
                return None;
            }
            if at > 0 && matches!(ahead(rest, REASONING_ENDS), Ahead::Yes(_)) {
                return Some(at + line.len() - rest.len());
            }
            at += line.len();
        }
        None
    }
}

/// Where a line of a text begins with a mark that ends reasoning, and how long that is, unless an opening mark stands before.
fn mark_on_line(text: &str) -> Option<(usize, usize)> {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let rest = line.trim_start();
        if OPENERS.iter().any(|opener| line.contains(opener)) {
            return None;
        }
        if let Ahead::Yes(len) = mark_here(rest) {
            return Some((at + line.len() - rest.len(), len));
        }
        at += line.len();
    }
    None
}
