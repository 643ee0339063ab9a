//! C, and what C++ shares with it.

use super::rules::{BLANK, Rules};
use crate::symbol::Kind;

/// What both lack.
macro_rules! also {
    () => {
        "
        (preproc_function_def name: (identifier) @name) @definition.macro
        (preproc_def name: (identifier) @name value: (_)) @definition.constant
        (union_specifier name: (type_identifier) @name body: (_)) @definition.union
        (translation_unit (declaration
            declarator: (init_declarator declarator: (identifier) @name)) @definition.constant)
        (translation_unit (declaration declarator: (init_declarator
            declarator: (_ declarator: (identifier) @name))) @definition.constant)
        (preproc_ifdef (declaration
            declarator: (init_declarator declarator: (identifier) @name)) @definition.constant)
        (preproc_ifdef (declaration declarator: (init_declarator
            declarator: (_ declarator: (identifier) @name))) @definition.constant)
        (type_definition declarator: (pointer_declarator declarator: (type_identifier) @name)) @definition.type
        (type_definition declarator: (function_declarator declarator: (parenthesized_declarator
            (pointer_declarator declarator: (type_identifier) @name)))) @definition.type
        (enumerator name: (identifier) @bound)
        (field_declaration declarator: (field_identifier) @bound)
        (parameter_declaration declarator: (identifier) @bound)
        (parameter_declaration declarator: (pointer_declarator declarator: (identifier) @bound))
        (init_declarator declarator: (identifier) @bound)
        (init_declarator declarator: (pointer_declarator declarator: (identifier) @bound))
        (declaration declarator: (identifier) @bound)
        (call_expression function: (identifier) @name) @reference.call
        (call_expression function: (field_expression field: (field_identifier) @name)) @reference.call"
    };
}
pub(super) use also;

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
    tags: &[tree_sitter_c::TAGS_QUERY],
    also: also!(),
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
