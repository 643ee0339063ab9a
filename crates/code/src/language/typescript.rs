//! TypeScript, with and without JSX. Its own tag query holds only what JavaScript lacks, so both are used.

use super::javascript::{SHARED, also, jsx};
use super::rules::Rules;

/// What neither query holds.
macro_rules! own {
    () => {
        "
        (enum_declaration name: (identifier) @name) @definition.enum
        (type_alias_declaration name: (type_identifier) @name) @definition.type
        (internal_module name: (_) @name) @definition.module
        (public_field_definition name: (_) @bound)
        (public_field_definition name: (_) @name
            value: [(arrow_function) (function_expression)]) @definition.method
        (property_signature name: (_) @bound)
        (required_parameter pattern: (identifier) @bound)
        (optional_parameter pattern: (identifier) @bound)
        (enum_body name: (property_identifier) @bound)
        (enum_assignment name: (property_identifier) @bound)"
    };
}

pub(super) static RULES: Rules = Rules {
    name: "TypeScript",
    syntax: || tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into(),
    tags: TAGS,
    also: concat!(also!(), own!()),
    ..SHARED
};

pub(super) static TSX: Rules = Rules {
    name: "TSX",
    syntax: || tree_sitter_typescript::LANGUAGE_TSX.into(),
    tags: TAGS,
    also: concat!(also!(), jsx!(), own!()),
    ..SHARED
};

const TAGS: &[&str] = &[tree_sitter_javascript::TAGS_QUERY, tree_sitter_typescript::TAGS_QUERY];
