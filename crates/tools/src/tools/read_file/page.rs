//! Lines of a text, numbered, as many as there is room for.

use super::{READ, ReadWish, Values};
use crate::blocking::Stop;
use crate::lines::LineReader;
use crate::redact::NamesOnly;
use crate::text::{self, Certainty};
use crate::words;
use agent_protocol::{Failure, FailureKind, Outcome};
use std::io::{BufRead, Cursor};

/// Bytes of a line that are shown.
const LINE: usize = 2_000;
/// Characters kept free for the closing remarks.
const REMARKS: usize = 200;
/// Under a file of which only the names are shown.
const HIDDEN: &str = "[the name of this file says that it holds secrets, so its values are hidden; the person can show \
    them to you in safe mode, where looking at it asks]\n";

#[derive(Debug, Clone, Copy)]
pub(in crate::tools) struct WantedLines {
    /// Counted from 1.
    pub(in crate::tools) first: u64,
    pub(in crate::tools) lines: Option<u64>,
    pub(in crate::tools) asked: AskedBy,
}

/// By which tool, which says how more of the file is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::tools) enum AskedBy {
    ReadFile,
    /// One that reads several files at once.
    Other,
}

impl WantedLines {
    /// What shows the lines from `line` on.
    fn offset(self, line: u64) -> String {
        match self.asked {
            AskedBy::ReadFile => format!("offset={line}"),
            AskedBy::Other => format!("read_file with offset={line}"),
        }
    }

    pub(in crate::tools) fn in_words(self) -> String {
        match (self.first, self.lines) {
            (1, None) => String::new(),
            (first, None) => format!(" {first}–"),
            (first, Some(1)) => format!(" {first}"),
            (first, Some(lines)) => format!(" {first}–{}", first.saturating_add(lines - 1)),
        }
    }
}

/// The lines that are shown.
#[derive(Debug)]
pub(super) struct FilePage {
    wanted: WantedLines,
    /// Characters left.
    room: usize,
    text: String,
    /// Lines shown.
    shown: u64,
    /// Lines of the file.
    total: Total,
    reading: Certainty,
    /// Only the names in it are shown.
    names: Option<NamesOnly>,
    /// Pages of the document that the lines are the text of.
    pages: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Total {
    LineReader(u64),
    /// More than so many; the file is large.
    MoreThan(u64),
}

impl FilePage {
    pub(super) fn new(wish: ReadWish) -> Self {
        let names = (wish.values == Values::Hidden).then(NamesOnly::default);
        FilePage {
            wanted: wish.wanted,
            room: wish.room.saturating_sub(REMARKS + names.as_ref().map_or(0, |_| HIDDEN.len())),
            text: String::new(),
            shown: 0,
            total: Total::LineReader(0),
            reading: Certainty::Exact,
            names,
            pages: None,
        }
    }

    /// The same for the text of a document of `count` pages.
    pub(super) fn of_pages(self, text: String, count: usize, shown: &str, stop: &Stop) -> Result<Outcome, Failure> {
        let size = text.len() as u64;
        let page = FilePage { pages: Some(count), ..self };
        page.filled(Cursor::new(text), shown, size, stop)?.outcome(shown)
    }

    pub(super) fn filled(mut self, reader: impl BufRead, shown: &str, size: u64, stop: &Stop) -> Result<Self, Failure> {
        let mut lines = LineReader::new(reader);
        let mut number = 0;
        let mut full = false;
        loop {
            let due = number + 1 >= self.wanted.first && !full;
            // Whether a line is the middle of a secret is told by those before it.
            let keep = if due || self.names.is_some() { LINE } else { 0 };
            let line = lines.next(keep).map_err(|error| words::system(&error, shown))?;
            let Some(line) = line else { break };
            number += 1;
            if due {
                if line.bytes.contains(&0) {
                    return Err(text::binary(shown, size));
                }
                full = self.add(number, &line.bytes, line.cut);
            } else if let Some(names) = &mut self.names {
                names.line(&String::from_utf8_lossy(&line.bytes));
            } else if full && size > READ {
                self.total = Total::MoreThan(number);
                return Ok(self);
            }
            if number % 4096 == 0 {
                stop.check()?;
            }
        }
        self.total = if size > READ { Total::MoreThan(number) } else { Total::LineReader(number) };
        Ok(self)
    }

    /// Adds a line if there is room for it; says whether the page is full.
    fn add(&mut self, number: u64, bytes: &[u8], cut: u64) -> bool {
        let (text, reading) = text::line(whole_characters(bytes, cut));
        let text = self.names.as_mut().map_or(text.clone(), |names| names.line(&text).into());
        let mut line = format!("{number}\t{text}");
        if cut > 0 && self.names.is_none() {
            line.push_str(&format!("… [{} more in this line]", words::size(cut)));
        }
        line.push('\n');
        let length = line.len();
        if length > self.room && self.shown > 0 {
            return true;
        }
        self.room = self.room.saturating_sub(length);
        self.text.push_str(&line);
        self.shown += 1;
        if reading == Certainty::Guessed {
            self.reading = Certainty::Guessed;
        }
        self.wanted.lines == Some(self.shown)
    }

    pub(super) fn outcome(self, shown: &str) -> Result<Outcome, Failure> {
        let first = self.wanted.first;
        let (lines, total) = match self.total {
            Total::LineReader(0) => {
                return Ok(words::done("[the file is empty]".into(), "empty".into(), String::new()));
            }
            Total::LineReader(lines) => (lines, lines.to_string()),
            Total::MoreThan(lines) => (lines, format!("more than {lines}")),
        };
        if self.shown == 0 {
            return Err(behind_the_end(shown, self.wanted, self.total));
        }
        let last = first + self.shown - 1;
        let mut told = self.text.clone();
        if (first, last) != (1, lines) {
            let more =
                if last < lines { format!("; {} shows more", self.wanted.offset(last + 1)) } else { String::new() };
            let shown = if first == last { format!("line {first}") } else { format!("lines {first}–{last}") };
            told.push_str(&format!("[{shown} of {total}{more}]\n"));
        }
        if self.reading == Certainty::Guessed {
            told.push_str("[not UTF-8: read as Windows-1252; edit_file cannot change it]\n");
        }
        if self.names.is_some() {
            told.push_str(HIDDEN);
        }
        let pages = self.pages.map(|count| words::count(count as u64, "page"));
        if let Some(pages) = &pages {
            told.push_str(&format!("[PDF of {pages}, read as text]\n"));
        }
        let summary = match (first, last) {
            (1, last) if last == lines && pages.is_some() => pages.unwrap_or_default(),
            (1, last) if last == lines => words::count(lines, "line"),
            (first, last) if first == last => format!("line {first} of {total}"),
            (first, last) => format!("lines {first}–{last} of {total}"),
        };
        Ok(words::done(told.clone(), summary, told))
    }
}

fn behind_the_end(shown: &str, wanted: WantedLines, total: Total) -> Failure {
    let first = wanted.first;
    let message = match total {
        Total::LineReader(lines) => {
            let asked = match wanted.asked {
                AskedBy::ReadFile => format!("offset={first}"),
                AskedBy::Other => format!("line {first}"),
            };
            format!("{shown} has only {}; {asked} is behind its end", words::count(lines, "line"))
        }
        Total::MoreThan(_) => {
            let read = words::size(READ);
            format!("only the first {read} of {shown} are read; use run_command, for example sed -n '{first},+99p'")
        }
    };
    Failure::new(FailureKind::InvalidArguments, message)
}

/// `bytes` without a character that was cut in two.
fn whole_characters(bytes: &[u8], cut: u64) -> &[u8] {
    match std::str::from_utf8(bytes) {
        Err(error) if cut > 0 && error.error_len().is_none() => &bytes[..error.valid_up_to()],
        Ok(_) | Err(_) => bytes,
    }
}
