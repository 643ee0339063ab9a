//! Private keys as they are written down: a heading, lines of letters and digits, an ending. With or without line numbers
//! in front, on lines of their own or in one string.

use super::Span;
use regex::Regex;
use std::sync::LazyLock;

pub(super) const WHAT: &str = "private key";
/// Further away than this an ending belongs to something else.
const LONGEST: usize = 16 * 1024;
/// So many letters and digits of a key must be there: documentation shows only the heading.
const LEAST: usize = 32;

static HEADING: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----").expect("it is tested"));
static ENDING: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----").expect("it is tested"));
/// A line of a key; a result may have numbered it.
static LINE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s*(?:\d{1,9}[\t:-])?\s*(?:[A-Za-z0-9+/]{16,}={0,2}|[A-Za-z0-9+/]{1,76}={1,2}|(?:Proc-Type|DEK-Info|Version|Comment): .*|)\s*$")
        .expect("it is tested")
});

pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let mut from = 0;
    while let Some(heading) = HEADING.find_at(text, from) {
        from = heading.end();
        if let Some(end) = end(text, heading.end()) {
            spans.push(Span { range: heading.start()..end, what: WHAT });
            from = end;
        }
    }
}

/// Where the key ends whose heading ends at `start`; `None` where there is none.
fn end(text: &str, start: usize) -> Option<usize> {
    let near = text.ceil_char_boundary((start + LONGEST).min(text.len()));
    let ending = ENDING.find(&text[start..near]);
    let next = HEADING.find(&text[start..near]).map_or(near, |next| start + next.start());
    match ending {
        Some(ending) if start + ending.start() < next => {
            is_key(&text[start..start + ending.start()]).then_some(start + ending.end())
        }
        // It was cut off.
        _ => {
            let end = start
                + text[start..].split_inclusive('\n').take_while(|line| is_line(line)).map(str::len).sum::<usize>();
            is_key(&text[start..end]).then(|| start + text[start..end].trim_end().len())
        }
    }
}

/// Can it be a line of a key?
pub(super) fn is_line(line: &str) -> bool {
    LINE.is_match(line.trim_end())
}

/// Where a heading begins that ends the line.
pub(super) fn heading(line: &str) -> Option<usize> {
    let heading = HEADING.find_iter(line).last()?;
    line[heading.end()..].trim().is_empty().then(|| heading.start())
}

pub(super) fn is_ending(line: &str) -> bool {
    ENDING.is_match(line)
}

fn is_key(body: &str) -> bool {
    body.split(|c: char| !(c.is_ascii_alphanumeric() || "+/=".contains(c))).any(|run| run.len() >= LEAST)
}
