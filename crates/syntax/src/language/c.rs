//! C, and what C++ shares with it.

use super::rules::{BLANK, Rules};
use crate::symbol::Kind;

/// What the queries of both lack.
pub(super) const LACKING: &str = include_str!("queries/c.scm");

pub(super) const SHARED: Rules = Rules {
    bodied: "struct_specifier union_specifier enum_specifier class_specifier",
    around: "template_declaration",
    keywords: "struct union enum class typedef namespace using concept #define",
    branches: "if_statement for_statement while_statement do_statement case_statement conditional_expression for_range_loop \
        catch_clause && ||",
    nests: "if_statement for_statement while_statement do_statement switch_statement for_range_loop try_statement",
    goes_on: "else_clause",
    imports: "preproc_include using_declaration",
    unread: "preproc_arg",
    ..BLANK
};

pub(super) static RULES: Rules = Rules {
    name: "C",
    syntax: || tree_sitter_c::LANGUAGE.into(),
    tags: &[tree_sitter_c::TAGS_QUERY, LACKING],
    kinds: &[
        (Kind::Function, "function_declarator"),
        (Kind::Struct, "struct_specifier"),
        (Kind::Union, "union_specifier"),
        (Kind::Enum, "enum_specifier"),
        (Kind::Type, "type_definition"),
        (Kind::Macro, "preproc_function_def"),
        (Kind::Constant, "preproc_def declaration"),
    ],
    ..SHARED
};
