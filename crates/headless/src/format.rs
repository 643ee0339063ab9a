//! The ways to print.

/// How the outcome is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Text,
    /// One JSON object at the end.
    Json,
    /// Every event as it happens, one JSON object a line.
    StreamJson,
}

/// How the outcome of a subcommand is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Text,
    Json,
}
