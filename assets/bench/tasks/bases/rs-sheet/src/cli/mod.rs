//! The command line: words to commands, commands to text.

mod args;
mod commands;
mod explain;
mod help;
mod script;

use std::io;

use crate::error::SheetError;

/// What the program may do to the world around it; tests have one of their own.
pub trait Console {
    fn print(&mut self, text: &str);
    fn read_input(&mut self) -> io::Result<String>;
    fn read_file(&mut self, path: &str) -> io::Result<String>;
    fn write_file(&mut self, path: &str, text: &str) -> io::Result<()>;
}

/// Runs the program. The number is the exit code: 0, or 1 if `check` found errors.
pub fn run(words: &[String], console: &mut dyn Console) -> Result<u8, SheetError> {
    let request = args::parse(words)?;
    commands::run(request, console)
}

pub(crate) fn file_error(path: &str, error: &io::Error) -> SheetError {
    SheetError::File { path: path.to_string(), message: error.to_string() }
}
