//! Lines of a text, numbered, as many as there is room for.

use super::outline::Part;
use super::{READ, ReadWish, Values, outline};
use crate::blocking::Stop;
use crate::lines::LineReader;
use crate::redact::NamesOnly;
use crate::text::{self, Certainty, Charset};
use crate::words;
use agent_protocol::{Failure, FailureKind, Outcome};
use std::io::{BufRead, Cursor};
use std::ops::Range;

/// Bytes of a line that are shown.
const LINE: usize = 2_000;
/// Characters kept free for the closing remarks.
const REMARKS: usize = 200;
/// A file is shown whole that has at most so many times the usual lines.
const WHOLE: (u64, u64) = (13, 10);
/// Of the room, this part goes to what stands in the rest of the file, and no more than so many bytes; fewer where the model
/// reads on, for it has seen what there is.
const OUTLINE_PART: usize = 5;
const OUTLINE: usize = 3_600;
const OUTLINE_ON: usize = 800;
/// Under a file of which only the names are shown.
const HIDDEN: &str = "[the name of this file says that it holds secrets, so its values are hidden; the user can show \
    them to you in safe mode, where looking at it asks]\n";

#[derive(Debug, Clone, Copy)]
pub(in crate::tools) struct WantedLines {
    /// Counted from 1.
    pub(in crate::tools) first: u64,
    pub(in crate::tools) lines: Option<u64>,
    /// So many where the model names no number; 0: as many as fit. A file that has hardly more is shown whole.
    pub(in crate::tools) usual: u64,
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

impl WantedLines {
    /// Lines after which nothing is added.
    fn most(self) -> u64 {
        let (times, of) = WHOLE;
        self.lines.unwrap_or(if self.usual > 0 { self.usual * times / of } else { u64::MAX })
    }
}

/// The lines that are shown.
#[derive(Debug)]
pub(super) struct FilePage {
    wanted: WantedLines,
    /// Characters left.
    room: usize,
    text: String,
    shown: u64,
    /// Where each of them ends in the text.
    ends: Vec<usize>,
    /// What stands in the rest of the file, where the model did not say how many lines it wants.
    outline: Option<String>,
    total: Total,
    charset: Charset,
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
            ends: Vec::new(),
            outline: None,
            total: Total::LineReader(0),
            charset: Charset::UTF_8,
            names,
            pages: None,
        }
    }

    /// The same for the text of a file that is not UTF-8.
    pub(super) fn of_charset(self, charset: Option<Charset>) -> Self {
        FilePage { charset: charset.unwrap_or(self.charset), ..self }
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
        let mut whole = self.may_be_outlined(size).then(String::new);
        loop {
            let due = number + 1 >= self.wanted.first && !full;
            // Whether a line is the middle of a secret is told by those before it.
            let keep = if due || self.names.is_some() || whole.is_some() { LINE } else { 0 };
            let line = lines.next(keep).map_err(|error| words::system(&error, shown))?;
            let Some(line) = line else { break };
            number += 1;
            if let Some(whole) = &mut whole {
                whole.push_str(&text::line(&line.bytes).0);
                whole.push('\n');
            }
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
        if self.wanted.lines.is_none() && self.wanted.usual > 0 && self.last() < number {
            self.outline_rest(shown, whole.as_deref(), stop);
        }
        Ok(self)
    }

    fn may_be_outlined(&self, size: u64) -> bool {
        let is_short = size <= outline::LARGEST as u64;
        self.wanted.lines.is_none() && self.wanted.usual > 0 && self.names.is_none() && self.pages.is_none() && is_short
    }

    /// The last line that is shown.
    fn last(&self) -> u64 {
        self.wanted.first.saturating_add(self.shown).saturating_sub(1)
    }

    /// Shows the usual number of lines, and fewer where an outline of the rest needs the room.
    fn outline_rest(&mut self, path: &str, whole: Option<&str>, stop: &Stop) {
        let room = self.text.len() + self.room;
        let (part, most) = if self.wanted.first == 1 { (Part::Whole, OUTLINE) } else { (Part::Next, OUTLINE_ON) };
        let for_outline = (room / OUTLINE_PART).min(most);
        self.show_at_most(self.wanted.usual);
        let outline_now = |page: &Self| {
            whole.map(|text| outline::outline(path, text, page.last(), (part, for_outline), stop)).unwrap_or_default()
        };
        let mut found = outline_now(self);
        if !found.is_empty() && self.text.len() + found.len() > room {
            self.show_at_most(self.ends.partition_point(|end| end + for_outline <= room).max(1) as u64);
            found = outline_now(self);
        }
        self.outline = Some(found);
    }

    fn show_at_most(&mut self, lines: u64) {
        self.shown = self.shown.min(lines);
        let end = usize::try_from(self.shown).ok().and_then(|shown| self.ends.get(shown.checked_sub(1)?));
        self.text.truncate(end.copied().unwrap_or_default());
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
        self.ends.push(self.text.len());
        if reading == Certainty::Guessed {
            self.charset = Charset::UNKNOWN;
        }
        self.shown >= self.wanted.most()
    }

    /// The lines that are shown, counted from 0, without the last one.
    pub(super) fn lines(&self) -> Range<usize> {
        let number = |line: u64| usize::try_from(line).unwrap_or(usize::MAX);
        let first = self.wanted.first.saturating_sub(1);
        number(first)..number(first.saturating_add(self.shown))
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
        let last = self.last();
        let mut told = self.text.clone();
        if let Some(outline) = &self.outline {
            let between = if outline.is_empty() { "" } else { "; " };
            let more = self.wanted.offset(last + 1);
            told.push_str(&format!("[lines {}–{total} not shown{between}{outline}; {more} shows more]\n", last + 1));
        } else if (first, last) != (1, lines) {
            let more =
                if last < lines { format!("; {} shows more", self.wanted.offset(last + 1)) } else { String::new() };
            let shown = if first == last { format!("line {first}") } else { format!("lines {first}–{last}") };
            told.push_str(&format!("[{shown} of {total}{more}]\n"));
        }
        told.push_str(&encoded_so(self.charset));
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

/// What to know of a file that is not UTF-8.
fn encoded_so(charset: Charset) -> String {
    let name = charset.name();
    match charset.certainty {
        Certainty::Exact => String::new(),
        Certainty::Looks => format!("[not UTF-8; read and edited as {name}]\n"),
        Certainty::Guessed => format!("[not UTF-8; read as {name} (a guess); edits leave all other bytes unchanged]\n"),
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
