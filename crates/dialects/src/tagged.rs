//! JSON between marks: `<tool_call>{…}</tool_call>` and all that is built like it.

use crate::Repair;
use crate::args::{Valued, closer, must_close, value};
use crate::page::{Ahead, Call, Page, Reading, ahead, blank, note};
use crate::shapes::{Faith, calls};

/// So many bytes of text after a complete call are waited through for the closing mark.
const PATIENCE: usize = 2048;

/// The calls of a block whose JSON begins `at` that many bytes into the page. It ends with one of `closers`; where there
/// are none, with its value.
pub(crate) fn block(page: &Page<'_>, at: usize, closers: &'static [&'static str]) -> Reading {
    Block { page, closers, at, calls: Vec::new(), seen: false, repairs: Vec::new() }.read()
}

struct Block<'a> {
    page: &'a Page<'a>,
    closers: &'static [&'static str],
    at: usize,
    calls: Vec<Call>,
    /// A value was read, though it may hold no call (`[]`).
    seen: bool,
    repairs: Vec<Repair>,
}

impl Block<'_> {
    fn read(mut self) -> Reading {
        loop {
            self.at += blank(self.rest());
            let rest = self.rest();
            let Some(first) = rest.chars().next() else { return self.ran_out() };
            match ahead(rest, self.closers) {
                Ahead::Yes(len) => return self.done(len),
                Ahead::Maybe if !self.page.over => return Reading::Open,
                Ahead::Maybe | Ahead::No => {}
            }
            let step = match first {
                '{' | '[' if !self.seen || (first == '{' && !self.closers.is_empty()) => self.value(),
                '`' => self.fence(),
                ',' | ';' if self.seen => self.separator(),
                '}' | ']' if self.seen && !self.closers.is_empty() => self.extra(),
                _ if self.seen => return self.trailing(),
                _ => return Reading::No,
            };
            if let Some(reading) = step {
                return reading;
            }
        }
    }

    fn rest(&self) -> &str {
        &self.page.text[self.at..]
    }

    /// The text ends here, for now or for good.
    fn ran_out(&mut self) -> Reading {
        match (self.page.over, self.seen) {
            (false, _) => Reading::Open,
            (true, true) => self.done(0),
            (true, false) => Reading::No,
        }
    }

    fn done(&mut self, more: usize) -> Reading {
        if more == 0 && must_close(self.closers) {
            note(&mut self.repairs, Repair::MissingEnd);
        }
        self.at += more;
        self.finished()
    }

    fn finished(&mut self) -> Reading {
        let mut calls = std::mem::take(&mut self.calls);
        for call in &mut calls {
            self.repairs.iter().for_each(|repair| note(&mut call.repairs, *repair));
        }
        Reading::Calls { calls, len: self.at }
    }

    fn value(&mut self) -> Option<Reading> {
        match value(self.rest(), self.closers) {
            Valued::Is { value, len, repairs } => self.took(value, len, &repairs),
            Valued::Open => Some(Reading::Open),
            Valued::Broken(len) => Some(Reading::Broken { name: None, len: self.at + len }),
            Valued::No => Some(Reading::No),
        }
    }

    fn took(&mut self, value: serde_json::Value, len: usize, repairs: &[Repair]) -> Option<Reading> {
        self.at += len;
        match calls(value, Faith::Marked, self.page.tools) {
            Some(calls) => {
                self.calls.extend(calls);
                repairs.iter().for_each(|repair| note(&mut self.repairs, *repair));
                self.seen = true;
                self.closers.is_empty().then(|| self.finished())
            }
            None => Some(self.unreadable()),
        }
    }

    /// JSON that is no call. Where the block is closed that is a call nobody can read, else it is no call.
    fn unreadable(&self) -> Reading {
        match closer(self.rest(), self.closers) {
            Some((end, len)) => Reading::Broken { name: None, len: self.at + end + len },
            None if self.closers.is_empty() => Reading::No,
            None => Reading::Open,
        }
    }

    /// A code fence around the JSON.
    fn fence(&mut self) -> Option<Reading> {
        let rest = self.rest();
        if rest.len() < 3 && !self.page.over {
            return Some(Reading::Open);
        }
        if !rest.starts_with("```") {
            return Some(if self.seen { self.trailing() } else { Reading::No });
        }
        if self.seen {
            self.at += 3;
            return None;
        }
        let Some(line) = rest.find('\n') else { return Some(self.page.open_or(Reading::No)) };
        self.at += line + 1;
        None
    }

    fn separator(&mut self) -> Option<Reading> {
        let after = self.at + 1;
        let next = after + blank(&self.page.text[after..]);
        match self.page.text[next..].chars().next() {
            Some('{') => {
                self.at = next;
                self.value()
            }
            Some(_) => Some(self.trailing()),
            None if self.page.over => Some(self.trailing()),
            None => Some(Reading::Open),
        }
    }

    fn extra(&mut self) -> Option<Reading> {
        note(&mut self.repairs, Repair::ExtraCloser);
        self.at += 1;
        None
    }

    /// Other text after the call: part of the block if a closing mark comes soon.
    fn trailing(&mut self) -> Reading {
        let rest = self.rest();
        if self.closers.is_empty() || rest.starts_with('<') {
            return self.done(0);
        }
        let near = &rest[..rest.floor_char_boundary(PATIENCE)];
        // Another mark before the closing one: the block simply was not closed.
        let stop = near.find('<').unwrap_or(near.len());
        match closer(near, self.closers) {
            Some((end, len)) if end <= stop => {
                note(&mut self.repairs, Repair::TrailingText);
                self.done(end + len)
            }
            Some(_) => self.done(0),
            None if self.page.over || rest.len() > PATIENCE + 64 => self.done(0),
            None => match rest[stop..].len() {
                0 => Reading::Open,
                _ if matches!(ahead(&rest[stop..], self.closers), Ahead::Maybe) => Reading::Open,
                _ => self.done(0),
            },
        }
    }
}
