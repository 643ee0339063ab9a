//! gpt-oss without its tokens, which a server may have removed: `commentary to=functions.f json{…}`.

use crate::args::object;
use crate::page::{Ahead, Page, Reading, ahead, is_name, is_unfinished, name_len, undecorated};
use crate::table::Dialect;

pub(super) static DIALECT: Dialect = Dialect::marked("harmony", &["commentary to="], parse_page);

fn parse_page(page: &Page<'_>) -> Reading {
    let body = page.body();
    let len = name_len(body);
    if is_unfinished(body) {
        return page.open_or(Reading::No);
    }
    let name = undecorated(&body[..len]);
    let rest = body[len..].trim_start_matches(' ');
    let rest = match ahead(rest, &["<|constrain|>json", "json", "code"]) {
        Ahead::Yes(len) => rest[len..].trim_start_matches(' '),
        Ahead::Maybe => return page.open_or(Reading::No),
        Ahead::No => rest,
    };
    let rest = rest.strip_prefix("<|message|>").unwrap_or(rest);
    match rest.chars().next() {
        None => page.open_or(Reading::No),
        Some('{') if is_name(name) => {
            let at = page.text.len() - rest.len();
            object(page, at, name, &[]).unwrap_or(Reading::No)
        }
        Some('<') if "<|message|>".starts_with(rest) => page.open_or(Reading::No),
        Some(_) => Reading::No,
    }
}
