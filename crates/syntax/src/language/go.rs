//! Go.

use super::rules::{BLANK, Rules};
use crate::symbol::Kind;

pub(super) static RULES: Rules = Rules {
    name: "Go",
    syntax: || tree_sitter_go::LANGUAGE.into(),
    tags: &[tree_sitter_go::TAGS_QUERY, include_str!("queries/go.scm")],
    kinds: &[
        (Kind::Function, "function_declaration"),
        (Kind::Method, "method_declaration method_elem"),
        (Kind::Type, "type_spec type_alias"),
        (Kind::Constant, "const_spec var_spec"),
    ],
    around: "type_declaration const_declaration var_declaration",
    keywords: "func type const var",
    branches: "if_statement for_statement expression_case type_case communication_case && ||",
    nests: "if_statement for_statement expression_switch_statement type_switch_statement select_statement",
    goes_on: "if_statement",
    imports: "import_declaration",
    ..BLANK
};
