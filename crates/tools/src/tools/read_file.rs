//! `read_file`: shows lines of a text file, numbered; the text of a PDF in the same way; and pictures as they are.

mod missing;
mod outline;
mod page;
mod pdf;
pub(super) mod picture;
mod source;

use super::FILE_PATH;
use crate::arguments::{Arguments, BLANK, Foreign, Form, Habit, Kind, Parameter, Unit};
use crate::blocking::Stop;
use crate::open::{Found, open, read_all};
use crate::read_only_job::{self, ReadOnlyJob};
use crate::read_tracker::Watched;
use crate::text::Charset;
use crate::tools::ToolContext;
use crate::workspace::Workspace;
use crate::{PlannedCall, Tool, words};
use agent_policy::{Leave, Permit};
use agent_protocol::{Action, Digest, Failure, FailureKind, Outcome, ToolSpec};
use page::FilePage;
use source::{Source, source};
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};

pub(super) use missing::missing;
pub(super) use page::{AskedBy, WantedLines};

/// What lies beyond is not read, in bytes.
const READ: u64 = 64 * 1024 * 1024;
/// The largest file that is kept to be shown later, in bytes.
const KEPT: u64 = 8 * 1024 * 1024;

pub(super) static FORM: Form = Form {
    tool: "read_file",
    aliases: "read view open open_file view_file get_file show_file file_read read_text_file get_file_contents \
        read_file_content read_file_contents view_file_contents load_file fs_read fsread cat_file",
    description: include_str!("read_file.md"),
    parameters: &[
        FILE_PATH,
        Parameter::new("offset", Kind::Number, "1")
            .also(
                "start startline line from linestart firstline beginline startlinenumber startlineoneindexed \
                linenumber",
            )
            .optional()
            .says("first line, from 1"),
        Parameter::new("limit", Kind::Number, "200")
            .also("lines count maxlines numlines linecount numberoflines linelimit nlines")
            .optional()
            .says("number of lines"),
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

pub(super) struct ReadFile;

impl Tool for ReadFile {
    fn spec(&self, form: &Form) -> ToolSpec {
        let mut spec = form.spec();
        // With one path it means this tool, whether or not the one for several is there.
        spec.aliases.push("cat".into());
        spec
    }

    fn reach(&self, kit: &ToolContext, arguments: &Arguments) -> Result<Action, Failure> {
        Ok(read_only_job::action(path(kit, arguments)?))
    }

    fn plan(&self, kit: &ToolContext, arguments: &Arguments, look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let path = path(kit, arguments)?;
        let wanted = WantedLines {
            first: arguments.optional_number("offset")?.unwrap_or(1).max(1),
            lines: arguments.optional_number("limit")?.filter(|limit| *limit > 0),
            usual: u64::from(kit.levers().read_lines),
            asked: AskedBy::ReadFile,
        };
        let workspace = kit.workspace.clone();
        let work_path = path.clone();
        let values = Values::of(&workspace, &path, look.leave());
        Ok(Box::new(ReadOnlyJob {
            title: format!("Read {}{}", workspace.shown(&path), wanted.in_words()),
            paths: vec![path],
            rest: "read fewer lines at a time with offset and limit",
            work: Box::new(move |stop, room| look_at(&workspace, &work_path, ReadWish { wanted, values, room }, stop)),
        }))
    }
}

fn path(kit: &ToolContext, arguments: &Arguments) -> Result<PathBuf, Failure> {
    kit.workspace.resolve(&arguments.word("file_path")?)
}

/// What of a file is to be shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReadWish {
    pub(super) wanted: WantedLines,
    pub(super) values: Values,
    /// In so many bytes.
    pub(super) room: usize,
}

/// Are the values in a file shown, or only the names of them?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Values {
    Shown,
    /// Nobody said that the model may see what is in there.
    Hidden,
}

impl Values {
    pub(super) fn of(workspace: &Workspace, path: &Path, leave: Leave) -> Self {
        if leave == Leave::Rule && workspace.is_secret(path) { Values::Hidden } else { Values::Shown }
    }
}

/// A text that stands in no file that is looked at, like a file called `shown`.
pub(super) fn shown_text(text: &str, shown: &str, wish: ReadWish, stop: &Stop) -> Result<Outcome, Failure> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    FilePage::new(wish).filled(Cursor::new(text), shown, text.len() as u64, stop)?.outcome(shown)
}

/// That a file is no text is a thing to know about it, and no failure.
pub(super) fn look_at(workspace: &Workspace, path: &Path, wish: ReadWish, stop: &Stop) -> Result<Outcome, Failure> {
    no_failure(read(workspace, path, wish, stop))
}

fn no_failure(read: Result<Outcome, Failure>) -> Result<Outcome, Failure> {
    match read {
        Err(failure) if failure.kind == FailureKind::NotText => {
            Ok(words::done(format!("[{}]", failure.message), "binary".into(), String::new()))
        }
        read => read,
    }
}

fn read(workspace: &Workspace, path: &Path, wish: ReadWish, stop: &Stop) -> Result<Outcome, Failure> {
    let shown = workspace.shown(path);
    let (file, size) = file(workspace, path)?;
    let mut file = Watched::new(file, size);
    let (reader, charset) = match source(&mut file, &shown, size, wish.values, stop)? {
        Source::Lines(reader, charset) => (reader, charset),
        Source::Pages(pages) => return FilePage::new(wish).of_pages(pages.text, pages.count, &shown, stop),
        Source::Picture(outcome) => return Ok(*outcome),
    };
    let page = FilePage::new(wish).of_charset(charset).filled(reader.take(READ), &shown, size, stop)?;
    let lines = page.lines();
    let outcome = page.outcome(&shown)?;
    if let Some(digest) = file.digest().filter(|_| wish.values == Values::Shown) {
        workspace.seen().note_lines(path, &digest, lines);
        workspace.seen().note(path, digest);
    }
    Ok(outcome)
}

fn file(workspace: &Workspace, path: &Path) -> Result<(std::fs::File, u64), Failure> {
    match open(workspace, path)? {
        Found::Missing => Err(missing(workspace, path)),
        Found::Folder => {
            let message = format!("{} is a folder; use list_directory to see what is in it", workspace.shown(path));
            Err(Failure::new(FailureKind::InvalidArguments, message))
        }
        Found::File(file, metadata) => Ok((file, metadata.len())),
    }
}

/// What a file held at one moment, to be shown later.
pub(super) struct KeptFile {
    held: Held,
    /// As what the model knows it once it is shown.
    seen: Option<(PathBuf, Digest)>,
}

enum Held {
    Lines(Vec<u8>, Option<Charset>),
    Pages { text: String, count: usize },
    Picture(Box<Outcome>),
}

impl KeptFile {
    /// What the file at `path` holds now. Nobody has seen it by that.
    pub(super) fn now(workspace: &Workspace, path: &Path, values: Values, stop: &Stop) -> Result<Self, Failure> {
        let shown = workspace.shown(path);
        let (file, size) = file(workspace, path)?;
        let mut file = Watched::new(file, size);
        let held = match source(&mut file, &shown, size, values, stop)? {
            Source::Lines(mut reader, charset) => Held::Lines(read_all(&mut reader, &shown, KEPT)?, charset),
            Source::Pages(pages) => Held::Pages { text: pages.text, count: pages.count },
            Source::Picture(outcome) => Held::Picture(outcome),
        };
        let seen = match (&held, file.digest(), values) {
            (Held::Lines(..), Some(digest), Values::Shown) => Some((path.into(), digest)),
            (Held::Lines(..) | Held::Pages { .. } | Held::Picture(_), _, _) => None,
        };
        Ok(KeptFile { held, seen })
    }

    /// A text that lies in no file yet.
    pub(super) fn text(text: &str) -> Self {
        KeptFile { held: Held::Lines(text.as_bytes().to_vec(), None), seen: None }
    }

    /// About so many bytes.
    pub(super) fn size(&self) -> u64 {
        match &self.held {
            Held::Lines(bytes, _) => bytes.len() as u64,
            Held::Pages { text, .. } => text.len() as u64,
            Held::Picture(_) => 0,
        }
    }

    /// The bytes it takes until then.
    pub(super) fn held(&self) -> u64 {
        match &self.held {
            Held::Lines(..) | Held::Pages { .. } => self.size(),
            Held::Picture(outcome) => outcome.images.iter().map(|image| image.base64.len() as u64).sum(),
        }
    }

    pub(super) fn look_at(
        self,
        workspace: &Workspace,
        wish: ReadWish,
        shown: &str,
        stop: &Stop,
    ) -> Result<Outcome, Failure> {
        let outcome = no_failure(match self.held {
            Held::Lines(bytes, charset) => {
                let (page, size) = (FilePage::new(wish).of_charset(charset), bytes.len() as u64);
                page.filled(Cursor::new(bytes), shown, size, stop).and_then(|page| page.outcome(shown))
            }
            Held::Pages { text, count } => FilePage::new(wish).of_pages(text, count, shown, stop),
            Held::Picture(outcome) => Ok(*outcome),
        })?;
        if let Some((path, digest)) = self.seen {
            workspace.seen().note(&path, digest);
        }
        Ok(outcome)
    }
}
