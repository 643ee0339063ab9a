//! JavaScript, and what TypeScript shares with it.

use super::rules::{BLANK, Rules};
use crate::symbol::Kind;

/// What both lack.
macro_rules! also {
    () => {
        "
        (method_definition name: (private_property_identifier) @name) @definition.method
        (variable_declarator name: (identifier) @bound)
        (arrow_function parameter: (identifier) @bound)
        (assignment_pattern left: (identifier) @bound)
        (program (lexical_declaration (variable_declarator name: (identifier) @name) @definition.constant))
        (program (variable_declaration (variable_declarator name: (identifier) @name) @definition.constant))
        (program (export_statement
            (lexical_declaration (variable_declarator name: (identifier) @name) @definition.constant)))"
    };
}
pub(super) use also;

/// A tag of JSX with an own name is a call.
macro_rules! jsx {
    () => {
        "
        (jsx_opening_element name: (identifier) @name) @reference.call
        (jsx_self_closing_element name: (identifier) @name) @reference.call"
    };
}
pub(super) use jsx;

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
    tags: &[tree_sitter_javascript::TAGS_QUERY],
    also: concat!(
        also!(),
        jsx!(),
        "
        (formal_parameters (identifier) @bound)
        (field_definition property: (_) @bound)
        (field_definition property: (_) @name value: [(arrow_function) (function_expression)]) @definition.method"
    ),
    ..SHARED
};
