//! Python.

use super::rules::{BLANK, Rules};
use crate::symbol::Kind;

pub(super) static RULES: Rules = Rules {
    name: "Python",
    syntax: || tree_sitter_python::LANGUAGE.into(),
    tags: &[tree_sitter_python::TAGS_QUERY],
    also: "
        (assignment left: (identifier) @bound)
        (class_definition body: (block (expression_statement (assignment left: (identifier) @bound))))
        (parameters (identifier) @bound)
        (default_parameter name: (identifier) @bound)
        (typed_parameter (identifier) @bound)
        (typed_default_parameter name: (identifier) @bound)
        (for_statement left: (identifier) @bound)
        (as_pattern_target (identifier) @bound)",
    kinds: &[
        (Kind::Function, "function_definition"),
        (Kind::Class, "class_definition"),
        (Kind::Constant, "assignment"),
    ],
    around: "decorated_definition",
    keywords: "def class",
    branches: "if_statement elif_clause for_statement while_statement except_clause case_clause conditional_expression \
        if_clause and or",
    nests: "if_statement for_statement while_statement try_statement with_statement match_statement",
    imports: "import_statement import_from_statement future_import_statement",
    ..BLANK
};
