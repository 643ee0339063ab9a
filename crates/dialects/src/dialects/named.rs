//! The name of an offered tool, then its arguments: what is left of several formats when a server has removed their tokens.

use crate::args::object;
use crate::page::{Page, Reading, is_name, name_len, undecorated};
use crate::pycall::{One, one};
use crate::shapes::Faith;
use crate::table::{Dialect, Place, Proof};

pub(super) static DIALECT: Dialect =
    Dialect { name: "name-first", openers: &[], tails: &[], place: Place::LineStart, proof: Proof::Looks, read };

fn read(page: &Page<'_>) -> Reading {
    if page.tools.is_any() && !page.text.starts_with("function") {
        return Reading::No;
    }
    let len = name_len(page.text);
    let word = &page.text[..len];
    if page.text[len..].is_empty() && may_become(word, page) {
        return page.open_or(Reading::No);
    }
    // A name may be glued to the next thing: `functionread_file`, `functions.read_file:0`.
    let bare = undecorated(word);
    let name = if page.tools.knows(bare) { bare } else { word.strip_prefix("function").unwrap_or(word) };
    if !is_name(name) || page.tools.is_any() || !page.tools.knows(name) {
        return Reading::No;
    }
    let rest = &page.text[len..];
    match rest.trim_start().chars().next() {
        None => page.open_or(Reading::No),
        Some('(') if rest.starts_with('(') => match one(page.text, page, Faith::Bare) {
            One::Call { call, len } => Reading::Calls { calls: vec![call], len },
            One::Open => page.open_or(Reading::No),
            One::No => Reading::No,
        },
        Some('{' | '`') => match object(page, len, name, &[]) {
            Some(Reading::Calls { calls, len }) => Reading::Calls { calls, len },
            Some(Reading::Open) => page.open_or(Reading::No),
            _ => Reading::No,
        },
        Some(_) => Reading::No,
    }
}

/// Could a longer word be the name of a tool?
fn may_become(word: &str, page: &Page<'_>) -> bool {
    let word = word.trim_start_matches("functions.").trim_start_matches("function");
    page.tools.names().any(|name| name.starts_with(word) || word.starts_with(name)) || "functions.".starts_with(word)
}
