//! Rust.

use super::rules::{BLANK, Rules};
use crate::symbol::Kind;

pub(super) static RULES: Rules = Rules {
    name: "Rust",
    syntax: || tree_sitter_rust::LANGUAGE.into(),
    tags: &[tree_sitter_rust::TAGS_QUERY, include_str!("queries/rust.scm")],
    kinds: &[
        (Kind::Function, "function_item function_signature_item"),
        (Kind::Struct, "struct_item"),
        (Kind::Union, "union_item"),
        (Kind::Enum, "enum_item"),
        (Kind::Trait, "trait_item"),
        (Kind::Type, "type_item"),
        (Kind::Module, "mod_item"),
        (Kind::Macro, "macro_definition"),
        (Kind::Constant, "const_item static_item"),
        (Kind::Impl, "impl_item"),
    ],
    bodied: "mod_item",
    keywords: "fn struct union enum trait type mod macro_rules! const impl",
    comments: "line_comment block_comment",
    branches: "if_expression while_expression for_expression match_arm try_expression && ||",
    nests: "if_expression while_expression for_expression loop_expression match_expression",
    goes_on: "else_clause",
    imports: "use_declaration extern_crate_declaration",
    ..BLANK
};
