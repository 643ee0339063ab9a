//! JavaScript and TypeScript: in modules only, as scripts share their names with others of a page. Functions that are called, and
//! classes that are made or drawn, count; a variable may be one of the hundreds that the surroundings bring.

use super::known::JAVASCRIPT;
use super::{Certainty, Names, Seen, is_field, is_inside, through};
use crate::language::holds;
use tree_sitter::Node;

/// Words in a file whose names may come from anywhere.
const UNSEEN: [&str; 6] = ["/* global", "/*global", "eval(", "no-undef", "@ts-nocheck", "/// <reference"];

/// What stands around names that are bound together.
const PATTERNS: [&str; 6] = [
    "array_pattern",
    "object_pattern",
    "assignment_pattern",
    "object_assignment_pattern",
    "rest_pattern",
    "pair_pattern",
];

pub(super) fn seen(names: &Names<'_>) -> Option<Seen> {
    let is_module = names.has(&["import_statement", "export_statement"])
        || names.text.contains("require(")
        || names.text.contains("module.exports");
    let is_unseen = UNSEEN.iter().any(|word| names.text.contains(word));
    if !is_module || is_unseen || names.has(&["with_statement"]) {
        return None;
    }
    let mut seen = Seen::default();
    names.each(|node| {
        let word = names.word(node);
        match node.kind() {
            "shorthand_property_identifier_pattern" | "type_identifier" => seen.binds(word),
            "property_identifier" if is_of_the_surroundings(names, node) => seen.binds(word),
            "identifier" if binds(node) => seen.binds(word),
            "identifier" if !word.starts_with(['_', '$']) && !holds(JAVASCRIPT, word) => {
                if let Some(certainty) = use_of(word, node) {
                    seen.uses(word, node, certainty);
                }
            }
            _ => {}
        }
    });
    Some(seen)
}

/// `x` of `window.x`: what is set there has a name everywhere.
fn is_of_the_surroundings(names: &Names<'_>, node: Node<'_>) -> bool {
    let object = node.parent().and_then(|parent| parent.child_by_field_name("object"));
    object.is_some_and(|object| matches!(names.word(object), "window" | "globalThis" | "self" | "global"))
}

fn binds(node: Node<'_>) -> bool {
    let around = [
        "import_statement",
        "import_alias",
        "import_require_clause",
        "namespace_export",
        "type_query",
        "type_predicate",
    ];
    if is_inside(node, &around) || is_exported_from_elsewhere(node) {
        return true;
    }
    let outer = through(node, &PATTERNS);
    let Some(parent) = outer.parent() else { return false };
    match parent.kind() {
        "formal_parameters" => true,
        "required_parameter" | "optional_parameter" => is_field(parent, "pattern", outer),
        "arrow_function" | "catch_clause" => is_field(parent, "parameter", outer),
        "for_in_statement" | "assignment_expression" => is_field(parent, "left", outer),
        "call_expression" | "new_expression" | "arguments" | "jsx_self_closing_element" | "jsx_opening_element" => {
            false
        }
        // Feature detection asks for what may not be there.
        "unary_expression" => parent.child(0).is_some_and(|sign| sign.kind() == "typeof"),
        _ => is_field(parent, "name", outer),
    }
}

fn is_exported_from_elsewhere(node: Node<'_>) -> bool {
    let mut around = std::iter::successors(node.parent(), Node::parent);
    around.any(|node| node.kind() == "export_statement" && node.child_by_field_name("source").is_some())
}

/// How sure it is that a name that is used like this has to be defined; `None`: not at all.
fn use_of(word: &str, node: Node<'_>) -> Option<Certainty> {
    let parent = node.parent()?;
    let is_class = word.starts_with(|c: char| c.is_uppercase());
    match parent.kind() {
        "call_expression" if is_field(parent, "function", node) && !is_class => Some(Certainty::Sure),
        "new_expression" if is_field(parent, "constructor", node) => Some(Certainty::Likely),
        "jsx_self_closing_element" | "jsx_opening_element" if is_class => Some(Certainty::Likely),
        "call_expression" | "class_heritage" | "extends_clause" if is_class => Some(Certainty::Likely),
        _ => None,
    }
}
