//! A block while it is written: where it ends.

use super::fence::Fence;
use super::hunks;

/// What a model writes between two fences, or between the marks of a replacement.
#[derive(Debug)]
pub(super) struct Block {
    /// `None`: a replacement that stands by itself.
    pub(super) fence: Option<Fence>,
    /// All of it as it was written, with the name above.
    pub(super) raw: String,
    /// The lines inside, without their ends.
    pub(super) lines: Vec<String>,
    /// It ended without its closing mark.
    pub(super) is_unclosed: bool,
    /// Fences may stand inside.
    pub(super) holds_fences: bool,
    /// Fences open inside.
    depth: usize,
    /// A bare fence came, of which the next line decides what it was.
    undecided: bool,
    /// Where the first such fence stands that was taken for an inner one: bytes of `raw`, and lines.
    doubt: Option<(usize, usize)>,
}

/// What a line was to a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Taken {
    Inside,
    /// Its last one.
    Last,
    /// No part of it: it was over before.
    After,
}

impl Block {
    pub(super) fn new(fence: Option<Fence>, raw: String, holds_fences: bool) -> Self {
        Block {
            fence,
            raw,
            lines: Vec::new(),
            is_unclosed: false,
            holds_fences,
            depth: 0,
            undecided: false,
            doubt: None,
        }
    }

    /// Does a line open the fence once more, before anything stands in it?
    fn is_doubled(&self, line: &str) -> bool {
        let is_empty = self.lines.iter().all(|line| line.trim().is_empty());
        is_empty && self.fence.as_ref().is_some_and(|fence| fence.info.is_empty() && fence.is_followed_by(line))
    }

    /// The next line, with its end.
    pub(super) fn take(&mut self, line: &str) -> Taken {
        if self.is_doubled(line) {
            self.fence = Fence::opened_by(line);
            self.raw.push_str(line);
            self.lines.clear();
            return Taken::Inside;
        }
        let taken = match &self.fence {
            None if hunks::is_end(line) => Taken::Last,
            None => Taken::Inside,
            Some(_) if self.holds_fences => self.markdown_line(line),
            Some(fence) if fence.is_closed_by(line) => Taken::Last,
            Some(fence) if fence.glued(line).is_some() => {
                let code = fence.glued(line).map(|code| fence.dedented(code).to_owned());
                self.lines.extend(code);
                Taken::Last
            }
            Some(fence) if fence.is_followed_by(line) && !self.lines.is_empty() => Taken::After,
            Some(_) => Taken::Inside,
        };
        match taken {
            Taken::Inside => self.keep(line),
            Taken::Last => self.raw.push_str(line),
            Taken::After if self.undecided => self.drop_closing(),
            Taken::After => self.is_unclosed = true,
        }
        taken
    }

    fn keep(&mut self, line: &str) {
        self.raw.push_str(line);
        let line = line.trim_end_matches(['\n', '\r']);
        let line = self.fence.as_ref().map_or(line, |fence| fence.dedented(line));
        self.lines.push(line.to_owned());
    }

    /// In prose with markup a bare fence may open, too: what follows it decides.
    fn markdown_line(&mut self, line: &str) -> Taken {
        if self.undecided {
            let opens = Fence::opened_by(line).is_some();
            if line.trim().is_empty() || opens {
                return Taken::After;
            }
            self.undecided = false;
            self.depth += 1;
            let at = (self.raw.len(), self.lines.len());
            self.doubt.get_or_insert(at);
            return Taken::Inside;
        }
        let Some(fence) = &self.fence else { return Taken::Inside };
        if fence.is_closed_by(line) {
            if self.depth > 0 {
                self.depth -= 1;
                return Taken::Inside;
            }
            self.undecided = true;
            return Taken::Inside;
        }
        if Fence::opened_by(line).is_some_and(|inner| !inner.info.is_empty()) {
            self.depth += 1;
        }
        Taken::Inside
    }

    /// No more comes. What was taken for part of it and was none is given back.
    pub(super) fn end(&mut self) -> String {
        if self.undecided {
            self.drop_closing();
            return String::new();
        }
        self.is_unclosed = true;
        let Some((raw, lines)) = self.doubt.filter(|_| self.depth > 0) else { return String::new() };
        let rest = self.raw.split_off(raw);
        self.lines.truncate(lines);
        self.drop_closing();
        self.is_unclosed = false;
        rest
    }

    /// It was over with the bare fence that was kept last.
    fn drop_closing(&mut self) {
        self.lines.pop();
        self.undecided = false;
    }
}
