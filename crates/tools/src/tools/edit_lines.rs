//! `edit_lines` and `insert_lines`: changes that name lines by their numbers, as other agents have models write them. No model
//! is told of them: text that is quoted is met more surely than lines that are counted.
//!
//! **Invariant.** Only lines that the model was shown, in a file that is as it was then, are named by numbers.

use super::edit_file::nothing_new;
use super::read_file::missing;
use super::{FILE_PATH, refused};
use crate::arguments::{Arguments, BLANK, Form, Kind, Parameter};
use crate::change::{Author, Before, Edit, Verb, before, note_on_ends, read_again};
use crate::read_only_job;
use crate::read_tracker::Sight;
use crate::redact::refuse_mark;
use crate::replace::{with_ends_of, without_numbers};
use crate::tools::ToolContext;
use crate::{PlannedCall, Tool, words};
use agent_policy::Permit;
use agent_protocol::{Action, Failure, FailureKind};
use std::ops::Range;
use std::path::{Path, PathBuf};

const NEW: Parameter = Parameter::new("new_string", Kind::Body, "\"new text\\n\"")
    .also(
        "newstr newtext new replace replacement newcontent newcode newvalue updated updatedtext replacetext replacewith \
        replacementtext replacementcontent replacestring content contents text code lines newlines inserttext insert \
        filetext body with",
    )
    .required();

pub(super) static EDIT: Form = Form {
    tool: "edit_lines",
    aliases: "replace_lines edit_file_lines replace_line_range edit_line_range replace_file_lines modify_lines update_lines \
        replace_lines_in_file",
    description: include_str!("edit_lines.md"),
    parameters: &[
        FILE_PATH,
        Parameter::new("start_line", Kind::Number, "12")
            .also("start from firstline linestart beginline startlinenumber startlineoneindexed linefrom first")
            .required(),
        Parameter::new("end_line", Kind::Number, "15")
            .also("end to lastline lineend stopline endlinenumber endlineoneindexed endlineoneindexedinclusive lineto last")
            .required(),
        NEW,
    ],
    refused: refused::LINES,
    unoffered: true,
    stands_for: &["edit_file"],
    ..BLANK
};

pub(super) static INSERT: Form = Form {
    tool: "insert_lines",
    aliases: "insert insert_content insert_text insert_at_line insert_line insert_into_file insert_code",
    description: include_str!("insert_lines.md"),
    parameters: &[
        FILE_PATH,
        Parameter::new("insert_line", Kind::Number, "12").also("after afterline insertafter insertafterline"),
        Parameter::new("before_line", Kind::Number, "13").also("before insertbefore insertbeforeline"),
        NEW,
    ],
    refused: refused::INSERT,
    unoffered: true,
    stands_for: &["edit_file"],
    ..BLANK
};

/// A byte order mark belongs to no line.
const MARK: &str = "\u{feff}";

pub(super) struct EditLines;

pub(super) struct InsertLines;

impl Tool for EditLines {
    fn reach(&self, kit: &ToolContext, arguments: &Arguments) -> Result<Action, Failure> {
        lines(arguments)?;
        arguments.text("new_string")?;
        Ok(read_only_job::action(path(kit, arguments)?))
    }

    fn plan(&self, kit: &ToolContext, arguments: &Arguments, _look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let (place, new) = (lines(arguments)?, arguments.text("new_string")?);
        planned(kit, path(kit, arguments)?, &place, new)
    }
}

impl Tool for InsertLines {
    fn reach(&self, kit: &ToolContext, arguments: &Arguments) -> Result<Action, Failure> {
        point(arguments)?;
        arguments.word("new_string")?;
        Ok(read_only_job::action(path(kit, arguments)?))
    }

    fn plan(&self, kit: &ToolContext, arguments: &Arguments, _look: Permit) -> Result<Box<dyn PlannedCall>, Failure> {
        let (point, new) = (point(arguments)?, arguments.word("new_string")?);
        planned(kit, path(kit, arguments)?, &(point..point), new)
    }
}

fn path(kit: &ToolContext, arguments: &Arguments) -> Result<PathBuf, Failure> {
    kit.workspace.resolve(&arguments.word("file_path")?)
}

/// The lines that are replaced, counted from 0, without the last one.
fn lines(arguments: &Arguments) -> Result<Range<usize>, Failure> {
    let number = |name: &str| match arguments.optional_number(name)? {
        Some(0) => Err(arguments.fault(name, "is 0; lines are counted from 1")),
        Some(number) => Ok(usize::try_from(number).unwrap_or(usize::MAX)),
        None => arguments.missing(name),
    };
    let (first, last) = (number("start_line")?, number("end_line")?);
    if first > last {
        return Err(arguments.fault(
            "end_line",
            &format!(
                "is {last}, which is before line {first}; give both the first and \
            the last line that is replaced"
            ),
        ));
    }
    Ok(first - 1..last)
}

/// Behind how many lines something is put.
fn point(arguments: &Arguments) -> Result<usize, Failure> {
    let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    match (arguments.optional_number("insert_line")?, arguments.optional_number("before_line")?) {
        (Some(after), None) => Ok(number(after)),
        (None, Some(0)) => Err(arguments.fault("before_line", "is 0; lines are counted from 1")),
        (None, Some(before)) => Ok(number(before) - 1),
        (Some(_), Some(_)) => Err(arguments.fault("before_line", "and `insert_line` are both given; give one of them")),
        (None, None) => {
            Err(arguments.fault("insert_line", "must be given: the line behind which the text goes, 0 for the top"))
        }
    }
}

fn planned(
    kit: &ToolContext,
    path: PathBuf,
    place: &Range<usize>,
    new: String,
) -> Result<Box<dyn PlannedCall>, Failure> {
    let workspace = kit.workspace.clone();
    let Some(before) = before(&workspace, &path)? else { return Err(missing(&workspace, &path)) };
    let shown = workspace.shown(&path);
    check_known(kit, &path, &shown, &before, place)?;
    refuse_mark(&new, &before.text, "new_string")?;
    let new = without_numbers(&new, &new).map_or(new, |(_, bare)| bare);
    let after = with_lines(&before.text, place, &new);
    if after == before.text {
        return Err(nothing_new(&shown));
    }
    let note = note_on_ends(&before.text);
    let verb = Verb::Edit;
    let edit = Edit { workspace, path, before: Some(before), after, verb, note, how: None, author: Author::Model };
    edit.planned(&kit.checks())
}

/// A failure where nobody can know that these are the lines that are meant.
fn check_known(
    kit: &ToolContext,
    path: &Path,
    shown: &str,
    before: &Before,
    place: &Range<usize>,
) -> Result<(), Failure> {
    let total = before.text.trim_start_matches(MARK).lines().count();
    let instead = "or quote the text in edit_file";
    let stale = |message: String| Err(Failure::new(FailureKind::Stale, message));
    match kit.workspace.seen().sight(path, &before.digest) {
        Sight::Before => return Err(read_again(shown)),
        Sight::Never => {
            return stale(format!(
                "{shown} was not read in this session; read it before you name its lines, {instead}"
            ));
        }
        Sight::AsItIs => {}
    }
    if place.end > total {
        let total = words::count(total as u64, "line");
        let message = format!("{shown} has only {total}, and line {} is named; read it again", place.end);
        return Err(Failure::new(FailureKind::InvalidArguments, message));
    }
    // What is put in goes behind a line that was shown, or before one.
    let known =
        if place.is_empty() { place.start.saturating_sub(1)..place.start.max(1).min(total) } else { place.clone() };
    if kit.workspace.seen().shows(path, &before.digest, known) {
        return Ok(());
    }
    stale(format!(
        "those lines of {shown} were not shown since it changed last, so their numbers may be others by now; read them again \
         before you name them, {instead}"
    ))
}

/// `text` with `new` in place of these lines.
fn with_lines(text: &str, place: &Range<usize>, new: &str) -> String {
    let bare = text.trim_start_matches(MARK);
    let (mark, text) = text.split_at(text.len() - bare.len());
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let head: String = lines[..place.start].concat();
    let tail: String = lines[place.end..].concat();
    let mut new = with_ends_of(text, new);
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    if !new.is_empty() && !new.ends_with('\n') && (!tail.is_empty() || text.ends_with('\n')) {
        new.push_str(end);
    }
    let joint = if head.is_empty() || head.ends_with('\n') || new.is_empty() { "" } else { end };
    format!("{mark}{head}{joint}{new}{tail}")
}

#[cfg(test)]
mod tests {
    use super::with_lines;

    #[test]
    fn lines_take_the_place_of_others_and_ends_stay() {
        for (text, place, new, after) in [
            ("a\nb\nc\n", 1..2, "B", "a\nB\nc\n"),
            ("a\nb\nc\n", 1..2, "B\n", "a\nB\nc\n"),
            ("a\nb\nc\n", 0..2, "", "c\n"),
            ("a\r\nb\r\n", 1..2, "B\nC", "a\r\nB\r\nC\r\n"),
            ("a\nb", 1..2, "B", "a\nB"),
            ("a\nb", 2..2, "c", "a\nb\nc"),
            ("a\nb\n", 2..2, "c", "a\nb\nc\n"),
            ("a\nb\n", 0..0, "x\n", "x\na\nb\n"),
            ("\u{feff}a\n", 0..0, "x", "\u{feff}x\na\n"),
        ] {
            assert_eq!(with_lines(text, &place, new), after, "{text:?} {place:?} {new:?}");
        }
    }
}
