//! What can go wrong: in a cell (shown in place of its value), and in an operation.

use std::fmt;

/// An error that a cell has instead of a value. It travels through formulas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CellError {
    /// Division by zero.
    DivZero,
    /// An operand of the wrong kind, such as text where a number is needed.
    Value,
    /// A reference to a cell that was deleted or lies outside of the sheet.
    Ref,
    /// A function or name that does not exist.
    Name,
    /// A number outside of what a function can take or give.
    Num,
    /// A lookup that found nothing.
    NotAvailable,
    /// The cell depends on itself.
    Cycle,
}

impl CellError {
    pub const ALL: [CellError; 7] = [
        CellError::DivZero,
        CellError::Value,
        CellError::Ref,
        CellError::Name,
        CellError::Num,
        CellError::NotAvailable,
        CellError::Cycle,
    ];

    /// The word shown in the cell.
    pub fn code(self) -> &'static str {
        match self {
            CellError::DivZero => "#DIV/0!",
            CellError::Value => "#VALUE!",
            CellError::Ref => "#REF!",
            CellError::Name => "#NAME?",
            CellError::Num => "#NUM!",
            CellError::NotAvailable => "#N/A",
            CellError::Cycle => "#CYCLE!",
        }
    }

    /// The error with this code, as it is written in formulas and files.
    pub fn from_code(text: &str) -> Option<CellError> {
        CellError::ALL.into_iter().find(|error| error.code().eq_ignore_ascii_case(text))
    }

    /// One sentence for people, used by `check` and `explain`.
    pub fn sentence(self) -> &'static str {
        match self {
            CellError::DivZero => "something is divided by zero",
            CellError::Value => "an operand has the wrong kind",
            CellError::Ref => "a cell that is referred to does not exist any more",
            CellError::Name => "a function or name is not known",
            CellError::Num => "a number is out of bounds",
            CellError::NotAvailable => "nothing was found",
            CellError::Cycle => "the cell depends on itself",
        }
    }
}

impl fmt::Display for CellError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// Why an operation on a sheet, a file or the command line failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SheetError {
    /// Not an address such as `B7`, or not a range such as `B2:D9`.
    Address(String),
    /// A formula that cannot be read; `at` counts characters from 0, after the `=`.
    Formula {
        at: usize,
        message: String,
    },
    /// A display pattern that makes no sense.
    Format(String),
    /// A name that cannot be given to a cell or range.
    Name(String),
    /// Rows or columns would leave the sheet, or ranges do not fit together.
    Range(String),
    /// A line of a grid file, CSV file, script or settings file.
    Line {
        line: usize,
        message: String,
    },
    NothingToUndo,
    NothingToRedo,
    /// The command line was wrong.
    Usage(String),
    /// A file could not be read or written.
    File {
        path: String,
        message: String,
    },
}

impl SheetError {
    /// The same error, said of a line of a file.
    pub fn on_line(self, line: usize) -> SheetError {
        match self {
            SheetError::Line { .. } => self,
            other => SheetError::Line { line, message: other.to_string() },
        }
    }
}

impl fmt::Display for SheetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SheetError::Address(text) => write!(f, "'{text}' is no cell or range"),
            SheetError::Formula { at, message } => write!(f, "formula, character {}: {message}", at + 1),
            SheetError::Format(text) => write!(f, "'{text}' is no format"),
            SheetError::Name(text) => write!(f, "'{text}' cannot be a name"),
            SheetError::Range(message) => f.write_str(message),
            SheetError::Line { line, message } => write!(f, "line {line}: {message}"),
            SheetError::NothingToUndo => f.write_str("there is nothing to undo"),
            SheetError::NothingToRedo => f.write_str("there is nothing to redo"),
            SheetError::Usage(message) => f.write_str(message),
            SheetError::File { path, message } => write!(f, "{path}: {message}"),
        }
    }
}

impl std::error::Error for SheetError {}
