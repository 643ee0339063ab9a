//! Which ink the scopes of a grammar come in. A list, innermost scope first; the first that says something wins.

use crate::text::ink::Ink;
use std::sync::LazyLock;
use syntect::parsing::{Scope, ScopeStack};

/// Prefixes of scopes and their ink; a longer prefix stands before a shorter one that it would fall under.
const NAMES: &[(&str, Ink)] = &[
    ("comment", Ink::Comment),
    ("string", Ink::Text),
    ("markup.raw", Ink::Text),
    ("constant", Ink::Constant),
    ("variable.language", Ink::Constant),
    ("keyword.operator", Ink::Plain),
    ("keyword", Ink::Keyword),
    ("storage", Ink::Keyword),
    ("entity.name.tag", Ink::Keyword),
    ("markup.heading", Ink::Keyword),
    ("entity.name.function", Ink::Function),
    ("entity.other.attribute-name", Ink::Function),
    ("support.function", Ink::Function),
    ("support.macro", Ink::Function),
    ("variable.function", Ink::Function),
    ("meta.mapping.key", Ink::Function),
    ("entity.name.type", Ink::Type),
    ("entity.name.class", Ink::Type),
    ("entity.name.struct", Ink::Type),
    ("entity.name.enum", Ink::Type),
    ("entity.name.trait", Ink::Type),
    ("entity.name.interface", Ink::Type),
    ("entity.name.impl", Ink::Type),
    ("entity.name.namespace", Ink::Type),
    ("entity.other.inherited-class", Ink::Type),
    ("support.class", Ink::Type),
    ("support.type", Ink::Type),
    ("markup.inserted", Ink::Added),
    ("markup.deleted", Ink::Removed),
    ("meta.interpolation", Ink::Plain),
    ("meta.template.expression", Ink::Plain),
    ("source", Ink::Plain),
];

static INKS: LazyLock<Vec<(Scope, Ink)>> = LazyLock::new(|| {
    NAMES.iter().map(|&(name, ink)| (Scope::new(name).expect("the names above are short enough"), ink)).collect()
});

/// The ink of what stands inside all of `stack`.
pub(super) fn ink(stack: &ScopeStack) -> Ink {
    let known = |scope: &Scope| INKS.iter().find(|(prefix, _)| prefix.is_prefix_of(*scope)).map(|&(_, ink)| ink);
    stack.as_slice().iter().rev().find_map(known).unwrap_or_default()
}
