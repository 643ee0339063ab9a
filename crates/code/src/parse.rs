//! Runs grammars over texts, with a bound on all that they may do. There is no clock here: steps are counted.

use crate::language::{Grammar, Language};
use std::cell::Cell;
use std::ops::ControlFlow;
use tree_sitter::{ParseOptions, Parser, Point, Tree};

/// The longest text that is read, in bytes.
pub const LONGEST: usize = 1_000_000;
/// The deepest tree that is read.
pub const DEEPEST: usize = 5_000;

/// Why a text is not read by its grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// It has more than [`LONGEST`] bytes.
    TooLong,
    /// More stands inside each other than [`DEEPEST`].
    TooDeep,
    /// The grammar cannot make anything of it in the steps that it has.
    TooHard,
    /// Whoever asked does not want to know any more.
    Stopped,
}

impl Refused {
    /// In words that follow on a name.
    pub fn in_words(self) -> &'static str {
        match self {
            Refused::TooLong => "is longer than 1 MB",
            Refused::TooDeep => "is nested too deeply",
            Refused::TooHard => "is too tangled for its grammar",
            Refused::Stopped => "was not read to the end",
        }
    }
}

/// How much a grammar may still do. Grammars and queries report every hundred of their own steps.
pub(crate) struct Budget<'a> {
    left: Cell<u64>,
    refused: Cell<Option<Refused>>,
    go_on: &'a dyn Fn() -> bool,
}

/// Reports that any text is allowed, and for how many of its bytes there is one more. Ordinary code takes one report
/// for a hundred bytes and more; what a grammar reads in many ways at once takes many.
const REPORTS: u64 = 20_000;
const BYTES_A_REPORT: u64 = 4;

impl<'a> Budget<'a> {
    pub(crate) fn new(text: &str, go_on: &'a dyn Fn() -> bool) -> Self {
        let left = Cell::new(REPORTS + text.len() as u64 / BYTES_A_REPORT);
        Budget { left, refused: Cell::new(None), go_on }
    }

    /// One report. The caller's wish is asked for now and then.
    pub(crate) fn step(&self) -> ControlFlow<()> {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        let refused = match left {
            0 => Refused::TooHard,
            _ if left.is_multiple_of(16) && !(self.go_on)() => Refused::Stopped,
            _ => return ControlFlow::Continue(()),
        };
        self.refused.set(Some(refused));
        ControlFlow::Break(())
    }

    /// Why it ended, if it did.
    pub(crate) fn end(&self) -> Result<(), Refused> {
        self.refused.get().map_or(Ok(()), Err)
    }

    #[cfg(test)]
    pub(crate) fn left(&self) -> u64 {
        self.left.get()
    }
}

/// The tree of `text`.
pub(crate) fn parse(grammar: &Grammar, text: &str, budget: &Budget<'_>) -> Result<Tree, Refused> {
    if text.len() > LONGEST {
        return Err(Refused::TooLong);
    }
    let mut parser = Parser::new();
    parser.set_language(&grammar.syntax).map_err(|_| Refused::TooHard)?;
    let mut progress = |_: &_| budget.step();
    let options = ParseOptions::new().progress_callback(&mut progress);
    let bytes = text.as_bytes();
    let mut rest = |from: usize, _: Point| bytes.get(from..).unwrap_or_default();
    let tree = parser.parse_with_options(&mut rest, None, Some(options));
    budget.end()?;
    let tree = tree.ok_or(Refused::TooHard)?;
    if is_too_deep(&tree) { Err(Refused::TooDeep) } else { Ok(tree) }
}

fn is_too_deep(tree: &Tree) -> bool {
    let mut cursor = tree.walk();
    let mut depth = 0;
    loop {
        if cursor.goto_first_child() {
            depth += 1;
            if depth > DEEPEST {
                return true;
            }
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return false;
            }
            depth -= 1;
        }
    }
}

/// How many bytes of `text` the grammar of `language` can make nothing of, and one for each thing it misses; `None`
/// where it cannot be tried.
pub(crate) fn errors(language: Language, text: &str) -> Option<usize> {
    let tree = parse(language.grammar(), text, &Budget::new(text, &|| true)).ok()?;
    let mut cursor = tree.walk();
    let mut errors = 0;
    loop {
        let node = cursor.node();
        let missing = node.is_missing();
        errors += if node.is_error() { node.byte_range().len().max(1) } else { usize::from(missing) };
        if !node.is_error() && node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return Some(errors);
            }
        }
    }
}
