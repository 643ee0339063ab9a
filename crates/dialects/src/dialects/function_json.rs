//! Llama's custom tools and Functionary v3.1: `<function=f>{…}</function>`.

use crate::args::object;
use crate::page::{Ahead, Page, Reading, ahead, blank, is_name, plain_name};
use crate::table::Dialect;

pub(super) static DIALECT: Dialect =
    Dialect::marked("llama-function", &["<function="], parse_page).tails(&["</function>"]);

fn parse_page(page: &Page<'_>) -> Reading {
    let body = page.body();
    let Some(end) = body.find(['>', '<', '{', '\n', '`']) else {
        return if body.len() > 128 { Reading::No } else { page.open_or(Reading::No) };
    };
    let name = plain_name(body[..end].trim().trim_matches(['"', '\'']), page.tools);
    if !body[end..].starts_with('>') || !is_name(name) {
        return Reading::No;
    }
    let at = page.opener + end + 1;
    if let Some(reading) = object(page, at, name, &["</function>"]) {
        return reading;
    }
    let rest = &page.text[at + blank(&page.text[at..])..];
    match ahead(rest, &["</function>"]) {
        Ahead::Yes(len) => Reading::without_arguments(name, page.text.len() - rest.len() + len),
        Ahead::Maybe => Reading::Open,
        Ahead::No => Reading::No,
    }
}
