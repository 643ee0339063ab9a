//! Python: every name that is read counts, as all of them are bound in the file or built in.

use super::known::PYTHON;
use super::{Certainty, Names, Seen, is_field, is_inside, through};
use crate::language::holds;
use tree_sitter::Node;

/// Words in a file whose names may come from anywhere.
const UNSEEN: [&str; 7] = ["NameError", "exec(", "globals()", "locals()", "builtins", "__getattr__", "F821"];

/// What stands around names that are bound together.
const PATTERNS: [&str; 8] = [
    "pattern_list",
    "tuple_pattern",
    "list_pattern",
    "list_splat_pattern",
    "dictionary_splat_pattern",
    "as_pattern_target",
    "tuple",
    "list",
];

pub(super) fn seen(names: &Names<'_>) -> Option<Seen> {
    let is_unseen = UNSEEN.iter().any(|word| names.text.contains(word));
    if is_unseen || names.has(&["wildcard_import", "print_statement", "exec_statement"]) {
        return None;
    }
    let mut seen = Seen::default();
    names.each(|node| {
        if node.kind() != "identifier" {
            return;
        }
        let word = names.word(node);
        if binds(node) {
            seen.binds(word);
        } else if reads(node) && !word.starts_with("__") && !holds(PYTHON, word) {
            seen.uses(word, node, Certainty::Sure);
        }
    });
    Some(seen)
}

fn binds(node: Node<'_>) -> bool {
    let around = [
        "import_statement",
        "import_from_statement",
        "future_import_statement",
        "case_pattern",
        "type_parameter",
        "type_alias_statement",
    ];
    if is_inside(node, &around) {
        return true;
    }
    let outer = through(node, &PATTERNS);
    let Some(parent) = outer.parent() else { return false };
    match parent.kind() {
        "parameters" | "lambda_parameters" | "global_statement" | "nonlocal_statement" => true,
        "typed_parameter" => parent.named_child(0) == Some(outer),
        "default_parameter"
        | "typed_default_parameter"
        | "named_expression"
        | "function_definition"
        | "class_definition" => is_field(parent, "name", outer),
        "assignment" | "augmented_assignment" | "for_statement" | "for_in_clause" | "type_alias_statement" => {
            is_field(parent, "left", outer)
        }
        "as_pattern" => is_field(parent, "alias", outer),
        _ => outer.kind() == "as_pattern_target",
    }
}

/// Is its value asked for?
fn reads(node: Node<'_>) -> bool {
    match node.parent() {
        Some(parent) if parent.kind() == "attribute" => is_field(parent, "object", node),
        Some(parent) if parent.kind() == "keyword_argument" => is_field(parent, "value", node),
        Some(parent) => !matches!(parent.kind(), "dotted_name" | "keyword_pattern" | "type_alias_statement"),
        None => false,
    }
}
