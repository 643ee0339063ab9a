//! `read_file`: shows lines of a text file, numbered.

use super::{FILE_PATH, spec};
use crate::arguments::{Arguments, BLANK, Foreign, Form, Habit, Kind, Need, Parameter, Unit};
use crate::blocking::Stop;
use crate::lines::Lines;
use crate::look::{self, Look};
use crate::open::{Found, open, read_all};
use crate::redact::NamesOnly;
use crate::seen::Watched;
use crate::text::{self, Reading};
use crate::workspace::Workspace;
use crate::{Job, Tool, words};
use agent_policy::{Leave, Permit};
use agent_protocol::{Action, Failure, FailureKind, Outcome, ToolSpec};
use serde_json::Value;
use similar::get_close_matches;
use std::io::{BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

/// Bytes of a line that are shown.
const LINE: usize = 2_000;
/// What lies beyond is not read, in bytes.
const READ: u64 = 64 * 1024 * 1024;
/// Larger files in UTF-16 are not decoded, in bytes.
const DECODED: u64 = 16 * 1024 * 1024;
/// Characters kept free for the closing remarks.
const REMARKS: usize = 200;
/// Under a file of which only the names are shown.
const HIDDEN: &str = "[the name of this file says that it holds secrets, so its values are hidden; the person can show \
    them to you in safe mode, where looking at it asks]\n";

pub(super) static FORM: Form = Form {
    tool: "read_file",
    aliases: "read cat view open open_file view_file get_file show_file file_read read_text_file get_file_contents \
        read_file_content read_file_contents view_file_contents load_file fs_read fsread cat_file",
    parameters: &[
        FILE_PATH,
        Parameter {
            name: "offset",
            aliases: "start startline line from linestart firstline beginline startlinenumber startlineoneindexed \
                linenumber",
            kind: Kind::Number,
            need: Need::Optional,
            says: "first line, from 1",
            example: "1",
        },
        Parameter {
            name: "limit",
            aliases: "lines count maxlines numlines linecount numberoflines linelimit nlines",
            kind: Kind::Number,
            need: Need::Optional,
            says: "number of lines",
            example: "200",
        },
    ],
    foreign: &[
        Foreign {
            names: "lineoffset startoffset startlinenumberbasezero startlinebasezero",
            unit: Unit::LineFromZero("offset"),
        },
        Foreign {
            names: "endline end to lineend lastline stopline endlinenumber endlineoneindexed endlineoneindexedinclusive",
            unit: Unit::LastLine { first: "offset", count: "limit", from: 1 },
        },
        Foreign {
            names: "endlinenumberbasezero endlinebasezero",
            unit: Unit::LastLine { first: "offset", count: "limit", from: 0 },
        },
        Foreign { names: "viewrange linerange range", unit: Unit::Range { first: "offset", count: "limit" } },
    ],
    // Where files come by `absolute_path`, lines are counted from 0.
    habits: &[("offset", Habit::FirstLine { from_zero_beside: "absolutepath" }), ("limit", Habit::Limit)],
    ..BLANK
};

pub(super) struct ReadFile {
    workspace: Workspace,
}

impl ReadFile {
    pub(super) fn new(workspace: Workspace) -> Self {
        ReadFile { workspace }
    }

    fn path(&self, arguments: &Arguments) -> Result<PathBuf, Failure> {
        self.workspace.resolve(&arguments.word("file_path")?)
    }
}

impl Tool for ReadFile {
    fn spec(&self) -> ToolSpec {
        spec(&FORM, include_str!("read_file.md"))
    }

    fn reach(&self, args: &Value) -> Result<Action, Failure> {
        Ok(look::action(self.path(&FORM.read(args)?)?))
    }

    fn plan(&self, args: &Value, look: Permit) -> Result<Box<dyn Job>, Failure> {
        let arguments = FORM.read(args)?;
        let path = self.path(&arguments)?;
        let wanted = Wanted {
            first: arguments.optional_number("offset")?.unwrap_or(1).max(1),
            lines: arguments.optional_number("limit")?.filter(|limit| *limit > 0),
        };
        let workspace = self.workspace.clone();
        let work_path = path.clone();
        // Nobody said that the model may see what is in there.
        let names = (look.leave() == Leave::Rule && workspace.is_secret(&path)).then(NamesOnly::default);
        Ok(Box::new(Look {
            title: format!("Read {}{}", workspace.shown(&path), wanted.in_words()),
            path,
            rest: "read fewer lines at a time with offset and limit",
            work: Box::new(move |stop, room| look_at(&workspace, &work_path, Page::new(wanted, room, names), stop)),
        }))
    }
}

/// Which lines.
#[derive(Debug, Clone, Copy)]
struct Wanted {
    first: u64,
    lines: Option<u64>,
}

impl Wanted {
    fn in_words(self) -> String {
        match (self.first, self.lines) {
            (1, None) => String::new(),
            (first, None) => format!(" {first}–"),
            (first, Some(1)) => format!(" {first}"),
            (first, Some(lines)) => format!(" {first}–{}", first.saturating_add(lines - 1)),
        }
    }
}

/// That a file is no text is a thing to know about it, and no failure.
fn look_at(workspace: &Workspace, path: &Path, page: Page, stop: &Stop) -> Result<Outcome, Failure> {
    match read(workspace, path, page, stop) {
        Err(failure) if failure.kind == FailureKind::NotText => {
            Ok(words::done(format!("[{}]", failure.message), "binary".into(), String::new()))
        }
        read => read,
    }
}

fn read(workspace: &Workspace, path: &Path, page: Page, stop: &Stop) -> Result<Outcome, Failure> {
    let shown = workspace.shown(path);
    match open(workspace, path)? {
        Found::Missing => Err(missing(workspace, path)),
        Found::Folder => {
            let message = format!("{shown} is a folder; use list_directory to see what is in it");
            Err(Failure::new(FailureKind::InvalidArguments, message))
        }
        Found::File(file, metadata) => {
            let mut file = Watched::new(file, metadata.len());
            let reader = decoded(&mut file, &shown, metadata.len())?;
            let whole = page.names.is_none();
            let page = page.filled(reader.take(READ), &shown, metadata.len(), stop)?;
            let outcome = page.outcome(&shown)?;
            if let Some(digest) = file.digest().filter(|_| whole) {
                workspace.seen().note(path, digest);
            }
            Ok(outcome)
        }
    }
}

/// A reader at the first character, in UTF-8 or in something that no mark tells.
fn decoded<'a>(file: impl Read + 'a, shown: &str, size: u64) -> Result<Box<dyn BufRead + 'a>, Failure> {
    let mut reader = BufReader::new(file);
    let start = reader.fill_buf().map_err(|error| words::system(&error, shown))?;
    if let Some(encoding) = text::announced(start) {
        let bytes = read_all(&mut reader, shown, DECODED)?;
        return Ok(Box::new(Cursor::new(encoding.decode(&bytes).0.into_owned())));
    }
    if start.contains(&0) {
        return Err(text::binary(shown, size));
    }
    if start.starts_with("\u{feff}".as_bytes()) {
        reader.consume(3);
    }
    Ok(Box::new(reader))
}

/// The lines that are shown.
#[derive(Debug)]
struct Page {
    wanted: Wanted,
    /// Characters left.
    room: usize,
    text: String,
    /// Lines shown.
    shown: u64,
    /// Lines of the file.
    total: Total,
    reading: Reading,
    /// Only the names in it are shown.
    names: Option<NamesOnly>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Total {
    Lines(u64),
    /// More than so many; the file is large.
    MoreThan(u64),
}

impl Page {
    fn new(wanted: Wanted, room: usize, names: Option<NamesOnly>) -> Self {
        Page {
            wanted,
            room: room.saturating_sub(REMARKS + names.as_ref().map_or(0, |_| HIDDEN.len())),
            text: String::new(),
            shown: 0,
            total: Total::Lines(0),
            reading: Reading::Exact,
            names,
        }
    }

    fn filled(mut self, reader: impl BufRead, shown: &str, size: u64, stop: &Stop) -> Result<Self, Failure> {
        let mut lines = Lines::new(reader);
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
        self.total = if size > READ { Total::MoreThan(number) } else { Total::Lines(number) };
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
        if reading == Reading::Guessed {
            self.reading = Reading::Guessed;
        }
        self.wanted.lines == Some(self.shown)
    }

    fn outcome(self, shown: &str) -> Result<Outcome, Failure> {
        let first = self.wanted.first;
        let (lines, total) = match self.total {
            Total::Lines(0) => return Ok(words::done("[the file is empty]".into(), "empty".into(), String::new())),
            Total::Lines(lines) => (lines, lines.to_string()),
            Total::MoreThan(lines) => (lines, format!("more than {lines}")),
        };
        if self.shown == 0 {
            return Err(behind_the_end(shown, first, self.total));
        }
        let last = first + self.shown - 1;
        let mut told = self.text.clone();
        if (first, last) != (1, lines) {
            let more = if last < lines { format!("; offset={} shows more", last + 1) } else { String::new() };
            let shown = if first == last { format!("line {first}") } else { format!("lines {first}–{last}") };
            told.push_str(&format!("[{shown} of {total}{more}]\n"));
        }
        if self.reading == Reading::Guessed {
            told.push_str("[not UTF-8: read as Windows-1252; edit_file cannot change it]\n");
        }
        if self.names.is_some() {
            told.push_str(HIDDEN);
        }
        let summary = match (first, last) {
            (1, last) if last == lines => words::count(lines, "line"),
            (first, last) if first == last => format!("line {first} of {total}"),
            (first, last) => format!("lines {first}–{last} of {total}"),
        };
        Ok(words::done(told.clone(), summary, told))
    }
}

fn behind_the_end(shown: &str, first: u64, total: Total) -> Failure {
    let message = match total {
        Total::Lines(lines) => {
            format!("{shown} has only {}; offset={first} is behind its end", words::count(lines, "line"))
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

/// Says that there is no such file, and what there is instead.
pub(super) fn missing(workspace: &Workspace, path: &Path) -> Failure {
    let shown = workspace.shown(path);
    let mut message = format!("{shown} does not exist");
    if path.components().any(|part| part.as_os_str() == "~") {
        message.push_str("; ~ is not expanded, give the path from the project or an absolute one");
    } else if let Some(folder) = path.parent().filter(|folder| workspace.contains(folder)) {
        match close_names(folder, path) {
            Some(names) if names.is_empty() => message.push_str("; list_directory or glob_files show what there is"),
            Some(names) => {
                let names: Vec<String> = names.iter().map(|name| workspace.shown(&folder.join(name))).collect();
                message.push_str(&format!("; did you mean {}?", names.join(" or ")));
            }
            None => message.push_str(&format!("; the folder {} does not exist either", workspace.shown(folder))),
        }
    }
    Failure::new(FailureKind::NotFound, message)
}

/// Names in `folder` like that of `path`; `None` when there is no such folder.
fn close_names(folder: &Path, path: &Path) -> Option<Vec<String>> {
    let entries = std::fs::read_dir(folder).ok()?;
    let mut names: Vec<String> =
        entries.flatten().take(5_000).filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    // The endings are left out: that both are `.txt` makes two names no more alike.
    let stem = path.file_stem()?.to_str()?;
    let stems: Vec<&str> =
        names.iter().map(|name| name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem)).collect();
    let close = get_close_matches(stem, &stems, 3, 0.6);
    Some(names.iter().zip(&stems).filter(|(_, stem)| close.contains(stem)).map(|(name, _)| name.clone()).collect())
}
