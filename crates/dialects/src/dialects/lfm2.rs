//! LFM2 and 2.5, OLMo 3, Llama 4: calls written like code between marks.

use crate::args::closer;
use crate::page::{Ahead, Page, Reading, ahead, blank};
use crate::pycall::{lines, list};
use crate::shapes::Faith;
use crate::table::Dialect;
use crate::tagged::block;

pub(super) static DIALECT: Dialect =
    Dialect::marked("lfm2", &["<|tool_call_start|>", "<function_calls>", "<|python_start|>"], parse_page).tails(&[
        "<|tool_call_end|>",
        "</function_calls>",
        "<|python_end|>",
    ]);

fn parse_page(page: &Page<'_>) -> Reading {
    let closers: &'static [&'static str] = match &page.text[..page.opener] {
        "<|tool_call_start|>" => &["<|tool_call_end|>"],
        "<function_calls>" => &["</function_calls>"],
        _ => &["<|python_end|>"],
    };
    let at = page.opener + blank(page.body());
    let rest = &page.text[at..];
    let inner = rest.strip_prefix('[').map(str::trim_start);
    match (rest.chars().next(), inner.map(|inner| inner.chars().next())) {
        (None, _) | (_, Some(None)) => page.open_or(Reading::No),
        (Some('{'), _) | (_, Some(Some('{'))) => block(page, at, closers),
        (Some('<' | '`'), _) => Reading::No,
        (Some('['), _) => closed(page, list(page, at, Faith::Marked), closers),
        (Some(_), _) => lines(page, at, Faith::Marked, closers),
    }
}

/// A list that a mark may end.
fn closed(page: &Page<'_>, reading: Reading, closers: &[&str]) -> Reading {
    match reading {
        Reading::Calls { calls, len } => {
            let to = len + blank(&page.text[len..]);
            match ahead(&page.text[to..], closers) {
                Ahead::Yes(mark) => Reading::Calls { calls, len: to + mark },
                Ahead::Maybe => page.open_or(Reading::Calls { calls, len }),
                Ahead::No => Reading::Calls { calls, len },
            }
        }
        Reading::No => match closer(page.body(), closers) {
            Some((end, len)) => Reading::Broken { name: None, len: page.opener + end + len },
            None => page.open_or(Reading::Open),
        },
        other => other,
    }
}
