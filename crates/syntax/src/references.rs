//! Where a name is used, and how. By the tree: what stands in comments and strings is no use.

use crate::language::{Grammar, Role};
use crate::lines::places;
use crate::symbol::Symbol;
use crate::tags::Names;
use std::collections::HashSet;
use tree_sitter::{Node, Tree};

/// How a name is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Use {
    Definition,
    /// Here a field, parameter or variable gets this name.
    Binding,
    Call,
    /// Here it comes from elsewhere.
    Import,
    /// Anything else.
    Other,
    /// Here it stands as a word: what for is not known.
    Word,
}

impl Use {
    pub fn name(self) -> &'static str {
        match self {
            Use::Definition => "definition",
            Use::Binding => "binding",
            Use::Call => "call",
            Use::Import => "import",
            Use::Other => "use",
            Use::Word => "word",
        }
    }
}

/// One use of a name. Line and column count from 1, the column in characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    pub how: Use,
    /// In which line.
    pub line: usize,
    /// At which character.
    pub column: usize,
}

/// All uses of `name`, in the order of the text.
pub(crate) fn references(
    grammar: &Grammar,
    tree: &Tree,
    names: &Names,
    symbols: &[Symbol],
    text: &str,
    name: &str,
) -> Vec<Reference> {
    let defined = symbols.iter().filter(|symbol| symbol.name == name).map(|symbol| symbol.name_line).collect();
    let mut search =
        Search { grammar, names, defined, text, name, columns: Columns::new(text), imports: 0, found: Vec::new() };
    search.through(tree);
    search.found
}

struct Search<'a> {
    grammar: &'a Grammar,
    names: &'a Names,
    /// Lines in which a symbol gets this name.
    defined: HashSet<usize>,
    text: &'a str,
    name: &'a str,
    columns: Columns<'a>,
    /// Imports around the present place.
    imports: usize,
    found: Vec<Reference>,
}

impl Search<'_> {
    fn through(&mut self, tree: &Tree) {
        let mut cursor = tree.walk();
        loop {
            let node = cursor.node();
            let role = self.grammar.role(node.kind_id());
            self.imports += usize::from(role.import);
            if !role.comment && self.look(node, role) && cursor.goto_first_child() {
                continue;
            }
            self.imports -= usize::from(role.import);
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
                self.imports -= usize::from(self.grammar.role(cursor.node().kind_id()).import);
            }
        }
    }

    /// Takes down what `node` is to the name; whether there may be more inside.
    fn look(&mut self, node: Node<'_>, role: Role) -> bool {
        let range = node.byte_range();
        if range.len() < self.name.len() {
            return false;
        }
        if node.child_count() > 0 {
            return true;
        }
        let known = || self.names.defined.contains(&node.id()) || self.names.called.contains(&node.id());
        if role.unread {
            let start = node.start_byte();
            let places: Vec<usize> = places(&self.text[range], self.name).map(|at| start + at).collect();
            places.into_iter().for_each(|at| self.take(at, node.start_position().row, Use::Other));
        } else if (role.name || known()) && &self.text[range] == self.name {
            self.take(node.start_byte(), node.start_position().row, self.how(node));
        }
        false
    }

    fn how(&self, node: Node<'_>) -> Use {
        let line = node.start_position().row + 1;
        match node.id() {
            // Names of what is only declared inside a function, and of the type that an `impl` is for, define nothing.
            id if self.names.defined.contains(&id) && self.defined.contains(&line) => Use::Definition,
            id if self.names.bound.contains(&id) => Use::Binding,
            id if self.names.called.contains(&id) => Use::Call,
            _ if self.imports > 0 => Use::Import,
            _ => Use::Other,
        }
    }

    fn take(&mut self, at: usize, row: usize, how: Use) {
        let column = self.columns.of(at);
        self.found.push(Reference { how, line: row + 1, column });
    }
}

/// Counts the characters of lines, for places in the order of the text.
pub(crate) struct Columns<'a> {
    text: &'a str,
    /// The last place asked for, and its column.
    at: usize,
    column: usize,
}

impl<'a> Columns<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Columns { text, at: 0, column: 1 }
    }

    /// Which character of its line stands at byte `at`, from 1.
    pub(crate) fn of(&mut self, at: usize) -> usize {
        let between = self.text.get(self.at..at).unwrap_or_default();
        self.column = match between.rfind('\n') {
            Some(end) => between[end + 1..].chars().count() + 1,
            None => self.column + between.chars().count(),
        };
        self.at = at;
        self.column
    }
}
