//! InternLM 2, Intern-S1: an object after `<|action_start|><|plugin|>`.

use crate::page::{Ahead, Page, Reading, ahead, blank};
use crate::table::Dialect;
use crate::tagged::block;

pub(super) static DIALECT: Dialect =
    Dialect::marked("internlm", &["<|action_start|>"], parse_page).tails(&["<|action_end|>"]);

fn parse_page(page: &Page<'_>) -> Reading {
    let mut at = page.opener + blank(page.body());
    match ahead(&page.text[at..], &["<|plugin|>", "<|interpreter|>"]) {
        Ahead::Yes(len) => at += len,
        Ahead::Maybe => return page.open_or(Reading::No),
        Ahead::No => {}
    }
    block(page, at, &["<|action_end|>"])
}
