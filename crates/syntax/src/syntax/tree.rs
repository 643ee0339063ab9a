//! What a grammar can make nothing of, and where in what was changed to look for it.

use super::balance::{Brackets, brackets};
use super::{ChangedLines, Fault};
use crate::Language;
use crate::parse::{Budget, bare};
use tree_sitter::{Node, Tree};

/// Places that are looked at.
const MOST: usize = 200;

/// How much a fault that this grammar finds is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trust {
    Whole,
    /// Macros look like anything: only brackets without a partner are certain, and marks that are missing.
    Macros,
    /// There is more to the language than its grammar knows.
    Little,
}

fn trust(language: Language) -> Trust {
    match language {
        Language::Python | Language::Go | Language::Java => Trust::Whole,
        Language::JavaScript | Language::TypeScript | Language::Tsx => Trust::Whole,
        Language::Rust => Trust::Macros,
        Language::C | Language::Cpp | Language::Bash => Trust::Little,
    }
}

/// A place of which a grammar can make nothing.
struct Place<'a> {
    line: usize,
    /// What it would need there.
    missing: Option<&'a str>,
}

/// The fault of `text` that `changed` tells most about.
pub(super) fn fault(language: Language, before: Option<&str>, text: &str, changed: &ChangedLines) -> Option<Fault> {
    let tree = bare(&(language.rules().syntax)(), text, &Budget::new(text, &|| Ok(()))).ok()?;
    if !tree.root_node().has_error() {
        return None;
    }
    let places = places(&tree);
    let found = brackets(language, text);
    let is_open = language != Language::Bash
        && found != Brackets::Balanced
        // What cannot tell the brackets of the text before cannot tell these.
        && before.is_none_or(|before| brackets(language, before) == Brackets::Balanced);
    let place = places.iter().find(|place| changed.contains(&place.line));
    let place = place.or_else(|| places.iter().find(|place| place.line > *changed.end()));
    let line = place.map_or(*changed.end(), |place| place.line).min(text.lines().count().max(1));
    let missing = place.and_then(|place| place.missing).filter(|missing| is_mark(missing));
    let why = match (is_open, missing) {
        (true, _) => found.words(),
        (false, Some(missing)) => format!("`{missing}` is missing"),
        (false, None) => String::new(),
    };
    let written = text.lines().nth(line - 1).unwrap_or_default();
    let is_fence = written.trim_start().starts_with("```");
    let is_certain = match trust(language) {
        Trust::Whole => true,
        Trust::Macros => is_open || is_fence || missing.is_some(),
        Trust::Little => is_fence,
    };
    Some(Fault { line, why, is_certain })
}

/// Innermost places first come those that stand first.
fn places(tree: &Tree) -> Vec<Place<'_>> {
    let mut found = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.is_missing() {
            found.push(Place { line: node.start_position().row + 1, missing: Some(node.kind()) });
        } else if node.is_error() && !holds_others(node) {
            found.push(Place { line: node.start_position().row + 1, missing: None });
        }
        if node.has_error() && found.len() < MOST && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
        }
    }
}

/// Does something more exact stand inside?
fn holds_others(node: Node<'_>) -> bool {
    let mut cursor = node.walk();
    node.children(&mut cursor).any(|child| child.has_error())
}

/// Is it a mark, not the name of a kind of node?
fn is_mark(missing: &str) -> bool {
    !missing.is_empty() && missing.chars().all(|c| c.is_ascii_punctuation() && c != '_')
}
