//! Python.

use super::rules::{BLANK, Rules};
use crate::symbol::Kind;

pub(super) static RULES: Rules = Rules {
    name: "Python",
    syntax: || tree_sitter_python::LANGUAGE.into(),
    tags: &[tree_sitter_python::TAGS_QUERY, include_str!("queries/python.scm")],
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
