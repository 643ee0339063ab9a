//! Google's calls: `call:f{…}`, with its own literals, between tokens or without them.

use crate::args::closer;
use crate::lenient::{self, gemma, gemma_closed, respell};
use crate::page::{Ahead, Call, Page, Reading, ahead, blank, is_name, is_unfinished, name_len, plain_name};
use crate::table::Dialect;
use serde_json::Value;

/// Gemma 4: `<|tool_call>call:f{k:<|"|>v<|"|>}<tool_call|>`.
pub(super) static GEMMA4: Dialect =
    Dialect::marked("gemma4", &["<|tool_call>"], |page| call(page, page.opener, "<|\"|>", GEMMA4.tails))
        .tails(&["<tool_call|>"]);

/// FunctionGemma: `<start_function_call>call:f{k:<escape>v<escape>}<end_function_call>`.
pub(super) static FUNCTIONGEMMA: Dialect = Dialect::marked("functiongemma", &["<start_function_call>"], |page| {
    call(page, page.opener, "<escape>", FUNCTIONGEMMA.tails)
})
.tails(&["<end_function_call>"]);

/// Without the tokens, which a server may have removed: `call:f{k:v}`.
pub(super) static STRIPPED: Dialect = Dialect::looking("gemma", &["call:"], stripped);

fn stripped(page: &Page<'_>) -> Reading {
    match call(page, 0, "<escape>", &[]) {
        Reading::Open => page.open_or(Reading::No),
        Reading::Calls { calls, .. } if !calls.iter().all(|call| page.tools.knows(&call.name)) => Reading::No,
        Reading::Broken { .. } => Reading::No,
        reading => reading,
    }
}

/// The call that begins `at` that many bytes into the page; strings stand between two `quote`s.
fn call(page: &Page<'_>, at: usize, quote: &str, closers: &[&str]) -> Reading {
    let at = at + blank(&page.text[at..]);
    let rest = &page.text[at..];
    let word = match ahead(rest, &["call:", ":"]) {
        Ahead::Yes(len) => len,
        Ahead::Maybe => return page.open_or(Reading::No),
        Ahead::No => return Reading::No,
    };
    let from = at + word;
    let len = name_len(&page.text[from..]);
    let (name, body) = (plain_name(&page.text[from..from + len], page.tools), from + len);
    match page.text[body..].chars().next() {
        _ if is_unfinished(&page.text[from..]) => return Reading::Open,
        None => return Reading::Open,
        Some('{') if is_name(name) => {}
        Some(_) => return broken(page, body, None, closers),
    }
    match object(&page.text[body..], quote, closers) {
        lenient::LenientReading::Value { value: Value::Object(mut arguments), len, repairs } => {
            lenient::retype(&mut arguments, name, page.tools);
            respell(&mut arguments, name, page.tools);
            let call = Call { name: name.to_owned(), arguments, repairs };
            Reading::Calls { calls: vec![call], len: body + len }
        }
        lenient::LenientReading::Open => Reading::Open,
        lenient::LenientReading::Value { .. } | lenient::LenientReading::No => broken(page, body, Some(name), closers),
    }
}

/// An object, also one whose last string lost its end while its bracket and the closing mark are there.
fn object(text: &str, quote: &str, closers: &[&str]) -> lenient::LenientReading {
    let reading = gemma(text, quote);
    if matches!(reading, lenient::LenientReading::Value { .. }) {
        return reading;
    }
    match closer(text, closers) {
        Some((end, _)) if text[..end].trim_end().ends_with('}') => match gemma_closed(&text[..end], quote) {
            lenient::LenientReading::No | lenient::LenientReading::Open => reading,
            closed => closed,
        },
        _ => reading,
    }
}

fn broken(page: &Page<'_>, at: usize, name: Option<&str>, closers: &[&str]) -> Reading {
    match closer(&page.text[at..], closers) {
        Some((end, len)) => Reading::Broken { name: name.map(str::to_owned), len: at + end + len },
        None if closers.is_empty() => Reading::No,
        None => Reading::Open,
    }
}
