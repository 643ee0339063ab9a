//! Names that a file uses and that, as far as it tells, are defined nowhere.
//!
//! Silence is better than a false alarm: a name that is bound anywhere in the file counts as defined everywhere in it, a file whose
//! names may come from where nobody sees it (`import *`, macros, scripts of a page) is not judged, and only what a change added
//! is told. What else defines a name in the project is for the caller to know.

mod go;
mod javascript;
mod known;
mod python;
mod rust;

use crate::Language;
use crate::parse::{Budget, bare};
use std::collections::{BTreeMap, HashSet};
use tree_sitter::{Node, Tree};

/// A name that is used and not defined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownName {
    pub name: String,
    /// The line, from 1, in which it is used first.
    pub line: usize,
    pub certainty: Certainty,
}

/// How sure it is that a name is defined nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// It may be one of the many that the surroundings of the program bring. That the project defines it somewhere decides.
    Likely,
    /// The language and its usual surroundings have no such name.
    Sure,
}

/// The names that `after`, which is to take the place of `before` in the file `path`, uses without a definition and `before` did not.
pub fn new_unknown_names(path: &str, before: Option<&str>, after: &str) -> Vec<UnknownName> {
    let Some(language) = Language::of(path, after).filter(|_| !has_names_put_in(path)) else { return Vec::new() };
    let Some(now) = unknown(language, after) else { return Vec::new() };
    // A file that did without definitions before gets its names from somewhere.
    let was_whole = |before: &str| unknown(language, before).is_some_and(|old| old.is_empty());
    let is_judged = before.is_none_or(|before| before.trim().is_empty() || was_whole(before));
    if is_judged { now } else { Vec::new() }
}

/// Is it a file in Python that a program runs with names of its own: of SCons, waf, Sphinx, Jupyter?
fn has_names_put_in(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let is_configuration = ["conf.py", "config.py", "fabfile.py"].iter().any(|end| name.ends_with(end));
    is_configuration || matches!(name, "SConstruct" | "SConscript" | "wscript")
}

/// All of one text; `None`: that cannot be told of it.
fn unknown(language: Language, text: &str) -> Option<Vec<UnknownName>> {
    let read: fn(&Names<'_>) -> Option<Seen> = match language {
        Language::Python => python::seen,
        Language::JavaScript | Language::TypeScript | Language::Tsx => javascript::seen,
        Language::Go => go::seen,
        Language::Rust => rust::seen,
        Language::C | Language::Cpp | Language::Java | Language::Bash => return None,
    };
    let tree = bare(&(language.rules().syntax)(), text, &Budget::new(text, &|| Ok(()))).ok()?;
    if tree.root_node().has_error() {
        return None;
    }
    let Seen { bound, used } = read(&Names { text, tree: &tree })?;
    let unknown = used.into_iter().filter(|(name, _)| !bound.contains(name.as_str()));
    Some(unknown.map(|(name, (line, certainty))| UnknownName { name, line, certainty }).collect())
}

/// A text and its tree.
struct Names<'a> {
    text: &'a str,
    tree: &'a Tree,
}

/// What stands in a text.
#[derive(Debug, Default)]
struct Seen {
    /// Names that are defined somewhere, or are known to be there.
    bound: HashSet<String>,
    /// Names that are used, each with its first line.
    used: BTreeMap<String, (usize, Certainty)>,
}

impl Seen {
    fn binds(&mut self, name: &str) {
        self.bound.insert(name.to_owned());
    }

    fn uses(&mut self, name: &str, node: Node<'_>, certainty: Certainty) {
        let line = node.start_position().row + 1;
        let known = self.used.entry(name.to_owned()).or_insert((line, certainty));
        known.1 = known.1.max(certainty);
    }
}

impl<'a> Names<'a> {
    fn word(&self, node: Node<'_>) -> &'a str {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    /// Calls `take` for each node, from the outside in, in the order of the text.
    fn each(&self, mut take: impl FnMut(Node<'a>)) {
        let mut cursor = self.tree.walk();
        loop {
            take(cursor.node());
            if cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return;
                }
            }
        }
    }

    /// Is there a node of one of these kinds?
    fn has(&self, kinds: &[&str]) -> bool {
        let mut has = false;
        self.each(|node| has |= kinds.contains(&node.kind()));
        has
    }
}

/// Is `node` what stands in this field of its parent?
fn is_field(parent: Node<'_>, field: &str, node: Node<'_>) -> bool {
    parent.child_by_field_name(field) == Some(node)
}

/// Is there a node of one of these kinds around it?
fn is_inside(node: Node<'_>, kinds: &[&str]) -> bool {
    std::iter::successors(node.parent(), Node::parent).any(|around| kinds.contains(&around.kind()))
}

/// The outermost of `node` and the nodes of these kinds right around it.
fn through<'a>(node: Node<'a>, kinds: &[&str]) -> Node<'a> {
    let mut outer = node;
    while let Some(parent) = outer.parent().filter(|parent| kinds.contains(&parent.kind())) {
        outer = parent;
    }
    outer
}

#[cfg(test)]
mod tests;
