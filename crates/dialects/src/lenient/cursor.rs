//! A place in a text, and what was mended on the way to it. Knows white space and comments, and nothing of values.

use super::LenientReading;
use crate::Repair;
use serde_json::Value;

/// How deep values may nest.
pub(super) const DEEPEST: usize = 200;

/// Why reading stops before the value is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stop {
    /// The text ends, and what follows could complete the value.
    Open,
    /// This is no value, whatever follows.
    No,
}

/// What a look ahead has found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    Yes,
    /// It is not.
    No,
    /// The text ends before that can be told.
    End,
}

impl Look {
    /// Yes or no, where the answer is known.
    pub(super) fn when(answer: bool) -> Look {
        if answer { Look::Yes } else { Look::No }
    }
}

/// Is more text to come?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// The text may go on.
    Growing,
    Whole,
}

/// A place in a text.
#[derive(Debug)]
pub(super) struct Cursor<'a> {
    pub(super) text: &'a str,
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    pub(super) extent: Extent,
    pub(super) repairs: Vec<Repair>,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str, extent: Extent) -> Self {
        Cursor { text, bytes: text.as_bytes(), at: 0, extent, repairs: Vec::new() }
    }

    /// Notes a repair, once.
    pub(super) fn note(&mut self, repair: Repair) {
        if !self.repairs.contains(&repair) {
            self.repairs.push(repair);
        }
    }

    /// Where the cursor is, and how much was mended.
    pub(super) fn mark(&self) -> (usize, usize) {
        (self.at, self.repairs.len())
    }

    pub(super) fn back_to(&mut self, (at, repairs): (usize, usize)) {
        self.at = at;
        self.repairs.truncate(repairs);
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// The byte here, where one is needed.
    pub(super) fn needed(&self) -> Result<u8, Stop> {
        self.peek().ok_or(self.end())
    }

    /// What it means that the text ends where something is still needed.
    pub(super) fn end(&self) -> Stop {
        match self.extent {
            Extent::Growing => Stop::Open,
            Extent::Whole => Stop::No,
        }
    }

    pub(super) fn is_whole(&self) -> bool {
        self.extent == Extent::Whole
    }

    /// The rest of the text.
    pub(super) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Steps over `byte` if it is here.
    pub(super) fn take(&mut self, byte: u8) -> bool {
        let here = self.peek() == Some(byte);
        self.at += usize::from(here);
        here
    }

    /// Past white space, and a byte order mark at the very beginning.
    pub(super) fn skip_lead(&mut self) {
        if self.at == 0 && self.text.starts_with('\u{feff}') {
            self.at = '\u{feff}'.len_utf8();
        }
        self.skip_space();
    }

    pub(super) fn skip_space(&mut self) {
        self.at = past_space(self.bytes, self.at);
    }

    /// Past white space and comments; they count as a repair if `repair` says which.
    pub(super) fn skip_comments(&mut self, marks: CommentMarks) -> Result<(), Stop> {
        loop {
            self.skip_space();
            let Some(kind) = self.comment(marks)? else { return Ok(()) };
            let body = self.bytes.get(self.at..).unwrap_or_default();
            let length = match kind {
                Comment::Line => body.iter().position(|&byte| byte == b'\n'),
                Comment::Block => body.windows(2).skip(2).position(|pair| pair == b"*/").map(|at| at + 4),
            };
            match (length, self.extent, kind) {
                (Some(length), _, _) => self.at += length,
                (None, Extent::Whole, Comment::Line) => self.at = self.bytes.len(),
                (None, Extent::Whole, Comment::Block) | (None, Extent::Growing, _) => return Err(self.end()),
            }
            if marks == CommentMarks::All {
                self.note(Repair::Comment);
            }
        }
    }

    fn comment(&self, marks: CommentMarks) -> Result<Option<Comment>, Stop> {
        match (self.peek(), self.bytes.get(self.at + 1)) {
            _ if marks == CommentMarks::None => Ok(None),
            (Some(b'#'), _) => Ok(Some(Comment::Line)),
            (Some(b'/'), _) if marks == CommentMarks::Python => Ok(None),
            (Some(b'/'), None) => Err(self.end()),
            (Some(b'/'), Some(b'/')) => Ok(Some(Comment::Line)),
            (Some(b'/'), Some(b'*')) => Ok(Some(Comment::Block)),
            _ => Ok(None),
        }
    }

    /// The reading that a value, or the lack of one, comes to.
    pub(super) fn reading(self, value: Result<Value, Stop>) -> LenientReading {
        match value {
            Ok(value) => LenientReading::Value { value, len: self.at, repairs: self.repairs },
            Err(Stop::Open) => LenientReading::Open,
            Err(Stop::No) => LenientReading::No,
        }
    }
}

/// Which comments are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CommentMarks {
    /// `//`, `/* */` and `#`: each is a repair.
    All,
    /// `#` alone, which is no repair.
    Python,
    None,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comment {
    Line,
    Block,
}

/// The first place at or after `at` that is no white space.
pub(super) fn past_space(bytes: &[u8], mut at: usize) -> usize {
    loop {
        match bytes.get(at) {
            Some(b' ' | b'\n' | b'\r' | b'\t') => at += 1,
            // A no-break space, which some models write between tokens.
            Some(0xC2) if bytes.get(at + 1) == Some(&0xA0) => at += 2,
            _ => return at,
        }
    }
}

/// The first place at or after `at` whose byte is not `wanted`.
pub(super) fn past(bytes: &[u8], at: usize, wanted: impl Fn(u8) -> bool) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().position(|&byte| !wanted(byte)).unwrap_or(rest.len())
}
