//! Java.

use super::rules::{BLANK, Rules};
use crate::symbol::Kind;

pub(super) static RULES: Rules = Rules {
    name: "Java",
    syntax: || tree_sitter_java::LANGUAGE.into(),
    tags: &[tree_sitter_java::TAGS_QUERY],
    also: "
        (constructor_declaration name: (identifier) @name) @definition.method
        (compact_constructor_declaration name: (identifier) @name) @definition.method
        (enum_declaration name: (identifier) @name) @definition.enum
        (record_declaration name: (identifier) @name) @definition.class
        (annotation_type_declaration name: (identifier) @name) @definition.interface
        (field_declaration (modifiers \"static\")
            declarator: (variable_declarator name: (identifier) @name)) @definition.constant
        (enum_constant name: (identifier) @bound)
        (variable_declarator name: (identifier) @bound)
        (formal_parameter name: (identifier) @bound)",
    kinds: &[
        (Kind::Class, "class_declaration record_declaration"),
        (Kind::Interface, "interface_declaration annotation_type_declaration"),
        (Kind::Enum, "enum_declaration"),
        (Kind::Constant, "field_declaration"),
        (Kind::Method, "method_declaration constructor_declaration compact_constructor_declaration"),
    ],
    keywords: "class record interface @interface enum",
    comments: "line_comment block_comment",
    branches: "if_statement for_statement enhanced_for_statement while_statement do_statement switch_label catch_clause \
        ternary_expression && ||",
    nests: "if_statement for_statement enhanced_for_statement while_statement do_statement switch_expression \
        try_statement try_with_resources_statement",
    goes_on: "if_statement",
    imports: "import_declaration",
    ..BLANK
};
