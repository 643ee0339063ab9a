//! The sheet: cells, names, and every command that changes them.
//!
//! Each command first works out which cells and names it changes, and to what. Then
//! [`Sheet::commit`] checks that all of it can be read, makes the change, notes it
//! for undo and calculates anew what depends on it. So a command either happens as
//! a whole or not at all.

use std::collections::{BTreeMap, BTreeSet};

use crate::address::{CellRef, Range, Reference, MAX_COLUMNS, MAX_ROWS};
use crate::config::Settings;
use crate::error::{CellError, SheetError};
use crate::eval::{evaluate, Cells};
use crate::format::Format;
use crate::formula::print::print;
use crate::formula::shift::{changed, copied, moved, Axis, Change, ChangeKind};
use crate::formula::{parse, Expr};
use crate::graph::Graph;
use crate::history::{Edit, History, Step, Stored};
use crate::input::{self, Input};
use crate::value::Value;

/// A cell that is not empty.
#[derive(Debug, Clone)]
struct Cell {
    stored: Stored,
    content: Input,
    format: Format,
    value: Value,
}

/// Whether sorted rows begin with the smallest or the largest key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    Ascending,
    Descending,
}

/// Where a block is filled from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// The first row is copied into the rows below.
    Down,
    /// The first column is copied into the columns to the right.
    Right,
}

/// What a command wants to change. Cells and names without a value go away.
#[derive(Debug, Clone, Default)]
struct Wanted {
    cells: BTreeMap<CellRef, Option<Stored>>,
    names: BTreeMap<String, Option<Range>>,
}

impl Wanted {
    fn cell(&mut self, cell: CellRef, stored: Option<Stored>) {
        self.cells.insert(cell, stored);
    }
}

#[derive(Debug, Clone)]
pub struct Sheet {
    settings: Settings,
    cells: BTreeMap<CellRef, Cell>,
    names: BTreeMap<String, Range>,
    graph: Graph,
    history: History,
    /// How many formulas have been calculated so far.
    evaluated: usize,
}

impl Cells for Sheet {
    fn value(&self, cell: CellRef) -> Value {
        self.cells.get(&cell).map_or(Value::Empty, |found| found.value.clone())
    }

    fn named(&self, name: &str) -> Option<Range> {
        self.names.get(name).copied()
    }

    fn settings(&self) -> &Settings {
        &self.settings
    }
}

// ---------------------------------------------------------------------------
// Looking
// ---------------------------------------------------------------------------

impl Sheet {
    pub fn new(settings: Settings) -> Sheet {
        let history = History::new(settings.history);
        Sheet {
            settings,
            cells: BTreeMap::new(),
            names: BTreeMap::new(),
            graph: Graph::default(),
            history,
            evaluated: 0,
        }
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The value of a cell.
    pub fn value(&self, cell: CellRef) -> Value {
        Cells::value(self, cell)
    }

    /// What was typed into a cell; nothing for an empty one.
    pub fn input(&self, cell: CellRef) -> &str {
        self.cells.get(&cell).map_or("", |found| &found.stored.input)
    }

    /// The format that was chosen for a cell.
    pub fn format(&self, cell: CellRef) -> Option<&str> {
        self.cells.get(&cell).and_then(|found| found.stored.format.as_deref())
    }

    /// The value of a cell as it is shown.
    pub fn shown(&self, cell: CellRef) -> String {
        match self.cells.get(&cell) {
            Some(found) => found.format.show(&found.value, &self.settings),
            None => String::new(),
        }
    }

    /// Whether the cell is shown at the right of its column.
    pub fn shown_right(&self, cell: CellRef) -> bool {
        self.cells.get(&cell).is_some_and(|found| found.format.right(&found.value))
    }

    /// The formula of a cell, if it has one.
    pub fn formula(&self, cell: CellRef) -> Option<&Expr> {
        match &self.cells.get(&cell)?.content {
            Input::Formula(tree) => Some(tree),
            Input::Literal(_) => None,
        }
    }

    /// All cells that are not empty, row by row.
    pub fn stored(&self) -> impl Iterator<Item = (CellRef, &Stored)> {
        self.cells.iter().map(|(place, cell)| (*place, &cell.stored))
    }

    /// All names, with their ranges.
    pub fn names(&self) -> impl Iterator<Item = (&str, Range)> {
        self.names.iter().map(|(name, range)| (name.as_str(), *range))
    }

    /// The smallest range from `A1` that has all cells which are not empty.
    pub fn used(&self) -> Option<Range> {
        let row = self.cells.keys().map(|cell| cell.row).max()?;
        let column = self.cells.keys().map(|cell| cell.column).max()?;
        Some(Range::new(CellRef::new(0, 0), CellRef::new(row, column)))
    }

    /// Cells whose value is an error, row by row.
    pub fn errors(&self) -> Vec<(CellRef, CellError)> {
        self.cells.iter().filter_map(|(place, cell)| Some((*place, cell.value.error()?))).collect()
    }

    /// Formulas that look at a cell, directly or by a name.
    pub fn dependents(&self, cell: CellRef) -> BTreeSet<CellRef> {
        let mut found = self.graph.dependents(cell);
        found.extend(self.users_by_name(cell));
        found
    }

    /// How many formulas have been calculated since the sheet was made. A command
    /// calculates only what depends on the cells it changes.
    pub fn evaluated(&self) -> usize {
        self.evaluated
    }

    /// Labels of the commands that can be undone, the latest first.
    pub fn undoable(&self) -> Vec<&str> {
        self.history.labels().collect()
    }

    /// Cells in a range whose shown value has this text in it, in any case.
    pub fn find(&self, range: Range, text: &str) -> Vec<CellRef> {
        let text = text.to_lowercase();
        let hit = |cell: &CellRef| self.shown(*cell).to_lowercase().contains(&text);
        self.occupied(range).into_iter().filter(hit).collect()
    }

    /// Cells of a range that are not empty, row by row.
    fn occupied(&self, range: Range) -> Vec<CellRef> {
        let rows = CellRef::new(range.start.row, 0)..=CellRef::new(range.end.row, MAX_COLUMNS);
        self.cells.range(rows).map(|(place, _)| *place).filter(|place| range.contains(*place)).collect()
    }

    fn stored_at(&self, cell: CellRef) -> Option<Stored> {
        self.cells.get(&cell).map(|found| found.stored.clone())
    }
}

// ---------------------------------------------------------------------------
// Single cells, formats and names
// ---------------------------------------------------------------------------

impl Sheet {
    /// Puts what was typed into a cell. An empty text empties it, but a chosen
    /// format stays.
    pub fn set(&mut self, cell: CellRef, text: &str) -> Result<(), SheetError> {
        let format = self.stored_at(cell).and_then(|stored| stored.format);
        let mut wanted = Wanted::default();
        let stored = Stored { input: text.to_string(), format };
        wanted.cell(cell, (!text.is_empty() || stored.format.is_some()).then_some(stored));
        self.commit(format!("set {cell}"), wanted)
    }

    /// Puts many cells at once, as one command.
    pub fn set_all(&mut self, label: &str, items: Vec<(CellRef, String)>) -> Result<(), SheetError> {
        let mut wanted = Wanted::default();
        for (cell, input) in items {
            let format = self.stored_at(cell).and_then(|stored| stored.format);
            let stored = Stored { input, format };
            let keep = !stored.input.is_empty() || stored.format.is_some();
            wanted.cell(cell, keep.then_some(stored));
        }
        self.commit(label.to_string(), wanted)
    }

    /// Empties the cells of a range, formats included.
    pub fn clear(&mut self, range: Range) -> Result<(), SheetError> {
        let mut wanted = Wanted::default();
        for cell in self.occupied(range) {
            wanted.cell(cell, None);
        }
        self.commit(format!("clear {range}"), wanted)
    }

    /// Chooses the format of all cells in a range, empty ones too; `general` takes
    /// the choice back.
    pub fn set_format(&mut self, range: Range, pattern: &str) -> Result<(), SheetError> {
        Format::parse(pattern)?;
        let format = (pattern != "general").then(|| pattern.to_string());
        let mut wanted = Wanted::default();
        for cell in range.cells() {
            let input = self.input(cell).to_string();
            let keep = !input.is_empty() || format.is_some();
            wanted.cell(cell, keep.then(|| Stored { input, format: format.clone() }));
        }
        self.commit(format!("format {range}"), wanted)
    }

    /// Gives a range a name that formulas can use.
    pub fn define(&mut self, name: &str, range: Range) -> Result<(), SheetError> {
        let name = checked_name(name)?;
        let mut wanted = Wanted::default();
        wanted.names.insert(name.clone(), Some(range));
        self.commit(format!("name {name}"), wanted)
    }

    /// Takes a name away. Formulas that use it show `#NAME?` then.
    pub fn undefine(&mut self, name: &str) -> Result<(), SheetError> {
        let name = name.to_lowercase();
        if !self.names.contains_key(&name) {
            return Err(SheetError::Name(name));
        }
        let mut wanted = Wanted::default();
        wanted.names.insert(name.clone(), None);
        self.commit(format!("unname {name}"), wanted)
    }
}

/// A name in small letters. It must begin with a letter and must not look like a
/// cell or a truth value.
fn checked_name(name: &str) -> Result<String, SheetError> {
    let name = name.to_lowercase();
    let letters = name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.');
    let begins = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let taken = Reference::parse(&name).is_ok() || name == "true" || name == "false";
    if letters && begins && !taken {
        Ok(name)
    } else {
        Err(SheetError::Name(name))
    }
}

// ---------------------------------------------------------------------------
// Blocks: copy, move, fill, sort, replace
// ---------------------------------------------------------------------------

impl Sheet {
    /// Copies a block so that its upper left corner is at `to`. References without
    /// dollar signs go along; what was there before is overwritten, by empty cells too.
    pub fn copy(&mut self, from: Range, to: CellRef) -> Result<(), SheetError> {
        from.moved_to(to)?;
        let (rows, columns) = distance(from.start, to);
        let mut wanted = Wanted::default();
        for cell in from.cells() {
            let target = CellRef::new((i64::from(cell.row) + rows) as u32, (i64::from(cell.column) + columns) as u32);
            wanted.cell(target, self.copied_cell(cell, rows, columns));
        }
        self.commit(format!("copy {from} to {to}"), wanted)
    }

    /// What a cell becomes when it is copied that far.
    fn copied_cell(&self, cell: CellRef, rows: i64, columns: i64) -> Option<Stored> {
        let found = self.cells.get(&cell)?;
        let input = match &found.content {
            Input::Formula(tree) => format!("={}", print(&copied(tree, rows, columns))),
            Input::Literal(_) => found.stored.input.clone(),
        };
        Some(Stored { input, format: found.stored.format.clone() })
    }

    /// Moves a block. References to its cells follow, wherever they are; names of
    /// ranges inside of it follow, too.
    pub fn move_block(&mut self, from: Range, to: CellRef) -> Result<(), SheetError> {
        let target = from.moved_to(to)?;
        let (rows, columns) = distance(from.start, to);
        let inside = |cell: CellRef| from.contains(cell);
        let mut wanted = Wanted::default();
        for cell in self.occupied(target) {
            wanted.cell(cell, None);
        }
        for cell in self.occupied(from) {
            wanted.cell(cell, None);
        }
        for (place, cell) in &self.cells {
            let new_place = if inside(*place) { place.offset(rows, columns) } else { Some(*place) };
            let Some(new_place) = new_place else { continue };
            // Cells that lie where the block goes are overwritten.
            if !inside(*place) && target.contains(*place) {
                continue;
            }
            let stored = match &cell.content {
                Input::Formula(tree) => {
                    let input = format!("={}", print(&moved(tree, &inside, rows, columns)));
                    Stored { input, format: cell.stored.format.clone() }
                }
                Input::Literal(_) => cell.stored.clone(),
            };
            wanted.cell(new_place, Some(stored));
        }
        for (name, range) in &self.names {
            if inside(range.start) && inside(range.end) {
                let start = range.start.offset(rows, columns);
                wanted.names.insert(name.clone(), start.and_then(|start| range.moved_to(start).ok()));
            }
        }
        self.commit(format!("move {from} to {to}"), wanted)
    }

    /// Copies the first row or column of a block into the rest of it.
    pub fn fill(&mut self, range: Range, direction: Direction) -> Result<(), SheetError> {
        let mut wanted = Wanted::default();
        for cell in range.cells() {
            let source = match direction {
                Direction::Down => CellRef { row: range.start.row, ..cell },
                Direction::Right => CellRef { column: range.start.column, ..cell },
            };
            if source == cell {
                continue;
            }
            let (rows, columns) = distance(source, cell);
            wanted.cell(cell, self.copied_cell(source, rows, columns));
        }
        let word = match direction {
            Direction::Down => "down",
            Direction::Right => "right",
        };
        self.commit(format!("fill {range} {word}"), wanted)
    }

    /// Continues a column of numbers: the step between the first two rows is kept
    /// up to the last row. Formats of the second row are taken over.
    pub fn fill_series(&mut self, range: Range) -> Result<(), SheetError> {
        if range.rows() < 3 {
            return Err(SheetError::Range(format!("{range} has fewer than three rows")));
        }
        let mut wanted = Wanted::default();
        for column in range.start.column..=range.end.column {
            let first = CellRef::new(range.start.row, column);
            let second = CellRef::new(range.start.row + 1, column);
            let (Value::Number(a), Value::Number(b)) = (self.value(first), self.value(second)) else {
                return Err(SheetError::Range(format!("{first} and {second} are not both numbers")));
            };
            let format = self.series_format(second);
            for row in range.start.row + 2..=range.end.row {
                let number = a + (b - a) * f64::from(row - range.start.row);
                let input = Format::General.show(&Value::Number(number), &self.settings);
                wanted.cell(CellRef::new(row, column), Some(Stored { input, format: format.clone() }));
            }
        }
        self.commit(format!("series {range}"), wanted)
    }

    /// The format a series goes on in: the chosen one, or the one that came with
    /// how the value was typed, as with dates.
    fn series_format(&self, cell: CellRef) -> Option<String> {
        let found = self.cells.get(&cell)?;
        match &found.content {
            Input::Literal(literal) => found.stored.format.clone().or(literal.format.map(str::to_string)),
            Input::Formula(_) => found.stored.format.clone(),
        }
    }

    /// Sorts the rows of a block by the values in one of its columns. Formulas in
    /// moved rows are adapted as if they were copied.
    pub fn sort(&mut self, range: Range, key: u32, order: Order) -> Result<(), SheetError> {
        if !(range.start.column..=range.end.column).contains(&key) {
            return Err(SheetError::Range(format!("the key is not a column of {range}")));
        }
        let value = |row: u32| self.value(CellRef::new(row, key));
        let mut rows: Vec<u32> = (range.start.row..=range.end.row).collect();
        rows.sort_by(|a, b| value(*a).sort_order(&value(*b)));
        if order == Order::Descending {
            rows.reverse();
        }
        let mut wanted = Wanted::default();
        for (target, source) in (range.start.row..).zip(rows) {
            for column in range.start.column..=range.end.column {
                let distance = i64::from(target) - i64::from(source);
                let stored = self.copied_cell(CellRef::new(source, column), distance, 0);
                wanted.cell(CellRef::new(target, column), stored);
            }
        }
        self.commit(format!("sort {range}"), wanted)
    }

    /// Puts another text in place of one in all inputs of a range, formulas included.
    /// Gives the number of cells that were changed.
    pub fn replace(&mut self, range: Range, old: &str, new: &str) -> Result<usize, SheetError> {
        if old.is_empty() {
            return Err(SheetError::Range("nothing to look for".to_string()));
        }
        let mut wanted = Wanted::default();
        for cell in self.occupied(range) {
            let Some(stored) = self.stored_at(cell) else { continue };
            if stored.input.contains(old) {
                let input = stored.input.replace(old, new);
                let keep = !input.is_empty() || stored.format.is_some();
                wanted.cell(cell, keep.then_some(Stored { input, ..stored }));
            }
        }
        let count = wanted.cells.len();
        self.commit(format!("replace in {range}"), wanted)?;
        Ok(count)
    }

    /// Swaps rows and columns of a block that is copied to `to`; values only, for
    /// references would mean other cells.
    pub fn transpose(&mut self, from: Range, to: CellRef) -> Result<(), SheetError> {
        let corner = to.offset(i64::from(from.columns()) - 1, i64::from(from.rows()) - 1);
        if corner.is_none() {
            return Err(SheetError::Range(format!("{from} does not fit at {to} sideways")));
        }
        let mut wanted = Wanted::default();
        for cell in from.cells() {
            let target = CellRef::new(to.row + cell.column - from.start.column, to.column + cell.row - from.start.row);
            let stored = self.cells.get(&cell).map(|found| Stored {
                input: match &found.content {
                    Input::Formula(_) => typed(&found.value, &self.settings),
                    Input::Literal(_) => found.stored.input.clone(),
                },
                format: found.stored.format.clone(),
            });
            wanted.cell(target, stored.filter(|stored| !stored.input.is_empty() || stored.format.is_some()));
        }
        self.commit(format!("transpose {from} to {to}"), wanted)
    }

    /// Puts the value of each formula in a range in its place.
    pub fn freeze(&mut self, range: Range) -> Result<(), SheetError> {
        let mut wanted = Wanted::default();
        for cell in self.occupied(range) {
            let Some(found) = self.cells.get(&cell) else { continue };
            if matches!(found.content, Input::Formula(_)) {
                let input = typed(&found.value, &self.settings);
                let keep = !input.is_empty() || found.stored.format.is_some();
                wanted.cell(cell, keep.then(|| Stored { input, format: found.stored.format.clone() }));
            }
        }
        self.commit(format!("freeze {range}"), wanted)
    }
}

/// A value as one would type it, so that reading it gives the same value again.
fn typed(value: &Value, settings: &Settings) -> String {
    let text = Format::General.show(value, settings);
    match value {
        Value::Text(_) if input::literal(&text, settings).value != *value || text.starts_with('=') => {
            format!("'{text}")
        }
        Value::Text(_) | Value::Number(_) | Value::Bool(_) | Value::Error(_) | Value::Empty => text,
    }
}

/// Rows and columns from one cell to another.
fn distance(from: CellRef, to: CellRef) -> (i64, i64) {
    (i64::from(to.row) - i64::from(from.row), i64::from(to.column) - i64::from(from.column))
}

// ---------------------------------------------------------------------------
// Rows and columns that come and go
// ---------------------------------------------------------------------------

impl Sheet {
    /// Inserts empty rows or columns before the one at `at`.
    pub fn insert(&mut self, axis: Axis, at: u32, count: u32) -> Result<(), SheetError> {
        let (limit, word) = bounds(axis);
        let last = self.cells.keys().map(|cell| position(*cell, axis)).max().unwrap_or(0);
        if count == 0 || at >= limit || last.saturating_add(count) >= limit {
            return Err(SheetError::Range(format!("{count} {word} cannot be inserted there")));
        }
        self.restructure(Change { axis, at, count, kind: ChangeKind::Insert }, format!("insert {word}"))
    }

    /// Deletes rows or columns. References to them become `#REF!`, ranges shrink.
    pub fn delete(&mut self, axis: Axis, at: u32, count: u32) -> Result<(), SheetError> {
        let (limit, word) = bounds(axis);
        if count == 0 || at.saturating_add(count) > limit {
            return Err(SheetError::Range(format!("{count} {word} cannot be deleted there")));
        }
        self.restructure(Change { axis, at, count, kind: ChangeKind::Delete }, format!("delete {word}"))
    }

    fn restructure(&mut self, change: Change, label: String) -> Result<(), SheetError> {
        let mut wanted = Wanted::default();
        for (place, cell) in &self.cells {
            if position(*place, change.axis) >= change.at {
                wanted.cells.entry(*place).or_insert(None);
            }
            let Some(new_place) = change.cell(*place) else { continue };
            let stored = match &cell.content {
                Input::Formula(tree) => {
                    let after = changed(tree, &change);
                    let input = if after == *tree { cell.stored.input.clone() } else { format!("={}", print(&after)) };
                    Stored { input, format: cell.stored.format.clone() }
                }
                Input::Literal(_) => cell.stored.clone(),
            };
            wanted.cell(new_place, Some(stored));
        }
        for (name, range) in &self.names {
            wanted.names.insert(name.clone(), changed_name(*range, &change));
        }
        self.commit(label, wanted)
    }
}

/// The range of a name after rows or columns came or went; nothing if all of it went.
fn changed_name(range: Range, change: &Change) -> Option<Range> {
    let (first, last) = (position(range.start, change.axis), position(range.end, change.axis));
    let (first, last) = change.ends(first, last)?;
    let mut after = range;
    match change.axis {
        Axis::Rows => (after.start.row, after.end.row) = (first, last),
        Axis::Columns => (after.start.column, after.end.column) = (first, last),
    }
    Some(after)
}

fn position(cell: CellRef, axis: Axis) -> u32 {
    match axis {
        Axis::Rows => cell.row,
        Axis::Columns => cell.column,
    }
}

/// How many there can be, and what they are called.
fn bounds(axis: Axis) -> (u32, &'static str) {
    match axis {
        Axis::Rows => (MAX_ROWS, "rows"),
        Axis::Columns => (MAX_COLUMNS, "columns"),
    }
}

// ---------------------------------------------------------------------------
// Making changes, undoing them, calculating
// ---------------------------------------------------------------------------

impl Sheet {
    /// Takes the last command back. Gives its label.
    pub fn undo(&mut self) -> Result<String, SheetError> {
        let edit = self.history.undo()?;
        self.apply(&edit.inverse())?;
        Ok(edit.label)
    }

    /// Makes the command again that was undone last.
    pub fn redo(&mut self) -> Result<String, SheetError> {
        let edit = self.history.redo()?;
        self.apply(&edit)?;
        Ok(edit.label)
    }

    /// Fills an empty sheet from a file, without a trace in the history.
    pub fn load(&mut self, cells: Vec<(CellRef, Stored)>, names: Vec<(String, Range)>) -> Result<(), SheetError> {
        let mut wanted = Wanted::default();
        wanted.cells.extend(cells.into_iter().map(|(cell, stored)| (cell, Some(stored))));
        for (name, range) in names {
            wanted.names.insert(checked_name(&name)?, Some(range));
        }
        let edit = self.edit(String::new(), wanted);
        self.apply(&edit)
    }

    /// Makes a change and notes it. A change that changes nothing isn't noted.
    fn commit(&mut self, label: String, wanted: Wanted) -> Result<(), SheetError> {
        let edit = self.edit(label, wanted);
        if edit.is_empty() {
            return Ok(());
        }
        self.apply(&edit)?;
        self.history.push(edit);
        Ok(())
    }

    /// What a wanted change means here: before and after, without what stays as it is.
    fn edit(&self, label: String, wanted: Wanted) -> Edit {
        let mut edit = Edit { label, ..Edit::default() };
        for (cell, after) in wanted.cells {
            let before = self.stored_at(cell);
            if before != after {
                edit.cells.insert(cell, Step { before, after });
            }
        }
        for (name, after) in wanted.names {
            let before = self.names.get(&name).copied();
            if before != after {
                edit.names.insert(name, Step { before, after });
            }
        }
        edit
    }

    fn apply(&mut self, edit: &Edit) -> Result<(), SheetError> {
        let mut made = Vec::new();
        for (place, step) in &edit.cells {
            let cell = match &step.after {
                Some(stored) => Some(read_cell(stored, &self.settings)?),
                None => None,
            };
            made.push((*place, cell));
        }
        // From here on nothing can fail.
        let mut touched: BTreeSet<CellRef> = BTreeSet::new();
        for (place, cell) in made {
            touched.insert(place);
            self.place(place, cell);
        }
        for (name, step) in &edit.names {
            match step.after {
                Some(range) => self.names.insert(name.clone(), range),
                None => self.names.remove(name),
            };
            touched.extend(self.graph.users(name));
        }
        self.calculate(&touched);
        Ok(())
    }

    fn place(&mut self, place: CellRef, cell: Option<Cell>) {
        match cell {
            Some(cell) => {
                match &cell.content {
                    Input::Formula(tree) => self.graph.set(place, tree.precedents()),
                    Input::Literal(_) => self.graph.remove(place),
                }
                self.cells.insert(place, cell);
            }
            None => {
                self.graph.remove(place);
                self.cells.remove(&place);
            }
        }
    }

    /// Calculates the formulas among the touched cells, and all that depend on them.
    fn calculate(&mut self, touched: &BTreeSet<CellRef>) {
        let plan = self.graph.plan(touched, &|cell| self.users_by_name(cell));
        for cell in &plan.cycles {
            self.put_value(*cell, Value::Error(CellError::Cycle));
        }
        for cell in plan.order {
            let Some(tree) = self.formula(cell) else { continue };
            let value = evaluate(tree, self);
            self.evaluated += 1;
            self.put_value(cell, value);
        }
    }

    fn put_value(&mut self, cell: CellRef, value: Value) {
        if let Some(found) = self.cells.get_mut(&cell) {
            found.value = value;
        }
    }

    /// Formulas that use a name whose range has this cell.
    fn users_by_name(&self, cell: CellRef) -> BTreeSet<CellRef> {
        let names = self.names.iter().filter(|(_, range)| range.contains(cell));
        names.flat_map(|(name, _)| self.graph.users(name)).collect()
    }
}

/// Understands what is stored of a cell. Formulas get their value later.
fn read_cell(stored: &Stored, settings: &Settings) -> Result<Cell, SheetError> {
    let content = input::read(&stored.input, settings)?;
    let value = match &content {
        Input::Literal(literal) => literal.value.clone(),
        Input::Formula(_) => Value::Empty,
    };
    let suggested = match &content {
        Input::Literal(literal) => literal.format,
        Input::Formula(_) => None,
    };
    let format = match stored.format.as_deref().or(suggested) {
        Some(pattern) => Format::parse(pattern)?,
        None => Format::General,
    };
    Ok(Cell { stored: stored.clone(), content, format, value })
}

/// Whether a text could be put into a cell: only formulas can be wrong.
pub fn check_input(text: &str) -> Result<(), SheetError> {
    match text.strip_prefix('=') {
        Some(formula) => parse(formula).map(|_| ()),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> CellRef {
        CellRef::parse(text).unwrap()
    }

    fn range(text: &str) -> Range {
        Range::parse(text).unwrap()
    }

    fn sheet(items: &[(&str, &str)]) -> Sheet {
        let mut sheet = Sheet::new(Settings::default());
        for (cell, text) in items {
            sheet.set(at(cell), text).unwrap();
        }
        sheet
    }

    fn column(sheet: &Sheet, text: &str) -> Vec<String> {
        range(text).cells().map(|cell| sheet.shown(cell)).collect()
    }

    #[test]
    fn values_follow_their_precedents() {
        let mut sheet = sheet(&[("A1", "2"), ("A2", "=A1*3"), ("A3", "=A2+A1")]);
        assert_eq!(sheet.shown(at("A3")), "8");
        sheet.set(at("A1"), "5").unwrap();
        assert_eq!(sheet.shown(at("A3")), "20");
        sheet.clear(range("A1")).unwrap();
        assert_eq!(sheet.shown(at("A3")), "0");
    }

    #[test]
    fn only_what_depends_is_calculated() {
        let mut sheet = sheet(&[("A1", "2"), ("B1", "3"), ("A2", "=A1*3"), ("B2", "=B1"), ("A3", "=A2")]);
        let before = sheet.evaluated();
        sheet.set(at("A1"), "7").unwrap();
        assert_eq!(sheet.evaluated() - before, 2);
    }

    #[test]
    fn circles_are_errors_until_they_are_cut() {
        let mut sheet = sheet(&[("A1", "=B1"), ("B1", "=A1+1"), ("C1", "=B1")]);
        assert_eq!(sheet.shown(at("C1")), "#CYCLE!");
        sheet.set(at("A1"), "1").unwrap();
        assert_eq!(sheet.shown(at("C1")), "2");
    }

    #[test]
    fn a_wrong_formula_changes_nothing() {
        let mut sheet = sheet(&[("A1", "2")]);
        assert!(sheet.set(at("A1"), "=1+").is_err());
        assert_eq!(sheet.input(at("A1")), "2");
        assert_eq!(sheet.undoable(), ["set A1"]);
    }

    #[test]
    fn formats_stay_when_values_change() {
        let mut sheet = sheet(&[("A1", "2")]);
        sheet.set_format(range("A1"), "0.00").unwrap();
        sheet.set(at("A1"), "3").unwrap();
        assert_eq!(sheet.shown(at("A1")), "3.00");
        sheet.set_format(range("A1"), "general").unwrap();
        assert_eq!(sheet.shown(at("A1")), "3");
    }

    #[test]
    fn names_can_be_given_and_taken() {
        let mut sheet = sheet(&[("A1", "2"), ("B1", "=Rate*10")]);
        assert_eq!(sheet.shown(at("B1")), "#NAME?");
        sheet.define("rate", range("A1")).unwrap();
        assert_eq!(sheet.shown(at("B1")), "20");
        sheet.set(at("A1"), "4").unwrap();
        assert_eq!(sheet.shown(at("B1")), "40");
        sheet.undefine("RATE").unwrap();
        assert_eq!(sheet.shown(at("B1")), "#NAME?");
        assert!(sheet.define("B7", range("A1")).is_err());
        assert!(sheet.define("7up", range("A1")).is_err());
    }

    #[test]
    fn copies_take_references_along() {
        let mut sheet = sheet(&[("A1", "1"), ("A2", "2"), ("B1", "=A1*$A$1"), ("C9", "x")]);
        sheet.copy(range("B1"), at("B2")).unwrap();
        assert_eq!(sheet.input(at("B2")), "=A2*$A$1");
        sheet.copy(range("A9:B9"), at("C9")).unwrap();
        assert_eq!(sheet.input(at("C9")), "");
    }

    #[test]
    fn moved_blocks_are_followed() {
        let mut sheet = sheet(&[("A1", "1"), ("A2", "=A1"), ("B1", "=SUM(A1:A2)"), ("C1", "=A2")]);
        sheet.define("both", range("A1:A2")).unwrap();
        sheet.move_block(range("A1:A2"), at("D5")).unwrap();
        assert_eq!(sheet.input(at("B1")), "=SUM(D5:D6)");
        assert_eq!(sheet.input(at("D6")), "=D5");
        assert_eq!(sheet.input(at("C1")), "=D6");
        assert_eq!(sheet.names().next(), Some(("both", range("D5:D6"))));
        sheet.undo().unwrap();
        assert_eq!(sheet.input(at("B1")), "=SUM(A1:A2)");
    }

    #[test]
    fn blocks_are_filled() {
        let mut sheet = sheet(&[("A1", "1"), ("A2", "2"), ("A3", "3"), ("B1", "=A1*2")]);
        sheet.fill(range("B1:B3"), Direction::Down).unwrap();
        assert_eq!(column(&sheet, "B1:B3"), ["2", "4", "6"]);
        sheet.fill(range("B1:C1"), Direction::Right).unwrap();
        assert_eq!(sheet.input(at("C1")), "=B1*2");
    }

    #[test]
    fn series_go_on() {
        let mut sheet = sheet(&[("A1", "2024-01-30"), ("A2", "2024-01-31"), ("B1", "1.5"), ("B2", "1")]);
        sheet.fill_series(range("A1:B4")).unwrap();
        assert_eq!(column(&sheet, "A3:A4"), ["2024-02-01", "2024-02-02"]);
        assert_eq!(column(&sheet, "B3:B4"), ["0.5", "0"]);
    }

    #[test]
    fn rows_are_sorted() {
        let mut sheet = sheet(&[("A1", "pear"), ("B1", "3"), ("A2", "Apple"), ("B2", "1"), ("A3", "fig"), ("B3", "2")]);
        sheet.sort(range("A1:B3"), 0, Order::Ascending).unwrap();
        assert_eq!(column(&sheet, "A1:A3"), ["Apple", "fig", "pear"]);
        sheet.sort(range("A1:B3"), 1, Order::Descending).unwrap();
        assert_eq!(column(&sheet, "B1:B3"), ["3", "2", "1"]);
        assert!(sheet.sort(range("A1:B3"), 2, Order::Ascending).is_err());
    }

    #[test]
    fn texts_are_found_and_replaced() {
        let mut sheet = sheet(&[("A1", "Oak tree"), ("A2", "oak"), ("A3", "=A1&\"!\""), ("B1", "oak")]);
        assert_eq!(sheet.find(range("A1:A9"), "OAK").len(), 3);
        assert_eq!(sheet.replace(range("A1:A9"), "oak", "elm"), Ok(1));
        assert_eq!(column(&sheet, "A1:A3"), ["Oak tree", "elm", "Oak tree!"]);
        assert!(sheet.replace(range("A1:A9"), "", "x").is_err());
    }

    #[test]
    fn transposed_and_frozen_values() {
        let mut sheet = sheet(&[("A1", "1"), ("B1", "=A1+1"), ("C1", "=\"007\"")]);
        sheet.transpose(range("A1:C1"), at("E1")).unwrap();
        assert_eq!(column(&sheet, "E1:E3"), ["1", "2", "007"]);
        assert_eq!(sheet.input(at("E3")), "'007");
        sheet.freeze(range("B1")).unwrap();
        assert_eq!(sheet.input(at("B1")), "2");
    }

    #[test]
    fn rows_and_columns_come_and_go() {
        let mut sheet = sheet(&[("A1", "1"), ("A2", "2"), ("A3", "3"), ("B9", "=SUM(A1:A3)+A2")]);
        sheet.define("all", range("A1:A3")).unwrap();
        sheet.insert(Axis::Rows, 1, 2).unwrap();
        assert_eq!(sheet.input(at("B11")), "=SUM(A1:A5)+A4");
        assert_eq!(sheet.names().next(), Some(("all", range("A1:A5"))));
        sheet.delete(Axis::Rows, 3, 1).unwrap();
        assert_eq!(sheet.input(at("B10")), "=SUM(A1:A4)+#REF!");
        assert_eq!(sheet.shown(at("B10")), "#REF!");
        sheet.undo().unwrap();
        sheet.undo().unwrap();
        assert_eq!(sheet.shown(at("B9")), "8");
        sheet.insert(Axis::Columns, 0, 1).unwrap();
        assert_eq!(sheet.input(at("C9")), "=SUM(B1:B3)+B2");
    }

    #[test]
    fn undone_commands_can_be_made_again() {
        let mut sheet = sheet(&[("A1", "1"), ("A2", "=A1")]);
        sheet.set(at("A1"), "5").unwrap();
        assert_eq!(sheet.undo(), Ok("set A1".to_string()));
        assert_eq!(sheet.shown(at("A2")), "1");
        sheet.redo().unwrap();
        assert_eq!(sheet.shown(at("A2")), "5");
        assert_eq!(sheet.redo(), Err(SheetError::NothingToRedo));
        sheet.undo().unwrap();
        sheet.set(at("B1"), "x").unwrap();
        assert!(sheet.redo().is_err());
    }
}
