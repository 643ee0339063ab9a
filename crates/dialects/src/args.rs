//! Arguments as one JSON object after a name that is known already.

use crate::Repair;
use crate::lenient::{self, json, json_closed};
use crate::page::{Ahead, Call, Page, Reading, ahead, blank, note};
use crate::shapes::arguments;

/// So many closing marks are tried one by one before they are tried ever more seldom, so that time stays linear.
const TRIES: usize = 16;

/// The call of `name`, whose arguments begin `at` that many bytes into the page, and which one of `closers` may end.
/// `None`: no object begins there.
pub(crate) fn object(page: &Page<'_>, at: usize, name: &str, closers: &[&str]) -> Option<Reading> {
    let mut at = at + blank(&page.text[at..]);
    let fenced = page.text[at..].starts_with("```");
    if fenced {
        let Some(line) = page.text[at..].find('\n') else { return Some(page.open_or(Reading::No)) };
        at += line + 1;
        at += blank(&page.text[at..]);
    }
    let rest = &page.text[at..];
    match rest.chars().next() {
        Some('{' | '"') => {}
        Some('`') if rest.len() < 3 && !page.over => return Some(Reading::Open),
        None if fenced => return Some(Reading::Open),
        _ => return None,
    }
    Some(match value(rest, closers) {
        lenient::Reading::Open => Reading::Open,
        lenient::Reading::No => unreadable(page, at, name, closers),
        lenient::Reading::Value { value, len, repairs } => match arguments(value, name, page.tools) {
            Some(mut call) => {
                repairs.into_iter().for_each(|repair| note(&mut call.repairs, repair));
                end(page, at + len, call, closers, fenced)
            }
            None => unreadable(page, at, name, closers),
        },
    })
}

/// A value that ends by itself, or by a closing mark where a bracket is missing.
pub(crate) fn value(rest: &str, closers: &[&str]) -> lenient::Reading {
    let reading = json(rest);
    if matches!(reading, lenient::Reading::Value { .. }) {
        return reading;
    }
    let (mut from, mut tries, mut next) = (0, 0, 0);
    while let Some((end, _)) = closer(&rest[from..], closers) {
        let end = from + end;
        tries += 1;
        if tries <= TRIES || end >= next {
            next = end * 2;
            let closed = json_closed(&rest[..end]);
            if matches!(closed, lenient::Reading::Value { .. }) {
                return closed;
            }
        }
        from = end + 1;
    }
    reading
}

/// The first of `closers` in `text`: where, and how long.
pub(crate) fn closer(text: &str, closers: &[&str]) -> Option<(usize, usize)> {
    closers.iter().filter_map(|mark| Some((text.find(mark)?, mark.len()))).min()
}

fn unreadable(page: &Page<'_>, at: usize, name: &str, closers: &[&str]) -> Reading {
    match closer(&page.text[at..], closers) {
        Some((end, len)) => Reading::Broken { name: Some(name.to_owned()), len: at + end + len },
        None if closers.is_empty() => Reading::No,
        None => Reading::Open,
    }
}

/// What may stand after the object: brackets too many, the end of the fence, a closing mark.
fn end(page: &Page<'_>, at: usize, mut call: Call, closers: &[&str], mut fenced: bool) -> Reading {
    let done = |call: Call, len| Reading::Calls { calls: vec![call], len };
    if closers.is_empty() && !fenced {
        return done(call, at);
    }
    let (mut to, mut kept) = (at, at);
    let mut extra = false;
    loop {
        to += blank(&page.text[to..]);
        let rest = &page.text[to..];
        if rest.is_empty() {
            return if page.over { done(call, kept) } else { Reading::Open };
        }
        if fenced && "```".starts_with(&rest[..rest.len().min(3)]) {
            if rest.len() < 3 {
                return page.open_or(done(call, kept));
            }
            to += 3;
            kept = to;
            fenced = false;
            if closers.is_empty() {
                return done(call, kept);
            }
            continue;
        }
        match ahead(rest, closers) {
            Ahead::Yes(len) => {
                if extra {
                    note(&mut call.repairs, Repair::ExtraCloser);
                }
                return done(call, to + len);
            }
            Ahead::Maybe if !page.over => return Reading::Open,
            Ahead::Maybe | Ahead::No => {}
        }
        if !rest.starts_with(['}', ']']) {
            return done(call, kept);
        }
        extra = true;
        to += 1;
        kept = to;
    }
}
