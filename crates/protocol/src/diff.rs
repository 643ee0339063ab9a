//! A change to one file as it is shown.

use crate::lossy;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// How many unchanged lines stand around a change, wherever one is shown, exported, told to a model or written down.
pub const CONTEXT_LINES: usize = 3;

/// One file before and after; any face can draw it its own way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileDiff {
    /// The file, links resolved.
    #[serde(serialize_with = "lossy::path")]
    pub path: PathBuf,
    /// As a person would name it: relative to the project where it lies inside.
    pub shown_path: String,
    /// Its text now; `None`: there is no such file yet.
    pub before: Option<String>,
    /// Its text then; `None`: it will be deleted.
    pub after: Option<String>,
    /// Something to know besides: how an edit matched, that line ends are CRLF.
    pub note: Option<String>,
    /// The texts begin after so many lines that are the same in both, and may end before some that are: what is written
    /// down of a large file is only the changed part.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub skipped: u64,
    /// What is to be known of single lines of the text then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<LineMark>,
}

/// Something to know of a line.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LineMark {
    /// From 1, in the whole file as it will be.
    pub line: u64,
    /// In words that follow on "line 3".
    pub text: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it so")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}
