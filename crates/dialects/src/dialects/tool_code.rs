//! Gemma: a fence named `tool_code` around calls written like code, often inside `print()`.

use crate::page::{Ahead, Page, Reading, ahead, blank};
use crate::pycall::{One, lines, one};
use crate::shapes::Faith;
use crate::table::Dialect;

pub(super) static DIALECT: Dialect = Dialect::looking("tool-code", &["```tool_code"], parse_page);

fn parse_page(page: &Page<'_>) -> Reading {
    let at = page.opener + blank(page.body());
    let rest = &page.text[at..];
    if "print(".starts_with(rest) {
        return page.open_or(Reading::No);
    }
    let Some(inner) = rest.strip_prefix("print(") else { return lines(page, at, Faith::Bare, &["```"]) };
    match one(inner, page, Faith::Bare) {
        One::Open => page.open_or(Reading::No),
        One::No => Reading::No,
        One::Call { call, len } => {
            let after = &inner[len..];
            let rest = after.trim_start().trim_start_matches(')').trim_start();
            match ahead(rest, &["```"]) {
                Ahead::Yes(mark) => Reading::Calls { calls: vec![call], len: page.text.len() - rest.len() + mark },
                Ahead::Maybe => page.open_or(Reading::Calls { calls: vec![call], len: page.text.len() }),
                Ahead::No => Reading::No,
            }
        }
    }
}
