//! Blocks that only look like calls: bare JSON, `read_file{…}`, and whatever stands in a code fence.
//!
//! They are calls if they are the last thing of the answer. So they are held until something else follows, or nothing.

use super::scan::{Candidate, Wanted, find};
use super::verdict::{BlockPart, BlockVerdict, Looked};
use super::{MOST_HELD_BY_LOOKS, Splitter};
use crate::index::INDEX;
use crate::page::{Ahead, Before, Page, Reading, blank};

/// How a block goes on.
enum Next {
    Go,
    Is(BlockVerdict),
}

struct Block<'a> {
    page: Page<'a>,
    looked: Looked,
}

impl Splitter {
    /// Reads the block that begins here, on from what has been read of it. Decided by its first bytes up to the limit,
    /// however much has arrived.
    pub(super) fn block(&mut self, over: bool) -> BlockVerdict {
        let looked = self.looked.take().unwrap_or_default();
        let page = self.page(over);
        let limit = page.text.floor_char_boundary(MOST_HELD_BY_LOOKS);
        let cut = limit < page.text.len();
        let page = Page { text: &page.text[..limit], over: over && !cut, ..page };
        let mut block = Block { page, looked };
        loop {
            match block.next() {
                Next::Go => {}
                Next::Is(BlockVerdict::Wait) if cut && block.looked.outside == 0 => {
                    return BlockVerdict::TooLong(limit);
                }
                Next::Is(BlockVerdict::Wait) if cut => return BlockVerdict::Text(block.looked.outside),
                Next::Is(BlockVerdict::Wait) => {
                    self.looked = Some(block.looked);
                    return BlockVerdict::Wait;
                }
                Next::Is(verdict) => return verdict,
            }
        }
    }
}

impl Block<'_> {
    fn next(&mut self) -> Next {
        let at = self.looked.at + blank(&self.page.text[self.looked.at..]);
        let rest = &self.page.text[at..];
        let Some(first) = rest.chars().next() else { return self.ran_out() };
        if let Some(next) = self.fence_mark(at, first) {
            return next;
        }
        if !self.looked.parts.is_empty() {
            if matches!(first, ',' | ';') {
                self.looked.at = at + 1;
                return Next::Go;
            }
            match INDEX.tail(rest) {
                Ahead::Yes(len) => return self.skip(at + len),
                Ahead::Maybe if !self.page.over => return Next::Is(BlockVerdict::Wait),
                Ahead::Maybe | Ahead::No => {}
            }
        }
        self.reading(at)
    }

    fn reading(&mut self, at: usize) -> Next {
        let before = if self.looked.parts.is_empty() { self.page.before } else { Before::Call };
        let page = Page { text: &self.page.text[at..], before, ..self.page };
        match find(page, Wanted::LineStart) {
            Candidate::Wait => Next::Is(BlockVerdict::Wait),
            Candidate::Found(dialect, Reading::Calls { calls, len }) => {
                self.looked.parts.push(BlockPart { skip: at - self.looked.done, calls, dialect: dialect.name, len });
                self.looked.done = at + len;
                self.skip(self.looked.done)
            }
            Candidate::Found(_, Reading::Drop { len }) if !self.looked.parts.is_empty() => self.skip(at + len),
            Candidate::Found(_, Reading::Open) if !self.page.over => Next::Is(BlockVerdict::Wait),
            Candidate::Found(_, Reading::Open | Reading::Invented) if !self.looked.parts.is_empty() => self.calls(),
            Candidate::Found(..) | Candidate::None if self.may_go_on(at) => Next::Is(BlockVerdict::BrokeOff),
            Candidate::Found(..) | Candidate::None => Next::Is(BlockVerdict::Text(self.looked.outside)),
        }
    }

    /// The reply is over: would more of it have made a call of what stands here?
    fn may_go_on(&self, at: usize) -> bool {
        let page = Page { text: &self.page.text[at..], over: false, ..self.page };
        self.page.over && matches!(find(page, Wanted::LineStart), Candidate::Found(_, Reading::Open))
    }

    fn skip(&mut self, to: usize) -> Next {
        self.looked.at = to;
        if self.looked.fence.is_none() {
            self.looked.outside = to;
        }
        Next::Go
    }

    fn calls(&mut self) -> Next {
        Next::Is(BlockVerdict::Calls(
            std::mem::take(&mut self.looked.parts),
            self.looked.at.saturating_sub(self.looked.done),
        ))
    }

    fn ran_out(&mut self) -> Next {
        match (self.page.over, self.looked.parts.is_empty()) {
            (false, _) => Next::Is(BlockVerdict::Wait),
            (true, true) => Next::Is(BlockVerdict::Text(self.looked.outside)),
            (true, false) => self.calls(),
        }
    }

    /// A line of backticks or tildes opens a fence or closes it.
    fn fence_mark(&mut self, at: usize, first: char) -> Option<Next> {
        if !matches!(first, '`' | '~') {
            return None;
        }
        let rest = &self.page.text[at..];
        let run = rest.len() - rest.trim_start_matches(first).len();
        if run == rest.len() && !self.page.over {
            return Some(Next::Is(BlockVerdict::Wait));
        }
        match self.looked.fence {
            Some((mark, len)) if mark == first && run >= len => {
                self.looked.fence = None;
                return Some(self.skip(at + run));
            }
            Some(_) => return None,
            None if run < 3 => return None,
            // A fence that is closed at the end and was never opened.
            None if !self.looked.parts.is_empty() && rest[run..].trim().is_empty() => {
                return Some(if self.page.over { self.skip(at + rest.len()) } else { Next::Is(BlockVerdict::Wait) });
            }
            None => {}
        }
        let Some(line) = rest.find('\n') else {
            return Some(Next::Is(if self.page.over {
                BlockVerdict::Text(self.looked.outside)
            } else {
                BlockVerdict::Wait
            }));
        };
        // A fence that is itself the mark of a dialect is read by that dialect.
        let before = if self.looked.parts.is_empty() { self.page.before } else { Before::Call };
        if !matches!(find(Page { text: rest, before, ..self.page }, Wanted::LineStart), Candidate::None) {
            return None;
        }
        self.looked.fence = Some((first, run));
        self.looked.at = at + line + 1;
        Some(Next::Go)
    }
}
