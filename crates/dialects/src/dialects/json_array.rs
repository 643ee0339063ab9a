//! Bare JSON: `[{"name": …, "parameters": {…}}]`, one object, or objects one after the other; also in a fence.

use crate::lenient::{self, json};
use crate::page::{Page, Reading, note, plain_name};
use crate::shapes::{ARGUMENTS, BESIDES, Faith, NAMES, WRAPPERS, calls};
use crate::table::Dialect;

pub(super) static DIALECT: Dialect = Dialect::looking("json", &["[", "{"], parse_page);

fn parse_page(page: &Page<'_>) -> Reading {
    if !promising(page) {
        return Reading::No;
    }
    match json(page.text) {
        lenient::LenientReading::Open => page.open_or(Reading::No),
        lenient::LenientReading::No => Reading::No,
        lenient::LenientReading::Value { value, len, repairs } => match calls(value, Faith::Bare, page.tools) {
            Some(mut calls) => {
                for call in &mut calls {
                    repairs.iter().for_each(|repair| note(&mut call.repairs, *repair));
                }
                Reading::Calls { calls, len }
            }
            None => Reading::No,
        },
    }
}

/// What stands before the first object: so many bytes, and no more lists in lists.
const LONGEST_LEAD: usize = 256;
const MOST_LISTS: usize = 4;

/// Could the first member be part of a call? What cannot is let go at once, so that an answer in JSON still streams.
fn promising(page: &Page<'_>) -> bool {
    let head = &page.text[..page.text.floor_char_boundary(LONGEST_LEAD)];
    let lead = head.len() - head.trim_start_matches(['[', ' ', '\t', '\n', '\r']).len();
    if lead == LONGEST_LEAD || head[..lead].matches('[').count() > MOST_LISTS {
        return false;
    }
    let inner = &page.text[lead..];
    let Some(inner) = inner.strip_prefix('{') else { return inner.is_empty() };
    let inner = inner.trim_start();
    let Some(quote) = inner.chars().next() else { return true };
    let key = inner.trim_start_matches(['"', '\'', '“', '‘']);
    let Some(end) = key.find(['"', '\'', '”', '’', ':', ' ', '\n']) else { return key.len() < 64 };
    let (key, after) = key.split_at(end);
    let names = NAMES.contains(&key);
    let known = names
        || ARGUMENTS.contains(&key)
        || WRAPPERS.contains(&key)
        || BESIDES.contains(&key)
        || page.tools.knows(plain_name(key, page.tools));
    known && !(names && quote == '"' && names_another(after, page))
}

/// The value of the name is there, and is no tool's.
fn names_another(after: &str, page: &Page<'_>) -> bool {
    let value = after.trim_start_matches(['"', ' ', ':', '\n', '\t']);
    match value.find('"') {
        Some(end) => after.contains(':') && !page.tools.knows(plain_name(&value[..end], page.tools)),
        None => false,
    }
}
