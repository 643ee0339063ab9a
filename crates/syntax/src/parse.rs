//! Runs grammars over texts, with a bound on all that they may do. There is no clock here: steps are counted.

use crate::language::{Grammar, Language, by_first_line, by_marks};
use std::cell::Cell;
use std::ops::ControlFlow;
use tree_sitter::{Language as Syntax, ParseOptions, Parser, Point, Tree};

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

/// Says whether a reading is still worth it; else why not. Asked every millisecond or so, mostly: a grammar can take long
/// over a single step, which nobody who has no clock can notice. So who has one should look at it.
pub type GoOn<'a> = &'a dyn Fn() -> Result<(), Refused>;

/// How much a grammar may still do. Grammars and queries report every hundred of their own steps.
pub(crate) struct Budget<'a> {
    left: Cell<u64>,
    refused: Cell<Option<Refused>>,
    go_on: GoOn<'a>,
}

/// Reports that any text is allowed, and for how many of its bytes there is one more. Ordinary code takes one report
/// for a hundred bytes and more; what a grammar reads in many ways at once takes many.
const REPORTS: u64 = 5_000;
const BYTES_A_REPORT: u64 = 16;

/// Bytes that a grammar gets at once.
const PIECE: usize = 4_096;

/// The most that a query may look at siblings, about.
const MOST_LOOKS: u64 = 20_000_000;

impl<'a> Budget<'a> {
    pub(crate) fn new(text: &str, go_on: GoOn<'a>) -> Self {
        let left = Cell::new(REPORTS + text.len() as u64 / BYTES_A_REPORT);
        Budget { left, refused: Cell::new(None), go_on }
    }

    pub(crate) fn step(&self) -> ControlFlow<()> {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        let refused = if left == 0 { Some(Refused::TooHard) } else { (self.go_on)().err() };
        match self.refused.get().or(refused) {
            None => ControlFlow::Continue(()),
            refused => {
                self.refused.set(refused);
                ControlFlow::Break(())
            }
        }
    }

    /// Why it ended, if it did.
    pub(crate) fn end(&self) -> Result<(), Refused> {
        self.refused.get().map_or(Ok(()), Err)
    }
}

/// The tree of `text`, over which queries can be run.
pub(crate) fn parse(grammar: &Grammar, text: &str, budget: &Budget<'_>) -> Result<Tree, Refused> {
    let tree = bare(&grammar.syntax, text, budget)?;
    looked_over(&tree).map(|()| tree)
}

/// The tree of `text`; a query over it may take long.
pub(crate) fn bare(syntax: &Syntax, text: &str, budget: &Budget<'_>) -> Result<Tree, Refused> {
    if text.len() > LONGEST {
        return Err(Refused::TooLong);
    }
    let mut parser = Parser::new();
    parser.set_language(syntax).map_err(|_| Refused::TooHard)?;
    let mut progress = |_: &_| budget.step();
    let options = ParseOptions::new().progress_callback(&mut progress);
    let bytes = text.as_bytes();
    // In pieces, each of them a step, as some grammars look ahead to the end of the text again and again.
    let mut piece = |from: usize, _: Point| match budget.step() {
        ControlFlow::Continue(()) => bytes.get(from..(from + PIECE).min(bytes.len())).unwrap_or_default(),
        ControlFlow::Break(()) => &[],
    };
    let tree = parser.parse_with_options(&mut piece, None, Some(options));
    budget.end()?;
    tree.ok_or(Refused::TooHard)
}

/// Refuses trees that are too deep, or on whose nodes a query would spend too long: for each node it looks for the next
/// sibling with a name, so that the cost of many in a row without one grows with the square of their number.
fn looked_over(tree: &Tree) -> Result<(), Refused> {
    let mut cursor = tree.walk();
    // For each level, how many siblings without a name came last.
    let mut rows: Vec<u64> = vec![0];
    let mut cost = 0;
    loop {
        if let Some(row) = rows.last_mut() {
            *row = if cursor.node().is_named() { 0 } else { *row + 1 };
            cost += *row;
        }
        if cost > MOST_LOOKS {
            return Err(Refused::TooHard);
        }
        if cursor.goto_first_child() {
            rows.push(0);
            if rows.len() > DEEPEST {
                return Err(Refused::TooDeep);
            }
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return Ok(());
            }
            rows.pop();
        }
    }
}

/// Characters of a text that are enough to tell its language.
const START: usize = 8_000;

impl Language {
    /// The language that fits `text` best, by its first line or by how few faults its grammar finds.
    pub fn guess(text: &str) -> Option<Language> {
        if text.trim().is_empty() {
            return None;
        }
        let start = &text[..text.floor_char_boundary(START)];
        by_first_line(start).or_else(|| by_marks(start)).or_else(|| {
            let faults = |language| Some((errors(language, start)?, language));
            // `min_by_key` keeps the first of equals.
            let best = Language::ALL.into_iter().filter_map(faults).min_by_key(|(faults, _)| *faults);
            best.filter(|(faults, _)| faults * 5 < start.len()).map(|(_, language)| language)
        })
    }
}

/// How many bytes of `text` the grammar of `language` can make nothing of, and one for each thing it misses; `None`
/// where it cannot be tried.
pub(crate) fn errors(language: Language, text: &str) -> Option<usize> {
    let tree = parse(language.grammar(), text, &Budget::new(text, &|| Ok(()))).ok()?;
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
