//! gptme: `@f(id): {…}` on a line of its own.

use crate::args::object;
use crate::page::{Ahead, Page, Reading, ahead, blank, is_name, is_unfinished, name_len, plain_name};
use crate::table::Dialect;

pub(super) static DIALECT: Dialect = Dialect::looking("gptme", &["@"], parse_page);

fn parse_page(page: &Page<'_>) -> Reading {
    let body = page.body();
    let len = name_len(body);
    let name = plain_name(&body[..len], page.tools);
    let rest = &body[len..];
    if is_unfinished(body) {
        return page.open_or(Reading::No);
    }
    if !is_name(name) || !page.tools.knows(name) || !rest.starts_with('(') {
        return Reading::No;
    }
    let Some(end) = rest.find(')') else { return page.open_or(Reading::No) };
    let after = &rest[end + 1..];
    match ahead(after, &[":"]) {
        Ahead::Yes(_) if blank(&after[1..]) == after.len() - 1 => page.open_or(Reading::No),
        Ahead::Yes(_) => object(page, page.text.len() - after.len() + 1, name, &[]).unwrap_or(Reading::No),
        Ahead::Maybe => page.open_or(Reading::No),
        Ahead::No => Reading::No,
    }
}
