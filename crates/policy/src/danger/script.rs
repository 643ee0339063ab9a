//! Reads the text of a shell loosely: never fails, follows what it knows, and lets the rest stand as it is spelled.
//!
//! Knows quotes, the home and the current folder, variables that the text itself sets, separators, groups, redirections,
//! here-documents and substitutions. Good enough to see what somebody plainly means; proves nothing.

mod expand;
mod text;

pub(super) use text::{assignment, read};

/// A word as a program would get it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ScriptWord {
    /// Quotes gone, known variables put in.
    pub(super) text: String,
    /// The same with active `*`, `?` and `[`; those that stand for themselves have a backslash. `None`: none is active.
    pub(super) pattern: Option<String>,
    /// Something in it is only known when it runs.
    pub(super) unknown: bool,
}

/// A program with its words, and where it writes to and reads from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ScriptPart {
    /// The program first. Assignments before it are left out.
    pub(super) words: Vec<ScriptWord>,
    /// Targets of `>` and the like.
    pub(super) writes: Vec<ScriptWord>,
    /// Something is put into it: by a pipe, a `<`, a here-document.
    pub(super) fed: bool,
    /// What a here-document or here-string puts into it.
    pub(super) document: String,
}

/// A script, piece by piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Item {
    Part(ScriptPart),
    /// A group begins that has a current folder of its own.
    Open,
    Close,
}

/// What a shell would know when it starts.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ShellStart<'a> {
    pub(super) home: Option<&'a str>,
    pub(super) folder: Option<&'a str>,
}

impl ScriptWord {
    /// A word that is nothing but its text.
    pub(super) fn plain(text: &str) -> Self {
        ScriptWord { text: text.to_owned(), pattern: None, unknown: false }
    }
}
