//! Where the value of a parameter ends.
//!
//! A value may hold markup of the same kind, say of a file about it. So marks are counted in pairs, and a closing mark
//! counts only where the call goes on after it.

use super::{Marks, TagEnd, key, tag_end};
use crate::page::{Ahead, ahead, blank};

/// The end of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct End {
    pub(super) value: usize,
    /// Bytes to the end of its closing mark.
    pub(super) len: usize,
    pub(super) closed: bool,
}

impl End {
    fn unclosed(at: usize) -> Self {
        End { value: at, len: at, closed: false }
    }
}

/// The end of the value that `text` begins with; `is_next` says which parameters may follow. `None`: not seen yet.
pub(super) fn end(text: &str, marks: &Marks<'_>, is_next: &dyn Fn(&str) -> bool, over: bool) -> Option<End> {
    if marks.tokens {
        return end_by_tokens(text, marks);
    }
    let mut scan = Scan { text, marks, over, at: 0, calls: 0, parameters: 0, next: None };
    loop {
        scan.at += text[scan.at..].find('<')?;
        match scan.step(is_next) {
            ValueStep::End(end) => return Some(end),
            ValueStep::Wait => return None,
            ValueStep::On(len) => scan.at += len,
        }
    }
}

fn end_by_tokens(text: &str, marks: &Marks<'_>) -> Option<End> {
    let closed = first(text, marks.close);
    let next = [marks.close, marks.open, marks.end, marks.beyond].into_iter().filter_map(|marks| first(text, marks));
    let (at, len) = next.min()?;
    Some(if Some((at, len)) == closed { End { value: at, len: at + len, closed: true } } else { End::unclosed(at) })
}

fn first(text: &str, marks: &[&str]) -> Option<(usize, usize)> {
    marks.iter().filter_map(|mark| Some((text.find(mark)?, mark.len()))).min()
}

struct Scan<'a> {
    text: &'a str,
    marks: &'a Marks<'a>,
    over: bool,
    at: usize,
    /// Calls that were opened within the value.
    calls: usize,
    /// Parameters that were opened within the value.
    parameters: usize,
    /// Where the next parameter may have begun in the middle of a line.
    next: Option<usize>,
}

enum ValueStep {
    /// So many bytes further.
    On(usize),
    End(End),
    /// More has to be seen.
    Wait,
}

impl Scan<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn step(&mut self, is_next: &dyn Fn(&str) -> bool) -> ValueStep {
        let rest = self.rest();
        let seen = [self.marks.close, self.marks.open, self.marks.call, self.marks.end].map(|marks| ahead(rest, marks));
        match seen {
            [Ahead::Yes(len), ..] => self.close(len),
            [_, Ahead::Yes(len), ..] => self.open(len, is_next),
            [_, _, Ahead::Yes(len), _] => self.call(len),
            [_, _, _, Ahead::Yes(len)] => self.call_end(len),
            _ if seen.contains(&Ahead::Maybe) && !self.over => ValueStep::Wait,
            _ => ValueStep::On(1),
        }
    }

    /// A closing mark within markup of the value belongs to that; else it counts where the call goes on.
    fn close(&mut self, len: usize) -> ValueStep {
        if self.parameters > 0 {
            self.parameters -= 1;
            return ValueStep::On(len);
        }
        let end = ValueStep::End(End { value: self.at, len: self.at + len, closed: true });
        match self.after(len, &[self.marks.end, self.marks.open, self.marks.beyond]) {
            Ahead::Yes(_) if self.calls == 0 => end,
            Ahead::Maybe if self.over && self.text[self.at + len..].trim().is_empty() => end,
            Ahead::Maybe if !self.over => ValueStep::Wait,
            Ahead::Yes(_) | Ahead::Maybe | Ahead::No => ValueStep::On(len),
        }
    }

    /// The next parameter, where this one was not closed, or a parameter within the value.
    fn open(&mut self, len: usize, is_next: &dyn Fn(&str) -> bool) -> ValueStep {
        let rest = self.rest();
        let end = match tag_end(rest, len) {
            TagEnd::At(end) => end,
            TagEnd::Open if !self.over => return ValueStep::Wait,
            TagEnd::Open | TagEnd::No => return ValueStep::On(len),
        };
        let Some(key) = key(&rest[len..end], self.marks.key).filter(|_| !self.is_quoted()) else {
            return ValueStep::On(len);
        };
        let outside = self.calls == 0 && self.parameters == 0 && !self.text[..self.at].trim().is_empty();
        if outside && is_next(key) {
            if self.begins_line() {
                return ValueStep::End(End::unclosed(self.at));
            }
            self.next = self.next.or(Some(self.at));
        }
        self.parameters += 1;
        ValueStep::On(end)
    }

    fn call(&mut self, len: usize) -> ValueStep {
        let end = match tag_end(self.rest(), len) {
            TagEnd::At(end) => end,
            TagEnd::Open if !self.over => return ValueStep::Wait,
            TagEnd::Open | TagEnd::No => return ValueStep::On(len),
        };
        self.calls += usize::from(!self.is_quoted());
        ValueStep::On(end)
    }

    /// The end of a call within the value, or of the call itself, where the value was not closed.
    fn call_end(&mut self, len: usize) -> ValueStep {
        if self.calls > 0 {
            self.calls -= 1;
            return ValueStep::On(len);
        }
        if self.parameters > 0 || !self.begins_line() {
            return ValueStep::On(len);
        }
        let end = ValueStep::End(End::unclosed(self.next.unwrap_or(self.at)));
        match self.after(len, &[self.marks.beyond]) {
            Ahead::Yes(_) => end,
            Ahead::Maybe if self.over && self.text[self.at + len..].trim().is_empty() => end,
            Ahead::Maybe if !self.over => ValueStep::Wait,
            Ahead::Maybe | Ahead::No => ValueStep::On(len),
        }
    }

    /// What follows `len` bytes and white space: one of these marks?
    fn after(&self, len: usize, marks: &[&[&str]]) -> Ahead {
        let rest = &self.rest()[len..];
        let rest = &rest[blank(rest)..];
        let seen = marks.iter().map(|marks| ahead(rest, marks));
        seen.fold(Ahead::No, |all, one| match (all, one) {
            (Ahead::Yes(len), _) | (_, Ahead::Yes(len)) => Ahead::Yes(len),
            (Ahead::Maybe, _) | (_, Ahead::Maybe) => Ahead::Maybe,
            (Ahead::No, Ahead::No) => Ahead::No,
        })
    }

    fn begins_line(&self) -> bool {
        let line = self.text[..self.at].trim_end_matches([' ', '\t', '\r']);
        line.is_empty() || line.ends_with('\n')
    }

    /// A mark in quotation marks is talk about it.
    fn is_quoted(&self) -> bool {
        self.text[..self.at].ends_with(['`', '"', '\''])
    }
}
