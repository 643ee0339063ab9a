//! C++.

use super::c::{SHARED, also};
use super::rules::Rules;
use crate::symbol::Kind;

pub(super) static RULES: Rules = Rules {
    name: "C++",
    syntax: || tree_sitter_cpp::LANGUAGE.into(),
    tags: &[tree_sitter_cpp::TAGS_QUERY],
    also: concat!(
        also!(),
        "
        (function_declarator declarator: (qualified_identifier) @name) @definition.method
        (function_declarator declarator: [(destructor_name) (operator_name)] @name) @definition.method
        (namespace_definition name: (_) @name) @definition.module
        (alias_declaration name: (type_identifier) @name) @definition.type
        (concept_definition name: (identifier) @name) @definition.interface
        (call_expression function: (qualified_identifier name: (identifier) @name)) @reference.call
        (template_function name: (identifier) @name) @reference.call
        (template_method name: (field_identifier) @name) @reference.call
        (new_expression type: (type_identifier) @name) @reference.call"
    ),
    kinds: &[
        (Kind::Function, "function_declarator"),
        (Kind::Class, "class_specifier"),
        (Kind::Struct, "struct_specifier"),
        (Kind::Union, "union_specifier"),
        (Kind::Enum, "enum_specifier"),
        (Kind::Type, "type_definition alias_declaration"),
        (Kind::Trait, "concept_definition"),
        (Kind::Module, "namespace_definition"),
        (Kind::Macro, "preproc_function_def"),
        (Kind::Constant, "preproc_def declaration"),
    ],
    ..SHARED
};
