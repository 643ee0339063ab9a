//! Cline and its kin: the tool is the tag, its parameters are the tags within.

use crate::lenient::typed;
use crate::markup::{Trim, trim};
use crate::page::{Ahead, Call, Page, Reading, ahead, blank, is_unfinished, name_len};
use crate::table::Dialect;
use serde_json::Map;

pub(super) static DIALECT: Dialect = Dialect::looking("tool-element", &["<"], read);

fn read(page: &Page<'_>) -> Reading {
    let body = page.body();
    let len = name_len(body);
    let name = &body[..len];
    let may_become = !page.tools.is_any() && page.tools.names().any(|known| known.starts_with(name));
    if is_unfinished(body) && may_become {
        return page.open_or(Reading::No);
    }
    if page.tools.is_any() || !page.tools.offers(name) || !body[len..].starts_with('>') {
        return Reading::No;
    }
    let close = format!("</{name}>");
    let mut at = page.opener + len + 1;
    let mut arguments = Map::new();
    loop {
        at += blank(&page.text[at..]);
        let rest = &page.text[at..];
        match ahead(rest, &[&close]) {
            Ahead::Yes(len) if page.tools.needs_nothing(name) || !arguments.is_empty() => {
                return Reading::Calls { calls: vec![Call::new(name, arguments)], len: at + len };
            }
            Ahead::Yes(_) => return Reading::No,
            Ahead::Maybe => return page.open_or(Reading::No),
            Ahead::No => {}
        }
        match parameter(rest, &close, page.over) {
            ElementPart::Is { key, value, len } => {
                arguments.insert(key.to_owned(), typed(trim(value, Trim::Pair), page.tools.schema(name, key)));
                at += len;
            }
            ElementPart::Open => return page.open_or(Reading::No),
            ElementPart::No => return Reading::No,
        }
    }
}

enum ElementPart<'a> {
    Is { key: &'a str, value: &'a str, len: usize },
    Open,
    No,
}

fn parameter<'a>(text: &'a str, close: &str, over: bool) -> ElementPart<'a> {
    let Some(tag) = text.strip_prefix('<') else { return ElementPart::No };
    let len = name_len(tag);
    if is_unfinished(tag) {
        return ElementPart::Open;
    }
    if len == 0 || !tag[len..].starts_with('>') {
        return ElementPart::No;
    }
    let (key, end) = (&tag[..len], format!("</{}>", &tag[..len]));
    let from = 1 + len + 1;
    let mut at = from;
    loop {
        let Some(found) = text[at..].find(&end) else { return ElementPart::Open };
        let after = at + found + end.len();
        let next = text[after..].trim_start();
        match (next.chars().next(), ahead(next, &[close])) {
            (None, _) => return if over { ElementPart::No } else { ElementPart::Open },
            (_, Ahead::Yes(_) | Ahead::Maybe) | (Some('<'), _) => {
                return ElementPart::Is { key, value: &text[from..at + found], len: after };
            }
            _ => at = after,
        }
    }
}
