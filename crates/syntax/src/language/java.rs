//! Java.

use super::rules::{BLANK, Rules};
use crate::symbol::Kind;

pub(super) static RULES: Rules = Rules {
    name: "Java",
    syntax: || tree_sitter_java::LANGUAGE.into(),
    tags: &[tree_sitter_java::TAGS_QUERY, include_str!("queries/java.scm")],
    kinds: &[
        (Kind::Class, "class_declaration record_declaration"),
        (Kind::Interface, "interface_declaration annotation_type_declaration"),
        (Kind::Enum, "enum_declaration"),
        (Kind::Constant, "field_declaration"),
        (Kind::Method, "method_declaration constructor_declaration compact_constructor_declaration"),
    ],
    keywords: "class record interface @interface enum",
    comments: "line_comment block_comment",
    branches: "if_statement for_statement enhanced_for_statement while_statement do_statement switch_label catch_clause \
        ternary_expression && ||",
    nests: "if_statement for_statement enhanced_for_statement while_statement do_statement switch_expression \
        try_statement try_with_resources_statement",
    goes_on: "if_statement",
    imports: "import_declaration",
    ..BLANK
};
