//! What a dialect is given to read, and what it may say to it.
//!
//! **Invariant.** A reading is *prefix-monotone*: what is said of a text is said of every longer text that begins with
//! it, except `Open`, which means that more has to be seen. That alone makes the reading independent of where the text
//! was cut.

use crate::{Repair, Tools};
use serde_json::{Map, Value};

/// Part of a reply, from an opener on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Page<'a> {
    /// The text, beginning with the opener.
    pub(crate) text: &'a str,
    /// Length of the opener in bytes.
    pub(crate) opener: usize,
    pub(crate) tools: &'a Tools,
    /// The tails of all dialects, longest first.
    pub(crate) tails: &'a [&'static str],
    /// No more text comes: what is still open now stays so.
    pub(crate) over: bool,
    /// What came before.
    pub(crate) before: Before,
}

/// What came before an opener in the same reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Before {
    /// Nothing but white space and reasoning.
    Nothing,
    /// Text, and no call yet.
    Text,
    /// A call, with nothing but white space and closing marks after it.
    Call,
    /// A call, and text after it.
    CallAndText,
}

impl<'a> Page<'a> {
    /// The text after the opener.
    pub(crate) fn body(&self) -> &'a str {
        &self.text[self.opener..]
    }

    /// `Open`, or what `over` says where nothing more comes.
    pub(crate) fn open_or(&self, over: Reading) -> Reading {
        if self.over { over } else { Reading::Open }
    }
}

/// What a dialect says to a page.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Reading {
    No,
    /// It may become a call; more has to be seen.
    Open,
    /// Complete calls, `len` bytes long with everything that belongs to them.
    Calls {
        calls: Vec<Call>,
        len: usize,
    },
    /// A call beyond doubt that ends after `len` bytes and makes no sense.
    Broken {
        name: Option<String>,
        len: usize,
    },
    /// Reasoning begins after `len` bytes and lasts to one of `ends`.
    Think {
        len: usize,
        ends: &'static [&'static str],
    },
    /// `len` bytes that end reasoning which nothing opened, unless they are talk about the mark. `of_any`: they end other
    /// messages, too.
    ThinkEnd {
        len: usize,
        of_any: bool,
    },
    /// `len` bytes of markup that mean nothing to a person.
    Drop {
        len: usize,
    },
    /// A made-up result begins here: nothing from here on counts.
    Invented,
}

impl Reading {
    /// A call of `len` bytes that has no arguments.
    pub(crate) fn without_arguments(name: &str, len: usize) -> Self {
        Reading::Calls { calls: vec![Call::new(name, Map::new())], len }
    }
}

/// A call as a dialect reads it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Call {
    pub(crate) name: String,
    pub(crate) arguments: Map<String, Value>,
    pub(crate) repairs: Vec<Repair>,
}

impl Call {
    pub(crate) fn new(name: impl Into<String>, arguments: Map<String, Value>) -> Self {
        Call { name: name.into(), arguments, repairs: Vec::new() }
    }
}

/// Notes a repair once.
pub(crate) fn note(repairs: &mut Vec<Repair>, repair: Repair) {
    if !repairs.contains(&repair) {
        repairs.push(repair);
    }
}

/// How a text goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ahead {
    /// With one of the options, so many bytes long.
    Yes(usize),
    /// It ends where one of them could still come.
    Maybe,
    /// With none of them.
    No,
}

/// Does `text` begin with one of `options`? The first that fits counts, so longer ones stand first.
pub(crate) fn ahead(text: &str, options: &[&str]) -> Ahead {
    let mut maybe = false;
    for option in options {
        if text.starts_with(option) {
            return Ahead::Yes(option.len());
        }
        maybe |= option.starts_with(text);
    }
    if maybe { Ahead::Maybe } else { Ahead::No }
}

/// Where the white space at the beginning of `text` ends.
pub(crate) fn blank(text: &str) -> usize {
    text.len() - text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').len()
}

/// Length of the tool name at the beginning of `text`: letters, digits, `_`, `-`, `.`; a colon or slash within.
pub(crate) fn name_len(text: &str) -> usize {
    let wide = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/');
    let end = text.find(|c: char| !wide(c)).unwrap_or(text.len());
    text[..end].trim_end_matches([':', '.', '/']).len()
}

/// Might a name at the beginning of `text` go on beyond its end?
pub(crate) fn is_unfinished(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/'))
}

/// A tool's name without the ornaments of some dialects: `functions.` before it, `:0` after it, blanks around it.
pub(crate) fn plain_name<'a>(name: &'a str, tools: &Tools) -> &'a str {
    let name = name.trim();
    if tools.offers(name) && !tools.is_any() {
        return name;
    }
    let bare = undecorated(name);
    if tools.is_any() || tools.knows(bare) { bare } else { name }
}

/// What some dialects put before a name.
const ORNAMENTS: [&str; 5] = ["functions.", "functions:", "function.", "tools.", "tool."];

/// Could a text that begins with `word` begin with the name of a tool, ornaments included?
pub(crate) fn may_name(word: &str, tools: &Tools) -> bool {
    let word = word.to_lowercase();
    let begins = |word: &str| {
        let goes_on = |name: &str| word.strip_prefix(name).is_some_and(|more| more.starts_with([':', '.', '/']));
        tools.names().any(|name| name.to_lowercase().starts_with(word) || goes_on(&name.to_lowercase()))
    };
    let ornament = |mark: &&str| mark.starts_with(&word) || word.strip_prefix(*mark).is_some_and(begins);
    tools.is_any() || begins(&word) || ORNAMENTS.iter().any(ornament)
}

/// The name without `functions.` and `:0`, whether it is offered or not.
pub(crate) fn undecorated(name: &str) -> &str {
    let name = name.trim();
    let name = ORNAMENTS.iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
    match name.rsplit_once(':') {
        Some((bare, index)) if !bare.is_empty() && !index.is_empty() && index.bytes().all(|b| b.is_ascii_digit()) => {
            bare
        }
        _ => name,
    }
}

/// Could this be the name of a tool?
pub(crate) fn is_name(name: &str) -> bool {
    !name.is_empty() && name.len() <= 128 && name_len(name) == name.len()
}
