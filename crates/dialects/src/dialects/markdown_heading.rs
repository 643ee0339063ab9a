//! A heading that announces a call: `## Function Call`, then `f({…})`, perhaps fenced.

use crate::page::{Ahead, Page, Reading, ahead, blank};
use crate::pycall::{One, lines, one};
use crate::shapes::Faith;
use crate::table::Dialect;

pub(super) static DIALECT: Dialect = Dialect::looking("markdown", &["#"], parse_page);

/// What the heading may say.
const TITLES: &[&str] = &["function calls", "function call", "tool calls", "tool call", "tool use", "action"];

fn parse_page(page: &Page<'_>) -> Reading {
    let hashes = page.text.len() - page.text.trim_start_matches('#').len();
    let title = page.text[hashes..].trim_start_matches([' ', '\t']);
    if hashes > 6 || (title.len() == page.text.len() - hashes && !title.is_empty()) {
        return Reading::No;
    }
    let head: String = title.chars().take(16).collect::<String>().to_ascii_lowercase();
    let said = match ahead(&head, TITLES) {
        Ahead::Yes(len) => len,
        Ahead::Maybe => return page.open_or(Reading::No),
        Ahead::No => return Reading::No,
    };
    let Some((line, rest)) = title[said..].split_once('\n') else {
        let more = title[said..].trim_matches([':', ' ', '*', '\r']).is_empty();
        return if more { page.open_or(Reading::No) } else { Reading::No };
    };
    if !line.trim_matches([':', ' ', '*', '\r']).is_empty() {
        return Reading::No;
    }
    body(page, page.text.len() - rest.len())
}

fn body(page: &Page<'_>, at: usize) -> Reading {
    let mut at = at + blank(&page.text[at..]);
    let fenced = page.text[at..].starts_with("```");
    if "```".starts_with(&page.text[at..]) {
        return page.open_or(Reading::No);
    }
    if fenced {
        let Some(line) = page.text[at..].find('\n') else { return page.open_or(Reading::No) };
        at += line + 1;
    }
    let closers: &[&str] = if fenced { &["```"] } else { &[] };
    match one(&page.text[at..], page, Faith::Bare) {
        One::Open => page.open_or(Reading::No),
        One::No => Reading::No,
        One::Call { call, len } if closers.is_empty() => Reading::Calls { calls: vec![call], len: at + len },
        One::Call { .. } => lines(page, at, Faith::Bare, closers),
    }
}
