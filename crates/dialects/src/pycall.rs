//! Calls written like code: `read_file(path="a.rs")`, alone or in a list.

use crate::lenient::{self, python_arguments};
use crate::page::{Call, Page, Reading, blank, is_name, is_unfinished, may_name, name_len, plain_name};
use crate::shapes::Faith;
use serde_json::Value;

/// One call at the beginning of a text.
pub(crate) enum One {
    Call { call: Call, len: usize },
    Open,
    No,
}

/// `name(…)`; with `Faith::Bare` only of a tool that is offered.
pub(crate) fn one(text: &str, page: &Page<'_>, faith: Faith) -> One {
    let len = name_len(text);
    let name = text[..len].strip_suffix(".call").unwrap_or(&text[..len]);
    let after = &text[len..];
    let known =
        |name: &str| is_name(name) && (faith == Faith::Marked || page.tools.knows(plain_name(name, page.tools)));
    if is_unfinished(text) {
        let may_become = faith == Faith::Marked || may_name(text, page.tools);
        return if page.over || !may_become { One::No } else { One::Open };
    }
    if !after.starts_with('(') || !known(name) {
        return One::No;
    }
    match python_arguments(&after[1..]) {
        lenient::LenientReading::Value { value: Value::Object(mut arguments), len: inner, repairs } => {
            let name = plain_name(name, page.tools);
            lenient::retype(&mut arguments, name, page.tools);
            One::Call { call: Call { name: name.to_owned(), arguments, repairs }, len: len + 1 + inner }
        }
        lenient::LenientReading::Open => One::Open,
        lenient::LenientReading::Value { .. } | lenient::LenientReading::No => One::No,
    }
}

/// `[f(…), g(…)]` at the beginning of the page's text from `at` on, and whatever is left out of `closers`.
pub(crate) fn list(page: &Page<'_>, at: usize, faith: Faith) -> Reading {
    let mut at = at + 1;
    let mut calls = Vec::new();
    loop {
        at += blank(&page.text[at..]);
        let rest = &page.text[at..];
        match rest.chars().next() {
            None => return page.open_or(if calls.is_empty() { Reading::No } else { Reading::Open }),
            Some(']') if !calls.is_empty() => return Reading::Calls { calls, len: at + 1 },
            Some(',') if !calls.is_empty() => at += 1,
            Some(_) => match one(rest, page, faith) {
                One::Call { call, len } => {
                    calls.push(call);
                    at += len;
                }
                One::Open => return Reading::Open,
                One::No => return Reading::No,
            },
        }
    }
}

/// Calls one after the other, with white space, commas or semicolons between them, up to one of `closers`.
pub(crate) fn lines(page: &Page<'_>, at: usize, faith: Faith, closers: &[&str]) -> Reading {
    let mut at = at;
    let mut calls = Vec::new();
    loop {
        at += blank(&page.text[at..]);
        let rest = &page.text[at..];
        match crate::page::ahead(rest, closers) {
            crate::page::Ahead::Yes(len) if !calls.is_empty() => return Reading::Calls { calls, len: at + len },
            crate::page::Ahead::Maybe if !page.over => return Reading::Open,
            _ => {}
        }
        match rest.chars().next() {
            None if calls.is_empty() => return page.open_or(Reading::No),
            None => return page.open_or(Reading::Calls { calls, len: at }),
            Some(',' | ';') if !calls.is_empty() => at += 1,
            Some(_) => match one(rest, page, faith) {
                One::Call { call, len } => {
                    calls.push(call);
                    at += len;
                }
                One::Open => return Reading::Open,
                One::No if calls.is_empty() => return Reading::No,
                One::No => return Reading::Calls { calls, len: at },
            },
        }
    }
}
