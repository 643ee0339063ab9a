//! Lines out of the middle of a private key, whose heading is not there: what is written down of an edit is only the lines
//! around it.
//!
//! Only for what is written down. What a model is shown must be what the file holds, and lines like these are pictures
//! and certificates more often than keys. Of these, what has a heading or an ending that says so is left alone.

use super::Span;
use super::blocks::{WHAT, is_ending, is_line};
use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

/// Letters of a full line, as most programs cut keys, and as OpenSSH does.
const FULL: [usize; 2] = [64, 70];
/// So much may stand in front of it: a number, the mark of a difference, blanks.
const IN_FRONT: usize = 80;
/// Full lines in a row that are taken for a key; one is enough before an ending.
const LEAST: usize = 2;
/// Lines between a heading and the first full one.
const BETWEEN: usize = 6;

static BODY: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^\s*(?:\d{1,9}[\t:-])?\s*(?<body>[A-Za-z0-9+/]+)$").expect("it is tested"));
/// What may stand between a heading and the first line.
static BEFORE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^[+-]?\s*(?:\d{1,9}[\t:-])?\s*(?:[A-Za-z-]+: .*)?$").expect("it is tested"));

pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let mut lines: Vec<Range<usize>> = Vec::new();
    let mut from = 0;
    for line in text.split_inclusive('\n') {
        lines.push(from..from + line.trim_end().len());
        from += line.len();
    }
    let line = |at: usize| lines.get(at).map_or("", |range| &text[range.clone()]);
    let mut at = 0;
    while at < lines.len() {
        let full = (at..lines.len()).take_while(|at| is_full(line(*at))).count();
        if full > 0 {
            let end = last(at + full, &line);
            let least = if is_ending(line(end)) { 1 } else { LEAST };
            if full >= least && !is_something_else(at, end, &line) {
                let end = if is_ending(line(end)) { end } else { end - 1 };
                spans.push(Span { range: lines[at].start..lines[end].end, what: WHAT });
            }
        }
        at += full.max(1);
    }
}

/// The line after the body, of which `after` comes after the last full line.
fn last<'a>(after: usize, line: &impl Fn(usize) -> &'a str) -> usize {
    let short = line(after);
    let is_last =
        !short.is_empty() && is_line(short) && (short.ends_with('=') || line(after + 1).contains("-----END "));
    after + usize::from(is_last)
}

/// Does a heading or an ending say that it is no private key?
fn is_something_else<'a>(start: usize, end: usize, line: &impl Fn(usize) -> &'a str) -> bool {
    let other = |line: &str, mark: &str| line.contains(mark) && !line.contains("PRIVATE KEY");
    let before = (start.saturating_sub(BETWEEN)..start).rev().map(line).find(|line| !BEFORE.is_match(line));
    other(line(end), "-----END ") || before.is_some_and(|line| other(line, "-----BEGIN "))
}

/// Is it a line of letters and digits as long as those of a key, and like chance? Hashes are as long, and say less.
fn is_full(line: &str) -> bool {
    if line.len() < FULL[0] || line.len() > FULL[1] + IN_FRONT {
        return false;
    }
    // A plus may be the mark of a difference, or a letter of the key.
    let without = line.strip_prefix(['+', '-']).unwrap_or(line);
    [line, without].iter().any(|line| BODY.captures(line).is_some_and(|found| is_body(&found["body"])))
}

fn is_body(body: &str) -> bool {
    let body = body.as_bytes();
    let has = |is: fn(&u8) -> bool| body.iter().any(is);
    FULL.contains(&body.len())
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_digit)
        && !body.iter().all(u8::is_ascii_hexdigit)
}
