//! Bash. Its grammar comes without a query for tags.

use super::rules::{BLANK, Rules};
use crate::symbol::Kind;

pub(super) static RULES: Rules = Rules {
    name: "Bash",
    syntax: || tree_sitter_bash::LANGUAGE.into(),
    tags: &[include_str!("queries/bash.scm")],
    kinds: &[(Kind::Function, "function_definition"), (Kind::Constant, "variable_assignment")],
    keywords: "function",
    branches: "if_statement elif_clause for_statement c_style_for_statement while_statement case_item && ||",
    nests: "if_statement for_statement c_style_for_statement while_statement case_statement",
    names: "variable_name",
    ..BLANK
};
