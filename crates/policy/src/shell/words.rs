//! The words of a command, decoded: quotes and backslashes gone, what a shell would still expand kept apart.

use crate::{Glyph, Pattern};

/// One word as its program gets it, unless a pattern in it matches files.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Word {
    /// What it says; patterns as they are written.
    pub(crate) text: String,
    /// The same in pieces, where some of it matches files.
    pub(crate) pattern: Option<Vec<Piece>>,
    /// Was any of it quoted?
    pub(crate) quoted: bool,
}

/// A piece of a word that matches files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// This character.
    Plain(char),
    /// `*`
    Any,
    /// `?`
    One,
    /// `[…]`, with what stands between the brackets.
    Class(String),
}

impl Word {
    /// Is it this, and nothing of it quoted?
    pub(super) fn is_bare(&self, text: &str) -> bool {
        !self.quoted && self.text == text
    }

    pub(super) fn is_pattern(&self) -> bool {
        self.pattern.is_some()
    }

    /// Does it begin with what matches any name, also one that looks like a flag?
    pub(super) fn leads_with_pattern(&self) -> bool {
        let first = self.pattern.as_ref().and_then(|pieces| pieces.first());
        matches!(first, Some(Piece::Any | Piece::One | Piece::Class(_)))
    }

    /// The pattern in the words of a question of fact.
    pub(super) fn glyphs(&self) -> Option<Pattern> {
        let pieces = self.pattern.as_ref()?.iter();
        let glyphs = pieces.map(|piece| match piece {
            Piece::Plain(c) => Glyph::Literal(*c),
            Piece::Any => Glyph::Any,
            Piece::One | Piece::Class(_) => Glyph::One,
        });
        Some(Pattern(glyphs.collect()))
    }

    /// The folders that a pattern names before its first part that matches anything: `src` of `src/*/x`.
    pub(super) fn base(&self) -> &str {
        let Some(pieces) = &self.pattern else { return &self.text };
        let fixed = pieces.iter().take_while(|piece| matches!(piece, Piece::Plain(_)));
        let fixed: usize = fixed.map(Piece::bytes).sum();
        let end = self.text[..fixed].rfind('/').map_or(0, |slash| slash + 1);
        &self.text[..end]
    }
}

impl Piece {
    /// So many bytes of the word's text are this piece.
    fn bytes(&self) -> usize {
        match self {
            Piece::Plain(c) => c.len_utf8(),
            Piece::Any | Piece::One => 1,
            Piece::Class(inside) => inside.len() + 2,
        }
    }
}

/// How a program is joined to the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Joint {
    /// `;`, a new line, or the first one.
    Then,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `|`
    Pipe,
}

/// A redirect that changes no file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Redirect {
    /// `< file`
    From(Word),
    /// `>/dev/null`, with the stream's number: 1 or 2.
    Away(u8),
    /// `2>&1`: the first stream goes where the second goes.
    Onto(u8, u8),
}

/// One program with its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Simple {
    /// How it follows the one before it.
    pub(crate) joint: Joint,
    /// The program and its arguments; at least one.
    pub(crate) words: Vec<Word>,
    /// Where its streams come from and go, in order.
    pub(crate) redirects: Vec<Redirect>,
}
