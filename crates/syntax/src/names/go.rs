//! Go: functions that are called by their name alone, and packages of the standard library that are not imported. Only a name of
//! which every place in the file is such a use counts; what other files of the package define is for the caller.

use super::known::{GO, GO_PACKAGES};
use super::{Certainty, Names, Seen, is_field};
use crate::language::holds;
use tree_sitter::Node;

pub(super) fn seen(names: &Names<'_>) -> Option<Seen> {
    if names.has(&["dot"]) || names.text.contains("import \"C\"") || names.text.contains("\"C\"\n") {
        return None;
    }
    let mut seen = Seen::default();
    names.each(|node| {
        let word = names.word(node);
        match node.kind() {
            "interpreted_string_literal" if is_path(node) => imports(word, &mut seen),
            "identifier" if is_package(node) && holds(GO_PACKAGES, word) => seen.uses(word, node, Certainty::Sure),
            "identifier" if is_called(node) && !holds(GO, word) => seen.uses(word, node, Certainty::Sure),
            "identifier" | "package_identifier" | "type_identifier" | "field_identifier" => seen.binds(word),
            _ => {}
        }
    });
    Some(seen)
}

fn is_path(node: Node<'_>) -> bool {
    node.parent().is_some_and(|parent| parent.kind() == "import_spec")
}

/// The name of a package is mostly in its path, at the end.
fn imports(path: &str, seen: &mut Seen) {
    path.split(|c: char| !(c.is_alphanumeric() || c == '_')).for_each(|part| seen.binds(part));
}

fn is_called(node: Node<'_>) -> bool {
    node.parent().is_some_and(|parent| parent.kind() == "call_expression" && is_field(parent, "function", node))
}

fn is_package(node: Node<'_>) -> bool {
    node.parent().is_some_and(|parent| parent.kind() == "selector_expression" && is_field(parent, "operand", node))
}
