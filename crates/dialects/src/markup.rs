//! Parameters as elements: `<parameter=path>…</parameter>`, `<parameter name="path">…</parameter>` and their kin.

mod stray;
mod value;

pub(crate) use stray::without_own;

use crate::args::{closer, object};
use crate::lenient::typed;
use crate::page::{Ahead, Call, Page, Reading, ahead, blank, is_name, is_unfinished, name_len, note, plain_name};
use crate::{Repair, Tools};
use serde_json::{Map, Value};
use stray::without_strays;
use value::End;

/// The marks of one dialect.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Marks<'a> {
    /// Before the parameter's name: `<parameter=`, or `<parameter` where the name is an attribute.
    pub(crate) open: &'a [&'a str],
    /// How the name is written.
    pub(crate) key: Key,
    /// After the value.
    pub(crate) close: &'a [&'a str],
    /// The beginning of a call, which may stand in a value, too.
    pub(crate) call: &'a [&'a str],
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
    /// One line break at each end, where there is one at the beginning.
    Pair,
    /// One line break at the beginning.
    FirstBreak,
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
    let end = match tag_end(page.text, tag.len()) {
        TagEnd::At(end) => end,
        TagEnd::Open => return page.open_or(Reading::No),
        TagEnd::No => return Reading::No,
    };
    let Some(name) = attribute(&page.text[tag.len()..end], "name") else { return Reading::No };
    let name = plain_name(name, page.tools);
    if is_prose(&page.text[end + 1..]) {
        return Reading::No;
    }
    if !is_name(name) {
        return broken(page, end + 1, None, marks);
    }
    let body = &page.text[end + 1..];
    if body.trim_start().starts_with('{') {
        return object(page, end + 1, name, marks.end).unwrap_or(Reading::No);
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

/// Does a sentence go on after the tag of a call? Then it is talk about the tag.
pub(crate) fn is_prose(after: &str) -> bool {
    let after = after.trim_start_matches([' ', '\t']);
    after.starts_with(|c: char| !matches!(c, '<' | '{' | '\n' | '\r'))
}

/// Parameters whose tags are their names: `<query>weather</query>`.
fn children(page: &Page<'_>, at: usize, name: &str, marks: &Marks<'_>) -> Reading {
    let (mut at, mut arguments, mut repairs) = (at, Map::new(), Vec::new());
    loop {
        at += blank(&page.text[at..]);
        let rest = &page.text[at..];
        match ahead(rest, marks.end) {
            Ahead::Yes(len) => {
                let call = Call { repairs, ..Call::new(name, arguments) };
                return Reading::Calls { calls: vec![call], len: at + len };
            }
            Ahead::Maybe => return Reading::Open,
            Ahead::No => {}
        }
        let Some(tag) = rest.strip_prefix('<') else { return broken(page, at, Some(name), marks) };
        // A closing mark too many.
        if let Some(stray) = tag.strip_prefix('/')
            && stray[name_len(stray)..].starts_with('>')
        {
            note(&mut repairs, Repair::ExtraEnd);
            at += 2 + name_len(stray) + 1;
            continue;
        }
        if is_unfinished(tag.strip_prefix('/').unwrap_or(tag)) {
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
    let next = |rest, len, given: &_| parameter(rest, len, marks, &is_next(given, tool, tools), over);
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
        match ahead(rest, marks.close) {
            Ahead::Yes(len) => {
                found.end += len;
                note(&mut found.repairs, Repair::ExtraEnd);
                continue;
            }
            Ahead::Maybe => return Read::Open,
            Ahead::No => {}
        }
        match ahead(rest, marks.open) {
            Ahead::Yes(len) => match next(rest, len, &found.arguments) {
                ParameterPart::Value { key, value, typed_as, len, closed, strays } => {
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
                        note(&mut found.repairs, Repair::MissingEnd);
                    }
                    if strays {
                        note(&mut found.repairs, Repair::ExtraEnd);
                    }
                }
                ParameterPart::Open => return Read::Open,
                ParameterPart::Other => return Read::Other(found.end),
            },
            Ahead::Maybe => return Read::Open,
            Ahead::No => match ahead(rest, marks.beyond) {
                Ahead::Yes(_) => {
                    note(&mut found.repairs, Repair::MissingEnd);
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

enum ParameterPart<'a> {
    Value { key: &'a str, value: &'a str, typed_as: Typed, len: usize, closed: bool, strays: bool },
    Open,
    Other,
}

/// May a parameter of this name come next? One that the tool has, and that was not given yet.
fn is_next(given: &Map<String, Value>, tool: &str, tools: &Tools) -> impl Fn(&str) -> bool {
    move |key| {
        let own = tools.schema(tool, key).is_some() || tools.parameters(tool).next().is_none();
        own && !given.contains_key(key)
    }
}

/// One parameter; `text` begins with its opening mark of `open` bytes.
fn parameter<'a>(
    text: &'a str,
    open: usize,
    marks: &Marks<'_>,
    is_next: &dyn Fn(&str) -> bool,
    over: bool,
) -> ParameterPart<'a> {
    let end = match tag_end(text, open) {
        TagEnd::At(end) => end,
        TagEnd::Open => return ParameterPart::Open,
        TagEnd::No => return ParameterPart::Other,
    };
    let tag = &text[open..end];
    let Some(key) = key(tag, marks.key) else { return ParameterPart::Other };
    let typed_as = match marks.key {
        Key::Plain => Typed::BySchema,
        Key::Attribute => string_attribute(tag),
    };
    let from = end + 1;
    let is_next = |next: &str| next != key && is_next(next);
    match value::end(&text[from..], marks, &is_next, over) {
        Some(End { value, len, closed }) => {
            let written = &text[from..from + value];
            let value = without_strays(written, &text[from + len..], marks, closed);
            let strays = value.len() < written.len();
            let value = trim(value, if closed { marks.trim } else { Trim::BothBreaks });
            ParameterPart::Value { key, value, typed_as, len: from + len, closed, strays }
        }
        None => ParameterPart::Open,
    }
}

/// The parameter's name in its tag, which is given without its opening mark.
fn key(tag: &str, key: Key) -> Option<&str> {
    let key = match key {
        Key::Plain => tag.trim().trim_matches(['"', '\'']),
        Key::Attribute => attribute(tag, "name")?,
    };
    is_name(key).then_some(key)
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
        crate::lenient::LenientReading::Value { value: read, len, .. } if len == value.trim().len() => read,
        _ => Value::String(value.to_owned()),
    })
}

/// A tag is no longer than this, in bytes.
const LONGEST_TAG: usize = 512;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TagEnd {
    /// Its `>` stands there.
    At(usize),
    /// It may still come.
    Open,
    /// Not on this line, or not within the length of a tag.
    No,
}

/// Where the `>` of the tag at the beginning of `text` stands; attributes begin `from` there on.
pub(crate) fn tag_end(text: &str, from: usize) -> TagEnd {
    let mut quote = None;
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate().take(from + LONGEST_TAG).skip(from) {
        match (quote, byte) {
            (None, b'>') => return TagEnd::At(at),
            (None, b'"' | b'\'') => quote = Some(*byte),
            (Some(open), _) if open == *byte => quote = None,
            (Some(_) | None, b'\n') => return TagEnd::No,
            _ => {}
        }
    }
    if bytes.len() < from + LONGEST_TAG { TagEnd::Open } else { TagEnd::No }
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

/// A value without what it loses at its ends.
pub(crate) fn trim(value: &str, trim: Trim) -> &str {
    let lead = value.strip_prefix("\r\n").or_else(|| value.strip_prefix('\n'));
    let trail =
        |value: &str| value.strip_suffix("\r\n").or_else(|| value.strip_suffix('\n')).map_or(value.len(), str::len);
    match (trim, lead) {
        (Trim::Nothing, _) | (Trim::Pair | Trim::FirstBreak, None) => value,
        (Trim::BothBreaks, None) => &value[..trail(value)],
        (Trim::FirstBreak, Some(inner)) => inner,
        (Trim::BothBreaks | Trim::Pair, Some(inner)) => &inner[..trail(inner)],
    }
}
