//! Qwen3-Coder, Qwen3.5, Nemotron 3, MiMo, Seed-OSS: `<function=f><parameter=k>v</parameter></function>`, in a wrapper or without.

use crate::Repair;
use crate::args::{closer, object};
use crate::markup::{Key, Marks, Read, Trim, is_prose, parameters};
use crate::page::{Ahead, Before, Call, Page, Reading, ahead, blank, is_name, note, plain_name};
use crate::table::Dialect;

pub(super) static DIALECT: Dialect =
    Dialect::marked("qwen3-coder", &["<tool_call>", "<function=", "<seed:tool_call>"], parse_page).tails(&[
        "</tool_call>",
        "</function>",
        "</parameter>",
        "</seed:tool_call>",
    ]);

const MARKS: Marks<'_> = Marks {
    open: &["<parameter="],
    key: Key::Plain,
    close: &["</parameter>"],
    call: &["<function=", "<function name="],
    end: &["</function>"],
    beyond: &["</tool_call>", "<tool_call>", "<function=", "</seed:tool_call>", "<seed:tool_call>"],
    trim: Trim::BothBreaks,
    tokens: false,
};

fn parse_page(page: &Page<'_>) -> Reading {
    let mut at = 0;
    if !page.text.starts_with("<function=") {
        at = page.opener + blank(page.body());
        match ahead(&page.text[at..], &["<function="]) {
            Ahead::Yes(_) => {}
            Ahead::Maybe => return page.open_or(Reading::No),
            Ahead::No => return Reading::No,
        }
    }
    match function(page, at) {
        Reading::Calls { calls, len } => wrapped(page, at, calls, len),
        other => other,
    }
}

/// A missing wrapper is worth a word; its closing mark is a tail. Whether it comes has to be waited for, as the word
/// belongs to the call.
fn wrapped(page: &Page<'_>, at: usize, mut calls: Vec<Call>, len: usize) -> Reading {
    if at == 0 && page.before != Before::Call {
        let rest = &page.text[len..];
        match ahead(&rest[blank(rest)..], &["</tool_call>"]) {
            Ahead::Yes(_) => calls.iter_mut().for_each(|call| note(&mut call.repairs, Repair::MissingStart)),
            Ahead::Maybe if !page.over => return Reading::Open,
            Ahead::Maybe | Ahead::No => {}
        }
    }
    Reading::Calls { calls, len }
}

fn function(page: &Page<'_>, start: usize) -> Reading {
    let from = start + "<function=".len();
    let body = &page.text[from..];
    let Some(end) = body.find(['>', '<', '{', '\n', '`']) else {
        return if body.len() > 128 { Reading::No } else { page.open_or(Reading::No) };
    };
    let name = plain_name(body[..end].trim().trim_matches(['"', '\'']), page.tools);
    if !body[end..].starts_with('>') || !is_name(name) {
        return Reading::No;
    }
    let at = from + end + 1;
    if page.text[at + blank(&page.text[at..])..].starts_with('{')
        && let Some(reading) = object(page, at, name, &["</function>"])
    {
        return reading;
    }
    // Seed-OSS lays its values out without line breaks of their own.
    let trim = if page.text.starts_with("<seed:") { Trim::Pair } else { MARKS.trim };
    match parameters(page.text, at, &Marks { trim, ..MARKS }, name, page.tools, page.over) {
        Read::Done(read) => {
            let call = Call { name: name.to_owned(), arguments: read.arguments, repairs: read.repairs };
            Reading::Calls { calls: vec![call], len: read.end }
        }
        // Nothing comes behind the name of no tool: talk about the mark.
        Read::Open if start == 0 && page.over && page.text[at..].trim().is_empty() && !page.tools.knows(name) => {
            Reading::No
        }
        Read::Open => Reading::Open,
        Read::Other(_) if start == 0 && is_prose(&page.text[at..]) => Reading::No,
        Read::Other(at) => stray(page, at, name),
    }
}

/// Something else between the elements: a call nobody can read, if it is closed.
fn stray(page: &Page<'_>, at: usize, name: &str) -> Reading {
    let rest = &page.text[at..];
    match closer(rest, &["</function>", "</tool_call>"]) {
        Some((end, len)) => Reading::Broken { name: Some(name.to_owned()), len: at + end + len },
        None if rest.len() > 4096 => Reading::No,
        None => Reading::Open,
    }
}
