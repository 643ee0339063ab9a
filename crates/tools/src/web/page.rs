//! A page as the model reads it: text as it is, HTML as Markdown.

mod convert;
mod elements;
mod markdown;
mod parse;
mod sink;
mod table;
mod tags;
mod text;
mod tree;
mod twins;

use crate::web::address::Address;
use crate::web::body::Body;
use crate::web::kind::{ContentKind, TextForm};
use crate::web::size;
use agent_protocol::{Failure, FailureKind};

/// A page that was fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Where it is, after redirects.
    pub url: String,
    /// `html`, `json`, `plain` …
    pub kind: String,
    /// Bytes that were read of it.
    pub bytes: u64,
    /// It is longer than what was read.
    pub cut: bool,
    /// Its text; of HTML as Markdown, with the title on top.
    pub text: String,
}

/// What came over the wire.
pub(crate) struct RawPage {
    pub(crate) address: Address,
    pub(crate) kind: ContentKind,
    pub(crate) body: Body,
}

/// Reads it. Blocking.
pub(crate) fn read(source: RawPage) -> Result<Page, Failure> {
    let RawPage { address, kind, body } = source;
    let bytes = body.bytes.len() as u64;
    let Some(text) = kind.text(&body.bytes) else { return Err(no_text(&address, "", Some(bytes))) };
    drop(body.bytes);
    let form = kind.form(&text);
    let text = match form {
        TextForm::Html => convert::markdown(&text, address.url())?,
        TextForm::Plain => text,
    };
    Ok(Page { url: address.text().to_owned(), kind: kind.short(form), bytes, cut: body.cut, text })
}

/// The failure about something that is not to be read.
pub(crate) fn no_text(address: &Address, kind: &str, bytes: Option<u64>) -> Failure {
    let kind = if kind.is_empty() { "no text" } else { kind };
    let kind: String = kind.chars().take(80).collect();
    let size = bytes.map(|bytes| format!(", {}", size::words(bytes))).unwrap_or_default();
    let message = format!("{} is {kind}{size}; only text is fetched", address.text());
    Failure::new(FailureKind::NotText, message)
}
