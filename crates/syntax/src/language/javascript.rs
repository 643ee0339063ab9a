//! JavaScript, and what TypeScript shares with it.

use super::rules::{BLANK, Rules};
use crate::symbol::Kind;

/// What the queries of both lack.
pub(super) const LACKING: &str = include_str!("queries/script.scm");
pub(super) const JSX: &str = include_str!("queries/jsx.scm");

/// Of both; some nodes only TypeScript has.
pub(super) const KINDS: &[(Kind, &str)] = &[
    (
        Kind::Function,
        "function_declaration function_expression generator_function generator_function_declaration \
        assignment_expression pair function_signature",
    ),
    (
        Kind::Method,
        "method_definition field_definition public_field_definition method_signature abstract_method_signature",
    ),
    (Kind::Class, "class class_declaration abstract_class_declaration"),
    (Kind::Constant, "variable_declarator"),
    (Kind::Interface, "interface_declaration"),
    (Kind::Enum, "enum_declaration"),
    (Kind::Type, "type_alias_declaration"),
    (Kind::Module, "internal_module module"),
];

pub(super) const SHARED: Rules = Rules {
    kinds: KINDS,
    around: "export_statement lexical_declaration variable_declaration ambient_declaration",
    keywords: "function class interface enum type namespace module const let var",
    comments: "comment html_comment",
    branches: "if_statement for_statement for_in_statement while_statement do_statement switch_case catch_clause \
        ternary_expression && || ??",
    nests: "if_statement for_statement for_in_statement while_statement do_statement switch_statement try_statement",
    goes_on: "else_clause",
    imports: "import_statement",
    names: "shorthand_property_identifier_pattern",
    ..BLANK
};

pub(super) static RULES: Rules = Rules {
    name: "JavaScript",
    syntax: || tree_sitter_javascript::LANGUAGE.into(),
    tags: &[tree_sitter_javascript::TAGS_QUERY, LACKING, JSX, include_str!("queries/javascript.scm")],
    ..SHARED
};
