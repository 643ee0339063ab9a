//! Kimi K2 and K2.5: `<|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{…}<|tool_call_end|>`.

use crate::args::object;
use crate::page::{Ahead, Page, Reading, ahead, blank, is_name, undecorated};
use crate::table::Dialect;

pub(super) static DIALECT: Dialect = Dialect::marked("kimi-k2", &["<|tool_call_begin|>"], parse_page).tails(&[
    "<|tool_call_end|>",
    "<|tool_calls_section_end|>",
    "<|tool_call_section_end|>",
]);

const MARK: &str = "<|tool_call_argument_begin|>";

fn parse_page(page: &Page<'_>) -> Reading {
    let body = page.body();
    // Only a name stands between the two marks; anything else is talk about the first.
    let end = body.find('<').unwrap_or(body.len());
    if end > 256 || body[..end].trim().contains(char::is_whitespace) {
        return Reading::No;
    }
    if end == body.len() {
        return Reading::Open;
    }
    let name = undecorated(&body[..end]);
    match ahead(&body[end..], &[MARK]) {
        Ahead::Yes(_) => {}
        Ahead::Maybe => return page.open_or(Reading::Open),
        Ahead::No => return Reading::No,
    }
    if !is_name(name) {
        return Reading::No;
    }
    let at = page.opener + end + MARK.len();
    if let Some(reading) = object(page, at, name, &["<|tool_call_end|>"]) {
        return reading;
    }
    let rest = &page.text[at + blank(&page.text[at..])..];
    match ahead(rest, &["<|tool_call_end|>"]) {
        Ahead::Yes(len) => Reading::without_arguments(name, page.text.len() - rest.len() + len),
        Ahead::Maybe => Reading::Open,
        Ahead::No => match rest.find("<|tool_call_end|>") {
            Some(end) => {
                let len = page.text.len() - rest.len() + end + "<|tool_call_end|>".len();
                Reading::Broken { name: Some(name.to_owned()), len }
            }
            None => Reading::Open,
        },
    }
}
