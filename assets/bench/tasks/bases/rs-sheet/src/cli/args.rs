//! Words of the command line.

use crate::address::{CellRef, Range};
use crate::error::SheetError;

/// A command and the options before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    pub config: Option<String>,
    pub command: Command,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    Help,
    Functions,
    Show { file: String, range: Option<Range> },
    Get { file: String, cell: CellRef },
    Set { file: String, cell: CellRef, input: String },
    Explain { file: String, cell: CellRef },
    Check { file: String },
    Import { csv: String, file: String },
    Export { file: String, formulas: bool },
    Run { file: String },
}

pub fn parse(words: &[String]) -> Result<Request, SheetError> {
    let mut words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut config = None;
    if words.first() == Some(&"--config") {
        let path = words.get(1).ok_or_else(|| usage("--config needs a file"))?;
        config = Some((*path).to_string());
        words.drain(..2);
    }
    let command = command(&words)?;
    Ok(Request { config, command })
}

fn command(words: &[&str]) -> Result<Command, SheetError> {
    let owned = |text: &&str| (*text).to_string();
    Ok(match words {
        [] | ["help" | "--help" | "-h"] => Command::Help,
        ["functions"] => Command::Functions,
        ["show", file] => Command::Show { file: owned(file), range: None },
        ["show", file, range] => Command::Show { file: owned(file), range: Some(Range::parse(range)?) },
        ["get", file, cell] => Command::Get { file: owned(file), cell: CellRef::parse(cell)? },
        ["set", file, cell, input] => {
            Command::Set { file: owned(file), cell: CellRef::parse(cell)?, input: owned(input) }
        }
        ["explain", file, cell] => Command::Explain { file: owned(file), cell: CellRef::parse(cell)? },
        ["check", file] => Command::Check { file: owned(file) },
        ["import", csv, file] => Command::Import { csv: owned(csv), file: owned(file) },
        ["export", file] => Command::Export { file: owned(file), formulas: false },
        ["export", "--formulas", file] | ["export", file, "--formulas"] => {
            Command::Export { file: owned(file), formulas: true }
        }
        ["run", file] => Command::Run { file: owned(file) },
        [name, ..] => return Err(usage(&format!("'{name}' with these words is no command; try 'gridtext help'"))),
    })
}

fn usage(message: &str) -> SheetError {
    SheetError::Usage(message.to_string())
}
