//! What each command of the command line does.

use super::args::{Command, Request};
use super::{explain, file_error, help, script, Console};
use crate::address::{CellRef, Range};
use crate::config::Settings;
use crate::csv;
use crate::error::SheetError;
use crate::render;
use crate::sheet::Sheet;
use crate::storage;

pub fn run(request: Request, console: &mut dyn Console) -> Result<u8, SheetError> {
    let settings = settings(request.config.as_deref(), console)?;
    match request.command {
        Command::Help => console.print(help::HELP),
        Command::Functions => console.print(&help::functions()),
        Command::Show { file, range } => {
            let sheet = open(&file, settings, console)?;
            if let Some(range) = range.or(sheet.used()) {
                console.print(&render::table(&sheet, range));
            }
        }
        Command::Get { file, cell } => {
            let sheet = open(&file, settings, console)?;
            console.print(&format!("{}\n", sheet.shown(cell)));
        }
        Command::Set { file, cell, input } => {
            let mut sheet = open(&file, settings, console)?;
            sheet.set(cell, &input)?;
            save(&file, &sheet, console)?;
        }
        Command::Explain { file, cell } => {
            let sheet = open(&file, settings, console)?;
            console.print(&explain::cell(&sheet, cell));
        }
        Command::Check { file } => return check(&open(&file, settings, console)?, console),
        Command::Import { csv, file } => import(&csv, &file, settings, console)?,
        Command::Export { file, formulas } => {
            let sheet = open(&file, settings, console)?;
            console.print(&export(&sheet, formulas));
        }
        Command::Run { file } => {
            let mut sheet = open(&file, settings, console)?;
            let text = console.read_input().map_err(|error| file_error("standard input", &error))?;
            script::run(&mut sheet, &file, &text, console)?;
        }
    }
    Ok(0)
}

fn settings(path: Option<&str>, console: &mut dyn Console) -> Result<Settings, SheetError> {
    match path {
        Some(path) => Settings::parse(&console.read_file(path).map_err(|error| file_error(path, &error))?),
        None => Ok(Settings::default()),
    }
}

fn open(path: &str, settings: Settings, console: &mut dyn Console) -> Result<Sheet, SheetError> {
    let text = console.read_file(path).map_err(|error| file_error(path, &error))?;
    storage::read(&text, settings)
}

pub fn save(path: &str, sheet: &Sheet, console: &mut dyn Console) -> Result<(), SheetError> {
    console.write_file(path, &storage::write(sheet)).map_err(|error| file_error(path, &error))
}

fn check(sheet: &Sheet, console: &mut dyn Console) -> Result<u8, SheetError> {
    let errors = sheet.errors();
    for (cell, error) in &errors {
        console.print(&format!("{cell}: {error} {}\n", error.sentence()));
    }
    Ok(u8::from(!errors.is_empty()))
}

fn import(path: &str, file: &str, settings: Settings, console: &mut dyn Console) -> Result<(), SheetError> {
    let text = console.read_file(path).map_err(|error| file_error(path, &error))?;
    let mut items = Vec::new();
    for (row, record) in csv::read(&text, settings.separator)?.into_iter().enumerate() {
        for (column, field) in record.into_iter().enumerate() {
            let cell = CellRef::new(0, 0).offset(row as i64, column as i64);
            let cell = cell.ok_or_else(|| SheetError::Range("the table is too large".to_string()))?;
            // Tables from elsewhere hold no formulas of ours.
            items.push((cell, if field.starts_with('=') { format!("'{field}") } else { field }));
        }
    }
    let mut sheet = Sheet::new(settings);
    sheet.set_all("import", items)?;
    save(file, &sheet, console)
}

/// The sheet from `A1` on as CSV: plain values, or what was typed.
fn export(sheet: &Sheet, formulas: bool) -> String {
    let Some(Range { end, .. }) = sheet.used() else { return String::new() };
    let field = |cell: CellRef| if formulas { sheet.input(cell).to_string() } else { sheet.shown(cell) };
    let record = |row| (0..=end.column).map(|column| field(CellRef::new(row, column))).collect();
    let records: Vec<Vec<String>> = (0..=end.row).map(record).collect();
    csv::write(&records, sheet.settings().separator)
}
