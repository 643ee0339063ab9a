//! Kimi K3: elements between `<|open|>`, `<|close|>` and `<|sep|>`, with the types in the markup.

use crate::Repair;
use crate::markup::attribute;
use crate::page::{Ahead, Call, Page, Reading, ahead, blank, note, plain_name};
use crate::table::Dialect;
use serde_json::{Map, Value};

pub(super) static DIALECT: Dialect = Dialect::marked("kimi-k3", &["<|open|>call "], parse_page);

const SEPARATOR: &str = "<|sep|>";
const ARGUMENT: &str = "<|open|>argument ";
const ARGUMENT_END: &str = "<|close|>argument<|sep|>";
const CALL_END: &str = "<|close|>call<|sep|>";

fn parse_page(page: &Page<'_>) -> Reading {
    let Some(end) = page.body().find(SEPARATOR) else {
        return if page.body().len() > 256 { Reading::No } else { page.open_or(Reading::Open) };
    };
    let Some(name) = attribute(&page.body()[..end], "tool") else { return Reading::No };
    let name = plain_name(name, page.tools);
    let mut at = page.opener + end + SEPARATOR.len();
    let (mut arguments, mut repairs) = (Map::new(), Vec::new());
    loop {
        at += blank(&page.text[at..]);
        let rest = &page.text[at..];
        match ahead(rest, &[ARGUMENT, CALL_END, ARGUMENT_END]) {
            Ahead::Maybe => return Reading::Open,
            // A closing mark too many.
            Ahead::Yes(len) if rest.starts_with(ARGUMENT_END) => {
                note(&mut repairs, Repair::ExtraEnd);
                at += len;
                continue;
            }
            Ahead::No => return Reading::Broken { name: Some(name.to_owned()), len: at },
            Ahead::Yes(_) if rest.starts_with(CALL_END) => {
                let call = Call { repairs, ..Call::new(name, arguments) };
                return Reading::Calls { calls: vec![call], len: at + CALL_END.len() };
            }
            Ahead::Yes(_) => {}
        }
        let Some(tag) = rest.find(SEPARATOR) else { return Reading::Open };
        let from = tag + SEPARATOR.len();
        let Some(end) = rest[from..].find(ARGUMENT_END) else { return Reading::Open };
        let Some(key) = attribute(&rest[..tag], "key") else { return Reading::No };
        let value = &rest[from..from + end];
        arguments.insert(key.to_owned(), typed_as(value, attribute(&rest[..tag], "type")));
        at += from + end + ARGUMENT_END.len();
    }
}

/// The markup says the type: a string stands as it is, all else is JSON.
fn typed_as(value: &str, kind: Option<&str>) -> Value {
    match kind {
        Some("string") | None => Value::String(value.to_owned()),
        Some(_) => serde_json::from_str(value.trim()).unwrap_or_else(|_| Value::String(value.to_owned())),
    }
}
