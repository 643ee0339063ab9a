//! Rust: functions that are called by their name alone, and types by theirs. Only a name of which every place in the file is such a
//! use counts: what stands in a macro may be anything. A file that brings in all of a module, or calls macros between its items, is
//! not judged.

use super::known::RUST;
use super::{Certainty, Names, Seen, is_field};
use crate::language::holds;
use tree_sitter::Node;

pub(super) fn seen(names: &Names<'_>) -> Option<Seen> {
    if names.has(&["use_wildcard", "extern_crate_declaration"])
        || names.text.contains("macro_use")
        || has_item_macros(names)
    {
        return None;
    }
    let mut seen = Seen::default();
    names.each(|node| {
        let word = names.word(node);
        let is_type = word.starts_with(|c: char| c.is_ascii_uppercase()) && word.len() > 1;
        match node.kind() {
            "identifier" if is_called(node) && !is_type && !holds(RUST, word) => seen.uses(word, node, Certainty::Sure),
            "identifier" | "type_identifier" if is_type && is_named_type(node) && !holds(RUST, word) => {
                seen.uses(word, node, Certainty::Sure);
            }
            "identifier" | "type_identifier" | "field_identifier" | "shorthand_field_identifier" => seen.binds(word),
            _ => {}
        }
    });
    // A derive makes `AllBuilder` of `All`, and the like.
    let bound: Vec<String> = seen.bound.iter().filter(|name| name.len() > 2).cloned().collect();
    let is_made =
        |name: &String| bound.iter().any(|known| name.starts_with(known.as_str()) || name.ends_with(known.as_str()));
    seen.used.retain(|name, _| !is_made(name));
    Some(seen)
}

/// Macros between items may define any name.
fn has_item_macros(names: &Names<'_>) -> bool {
    let mut has = false;
    names.each(|node| {
        let around = node.parent().filter(|_| node.kind() == "macro_invocation");
        let around =
            around.map(|parent| if parent.kind() == "expression_statement" { parent.parent() } else { Some(parent) });
        has |= around.flatten().is_some_and(|around| matches!(around.kind(), "source_file" | "declaration_list"));
    });
    has
}

fn is_called(node: Node<'_>) -> bool {
    node.parent().is_some_and(|parent| parent.kind() == "call_expression" && is_field(parent, "function", node))
}

/// A type by its name alone, or the first part of a path.
fn is_named_type(node: Node<'_>) -> bool {
    let Some(parent) = node.parent() else { return false };
    match parent.kind() {
        "scoped_identifier" | "scoped_type_identifier" => {
            is_field(parent, "path", node) && parent.parent().is_some_and(|outer| !is_use(outer))
        }
        "generic_type" | "parameter" | "field_declaration" | "reference_type" | "type_arguments" => {
            node.kind() == "type_identifier"
        }
        "function_item" => is_field(parent, "return_type", node),
        "struct_expression" => is_field(parent, "name", node),
        _ => false,
    }
}

fn is_use(node: Node<'_>) -> bool {
    let mut around = std::iter::successors(Some(node), Node::parent);
    around
        .any(|node| matches!(node.kind(), "use_declaration" | "visibility_modifier" | "attribute_item" | "token_tree"))
}
