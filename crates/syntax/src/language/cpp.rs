//! C++.

use super::c::{LACKING, SHARED};
use super::rules::Rules;
use crate::symbol::Kind;

pub(super) static RULES: Rules = Rules {
    name: "C++",
    syntax: || tree_sitter_cpp::LANGUAGE.into(),
    tags: &[tree_sitter_cpp::TAGS_QUERY, LACKING, include_str!("queries/cpp.scm")],
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
