//! MiniMax M3: every tag is prefixed with `]<]minimax[>[`, and a parameter's tag is its name.

use crate::Repair;
use crate::lenient::typed;
use crate::markup::{TagEnd, attribute, tag_end};
use crate::page::{Ahead, Call, Page, Reading, ahead, blank, note, plain_name};
use crate::table::Dialect;
use serde_json::{Map, Value};

pub(super) static DIALECT: Dialect = Dialect::marked("minimax-m3", &["]<]minimax[>["], parse_page);

const PREFIX: &str = "]<]minimax[>[";
/// Elements in elements: no deeper.
const DEPTH: usize = 32;

fn parse_page(page: &Page<'_>) -> Reading {
    let body = page.body();
    match ahead(body, &["<tool_call>", "</tool_call>", "<invoke "]) {
        Ahead::Yes(len) if !body.starts_with("<invoke") => return Reading::Drop { len: page.opener + len },
        Ahead::Yes(_) => {}
        Ahead::Maybe => return page.open_or(Reading::Open),
        Ahead::No => return Reading::No,
    }
    let end = match tag_end(body, 0) {
        TagEnd::At(end) => end,
        TagEnd::Open => return Reading::Open,
        TagEnd::No => return Reading::No,
    };
    let Some(name) = attribute(&body["<invoke".len()..end], "name") else { return Reading::No };
    let name = plain_name(name, page.tools);
    let mut at = page.opener + end + 1;
    let (mut arguments, mut repairs) = (Map::new(), Vec::new());
    loop {
        at += blank(&page.text[at..]);
        let rest = &page.text[at..];
        let Some(tag) = rest.strip_prefix(PREFIX) else {
            let open = PREFIX.starts_with(rest);
            return if open { Reading::Open } else { Reading::Broken { name: Some(name.to_owned()), len: at } };
        };
        match ahead(tag, &["</invoke>"]) {
            Ahead::Yes(len) => {
                let len = at + PREFIX.len() + len;
                return Reading::Calls { calls: vec![Call { repairs, ..Call::new(name, arguments) }], len };
            }
            Ahead::Maybe => return Reading::Open,
            Ahead::No => {}
        }
        if tag.starts_with("</") {
            // A closing mark too many.
            let Some(end) = tag.find('>') else { return Reading::Open };
            note(&mut repairs, Repair::ExtraEnd);
            at += PREFIX.len() + end + 1;
            continue;
        }
        let Some((key, element, len)) = element(rest, DEPTH) else { return Reading::Open };
        let schema = page.tools.schema(name, key);
        arguments.insert(key.to_owned(), element.value(schema));
        at += len;
    }
}

/// What stands between the tags of an element.
enum Element<'a> {
    Text(&'a str),
    Children(Vec<(&'a str, Element<'a>)>),
}

impl Element<'_> {
    fn value(&self, schema: Option<&Value>) -> Value {
        match self {
            Element::Text(text) => typed(text, schema),
            Element::Children(children) if children.iter().all(|(key, _)| *key == "item") => {
                let schema = schema.and_then(|schema| schema.get("items"));
                Value::Array(children.iter().map(|(_, child)| child.value(schema)).collect())
            }
            Element::Children(children) => {
                let schema = |key: &str| schema.and_then(|schema| schema.get("properties")?.get(key));
                let entry = |(key, child): &(&str, Element<'_>)| ((*key).to_owned(), child.value(schema(key)));
                Value::Object(children.iter().map(entry).collect())
            }
        }
    }
}

/// One element with its prefix: its name, what is in it, its length. `None`: it is not complete.
fn element(text: &str, depth: usize) -> Option<(&str, Element<'_>, usize)> {
    let tag = text.strip_prefix(PREFIX)?.strip_prefix('<')?;
    let end = tag.find('>')?;
    let key = &tag[..end];
    let from = PREFIX.len() + 1 + end + 1;
    let mut at = from;
    let mut children = Vec::new();
    loop {
        let mark = at + text[at..].find(PREFIX)?;
        let tag = &text[mark + PREFIX.len()..];
        if let Some(close) = tag.strip_prefix("</") {
            let end = close.find('>')?;
            if &close[..end] != key {
                return None;
            }
            let len = mark + PREFIX.len() + 2 + end + 1;
            let inner =
                if children.is_empty() { Element::Text(&text[from..mark]) } else { Element::Children(children) };
            return Some((key, inner, len));
        }
        let (key, child, len) = element(&text[mark..], depth.checked_sub(1)?)?;
        children.push((key, child));
        at = mark + len;
    }
}
