//! Reasoning: passed on as it comes. A call in it counts only if the reasoning is never closed and nothing follows the call.

use super::scan::{Candidate, Wanted, find};
use super::verdict::BlockPart;
use super::{Mode, Progress, Splitter};
use crate::index::INDEX;
use crate::page::{Ahead, Page, Reading, ahead, blank};
use crate::table::{Dialect, Proof};

enum Thought {
    Wait,
    /// Part of the reasoning, for so many bytes.
    Thinking(usize),
    Calls(Vec<BlockPart>),
}

impl Splitter {
    pub(super) fn think(&mut self, ends: &'static [&'static str], over: bool) -> Progress {
        let rest = self.rest();
        match ahead(rest, ends) {
            Ahead::Yes(len) => {
                // The header of the next message ends reasoning and is read by itself.
                let header = rest.starts_with("<|start|>");
                self.dropped(if header { 0 } else { len });
                self.mode = Mode::Answer;
                return Progress::On;
            }
            Ahead::Maybe if !over => return Progress::Wait,
            Ahead::Maybe | Ahead::No => {}
        }
        match plain_run(rest, ends) {
            0 => self.call_in_thought(ends, over),
            plain => self.thought(plain),
        }
    }

    fn thought(&mut self, len: usize) -> Progress {
        self.line.note_end(&self.held[self.at..self.at + len]);
        self.thinking(len);
        Progress::On
    }

    fn call_in_thought(&mut self, ends: &'static [&'static str], over: bool) -> Progress {
        let char_len = self.rest().chars().next().map_or(0, char::len_utf8);
        if !INDEX.may_begin(self.rest()) || self.line.in_quotes() || self.line.last == Some('`') {
            return self.thought(char_len);
        }
        match self.read_thought(ends, over) {
            Thought::Wait => {
                self.holds_a_call = true;
                Progress::Wait
            }
            Thought::Thinking(len) => self.thought(len.max(char_len)),
            Thought::Calls(parts) => {
                for part in parts {
                    self.at += part.skip;
                    self.found(part.calls, part.dialect, part.len);
                }
                self.mode = Mode::Answer;
                Progress::On
            }
        }
    }

    /// Reads calls from here to the end of the text, if that is what there is.
    fn read_thought(&self, ends: &'static [&'static str], over: bool) -> Thought {
        let page = self.page(over);
        let (mut at, mut done, mut parts) = (0, 0, Vec::new());
        loop {
            let next = at + blank(&page.text[at..]);
            let rest = &page.text[next..];
            if rest.is_empty() && at == 0 && over {
                return Thought::Thinking(page.text.len());
            }
            if rest.is_empty() {
                return if over { Thought::Calls(parts) } else { Thought::Wait };
            }
            if !parts.is_empty() {
                match (ahead(rest, ends), INDEX.tail(rest)) {
                    (Ahead::Yes(_), _) => return Thought::Thinking(done),
                    (Ahead::Maybe, _) | (_, Ahead::Maybe) if !over => return Thought::Wait,
                    (_, Ahead::Yes(len)) => {
                        at = next + len;
                        continue;
                    }
                    (Ahead::Maybe | Ahead::No, Ahead::Maybe | Ahead::No) => {}
                }
            }
            match find(Page { text: rest, ..page }, Wanted::Anywhere) {
                Candidate::Wait => return Thought::Wait,
                Candidate::Found(dialect, Reading::Calls { calls, len }) if counts(dialect) => {
                    parts.push(BlockPart { skip: next - done, calls, dialect: dialect.name, len });
                    (at, done) = (next + len, next + len);
                }
                Candidate::Found(_, Reading::Drop { len }) => at = next + len,
                Candidate::Found(dialect, Reading::Open) if !over && counts(dialect) => return Thought::Wait,
                Candidate::Found(_, Reading::Open) if !parts.is_empty() => return Thought::Calls(parts),
                Candidate::Found(..) | Candidate::None => return Thought::Thinking(done),
            }
        }
    }
}

/// Bytes that neither end reasoning nor begin a call.
fn plain_run(rest: &str, ends: &[&str]) -> usize {
    let mut at = 0;
    while let Some(next) = rest.as_bytes()[at..].iter().position(|byte| INDEX.stops[usize::from(*byte)]) {
        at += next;
        if matches!(rest.as_bytes()[at], b'<' | b'[') && ahead(&rest[at..], ends) != Ahead::No {
            return at;
        }
        if INDEX.may_begin(&rest[at..]) {
            return at;
        }
        at += 1;
    }
    rest.len()
}

fn counts(dialect: &Dialect) -> bool {
    dialect.proof == Proof::Mark
}
