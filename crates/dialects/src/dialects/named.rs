//! The name of an offered tool, then its arguments: what is left of several formats when a server has removed their tokens.

use crate::Tools;
use crate::args::object;
use crate::lenient::typed;
use crate::page::{Call, Page, Reading, is_name, is_unfinished, may_name, name_len, undecorated};
use crate::pycall::{One, one};
use crate::shapes::Faith;
use crate::table::Dialect;
use serde_json::Map;

pub(super) static DIALECT: Dialect = Dialect::looking("name-first", &[], parse_page);

fn parse_page(page: &Page<'_>) -> Reading {
    if page.tools.is_any() && !page.text.starts_with("function") {
        return Reading::No;
    }
    let len = name_len(page.text);
    let word = &page.text[..len];
    if is_unfinished(page.text) && may_become(page.text, page.tools) {
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
        Some(_) if rest.trim_start_matches([' ', '\r']).starts_with('\n') => lines(page, len, name),
        Some(_) => Reading::No,
    }
}

/// Could a longer text begin with the name of a tool, perhaps glued to the word `function`?
fn may_become(text: &str, tools: &Tools) -> bool {
    let glued = |rest: &str| may_name(rest, tools);
    may_name(text, tools) || "function".starts_with(text) || text.strip_prefix("function").is_some_and(glued)
}

/// GLM without its tags: a line with a parameter's name, then its value, to the end of the answer.
fn lines(page: &Page<'_>, at: usize, name: &str) -> Reading {
    let body = page.text[at..].trim_start();
    let is_key = |line: &str| page.tools.schema(name, line.trim()).is_some();
    let first = body.split('\n').next().unwrap_or_default();
    if !page.over {
        let promising = is_key(first)
            || (!body.contains('\n') && page.tools.parameters(name).any(|key| key.starts_with(first.trim())));
        return if promising { Reading::Open } else { Reading::No };
    }
    let mut arguments = Map::new();
    let body = without_tails(body, page.tails);
    let mut pairs = body.lines().peekable();
    while let Some(key) = pairs.next() {
        let Some(mut value) = pairs.next().filter(|_| is_key(key)).map(str::to_owned) else { return Reading::No };
        while let Some(more) = pairs.next_if(|line| !is_key(line)) {
            value.push('\n');
            value.push_str(more);
        }
        arguments.insert(key.trim().to_owned(), typed(&value, page.tools.schema(name, key.trim())));
    }
    if page.tools.required(name).all(|key| arguments.contains_key(key)) && !arguments.is_empty() {
        Reading::Calls { calls: vec![Call::new(name, arguments)], len: page.text.trim_end().len() }
    } else {
        Reading::No
    }
}

/// The text without marks of the end, and without white space before them.
fn without_tails<'a>(text: &'a str, tails: &[&str]) -> &'a str {
    let text = text.trim_end();
    match tails.iter().find_map(|tail| text.strip_suffix(tail)) {
        Some(text) => without_tails(text, tails),
        None => text,
    }
}
