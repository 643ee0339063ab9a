//! Reasoning written into the answer: `<think>…</think>` and the marks of other families.

use crate::page::{Before, Page, Reading};
use crate::table::Dialect;

pub(super) static DIALECT: Dialect = Dialect::marked("reasoning", OPENERS, parse_page);

/// What reasoning begins with, and what ends it.
const MARKS: &[(&str, &[&str]); 14] = &[
    ("<think>", &["</think>"]),
    ("<thinking>", &["</thinking>", "</think>"]),
    ("[THINK]", &["[/THINK]"]),
    ("<seed:think>", &["</seed:think>"]),
    ("<mm:think>", &["</mm:think>"]),
    ("<longcat_think>", &["</longcat_think>"]),
    ("<|START_THINKING|>", &["<|END_THINKING|>"]),
    ("<|channel>thought", &["<channel|>"]),
    ("<|inner_prefix|>", &["<|inner_suffix|>"]),
    ("<|open|>think<|sep|>", &["<|close|>think<|sep|>"]),
    ("<|plamo:begin_think:plamo|>", &["<|plamo:end_think:plamo|>"]),
    ("<|content_thinking|>", &["<|end_message|>"]),
    ("<ifm|think>", &["</ifm|think>"]),
    ("<ifm|think_fast>", &["</ifm|think_fast>"]),
];

const OPENERS: &[&str] = &beginnings(MARKS);

const fn beginnings<const N: usize>(marks: &[(&'static str, &[&str]); N]) -> [&'static str; N] {
    let mut openers = [""; N];
    let mut nth = 0;
    while nth < N {
        openers[nth] = marks[nth].0;
        nth += 1;
    }
    openers
}

fn parse_page(page: &Page<'_>) -> Reading {
    let opener = &page.text[..page.opener];
    let Some((_, ends)) = MARKS.iter().find(|(mark, _)| *mark == opener) else { return Reading::No };
    // A plain tag in the middle of an answer is talk about the tag; the others are tokens that mean nothing else.
    let plain = opener.starts_with("<think");
    if plain && matches!(page.before, Before::Text | Before::CallAndText) {
        return Reading::No;
    }
    Reading::Think { len: page.opener, ends }
}
