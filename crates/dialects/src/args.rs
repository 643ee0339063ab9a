//! Arguments as one JSON object after a name that is known already.

use crate::Repair;
use crate::lenient::{self, json, json_closed};
use crate::page::{Ahead, Call, Page, Reading, ahead, blank, note};
use crate::shapes::arguments;
use serde_json::Value;

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
        Valued::Open => Reading::Open,
        Valued::No => Reading::No,
        Valued::Broken(len) => Reading::Broken { name: Some(name.to_owned()), len: at + len },
        Valued::Is { value, len, repairs } => match arguments(value, name, page.tools) {
            Some(mut call) => {
                repairs.into_iter().for_each(|repair| note(&mut call.repairs, repair));
                end(page, at + len, call, closers, fenced)
            }
            None => unreadable(page, at + len, name, closers),
        },
    })
}

/// A value that a closing mark may end.
pub(crate) enum Valued {
    /// It is there, and so many bytes long.
    Is { value: Value, len: usize, repairs: Vec<Repair> },
    /// It may go on.
    Open,
    /// It makes no sense, and is closed after so many bytes.
    Broken(usize),
    /// It is none, and nothing closes it.
    No,
}

/// A value that ends by itself, or by a closing mark where a bracket is missing.
///
/// Closing marks are gone through in order, and each is judged by the text up to it alone: what is said of a text is
/// said of every longer one, too.
pub(crate) fn value(rest: &str, closers: &[&str]) -> Valued {
    let reading = json(rest);
    let end = match reading {
        lenient::LenientReading::Value { len, .. } => len,
        lenient::LenientReading::Open | lenient::LenientReading::No => rest.len(),
    };
    for mark in marks(&rest[..end], closers) {
        if let lenient::LenientReading::Value { value, len, repairs } = json_closed(&rest[..mark.at]) {
            return Valued::Is { value, len, repairs };
        }
        if reading == lenient::LenientReading::No && json(&rest[..mark.end]) == lenient::LenientReading::No {
            return Valued::Broken(mark.end);
        }
    }
    match reading {
        lenient::LenientReading::Value { value, len, repairs } => Valued::Is { value, len, repairs },
        lenient::LenientReading::Open => Valued::Open,
        lenient::LenientReading::No if closers.is_empty() => Valued::No,
        lenient::LenientReading::No => Valued::Open,
    }
}

/// Where a closing mark stands.
struct Mark {
    at: usize,
    end: usize,
}

/// The closing marks in `text`: at first each, then ever fewer, so that trying them all takes linear time.
fn marks(text: &str, closers: &[&str]) -> impl Iterator<Item = Mark> {
    let (mut from, mut tries, mut next) = (0, 0, 0);
    std::iter::from_fn(move || {
        loop {
            let (at, len) = closer(&text[from..], closers)?;
            let at = from + at;
            from = at + len;
            tries += 1;
            if tries <= TRIES || at >= next {
                next = at * 2;
                return Some(Mark { at, end: at + len });
            }
        }
    })
}

/// The first of `closers` in `text`: where, and how long.
pub(crate) fn closer(text: &str, closers: &[&str]) -> Option<(usize, usize)> {
    let (bytes, mut from) = (text.as_bytes(), 0);
    let begins = |byte: &u8| closers.iter().any(|mark| mark.as_bytes()[0] == *byte);
    loop {
        from += bytes[from..].iter().position(begins)?;
        if let Some(mark) = closers.iter().find(|mark| bytes[from..].starts_with(mark.as_bytes())) {
            return Some((from, mark.len()));
        }
        from += 1;
    }
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
    let done = |mut call: Call, len| {
        if must_close(closers) {
            note(&mut call.repairs, Repair::MissingEnd);
        }
        Reading::Calls { calls: vec![call], len }
    };
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
        if fenced && "```".starts_with(rest) && rest.len() < 3 {
            return page.open_or(done(call, kept));
        }
        if fenced && rest.starts_with("```") {
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
                return Reading::Calls { calls: vec![call], len: to + len };
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

/// Is the closing mark an element's? Tokens that end a call are often the ones that stop the model, and never arrive.
pub(crate) fn must_close(closers: &[&str]) -> bool {
    closers.first().is_some_and(|mark| mark.starts_with("</"))
}
