//! Parameters as elements: `<parameter=path>…</parameter>`, `<parameter name="path">…</parameter>` and their kin.

use crate::args::closer;
use crate::lenient::typed;
use crate::page::{Ahead, Call, Page, Reading, ahead, blank, is_name, is_unfinished, name_len, plain_name};
use crate::{Repair, Tools};
use serde_json::{Map, Value};

/// The marks of one dialect.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Marks<'a> {
    /// Before the parameter's name: `<parameter=`, or `<parameter` where the name is an attribute.
    pub(crate) open: &'a [&'a str],
    /// How the name is written.
    pub(crate) key: Key,
    /// After the value.
    pub(crate) close: &'a [&'a str],
    /// The end of the call.
    pub(crate) end: &'a [&'a str],
    /// What ends a call that was not closed: marks around it, and those of the next.
    pub(crate) beyond: &'a [&'a str],
    /// What a value loses at its ends.
    pub(crate) trim: Trim,
    /// The marks are tokens: none of them can stand inside a value.
    pub(crate) tokens: bool,
}

/// How a parameter's name is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Key {
    /// Up to `>`.
    Plain,
    /// As the attribute `name="…"`; `string="false"` says that the value is JSON.
    Attribute,
}

/// What a value loses at its ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trim {
    /// One line break at each end: the layout's.
    BothBreaks,
    /// One line break at the beginning.
    FirstBreak,
    /// Nothing.
    Nothing,
}

/// How far the parameters could be read.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Read {
    /// To the end of the call.
    Done(Parameters),
    /// They may go on.
    Open,
    /// Something else stands there, after so many bytes.
    Other(usize),
}

/// One call as an element with the attribute `name`; `tag` is what it begins with, up to the attributes.
pub(crate) fn invoke(page: &Page<'_>, tag: &str, marks: &Marks<'_>) -> Reading {
    let Some(end) = tag_end(page.text, tag.len()) else {
        return if page.text.len() > 512 { Reading::No } else { page.open_or(Reading::No) };
    };
    let Some(name) = attribute(&page.text[tag.len()..end], "name") else { return Reading::No };
    let name = plain_name(name, page.tools);
    if !is_name(name) {
        return broken(page, end + 1, None, marks);
    }
    match parameters(page.text, end + 1, marks, name, page.tools, page.over) {
        Read::Done(read) => {
            let call = Call { name: name.to_owned(), arguments: read.arguments, repairs: read.repairs };
            Reading::Calls { calls: vec![call], len: read.end }
        }
        Read::Open => Reading::Open,
        Read::Other(at) if at == end + 1 + blank(&page.text[end + 1..]) => children(page, at, name, marks),
        Read::Other(at) => broken(page, at, Some(name), marks),
    }
}

/// Parameters whose tags are their names: `<query>weather</query>`.
fn children(page: &Page<'_>, at: usize, name: &str, marks: &Marks<'_>) -> Reading {
    let (mut at, mut arguments) = (at, Map::new());
    loop {
        at += blank(&page.text[at..]);
        let rest = &page.text[at..];
        match ahead(rest, marks.end) {
            Ahead::Yes(len) => return Reading::Calls { calls: vec![Call::new(name, arguments)], len: at + len },
            Ahead::Maybe => return Reading::Open,
            Ahead::No => {}
        }
        let Some(tag) = rest.strip_prefix('<') else { return broken(page, at, Some(name), marks) };
        if is_unfinished(tag) {
            return Reading::Open;
        }
        let key = &tag[..name_len(tag)];
        if !is_name(key) || !tag[key.len()..].starts_with('>') {
            return broken(page, at, Some(name), marks);
        }
        let close = format!("</{key}>");
        let from = key.len() + 2;
        let Some(len) = rest[from..].find(&close) else { return Reading::Open };
        arguments.insert(key.to_owned(), typed(&rest[from..from + len], page.tools.schema(name, key)));
        at += from + len + close.len();
    }
}

fn broken(page: &Page<'_>, at: usize, name: Option<&str>, marks: &Marks<'_>) -> Reading {
    match closer(&page.text[at..], marks.end) {
        Some((end, len)) => Reading::Broken { name: name.map(str::to_owned), len: at + end + len },
        None => Reading::Open,
    }
}

/// A wrapper means nothing by itself; it counts where one of `inner` follows.
pub(crate) fn wrapper(page: &Page<'_>, inner: &[&str]) -> Reading {
    let at = page.opener + blank(page.body());
    match ahead(&page.text[at..], inner) {
        Ahead::Yes(_) => Reading::Drop { len: at },
        Ahead::Maybe => page.open_or(Reading::No),
        Ahead::No => Reading::No,
    }
}

/// The parameters of one call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Parameters {
    pub(crate) arguments: Map<String, Value>,
    /// Where the call ends in the text.
    pub(crate) end: usize,
    pub(crate) repairs: Vec<Repair>,
}

/// Reads the parameters of `tool` from `at` on, to the end of the call.
pub(crate) fn parameters(text: &str, at: usize, marks: &Marks<'_>, tool: &str, tools: &Tools, over: bool) -> Read {
    let mut found = Parameters { arguments: Map::new(), end: at, repairs: Vec::new() };
    loop {
        found.end += blank(&text[found.end..]);
        let rest = &text[found.end..];
        match ahead(rest, marks.end) {
            Ahead::Yes(len) => {
                found.end += len;
                return Read::Done(found);
            }
            Ahead::Maybe => return Read::Open,
            Ahead::No => {}
        }
        match ahead(rest, marks.open) {
            Ahead::Yes(len) => match parameter(rest, len, marks, over) {
                Part::Value { key, value, typed_as, len, closed } => {
                    let schema = tools.schema(tool, key);
                    let value = match typed_as {
                        Typed::Text => Value::String(value.to_owned()),
                        Typed::Json if schema.is_some() => typed(value, schema),
                        Typed::Json => as_json(value),
                        Typed::BySchema => typed(value, schema),
                    };
                    found.arguments.insert(key.to_owned(), value);
                    found.end += len;
                    if !closed {
                        crate::page::note(&mut found.repairs, Repair::MissingEnd);
                    }
                }
                Part::Open => return Read::Open,
                Part::Other => return Read::Other(found.end),
            },
            Ahead::Maybe => return Read::Open,
            Ahead::No => match ahead(rest, marks.beyond) {
                Ahead::Yes(_) => {
                    crate::page::note(&mut found.repairs, Repair::MissingEnd);
                    return Read::Done(found);
                }
                Ahead::Maybe => return Read::Open,
                Ahead::No => return Read::Other(found.end),
            },
        }
    }
}

/// How the markup itself types a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Typed {
    BySchema,
    Text,
    Json,
}

enum Part<'a> {
    Value { key: &'a str, value: &'a str, typed_as: Typed, len: usize, closed: bool },
    Open,
    Other,
}

/// One parameter; `text` begins with its opening mark of `open` bytes.
fn parameter<'a>(text: &'a str, open: usize, marks: &Marks<'_>, over: bool) -> Part<'a> {
    let Some(end) = tag_end(text, open) else {
        return if text.len() > open + 512 { Part::Other } else { Part::Open };
    };
    let tag = &text[open..end];
    let (key, typed_as) = match marks.key {
        Key::Plain => (tag.trim().trim_matches(['"', '\'']), Typed::BySchema),
        Key::Attribute => match attribute(tag, "name") {
            Some(key) => (key, string_attribute(tag)),
            None => return Part::Other,
        },
    };
    if !is_name(key) {
        return Part::Other;
    }
    let from = end + 1;
    match value_end(&text[from..], marks, over) {
        Some((value, len, closed)) => {
            Part::Value { key, value: trim(&text[from..from + value], marks.trim), typed_as, len: from + len, closed }
        }
        None => Part::Open,
    }
}

fn string_attribute(tag: &str) -> Typed {
    match attribute(tag, "string") {
        Some("true") => Typed::Text,
        Some("false") => Typed::Json,
        Some(_) | None => Typed::BySchema,
    }
}

fn as_json(value: &str) -> Value {
    serde_json::from_str(value.trim()).unwrap_or_else(|_| match crate::lenient::json_closed(value.trim()) {
        crate::lenient::Reading::Value { value: read, len, .. } if len == value.trim().len() => read,
        _ => Value::String(value.to_owned()),
    })
}

/// Where the `>` of a tag stands.
pub(crate) fn tag_end(text: &str, from: usize) -> Option<usize> {
    let mut quote = None;
    for (at, byte) in text.as_bytes().iter().enumerate().skip(from) {
        match (quote, byte) {
            (None, b'>') => return Some(at),
            (None, b'"' | b'\'') => quote = Some(*byte),
            (Some(open), _) if open == *byte => quote = None,
            (Some(_) | None, b'\n') => return None,
            _ => {}
        }
    }
    None
}

/// The value of an attribute in a tag.
pub(crate) fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = tag;
    loop {
        let at = rest.find(name)?;
        let after = rest[at + name.len()..].trim_start();
        let word = rest[..at].chars().next_back().is_none_or(|c| c.is_whitespace() || c == 'Ġ');
        match after.strip_prefix('=').map(str::trim_start) {
            Some(value) if word => {
                let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''));
                return match quote {
                    Some(quote) => value[1..].split(quote).next(),
                    None => value.split(|c: char| c.is_whitespace() || c == '/').next(),
                };
            }
            _ => rest = &rest[at + name.len()..],
        }
    }
}

/// Where a value ends: its bytes, the bytes to the end of its closing mark, and whether it had one.
///
/// A closing mark counts only where the markup goes on after it; within a file's text it does not.
fn value_end(text: &str, marks: &Marks<'_>, over: bool) -> Option<(usize, usize, bool)> {
    if marks.tokens {
        let next =
            [marks.close, marks.open, marks.end, marks.beyond].into_iter().filter_map(|marks| first(text, marks)).min();
        let closed = first(text, marks.close);
        return next.map(|(at, len)| if Some((at, len)) == closed { (at, at + len, true) } else { (at, at, false) });
    }
    let mut from = 0;
    loop {
        let (close, len) = first(&text[from..], marks.close).map(|(at, len)| (from + at, len)).unzip();
        let before = close.unwrap_or(text.len());
        if let Some(end) = unclosed(&text[..before], text, from, marks, over) {
            return end;
        }
        let (Some(close), Some(len)) = (close, len) else { return None };
        let after = close + len;
        let rest = &text[after + blank(&text[after..])..];
        if rest.is_empty() {
            return over.then_some((close, after, true));
        }
        let goes_on = [ahead(rest, marks.end), ahead(rest, marks.open), ahead(rest, marks.beyond)];
        if goes_on.iter().any(|next| matches!(next, Ahead::Yes(_))) {
            return Some((close, after, true));
        }
        if goes_on.contains(&Ahead::Maybe) {
            return None;
        }
        from = after;
    }
}

/// A value that is not closed ends before the end of its call, where that stands on a line of its own and what follows
/// it shows that it means it. `Some(None)`: more has to be seen.
#[expect(clippy::option_option, reason = "not found, found, and not decided yet")]
fn unclosed(
    within: &str,
    text: &str,
    from: usize,
    marks: &Marks<'_>,
    over: bool,
) -> Option<Option<(usize, usize, bool)>> {
    let mut from = from;
    loop {
        let (at, len) = first(&within[from..], marks.end)?;
        let at = from + at;
        let line = text[..at].trim_end_matches([' ', '\t', '\r']);
        if line.is_empty() || line.ends_with('\n') {
            let rest = &text[at + len + blank(&text[at + len..])..];
            if rest.is_empty() {
                return Some(over.then_some((at, at, false)));
            }
            match ahead(rest, marks.beyond) {
                Ahead::Yes(_) => return Some(Some((at, at, false))),
                Ahead::Maybe => return Some(None),
                Ahead::No => {}
            }
        }
        from = at + len;
    }
}

fn first(text: &str, marks: &[&str]) -> Option<(usize, usize)> {
    marks.iter().filter_map(|mark| Some((text.find(mark)?, mark.len()))).min()
}

fn trim(value: &str, trim: Trim) -> &str {
    let lead = |value: &'_ str| value.strip_prefix("\r\n").or_else(|| value.strip_prefix('\n')).map(str::len);
    let start = match trim {
        Trim::BothBreaks | Trim::FirstBreak => lead(value).map_or(0, |len| value.len() - len),
        Trim::Nothing => 0,
    };
    let value = &value[start..];
    match trim {
        Trim::BothBreaks => value.strip_suffix("\r\n").or_else(|| value.strip_suffix('\n')).unwrap_or(value),
        Trim::FirstBreak | Trim::Nothing => value,
    }
}
