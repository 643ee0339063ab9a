//! `batch_operations`: reads, writes, edits, deletes, moves and copies, in order and judged together.

use super::super::edit_file::Swap;
use super::super::read_file::{AskedBy, KeptFile, ReadWish, Values, WantedLines};
use super::super::refused;
use super::batch_read::{FileReading, together};
use super::multi_edit::{ALL, NEW, OLD};
use super::overlay::{CarriedFrom, Overlay, gone};
use super::read_many_files::reading;
use super::{MOST, check_name, of_operation, once, text_only, too_many};
use crate::arguments::{Arguments, BLANK, Form, Group, Kind, Parameter, plain};
use crate::blocking::Stop;
use crate::change::{Edits, ReadingsAfter};
use crate::read_only_job::ReadOnlyJob;
use crate::tools::ToolContext;
use crate::workspace::Workspace;
use crate::{PlannedCall, Tool, words};
use agent_policy::{Leave, Permit};
use agent_protocol::{Action, Failure};
use std::path::PathBuf;

const OPERATIONS: [&str; 6] = ["read", "write", "edit", "delete", "move", "copy"];

const OPERATION_NAME: Parameter =
    Parameter::new("operation", Kind::One(&OPERATIONS), "\"edit\"").also("op type action kind command method tool");
const FILE: Parameter = Parameter::new("path", Kind::Text, "\"src/main.rs\"")
    .also("file filepath filename source src from oldpath sourcepath sourcefile absolutepath targetfile");
const CONTENT: Parameter = Parameter::new("content", Kind::Body, "\"text\\n\"")
    .also("contents text filecontent filetext data body newcontent");
const OLD_TEXT: Parameter = Parameter::new("old", Kind::Text, "\"old text\"").also(OLD);
const NEW_TEXT: Parameter = Parameter::new("new", Kind::Text, "\"new text\"").also(NEW);
const REPLACE_ALL: Parameter = Parameter::new("replace_all", Kind::Flag, "true").also(ALL);

/// One operation. The model is told of it in a line: as a schema it would cost twice as much.
static OPERATION: Form = Form {
    tool: "batch_operations",
    parameters: &[
        OPERATION_NAME,
        FILE,
        CONTENT,
        OLD_TEXT,
        NEW_TEXT,
        Parameter::new("to", Kind::Text, "\"src/new.rs\"")
            .also("destination dest dst target newpath destinationpath targetpath newname topath"),
        REPLACE_ALL,
        Parameter::new("offset", Kind::Number, "1").also("start startline firstline"),
        Parameter::new("limit", Kind::Number, "200").also("lines count maxlines"),
    ],
    refused: refused::MANY,
    instead: Some(of_its_own),
    ..BLANK
};

/// What changes a text must not leave out what it cannot do, like `append`.
static WRITE: Form = Form {
    tool: "batch_operations",
    parameters: &[OPERATION_NAME, FILE, CONTENT],
    refused: refused::ONE_WRITE,
    ..BLANK
};

static EDIT: Form = Form {
    tool: "batch_operations",
    parameters: &[OPERATION_NAME, FILE, OLD_TEXT, NEW_TEXT, REPLACE_ALL],
    refused: refused::ONE_EDIT,
    ..BLANK
};

fn of_its_own(item: &Arguments) -> Option<&'static Form> {
    match named(&item.optional_text("operation").ok()??)? {
        "write" => Some(&WRITE),
        "edit" => Some(&EDIT),
        _ => None,
    }
}

pub(super) static FORM: Form = Form {
    tool: "batch_operations",
    group: Group::Batch,
    aliases: "batch batch_operation batch_files file_operations multi_file_operations file_batch",
    description: include_str!("batch_operations.md"),
    parameters: &[Parameter::new(
        "operations",
        Kind::Items(&OPERATION),
        "[{\"operation\": \"move\", \"path\": \"a.rs\", \"to\": \"b.rs\"}]",
    )
    .also("ops actions steps commands files")
    .required()
    .says("{operation: read|write|edit|delete|move|copy, path, content | old, new | to}")],
    refused: refused::MANY,
    ..BLANK
};

pub(super) struct BatchOperations;

/// What is wanted of one file.
struct Operation {
    path: PathBuf,
    act: Act,
}

enum Act {
    Read(WantedLines),
    Write(String),
    Edit(Swap),
    Delete,
    Move(PathBuf),
    Copy(PathBuf),
}

impl Act {
    /// What it is called where it is counted.
    fn name(&self) -> &'static str {
        match self {
            Act::Read(_) => "read",
            Act::Write(_) => "write",
            Act::Edit(_) => "edit",
            Act::Delete => "delete",
            Act::Move(_) => "move",
            Act::Copy(_) => "copy",
        }
    }

    fn target(&self) -> Option<&PathBuf> {
        match self {
            Act::Move(to) | Act::Copy(to) => Some(to),
            Act::Read(_) | Act::Write(_) | Act::Edit(_) | Act::Delete => None,
        }
    }
}

impl Tool for BatchOperations {
    fn reach(&self, kit: &ToolContext, arguments: &Arguments) -> Result<Action, Failure> {
        let operations = operations(&kit.workspace, usual(kit), arguments)?;
        let paths = operations
            .iter()
            .flat_map(|operation| std::iter::once(operation.path.clone()).chain(operation.act.target().cloned()));
        Ok(Action::Read { paths: once(paths) })
    }

    fn plan(&self, kit: &ToolContext, arguments: &Arguments, look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let operations = operations(&kit.workspace, usual(kit), arguments)?;
        let leave = look.leave();
        if operations.iter().any(|operation| !matches!(operation.act, Act::Read(_))) {
            let overlay = Overlay::new(&kit.workspace, leave).minding(kit.levers().syntax, kit.rewrite());
            return Ok(edits(&kit.workspace, overlay, operations, leave)?.checked(&kit.checks())?.planned());
        }
        let (title, workspace) = (title(&operations), kit.workspace.clone());
        Ok(Box::new(ReadOnlyJob {
            paths: once(operations.iter().map(|operation| operation.path.clone())),
            title,
            rest: "read fewer files at a time, or one with read_file",
            work: Box::new(move |stop, room| {
                let readings = operations.into_iter().filter_map(|Operation { path, act }| match act {
                    Act::Read(wanted) => Some(reading(&workspace, path, wanted, leave)),
                    Act::Write(_) | Act::Edit(_) | Act::Delete | Act::Move(_) | Act::Copy(_) => None,
                });
                together(readings.collect(), room, stop)
            }),
        }))
    }
}

/// Lines that a read shows where it names no number.
fn usual(kit: &ToolContext) -> u64 {
    u64::from(kit.levers().read_lines)
}

fn operations(workspace: &Workspace, usual: u64, arguments: &Arguments) -> Result<Vec<Operation>, Failure> {
    let items = arguments.items("operations")?;
    match items.len() {
        0 => return arguments.missing("operations"),
        many if many > MOST => return Err(too_many(FORM.tool, "operations")),
        _ => {}
    }
    let read =
        |(nth, item)| operation(workspace, usual, item).map_err(|failure| of_operation(nth, items.len(), failure));
    items.iter().enumerate().map(read).collect()
}

fn operation(workspace: &Workspace, usual: u64, item: &Arguments) -> Result<Operation, Failure> {
    let name = named(&need(item, "operation", "say what is to be done")?);
    let given = need(item, "path", "say with which file")?;
    let path = workspace.resolve(&given)?;
    let Some(name) = name else {
        return Err(item.fault("operation", &format!("is one of {}", OPERATIONS.join(", "))));
    };
    let act = match name {
        "read" => Act::Read(WantedLines {
            first: item.optional_number("offset")?.unwrap_or(1).max(1),
            lines: item.optional_number("limit")?.filter(|limit| *limit > 0),
            usual,
            asked: AskedBy::Other,
        }),
        "write" => Act::Write(need(item, "content", "write")?),
        "edit" => {
            need(item, "old", "edit")?;
            need(item, "new", "edit")?;
            Act::Edit(Swap::read(item, ["old", "new", "replace_all"])?)
        }
        "delete" => Act::Delete,
        "move" => Act::Move(workspace.resolve(&need(item, "to", "move")?)?),
        _ => Act::Copy(workspace.resolve(&need(item, "to", "copy")?)?),
    };
    if matches!(act, Act::Delete | Act::Move(_)) {
        check_name(workspace, &given, &path)?;
    }
    Ok(Operation { path, act })
}

/// What changes something, and tells what was read besides.
fn edits(
    workspace: &Workspace,
    mut overlay: Overlay<'_>,
    operations: Vec<Operation>,
    leave: Leave,
) -> Result<Edits, Failure> {
    let (all, title) = (operations.len(), title(&operations));
    let mut readings = Vec::new();
    for (nth, Operation { path, act }) in operations.into_iter().enumerate() {
        let made = match act {
            Act::Read(wanted) => {
                kept(workspace, &mut overlay, path, wanted, leave).map(|reading| readings.push(reading))
            }
            Act::Write(content) => overlay.write(&path, content),
            Act::Edit(swap) => overlay.swap(&path, swap),
            Act::Delete => overlay.delete(&path),
            Act::Move(to) => overlay.carry(&path, &to, CarriedFrom::Goes),
            Act::Copy(to) => overlay.carry(&path, &to, CarriedFrom::Stays),
        };
        made.map_err(|failure| of_operation(nth, all, text_only(failure)))?;
    }
    let edits = Edits::new(workspace.clone(), overlay.into_parts()).titled(title);
    Ok(edits.beside(beside(readings)))
}

/// What the file holds when its turn comes, to be shown when all is done.
fn kept(
    workspace: &Workspace,
    overlay: &mut Overlay,
    path: PathBuf,
    wanted: WantedLines,
    leave: Leave,
) -> Result<FileReading, Failure> {
    let name = workspace.shown(&path);
    let values = Values::of(workspace, &path, leave);
    overlay.budget.check_time()?;
    let kept = match overlay.changed(&path) {
        None => KeptFile::now(workspace, &path, values, &overlay.budget.late),
        Some(Some(text)) => Ok(KeptFile::text(text)),
        Some(None) => Err(gone(&name)),
    };
    overlay.budget.check_time()?;
    overlay.budget.hold(kept.as_ref().map_or(0, KeptFile::held))?;
    let (shown, workspace) = (name.clone(), workspace.clone());
    let size = kept.as_ref().map_or(0, KeptFile::size);
    let read =
        move |room: usize, stop: &Stop| kept?.look_at(&workspace, ReadWish { wanted, values, room }, &shown, stop);
    Ok(FileReading { name, size, read: Box::new(read) })
}

/// What is told of the readings, none of which can fail the changes that are made by then.
fn beside(readings: Vec<FileReading>) -> Option<ReadingsAfter> {
    if readings.is_empty() {
        return None;
    }
    Some(Box::new(move |room| {
        together(readings, room, &Stop::default()).unwrap_or_else(|failure| {
            words::done(format!("[not read: {}]", failure.message), "nothing".into(), String::new())
        })
    }))
}

/// Our word for what other agents call `given`.
fn named(given: &str) -> Option<&'static str> {
    Some(match plain(given).as_str() {
        "read" | "readfile" | "view" | "show" | "cat" => "read",
        "write" | "writefile" | "create" | "createfile" | "overwrite" | "save" => "write",
        "edit" | "editfile" | "replace" | "update" | "modify" | "strreplace" => "edit",
        "delete" | "deletefile" | "remove" | "rm" | "unlink" => "delete",
        "move" | "movefile" | "rename" | "renamefile" | "mv" => "move",
        "copy" | "copyfile" | "cp" | "duplicate" => "copy",
        _ => return None,
    })
}

/// What must be there for `act`.
fn need(item: &Arguments, name: &str, act: &str) -> Result<String, Failure> {
    if item.has(name) { item.text(name) } else { Err(item.fault(name, &format!("must be given to {act}"))) }
}

/// `Batch: 2 edits, 1 delete`.
fn title(operations: &[Operation]) -> String {
    let mut counts: Vec<(&'static str, u64)> = Vec::new();
    for name in operations.iter().map(|operation| operation.act.name()) {
        match counts.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => counts.push((name, 1)),
        }
    }
    let counted = |(name, count): (&str, u64)| match (name, count) {
        ("copy", 2..) => format!("{count} copies"),
        _ => words::count(count, name),
    };
    format!("Batch: {}", counts.into_iter().map(counted).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests;
