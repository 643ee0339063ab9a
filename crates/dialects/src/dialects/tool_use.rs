//! The old form of Del: `TOOL_USE: f {…}` at the start of a line.

use crate::args::object;
use crate::page::{Ahead, Page, Reading, ahead, blank, is_unfinished, name_len, plain_name};
use crate::table::Dialect;

pub(super) static DIALECT: Dialect = Dialect::marked("tool-use", &["TOOL_USE:"], parse_page).at_line_start();

fn parse_page(page: &Page<'_>) -> Reading {
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
    let rest = &page.text[at + blank(&page.text[at..])..];
    let whole = page.tools.knows(name) && page.tools.needs_nothing(name);
    match (rest.chars().next(), ends(&page.text[at..], page.tails)) {
        (Some('{'), _) => object(page, at, name, &[]).unwrap_or(Reading::No),
        (None, _) | (_, Ahead::Maybe) if !page.over => Reading::Open,
        // The reply ends after the name: whole only if the tool has no parameters.
        (None, _) if page.tools.takes_nothing(name) => Reading::without_arguments(name, at),
        (Some(_), Ahead::Yes(_)) if whole => Reading::without_arguments(name, at),
        (Some(_) | None, _) => Reading::No,
    }
}

/// Does the line end here, or the message?
fn ends(text: &str, tails: &[&str]) -> Ahead {
    let rest = text.trim_start_matches([' ', '\t', '\r']);
    if rest.starts_with('\n') { Ahead::Yes(1) } else { ahead(rest, tails) }
}
