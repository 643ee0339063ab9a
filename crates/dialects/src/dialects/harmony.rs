//! gpt-oss and Beam: messages on channels; `to=functions.f` in the header makes one a call.

use crate::Repair;
use crate::args::{closer, object};
use crate::lenient::typed;
use crate::markup::{Trim, attribute, trim, without_own};
use crate::page::{Ahead, Before, Call, Page, Reading, ahead, blank, note, undecorated};
use crate::table::Dialect;

pub(super) static DIALECT: Dialect =
    Dialect::marked("harmony", &["<|channel|>", "<|start|>", "to="], parse_page).tails(&["<|call|>", "<|end|>"]);

const MESSAGE: &str = "<|message|>";
const FORMATS: &[&str] = &["json", "code", "xml", "text", "python"];
const REASONING_ENDS: &[&str] = &["<|end|>", "<|return|>", "<|call|>", "<|eom|>", "<|start|>"];
const CALL_ENDS: &[&str] = &["<|call|>", "<|end|>"];

fn parse_page(page: &Page<'_>) -> Reading {
    // A header without its first tokens, which stood in the prompt.
    if page.text.starts_with("to=") && page.before != Before::Nothing {
        return Reading::No;
    }
    let bare = page.text.starts_with("to=");
    let most = if bare { 128 } else { 256 };
    let Some(end) = page.text[..page.text.floor_char_boundary(most)].find(MESSAGE) else {
        if page.text.len() >= most || !is_header(page.text) {
            return Reading::No;
        }
        let over = if bare { Reading::No } else { Reading::Drop { len: page.text.len() } };
        return page.open_or(over);
    };
    let header = &page.text[..end];
    if !is_header(header) {
        return Reading::No;
    }
    let at = end + MESSAGE.len();
    match recipient(header) {
        Some("self") => Reading::Think { len: at, ends: REASONING_ENDS },
        Some(to) if !matches!(to, "user" | "all" | "atem:function_calls") => to_tool(page, at, undecorated(to)),
        _ if header.contains("analysis") => Reading::Think { len: at, ends: REASONING_ENDS },
        _ => Reading::Drop { len: at },
    }
}

/// Is it a header so far? After each token a word, then perhaps a recipient and a format; a sentence about tokens is not.
fn is_header(text: &str) -> bool {
    let mut parts = text.split("<|").enumerate();
    parts.all(|(at, part)| {
        let Some((_, after)) = (if at == 0 { Some(("", part)) } else { part.split_once("|>") }) else {
            return !part.contains(char::is_whitespace);
        };
        if part.len() > after.len() && part[..part.len() - after.len()].contains(char::is_whitespace) {
            return false;
        }
        let first = after.starts_with(|c: char| c.is_alphabetic());
        let mut words = after.trim_end_matches('<').split_whitespace().skip(usize::from(first));
        words.all(|word| {
            word.starts_with("to=") || "to=".starts_with(word) || FORMATS.iter().any(|f| f.starts_with(word))
        })
    })
}

fn recipient(header: &str) -> Option<&str> {
    let (_, after) = header.split_once("to=")?;
    let to = after.split(|c: char| c.is_whitespace() || c == '<').next()?;
    (!to.is_empty()).then_some(to)
}

fn to_tool(page: &Page<'_>, at: usize, name: &str) -> Reading {
    if let Some(reading) = object(page, at, name, CALL_ENDS) {
        return reading;
    }
    let rest = &page.text[at + blank(&page.text[at..])..];
    let start = page.text.len() - rest.len();
    match ahead(rest, &["<rfl:parameter ", "<atem:"]) {
        Ahead::Maybe if !page.over => return Reading::Open,
        Ahead::Yes(_) if rest.starts_with("<atem:") => return Reading::Drop { len: start },
        Ahead::Yes(_) => return beam(page, start, name),
        Ahead::Maybe | Ahead::No => {}
    }
    match closer(rest, CALL_ENDS) {
        Some((0, len)) => Reading::without_arguments(name, start + len),
        Some((end, len)) => Reading::Broken { name: Some(name.to_owned()), len: start + end + len },
        None => Reading::Open,
    }
}

/// Beam writes its arguments as elements; the last may end with the message, and one may end where the next begins.
fn beam(page: &Page<'_>, at: usize, name: &str) -> Reading {
    let text = &page.text[at..];
    let (end, len) = match closer(text, CALL_ENDS) {
        Some(end) => end,
        None if page.over => (text.len(), 0),
        None => return Reading::Open,
    };
    let (mut arguments, mut repairs) = (serde_json::Map::new(), Vec::new());
    for part in text[..end].split("<rfl:parameter ").skip(1) {
        let Some((tag, value)) = part.split_once('>') else { return Reading::Open };
        let Some(key) = attribute(tag, "name") else { return Reading::No };
        let value = value.trim_end().strip_suffix("</rfl:parameter>").unwrap_or(value);
        let own = without_own(value, &["</rfl:parameter>"]);
        if own.len() < value.len() {
            note(&mut repairs, Repair::ExtraEnd);
        }
        let value = trim(own, Trim::BothBreaks);
        arguments.insert(key.to_owned(), typed(value, page.tools.schema(name, key)));
    }
    // A server may have taken the mark of the end away.
    let whole = text[..end].trim_end().ends_with("</rfl:parameter>")
        && page.tools.required(name).all(|key| arguments.contains_key(key));
    if len == 0 && !whole {
        return Reading::Open;
    }
    Reading::Calls { calls: vec![Call { repairs, ..Call::new(name, arguments) }], len: at + end + len }
}
