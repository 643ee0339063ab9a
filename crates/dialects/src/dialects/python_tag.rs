//! Llama 3.1: `<|python_tag|>` before JSON or before `f.call(k="v")`.

use crate::page::{Page, Reading, blank};
use crate::pycall::lines;
use crate::shapes::Faith;
use crate::table::Dialect;
use crate::tagged::block;

pub(super) static DIALECT: Dialect =
    Dialect::marked("python-tag", &["<|python_tag|>"], parse_page).tails(&["<|eom_id|>"]);

fn parse_page(page: &Page<'_>) -> Reading {
    let at = page.opener + blank(page.body());
    match page.text[at..].chars().next() {
        None => page.open_or(Reading::No),
        Some('{' | '[') => block(page, at, &["<|eom_id|>"]),
        Some(_) => lines(page, at, Faith::Marked, &["<|eom_id|>"]),
    }
}
