//! The old form of Del: `TOOL_USE: f {…}` at the start of a line.

use crate::args::object;
use crate::page::{Call, Page, Reading, is_unfinished, name_len, plain_name};
use crate::table::{Dialect, Place, Proof};

pub(super) static DIALECT: Dialect = Dialect {
    name: "tool-use",
    openers: &["TOOL_USE:"],
    tails: &[],
    place: Place::LineStart,
    proof: Proof::Mark,
    read,
};

fn read(page: &Page<'_>) -> Reading {
    let body = page.body();
    let start = page.opener + body.len() - body.trim_start_matches([' ', '\t']).len();
    let len = name_len(&page.text[start..]);
    let at = start + len;
    if is_unfinished(&page.text[start..]) && !page.over {
        return Reading::Open;
    }
    if len == 0 {
        return Reading::No;
    }
    let name = plain_name(&page.text[start..at], page.tools);
    let rest = page.text[at..].trim_start_matches([' ', '\t', '\r']);
    if rest.starts_with('{')
        && let Some(reading) = object(page, at, name, &[])
    {
        return reading;
    }
    let nothing = page.tools.knows(name) && page.tools.needs_nothing(name);
    match rest.chars().next() {
        None if !page.over => Reading::Open,
        None | Some('\n') if nothing => {
            Reading::Calls { calls: vec![Call::new(name, serde_json::Map::new())], len: at }
        }
        _ => Reading::No,
    }
}
