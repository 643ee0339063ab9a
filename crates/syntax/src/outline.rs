//! One walk through a tree: what is defined where, how many ways lead through it and how deep it goes, and which lines
//! are comments.

mod head;

use crate::language::{Grammar, Role};
use crate::lines::{Lines, Marks};
use crate::symbol::{Kind, Symbol};
use crate::tags::Tags;
use head::Head;
use tree_sitter::{Node, Tree};

#[derive(Debug, Default)]
pub(crate) struct Outline {
    /// In the order of the text.
    pub(crate) symbols: Vec<Symbol>,
    pub(crate) lines: Lines,
    /// The first line, from 1, that the grammar can make nothing of.
    pub(crate) fault: Option<usize>,
}

pub(crate) fn outline(grammar: &Grammar, tree: &Tree, tags: &Tags<'_>, text: &str) -> Outline {
    let mut walk = Walk {
        grammar,
        tags,
        text,
        marks: Marks::new(text),
        path: Vec::new(),
        open: Vec::new(),
        symbols: Vec::new(),
        fault: None,
    };
    walk.through(tree);
    Outline { lines: walk.marks.count(text), symbols: walk.symbols, fault: walk.fault }
}

struct Walk<'a, 'tree> {
    grammar: &'a Grammar,
    tags: &'a Tags<'tree>,
    text: &'a str,
    marks: Marks,
    /// The nodes that the present one stands in, and itself.
    path: Vec<Step<'tree>>,
    /// Symbols that are not over, outermost first.
    open: Vec<Open>,
    symbols: Vec<Symbol>,
    fault: Option<usize>,
}

#[derive(Clone, Copy)]
struct Step<'tree> {
    node: Node<'tree>,
    role: Role,
    /// It made the function it stands in one deeper.
    nested: bool,
}

#[derive(Clone, Copy)]
struct Open {
    symbol: usize,
    /// Places on the path below which it lasts.
    until: usize,
    /// Control structures around the present place.
    nesting: usize,
}

/// Does the walk look into a node?
#[derive(PartialEq, Eq)]
enum Into {
    Yes,
    No,
}

impl<'tree> Walk<'_, 'tree> {
    fn through(&mut self, tree: &'tree Tree) {
        let mut cursor = tree.walk();
        loop {
            if self.enter(cursor.node()) == Into::Yes && cursor.goto_first_child() {
                continue;
            }
            self.leave();
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
                self.leave();
            }
        }
    }

    fn enter(&mut self, node: Node<'tree>) -> Into {
        let role = self.grammar.role(node.kind_id());
        self.path.push(Step { node, role, nested: false });
        if (node.is_error() || node.is_missing()) && self.fault.is_none() {
            self.fault = Some(node.start_position().row + 1);
        }
        if role.comment || self.is_doc_string(node) {
            let (first, last) = rows(node);
            self.marks.comment(first, last);
            return Into::No;
        }
        if let Some(names) = self.tags.defines.get(&node.id()) {
            let parent = self.open.last().map(|open| open.symbol);
            names.iter().for_each(|name| self.define(node, *name, parent));
        }
        self.weigh(role);
        if node.child_count() == 0 && !self.text[node.byte_range()].trim().is_empty() {
            let (first, last) = rows(node);
            self.marks.code(first, last);
        }
        Into::Yes
    }

    fn leave(&mut self) {
        let Some(step) = self.path.pop() else { return };
        if step.nested
            && let Some(open) = self.function()
        {
            open.nesting = open.nesting.saturating_sub(1);
        }
        while self.open.last().is_some_and(|open| open.until > self.path.len()) {
            self.open.pop();
        }
    }

    /// Counts `role`, the present node's, for the function that it stands in.
    fn weigh(&mut self, role: Role) {
        let goes_on = self.path.iter().rev().nth(1).is_some_and(|above| above.role.goes_on);
        let nests = role.nest && !goes_on;
        if !(role.branch || nests) {
            return;
        }
        let Some(open) = self.function() else { return };
        open.nesting += usize::from(nests);
        let open = *open;
        let symbol = &mut self.symbols[open.symbol];
        symbol.branches += usize::from(role.branch);
        symbol.nesting = symbol.nesting.max(open.nesting);
        if let Some(step) = self.path.last_mut() {
            step.nested = nests;
        }
    }

    /// The innermost function that is not over.
    fn function(&mut self) -> Option<&mut Open> {
        let symbols = &self.symbols;
        self.open.iter_mut().rev().find(|open| symbols[open.symbol].kind.is_function())
    }

    /// A string that stands alone, as Python has them for words about a definition.
    fn is_doc_string(&self, node: Node<'_>) -> bool {
        node.kind() == "string"
            && self.grammar.rules.name == "Python"
            && self
                .path
                .iter()
                .rev()
                .nth(1)
                .is_some_and(|above| above.node.kind() == "expression_statement" && above.node.named_child_count() == 1)
    }

    fn define(&mut self, node: Node<'tree>, name: Node<'tree>, parent: Option<usize>) {
        let above: Vec<Node<'tree>> = self.path.iter().rev().skip(1).take(8).map(|step| step.node).collect();
        let Some(head) = Head::of(node, name, &above, self.grammar) else { return };
        let local = head.is_declaration && self.function().is_some();
        if local || head.name(self.text).is_empty() {
            return;
        }
        let inside = parent.map(|parent| self.symbols[parent].kind);
        let kind = match head.kind {
            Kind::Function if head.owner(self.text).is_some() || inside.is_some_and(Kind::is_type) => Kind::Method,
            kind => kind,
        };
        let (first, last) = rows(head.whole);
        let depth = parent.map_or(0, |parent| self.symbols[parent].depth + 1);
        self.symbols.push(Symbol {
            name: head.name(self.text),
            kind,
            first: first + 1,
            last: last + 1,
            name_line: name.start_position().row + 1,
            signature: head.signature(self.text, self.grammar),
            owner: head.owner(self.text),
            parent,
            depth,
            parameters: head.parameters(self.text),
            branches: usize::from(kind.is_function()),
            nesting: 0,
        });
        // The definition's own node may stand some steps up; what follows in there belongs to it.
        let until = self.path.len() - head.up;
        self.open.push(Open { symbol: self.symbols.len() - 1, until, nesting: 0 });
    }
}

/// The first and the last line of a node, from 0; a line end does not reach into the next line.
pub(crate) fn rows(node: Node<'_>) -> (usize, usize) {
    let (start, end) = (node.start_position(), node.end_position());
    let last = if end.column == 0 && end.row > start.row { end.row - 1 } else { end.row };
    (start.row, last)
}
