//! `read_many_files`: several files in one call.

use super::super::read_file::{AskedBy, ReadWish, Values, WantedLines, look_at};
use super::batch_read::{FileReading, together};
use super::{MOST, once, too_many};
use crate::arguments::{Arguments, BLANK, Form, Group, Habit, Kind, Parameter};
use crate::open::{Found, open};
use crate::read_only_job::ReadOnlyJob;
use crate::tools::ToolContext;
use crate::workspace::Workspace;
use crate::{PlannedCall, Tool};
use agent_policy::{Leave, Permit};
use agent_protocol::{Action, Failure};
use std::path::{Path, PathBuf};

pub(super) static FORM: Form = Form {
    tool: "read_many_files",
    group: Group::Batch,
    aliases: "readmany cat read_many read_all read_files read_multiple_files read_multiple get_files view_files \
        batch_read",
    description: include_str!("read_many_files.md"),
    parameters: &[
        Parameter::new("paths", Kind::Texts, "[\"src/main.rs\", \"src/lib.rs\"]")
            .also("files filepaths filenames path file filepath absolutepaths absolutepath include fileslist pathlist")
            .required(),
        Parameter::new("offset", Kind::Number, "0")
            .also("lineoffset startoffset skip skiplines")
            .says("lines left out at the beginning of each"),
        Parameter::new("limit", Kind::Number, "100")
            .also("lines count maxlines numlines linecount numberoflines linelimit nlines linesperfile")
            .says("lines of each"),
    ],
    habits: &[("limit", Habit::Limit)],
    stands_for: &["read_file"],
    ..BLANK
};

pub(super) struct ReadManyFiles;

impl Tool for ReadManyFiles {
    fn reach(&self, kit: &ToolContext, arguments: &Arguments) -> Result<Action, Failure> {
        Ok(Action::Read { paths: paths(kit, arguments)? })
    }

    fn plan(&self, kit: &ToolContext, arguments: &Arguments, look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let paths = paths(kit, arguments)?;
        let wanted = WantedLines {
            first: arguments.optional_number("offset")?.unwrap_or(0).saturating_add(1),
            lines: arguments.optional_number("limit")?.filter(|limit| *limit > 0),
            usual: u64::from(kit.levers().read_lines),
            asked: AskedBy::Other,
        };
        let names: Vec<String> = paths.iter().map(|path| kit.workspace.shown(path)).collect();
        let title = match names.as_slice() {
            [one] => format!("Read {one}{}", wanted.in_words()),
            many => format!("Read {} files: {}", many.len(), shortened(many)),
        };
        let (workspace, leave) = (kit.workspace.clone(), look.leave());
        let work_paths = paths.clone();
        Ok(Box::new(ReadOnlyJob {
            paths,
            title,
            rest: "read fewer files at a time, or one with read_file",
            work: Box::new(move |stop, room| {
                let readings = work_paths.into_iter().map(|path| reading(&workspace, path, wanted, leave));
                together(readings.collect(), room, stop)
            }),
        }))
    }
}

fn paths(kit: &ToolContext, arguments: &Arguments) -> Result<Vec<PathBuf>, Failure> {
    let given = arguments.texts("paths")?;
    let given: Vec<&str> = given.iter().map(|path| path.trim()).filter(|path| !path.is_empty()).collect();
    if given.is_empty() {
        // Missing, or without a path in it: both are said in the same words.
        return arguments.missing("paths");
    }
    let paths: Result<Vec<PathBuf>, Failure> = given.iter().map(|path| kit.workspace.resolve(path)).collect();
    let paths = once(paths?.into_iter());
    if paths.len() > MOST { Err(too_many(FORM.tool, "files")) } else { Ok(paths) }
}

/// The file at `path`, to be read.
pub(super) fn reading(workspace: &Workspace, path: PathBuf, wanted: WantedLines, leave: Leave) -> FileReading {
    let (name, size) = (workspace.shown(&path), size(workspace, &path));
    let workspace = workspace.clone();
    let values = Values::of(&workspace, &path, leave);
    let read = move |room: usize, stop: &_| look_at(&workspace, &path, ReadWish { wanted, values, room }, stop);
    FileReading { name, size, read: Box::new(read) }
}

fn size(workspace: &Workspace, path: &Path) -> u64 {
    match open(workspace, path) {
        Ok(Found::File(_, metadata)) => metadata.len(),
        Ok(Found::Missing | Found::Folder) | Err(_) => 0,
    }
}

/// The first few of `names`.
fn shortened(names: &[String]) -> String {
    const SHOWN: usize = 3;
    let more = if names.len() > SHOWN { ", …" } else { "" };
    format!("{}{more}", names[..names.len().min(SHOWN)].join(", "))
}
