//! DeepSeek V2 to V3.1, R1 and its distillates: `<｜tool▁call▁begin｜>function<｜tool▁sep｜>name`, JSON in a fence or bare.

use crate::args::{closer, object};
use crate::page::{Ahead, Page, Reading, ahead, blank, is_unfinished, name_len, plain_name};
use crate::table::Dialect;

pub(super) static DIALECT: Dialect = Dialect::marked("deepseek", OPENERS, parse_page).tails(ENDS);

const OPENERS: &[&str] = &[
    "<｜tool▁call▁begin｜>",
    "<|tool▁call▁begin|>",
    "<|tool_call_begin|>",
    "<｜tool_call_begin｜>",
    "function<｜tool▁sep｜>",
    "function<|tool▁sep|>",
    "function<|tool_sep|>",
    "function<｜tool_sep｜>",
];

const ENDS: &[&str] = &["<｜tool▁call▁end｜>", "<|tool▁call▁end|>", "<|tool_call_end|>", "<｜tool_call_end｜>"];

/// What may follow where there are no arguments.
const NEXT: &[&str] = &[
    "<｜tool▁call▁end｜>",
    "<|tool▁call▁end|>",
    "<|tool_call_end|>",
    "<｜tool_call_end｜>",
    "<｜tool▁call▁begin｜>",
    "<|tool▁call▁begin|>",
    "<|tool_call_begin|>",
    "<｜tool▁calls▁end｜>",
    "<|tool▁calls▁end|>",
    "<|tool_calls_end|>",
    "<｜end▁of▁sentence｜>",
];

const SEPARATORS: &[&str] = &["<｜tool▁sep｜>", "<|tool▁sep|>", "<|tool_sep|>", "<｜tool_sep｜>"];

fn parse_page(page: &Page<'_>) -> Reading {
    if page.text.starts_with("function") {
        return named(page, page.opener);
    }
    let at = page.opener + blank(page.body());
    let word = name_len(&page.text[at..]);
    let after = at + word;
    if is_unfinished(&page.text[at..]) {
        return page.open_or(Reading::Open);
    }
    let separator = match ahead(&page.text[after..], SEPARATORS) {
        Ahead::Yes(len) => len,
        Ahead::Maybe => return page.open_or(Reading::Open),
        Ahead::No => return Reading::No,
    };
    let next = after + separator;
    match (&page.text[at..after], ahead(&page.text[next..], &["<steptml:"])) {
        // Step-3 puts its own elements there; they are read by themselves.
        (_, Ahead::Yes(_)) => Reading::Drop { len: next },
        ("function", Ahead::Maybe) => Reading::Open,
        ("function", Ahead::No) => named(page, next),
        (name, Ahead::Maybe | Ahead::No) => arguments(page, next, name),
    }
}

/// The name stands behind the separator.
fn named(page: &Page<'_>, at: usize) -> Reading {
    let at = at + blank(&page.text[at..]);
    let len = name_len(&page.text[at..]);
    if is_unfinished(&page.text[at..]) && !page.over {
        return Reading::Open;
    }
    if len == 0 { Reading::No } else { arguments(page, at + len, &page.text[at..at + len]) }
}

fn arguments(page: &Page<'_>, at: usize, name: &str) -> Reading {
    let name = plain_name(name, page.tools);
    if let Some(reading) = object(page, at, name, ENDS) {
        return reading;
    }
    let rest = &page.text[at + blank(&page.text[at..])..];
    let none = || Reading::without_arguments(name, page.text.len() - rest.len());
    match ahead(rest, NEXT) {
        Ahead::Yes(_) => none(),
        Ahead::Maybe if !page.over => Reading::Open,
        // The reply ends after the name: whole only if the tool has no parameters.
        Ahead::Maybe if rest.is_empty() && page.tools.takes_nothing(name) => none(),
        Ahead::Maybe => Reading::Open,
        Ahead::No if page.text.starts_with("function") => Reading::No,
        Ahead::No => match closer(rest, ENDS) {
            Some((end, len)) => {
                let len = page.text.len() - rest.len() + end + len;
                Reading::Broken { name: Some(name.to_owned()), len }
            }
            None => Reading::Open,
        },
    }
}
