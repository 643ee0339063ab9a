//! Functionary v3.2: `>>>f` and a line break before JSON; `>>>all` before an answer.

use crate::args::object;
use crate::page::{Ahead, Page, Reading, ahead, is_name, is_unfinished, name_len, plain_name};
use crate::table::Dialect;

pub(super) static DIALECT: Dialect = Dialect::marked("functionary", &[">>>"], parse_page);

fn parse_page(page: &Page<'_>) -> Reading {
    let body = page.body();
    let len = name_len(body);
    let end = match ahead(&body[len..], &["\n", "\r\n"]) {
        Ahead::Yes(end) => len + end,
        Ahead::Maybe => return page.open_or(Reading::No),
        Ahead::No => return if is_unfinished(body) { page.open_or(Reading::No) } else { Reading::No },
    };
    let (name, after, at) = (&body[..len], &body[end..], page.opener + end);
    match (name, after.trim_start().chars().next()) {
        ("all", _) => Reading::Drop { len: at },
        (_, None) => page.open_or(Reading::No),
        (_, Some('{')) if is_name(name) && page.tools.knows(plain_name(name, page.tools)) => {
            object(page, at, plain_name(name, page.tools), &[]).unwrap_or(Reading::No)
        }
        _ => Reading::No,
    }
}
