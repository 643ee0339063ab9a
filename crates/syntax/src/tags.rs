//! What a grammar's query finds: which nodes define, and which names are defined or called.

use crate::language::{Grammar, holds};
use crate::parse::{Budget, Refused};
use std::collections::{HashMap, HashSet};
use tree_sitter::{Node, QueryCursor, QueryCursorOptions, StreamingIterator, Tree};

/// Nodes by their number in the tree.
#[derive(Debug, Default)]
pub(crate) struct Tags<'tree> {
    /// The names that a node defines.
    pub(crate) defines: HashMap<usize, Vec<Node<'tree>>>,
    /// Names of fields, parameters, variables.
    pub(crate) bound: HashSet<usize>,
    pub(crate) called: HashSet<usize>,
}

/// Names by their number in the tree, for as long as the tree lasts.
#[derive(Debug, Default)]
pub(crate) struct Names {
    pub(crate) defined: HashSet<usize>,
    /// Those of fields, parameters, variables.
    pub(crate) bound: HashSet<usize>,
    pub(crate) called: HashSet<usize>,
}

/// Nodes whose name is called although the query says only that a class is meant.
const MAKE: [&str; 2] = ["new_expression", "object_creation_expression"];

pub(crate) fn tags<'tree>(
    grammar: &Grammar,
    tree: &'tree Tree,
    text: &str,
    budget: &Budget<'_>,
) -> Result<Tags<'tree>, Refused> {
    let mut tags = Tags::default();
    let mut cursor = QueryCursor::new();
    let mut progress = |_: &_| budget.step();
    let options = QueryCursorOptions::new().progress_callback(&mut progress);
    let captures = grammar.query.capture_names();
    let mut matches = cursor.matches_with_options(&grammar.query, tree.root_node(), text.as_bytes(), options);
    while let Some(found) = matches.next() {
        let mut name = None;
        let mut whole = None;
        for capture in found.captures() {
            match captures[capture.index as usize] {
                "name" => name = Some(capture.node),
                "bound" => drop(tags.bound.insert(capture.node.id())),
                other if other.starts_with("definition.") || other.starts_with("reference.") => {
                    whole = Some((other, capture.node));
                }
                _ => {}
            }
        }
        if let (Some(name), Some((what, whole))) = (name, whole) {
            tags.add(name, what, whole, grammar);
        }
    }
    drop(matches);
    budget.end().map(|()| tags)
}

impl<'tree> Tags<'tree> {
    /// What is left of them without the tree.
    pub(crate) fn into_names(self) -> Names {
        let defined = self.defines.values().flatten().map(|name| last_leaf(*name).id()).collect();
        Names { defined, bound: self.bound, called: self.called }
    }

    fn add(&mut self, name: Node<'tree>, what: &str, whole: Node<'tree>, grammar: &Grammar) {
        if what == "reference.call" || what == "reference.class" && MAKE.contains(&whole.kind()) {
            self.called.insert(name.id());
        }
        if !what.starts_with("definition.") || !is_definition(whole, grammar) {
            return;
        }
        // Of several names in a row, as in `const a, b = 1, 2`, a query finds only the first.
        let mut cursor = whole.walk();
        let beside: Vec<Node<'tree>> = whole.children_by_field_name("name", &mut cursor).collect();
        let beside = beside.into_iter().filter(|other| other.kind() == name.kind());
        let names = self.defines.entry(whole.id()).or_default();
        for name in std::iter::once(name).chain(beside) {
            put(names, name);
        }
    }
}

/// Puts a name beside others. Several patterns may find the same one; the longest holds what it belongs to.
fn put<'tree>(names: &mut Vec<Node<'tree>>, name: Node<'tree>) {
    let inside =
        |one: Node<'_>, other: Node<'_>| other.start_byte() <= one.start_byte() && one.end_byte() <= other.end_byte();
    if !names.iter().any(|known| inside(name, *known)) {
        names.retain(|known| !inside(*known, name));
        names.push(name);
    }
}

/// The name itself, at the end of what it belongs to.
fn last_leaf(node: Node<'_>) -> Node<'_> {
    let mut leaf = node;
    while let Some(child) = leaf.child_count().checked_sub(1).and_then(|at| leaf.child(at)) {
        leaf = child;
    }
    leaf
}

fn is_definition(node: Node<'_>, grammar: &Grammar) -> bool {
    let bare = holds(grammar.rules.bodied, node.kind()) && node.child_by_field_name("body").is_none();
    grammar.rules.kind(node.kind()).is_some() && !bare
}
