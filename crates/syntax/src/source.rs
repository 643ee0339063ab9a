//! A text that was read.

use crate::language::Language;
use crate::lines::Lines;
use crate::outline::{Outline, outline};
use crate::parse::{Budget, GoOn, Refused, parse};
use crate::references::{Reference, references};
use crate::symbol::Symbol;
use crate::tags::{Names, tags};
use crate::words;
use tree_sitter::Tree;

/// A text, and what stands where in it.
#[derive(Debug)]
pub struct Source<'a> {
    text: &'a str,
    outline: Outline,
    reading: Reading,
}

/// How a text was read.
#[derive(Debug)]
enum Reading {
    Tree(Box<Read>),
    Words(Option<Refused>),
}

/// What a grammar made of a text.
#[derive(Debug)]
struct Read {
    language: Language,
    tree: Tree,
    names: Names,
}

impl<'a> Source<'a> {
    /// Reads `text` by the grammar of `language`; asks `go_on` whether it is still worth it. What a grammar cannot
    /// cope with is read by words.
    ///
    /// # Errors
    /// [`Refused::Stopped`] when `go_on` said so.
    pub fn read(language: Language, text: &'a str, go_on: GoOn<'_>) -> Result<Self, Refused> {
        match by_tree(language, text, go_on) {
            Ok((outline, read)) => Ok(Source { text, outline, reading: Reading::Tree(Box::new(read)) }),
            Err(Refused::Stopped) => Err(Refused::Stopped),
            Err(refused) => Ok(Source::words(text, Some(refused), words::symbols(text))),
        }
    }

    /// Reads a text in a language without a grammar. `path` says whether it may hold definitions.
    pub fn plain(path: &str, text: &'a str) -> Self {
        let symbols = if words::is_code(path) { words::symbols(text) } else { Vec::new() };
        Source::words(text, None, symbols)
    }

    fn words(text: &'a str, refused: Option<Refused>, symbols: Vec<Symbol>) -> Self {
        let outline = Outline { symbols, lines: words::lines(text), fault: None };
        Source { text, outline, reading: Reading::Words(refused) }
    }

    /// Were only words looked at? Then comments and strings are not told apart from code.
    pub fn by_words(&self) -> bool {
        self.language().is_none()
    }

    /// By whose grammar it was read.
    pub fn language(&self) -> Option<Language> {
        match &self.reading {
            Reading::Tree(read) => Some(read.language),
            Reading::Words(_) => None,
        }
    }

    /// Why its grammar was of no use.
    pub fn refused(&self) -> Option<Refused> {
        match &self.reading {
            Reading::Tree(..) => None,
            Reading::Words(refused) => *refused,
        }
    }

    /// What is defined in it, in its order.
    pub fn symbols(&self) -> &[Symbol] {
        &self.outline.symbols
    }

    /// How many lines of each kind it has. By words, all that is not blank counts as code.
    pub fn lines(&self) -> Lines {
        self.outline.lines
    }

    /// The first line that its grammar can make nothing of.
    pub fn fault(&self) -> Option<usize> {
        self.outline.fault
    }

    /// The innermost symbol that holds `line`, constants aside.
    pub fn around(&self, line: usize) -> Option<&Symbol> {
        let holders = self.symbols().iter().filter(|symbol| symbol.holds(line));
        holders.filter(|symbol| symbol.kind != crate::Kind::Constant).max_by_key(|symbol| symbol.depth)
    }

    /// Its functions, the worst first: the longest and deepest, by the ways through them.
    pub fn worst(&self) -> Vec<&Symbol> {
        let mut functions: Vec<&Symbol> = self.symbols().iter().filter(|symbol| symbol.kind.is_function()).collect();
        functions.sort_by_key(|symbol| (std::cmp::Reverse(symbol.weight()), symbol.first));
        functions
    }

    /// Where `name` is used, in its order.
    pub fn references(&self, name: &str) -> Vec<Reference> {
        match &self.reading {
            Reading::Tree(read) => {
                references(read.language.grammar(), &read.tree, &read.names, self.symbols(), self.text, name)
            }
            Reading::Words(_) => words::references(self.text, name),
        }
    }
}

fn by_tree(language: Language, text: &str, go_on: GoOn<'_>) -> Result<(Outline, Read), Refused> {
    let grammar = language.grammar();
    let budget = Budget::new(text, go_on);
    let tree = parse(grammar, text, &budget)?;
    let tags = tags(grammar, &tree, text, &budget)?;
    let outline = outline(grammar, &tree, &tags, text);
    let names = tags.into_names();
    Ok((outline, Read { language, tree, names }))
}
