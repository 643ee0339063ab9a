//! Commands that change a sheet, one a line, as `gridtext run` reads them.

use super::{commands, Console};
use crate::address::{column_number, CellRef, Range};
use crate::error::SheetError;
use crate::formula::shift::Axis;
use crate::render;
use crate::sheet::{Direction, Order, Sheet};

const HELP: &str = "\
set CELL INPUT            clear RANGE              format RANGE PATTERN
name NAME RANGE           unname NAME              find RANGE TEXT
replace RANGE OLD NEW     copy RANGE CELL          move RANGE CELL
fill RANGE down|right     series RANGE             transpose RANGE CELL
freeze RANGE              sort RANGE COLUMN [desc]
insert rows|columns AT [COUNT]                     delete rows|columns AT [COUNT]
undo  redo  log  show [RANGE]  get CELL  save [FILE]
";

/// Runs a script. It ends at the first line that fails; what was done before stays
/// done, but only `save` writes anything.
pub fn run(sheet: &mut Sheet, file: &str, text: &str, console: &mut dyn Console) -> Result<(), SheetError> {
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        step(sheet, file, line, console).map_err(|error| error.on_line(index + 1))?;
    }
    Ok(())
}

fn step(sheet: &mut Sheet, file: &str, line: &str, console: &mut dyn Console) -> Result<(), SheetError> {
    let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
    let rest = rest.trim_start();
    match name {
        "set" => {
            let (cell, input) = rest.split_once(' ').unwrap_or((rest, ""));
            return sheet.set(CellRef::parse(cell)?, input);
        }
        "format" => {
            let (range, pattern) = rest.split_once(' ').ok_or_else(|| wrong(name))?;
            return sheet.set_format(Range::parse(range)?, pattern);
        }
        "find" => {
            let (range, text) = rest.split_once(' ').ok_or_else(|| wrong(name))?;
            let found: Vec<String> = sheet.find(Range::parse(range)?, text).iter().map(CellRef::to_string).collect();
            console.print(&format!("{}\n", found.join(" ")));
            return Ok(());
        }
        _ => {}
    }
    let words: Vec<&str> = rest.split_whitespace().collect();
    match looking(sheet, file, name, &words, console)? {
        Done::Yes => Ok(()),
        Done::No => changing(sheet, name, &words, console),
    }
}

/// Whether a command was one of those looked for.
enum Done {
    Yes,
    No,
}

/// Commands that leave the cells as they are, and undo.
fn looking(
    sheet: &mut Sheet,
    file: &str,
    name: &str,
    words: &[&str],
    console: &mut dyn Console,
) -> Result<Done, SheetError> {
    match (name, words) {
        ("help", []) => console.print(HELP),
        ("get", [cell]) => console.print(&format!("{}\n", sheet.shown(CellRef::parse(cell)?))),
        ("show", []) => {
            if let Some(range) = sheet.used() {
                console.print(&render::table(sheet, range));
            }
        }
        ("show", [range]) => console.print(&render::table(sheet, Range::parse(range)?)),
        ("save", []) => commands::save(file, sheet, console)?,
        ("save", [other]) => commands::save(other, sheet, console)?,
        ("undo", []) => {
            let label = sheet.undo()?;
            console.print(&format!("undone: {label}\n"));
        }
        ("redo", []) => {
            let label = sheet.redo()?;
            console.print(&format!("done again: {label}\n"));
        }
        ("log", []) => {
            for label in sheet.undoable() {
                console.print(&format!("{label}\n"));
            }
        }
        _ => return Ok(Done::No),
    }
    Ok(Done::Yes)
}

fn changing(sheet: &mut Sheet, name: &str, words: &[&str], console: &mut dyn Console) -> Result<(), SheetError> {
    match (name, words) {
        ("clear", [range]) => sheet.clear(Range::parse(range)?),
        ("name", [name, range]) => sheet.define(name, Range::parse(range)?),
        ("unname", [name]) => sheet.undefine(name),
        ("replace", [range, old, new]) => {
            let count = sheet.replace(Range::parse(range)?, old, new)?;
            console.print(&format!("{count} cells changed\n"));
            Ok(())
        }
        ("copy", [range, cell]) => sheet.copy(Range::parse(range)?, CellRef::parse(cell)?),
        ("move", [range, cell]) => sheet.move_block(Range::parse(range)?, CellRef::parse(cell)?),
        ("transpose", [range, cell]) => sheet.transpose(Range::parse(range)?, CellRef::parse(cell)?),
        ("fill", [range, "down"]) => sheet.fill(Range::parse(range)?, Direction::Down),
        ("fill", [range, "right"]) => sheet.fill(Range::parse(range)?, Direction::Right),
        ("series", [range]) => sheet.fill_series(Range::parse(range)?),
        ("freeze", [range]) => sheet.freeze(Range::parse(range)?),
        ("sort", [range, key]) => sheet.sort(Range::parse(range)?, column(key)?, Order::Ascending),
        ("sort", [range, key, "desc"]) => sheet.sort(Range::parse(range)?, column(key)?, Order::Descending),
        ("insert", [axis, at]) => insert(sheet, axis, at, "1"),
        ("insert", [axis, at, count]) => insert(sheet, axis, at, count),
        ("delete", [axis, at]) => delete(sheet, axis, at, "1"),
        ("delete", [axis, at, count]) => delete(sheet, axis, at, count),
        _ => Err(wrong(name)),
    }
}

fn insert(sheet: &mut Sheet, axis: &str, at: &str, count: &str) -> Result<(), SheetError> {
    let (axis, at) = place(axis, at)?;
    sheet.insert(axis, at, number(count)?)
}

fn delete(sheet: &mut Sheet, axis: &str, at: &str, count: &str) -> Result<(), SheetError> {
    let (axis, at) = place(axis, at)?;
    sheet.delete(axis, at, number(count)?)
}

/// `rows 7` or `columns C`.
fn place(axis: &str, at: &str) -> Result<(Axis, u32), SheetError> {
    match axis {
        "rows" => Ok((Axis::Rows, number(at)?.checked_sub(1).ok_or_else(|| wrong(at))?)),
        "columns" => Ok((Axis::Columns, column(at)?)),
        _ => Err(wrong(axis)),
    }
}

fn number(text: &str) -> Result<u32, SheetError> {
    text.parse().map_err(|_| wrong(text))
}

fn column(text: &str) -> Result<u32, SheetError> {
    column_number(text).ok_or_else(|| SheetError::Address(text.to_string()))
}

fn wrong(word: &str) -> SheetError {
    SheetError::Usage(format!("'{word}' is not understood here"))
}
