//! Arguments as pairs of elements: `<arg_key>path</arg_key><arg_value>a.rs</arg_value>`.

use crate::Repair;
use crate::args::{self, closer};
use crate::lenient::typed;
use crate::markup::{Trim, trim, without_own};
use crate::page::{Ahead, Call, Page, Reading, ahead, blank, is_name, is_unfinished, name_len, note, plain_name};
use serde_json::{Map, Value};

/// The marks of one dialect.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pairs {
    pub(crate) key: (&'static str, &'static str),
    pub(crate) value: (&'static str, &'static str),
    pub(crate) close: &'static str,
    /// A mark that may stand after the name.
    pub(crate) after_name: &'static str,
}

/// The call whose name begins `at` that many bytes into the page.
pub(crate) fn call(page: &Page<'_>, at: usize, marks: &Pairs) -> Reading {
    let at = at + blank(&page.text[at..]);
    let len = name_len(&page.text[at..]);
    let written = &page.text[at..at + len];
    let mut rest = at + len;
    rest += page.text[rest..].len() - page.text[rest..].trim_start_matches([' ', '\t']).len();
    if page.text[rest..].is_empty() || is_unfinished(&page.text[at..]) {
        return page.open_or(Reading::No);
    }
    if !is_name(written) {
        return Reading::No;
    }
    let name = plain_name(written, page.tools).to_owned();
    if !marks.after_name.is_empty() {
        match ahead(&page.text[rest..], &[marks.after_name]) {
            Ahead::Yes(len) => rest += len,
            Ahead::Maybe => return page.open_or(Reading::No),
            Ahead::No => {}
        }
    }
    let body = rest + blank(&page.text[rest..]);
    if page.text[body..].starts_with('{') {
        let reading = args::object(page, body, &name, &[marks.close]).unwrap_or(Reading::No);
        return proven(reading, page, &name, marks);
    }
    arguments(page, body, &name, marks)
}

/// An object after a word is a call if the word is a tool, or the mark closes it; else it may be talk about the mark.
fn proven(reading: Reading, page: &Page<'_>, name: &str, marks: &Pairs) -> Reading {
    let offered = !page.tools.is_any() && page.tools.knows(name);
    match reading {
        Reading::Calls { len, .. } if !offered && !page.text[..len].ends_with(marks.close) => Reading::No,
        Reading::Open if page.over && !offered => Reading::No,
        reading => reading,
    }
}

fn arguments(page: &Page<'_>, mut at: usize, name: &str, marks: &Pairs) -> Reading {
    let mut call = Call::new(name, Map::new());
    loop {
        at += blank(&page.text[at..]);
        let rest = &page.text[at..];
        match ahead(rest, &[marks.close]) {
            Ahead::Yes(len) => return Reading::Calls { calls: vec![call], len: at + len },
            Ahead::Maybe if rest.is_empty() && call.arguments.is_empty() => return page.open_or(Reading::No),
            Ahead::Maybe => return Reading::Open,
            Ahead::No => {}
        }
        // A closing mark too many.
        if let Ahead::Yes(len) = ahead(rest, &[marks.value.1, marks.key.1]) {
            note(&mut call.repairs, Repair::ExtraEnd);
            at += len;
            continue;
        }
        match pair(rest, marks) {
            Pair::Is { key, value, len } => {
                let own = without_own(value, &[marks.value.1, marks.key.1]);
                if own.len() < value.len() {
                    note(&mut call.repairs, Repair::ExtraEnd);
                }
                let schema = page.tools.schema(name, key);
                call.arguments.insert(key.to_owned(), typed_pair(own, schema));
                at += len;
            }
            Pair::Open => return Reading::Open,
            Pair::No if call.arguments.is_empty() => return Reading::No,
            Pair::No => return broken(page, at, name, marks),
        }
    }
}

fn typed_pair(value: &str, schema: Option<&Value>) -> Value {
    let text = typed(value, schema);
    match text {
        Value::String(text) => Value::String(trim(&text, Trim::Pair).to_owned()),
        other => other,
    }
}

fn broken(page: &Page<'_>, at: usize, name: &str, marks: &Pairs) -> Reading {
    match page.text[at..].find(marks.close) {
        Some(end) => Reading::Broken { name: Some(name.to_owned()), len: at + end + marks.close.len() },
        None => Reading::Open,
    }
}

enum Pair<'a> {
    Is { key: &'a str, value: &'a str, len: usize },
    Open,
    No,
}

fn pair<'a>(text: &'a str, marks: &Pairs) -> Pair<'a> {
    match ahead(text, &[marks.key.0]) {
        Ahead::Yes(_) => {}
        Ahead::Maybe => return Pair::Open,
        Ahead::No => return Pair::No,
    }
    let from = marks.key.0.len();
    // Models put the closing mark of the one where that of the other belongs.
    let closers = [marks.key.1, marks.value.1];
    let Some((end, mark)) = closer(&text[from..], &closers) else { return Pair::Open };
    let key = text[from..from + end].trim();
    let mut at = from + end + mark;
    at += blank(&text[at..]);
    match ahead(&text[at..], &[marks.value.0]) {
        Ahead::Yes(len) => at += len,
        Ahead::Maybe => return Pair::Open,
        Ahead::No => return Pair::No,
    }
    let (mut from, mut inner) = (at, 0);
    loop {
        let Some((end, mark)) = closer(&text[from..], &closers) else { return Pair::Open };
        let end = from + end;
        let after = end + mark;
        // A value may hold such pairs itself, say of a file about them: then their marks come in twos.
        inner += text[from..end].matches(marks.value.0).count();
        if inner > 0 {
            inner -= usize::from(text[end..].starts_with(marks.value.1));
            from = after;
            continue;
        }
        let next = &text[after + blank(&text[after..])..];
        match ahead(next, &[marks.key.0, marks.close]) {
            Ahead::Yes(_) => return Pair::Is { key, value: &text[at..end], len: after },
            Ahead::Maybe => return Pair::Open,
            Ahead::No => from = after,
        }
    }
}
