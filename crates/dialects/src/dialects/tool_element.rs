//! Cline, Roo and their kin: the tool is the tag, its parameters are the tags within.
//!
//! Nothing tells such a tag from HTML but its name: one that is offered, or another agent's name for a tool, if it is made
//! of several words as theirs are.

use crate::Repair;
use crate::lenient::typed;
use crate::markup::{Trim, trim, without_own};
use crate::page::{Ahead, Call, Page, Reading, ahead, blank, is_unfinished, name_len, note};
use crate::table::Dialect;
use serde_json::{Map, Value};

pub(super) static DIALECT: Dialect = Dialect::looking("tool-element", &["<"], parse_page);

/// What Roo puts around the files of one call.
const WRAPPER: &str = "args";
const FILE: &str = "file";

fn parse_page(page: &Page<'_>) -> Reading {
    let body = page.body();
    let len = name_len(body);
    let name = &body[..len];
    let may_become = !page.tools.is_any() && page.tools.names().any(|known| known.starts_with(name));
    if is_unfinished(body) && may_become {
        return page.open_or(Reading::No);
    }
    let is_tool = page.tools.offers(name) || (name.contains('_') && page.tools.knows(name));
    if page.tools.is_any() || !is_tool || !body[len..].starts_with('>') {
        return Reading::No;
    }
    let at = page.opener + len + 1;
    let (read, len) = match elements(&page.text[at..], name, page.over) {
        Elements::Are { read, len } => (read, len),
        Elements::Open => return page.open_or(Reading::No),
        Elements::No => return Reading::No,
    };
    let calls = match wrapped(&read) {
        Wrapped::No if read.is_empty() && !page.tools.needs_nothing(name) => return Reading::No,
        Wrapped::No => vec![call(name, &read, page)],
        Wrapped::Files(files) => files.iter().map(|read| call(name, read, page)).collect(),
        Wrapped::Odd => return Reading::No,
    };
    Reading::Calls { calls, len: at + len }
}

/// The parameters in one element.
#[derive(Debug, Default)]
struct Parameters<'a> {
    all: Vec<Parameter<'a>>,
    /// There were closing marks too many.
    strays: bool,
}

#[derive(Debug, Clone, Copy)]
struct Parameter<'a> {
    key: &'a str,
    value: &'a str,
    /// The value with its closing tag.
    closed: &'a str,
}

impl Parameters<'_> {
    fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

fn call(name: &str, read: &Parameters<'_>, page: &Page<'_>) -> Call {
    let mut call = Call::new(name, Map::new());
    for Parameter { key, value: written, closed } in &read.all {
        let value = without_own(written, &[&format!("</{key}>")]);
        if read.strays || value.len() < written.len() {
            note(&mut call.repairs, Repair::ExtraEnd);
        }
        let value = change_in(key, closed).unwrap_or(value);
        let value = typed(trim(value, Trim::Pair), page.tools.schema(name, key));
        match (call.arguments.get_mut(*key), value) {
            // Several changes of one file.
            (Some(Value::String(before)), Value::String(more)) if *key == "diff" => {
                before.push_str(&format!("\n{more}"));
            }
            (_, value) => {
                call.arguments.insert((*key).to_owned(), value);
            }
        }
    }
    call
}

/// A change that stands in an element of its own, beside the line where it begins.
fn change_in<'a>(key: &str, closed: &'a str) -> Option<&'a str> {
    if key != "diff" || !closed.trim_start().starts_with("<content>") {
        return None;
    }
    let read = inside(key, closed)?;
    read.all.iter().find(|parameter| parameter.key == "content").map(|parameter| parameter.value)
}

/// What stands in an element, if that is elements.
fn inside<'a>(key: &str, closed: &'a str) -> Option<Parameters<'a>> {
    match elements(closed, key, true) {
        Elements::Are { read, len } if len == closed.len() && !read.is_empty() => Some(read),
        Elements::Are { .. } | Elements::Open | Elements::No => None,
    }
}

enum Wrapped<'a> {
    /// The parameters are those of the tool.
    No,
    /// They stand in an element more, each set in one of its own.
    Files(Vec<Parameters<'a>>),
    /// There is more around them than that.
    Odd,
}

/// `<args><file><path>…</path></file></args>`
fn wrapped<'a>(read: &Parameters<'a>) -> Wrapped<'a> {
    let [Parameter { key: WRAPPER, closed, .. }] = read.all.as_slice() else { return Wrapped::No };
    let Some(files) = inside(WRAPPER, closed) else { return Wrapped::Odd };
    if !files.all.iter().all(|file| file.key == FILE) {
        return Wrapped::Files(vec![files]);
    }
    let files: Option<Vec<Parameters<'a>>> = files.all.iter().map(|file| inside(FILE, file.closed)).collect();
    files.map_or(Wrapped::Odd, Wrapped::Files)
}

enum Elements<'a> {
    /// They are, with the closing tag, so many bytes long.
    Are {
        read: Parameters<'a>,
        len: usize,
    },
    /// More has to be seen.
    Open,
    No,
}

/// Elements up to `</name>`.
fn elements<'a>(text: &'a str, name: &str, over: bool) -> Elements<'a> {
    let close = format!("</{name}>");
    let (mut at, mut read) = (0, Parameters::default());
    loop {
        at += blank(&text[at..]);
        let rest = &text[at..];
        match ahead(rest, &[&close]) {
            Ahead::Yes(len) => return Elements::Are { read, len: at + len },
            Ahead::Maybe => return Elements::Open,
            Ahead::No => {}
        }
        match element(rest, name, over) {
            Element::Is { parameter, len } => {
                read.all.push(parameter);
                at += len;
            }
            Element::Stray(len) if !read.is_empty() => {
                read.strays = true;
                at += len;
            }
            Element::Open => return Elements::Open,
            Element::Stray(_) | Element::No => return Elements::No,
        }
    }
}

enum Element<'a> {
    Is {
        parameter: Parameter<'a>,
        len: usize,
    },
    /// A closing tag of so many bytes that closes nothing.
    Stray(usize),
    Open,
    No,
}

/// One parameter of the tool `name`.
fn element<'a>(text: &'a str, name: &str, over: bool) -> Element<'a> {
    let Some(tag) = text.strip_prefix('<') else { return Element::No };
    let (tag, slash) = tag.strip_prefix('/').map_or((tag, 0), |tag| (tag, 1));
    let len = name_len(tag);
    if is_unfinished(tag) {
        return Element::Open;
    }
    if len == 0 || !tag[len..].starts_with('>') {
        return Element::No;
    }
    let from = 1 + slash + len + 1;
    if slash == 1 {
        return Element::Stray(from);
    }
    let key = &tag[..len];
    match value_end(&text[from..], key, name, over) {
        ValueEnd::At(value, len) => {
            let (value, closed) = (&text[from..from + value], &text[from..from + len]);
            Element::Is { parameter: Parameter { key, value, closed }, len: from + len }
        }
        ValueEnd::Open => Element::Open,
        ValueEnd::No => Element::No,
    }
}

enum ValueEnd {
    /// After so many bytes; so many with the closing tag.
    At(usize, usize),
    Open,
    No,
}

/// A value may hold tags like its own, say of a file about them: its closing tag is the one that has none to close within, or
/// that stands before the closing tag of the tool.
fn value_end(text: &str, key: &str, name: &str, over: bool) -> ValueEnd {
    let (open, close) = (format!("<{key}>"), format!("</{key}>"));
    let (tool, tool_close) = (format!("<{name}>"), format!("</{name}>"));
    let (mut at, mut inner, mut tools) = (0, 0, 0);
    loop {
        let Some(found) = text[at..].find(&close) else { return ValueEnd::Open };
        let (end, after) = (at + found, at + found + close.len());
        inner += text[at..end].matches(&open).count();
        tools += text[at..end].matches(&tool).count();
        tools -= text[at..end].matches(&tool_close).count().min(tools);
        let next = &text[after + blank(&text[after..])..];
        if next.is_empty() {
            return if over { ValueEnd::No } else { ValueEnd::Open };
        }
        let follows = match ahead(next, &[&tool_close, &close]) {
            Ahead::Maybe => return ValueEnd::Open,
            Ahead::Yes(len) if len == tool_close.len() && next.starts_with(&tool_close) => tools == 0,
            Ahead::Yes(_) => inner == 0 && tools == 0,
            Ahead::No => {
                let opens = next.strip_prefix('<').is_some_and(|tag| tag.starts_with(char::is_alphabetic));
                // Its name is not here yet.
                if next == "<" {
                    return ValueEnd::Open;
                }
                inner == 0 && tools == 0 && opens
            }
        };
        if follows {
            return ValueEnd::At(end, after);
        }
        inner = inner.saturating_sub(1);
        at = after;
    }
}
