//! What a server says its answer is, and whether that is text.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

/// What is done with a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextForm {
    Html,
    /// It stays as it is.
    Plain,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ContentKind {
    /// `text/html`; empty: the server does not say.
    pub(crate) name: String,
    /// How its letters are written, where the server says so.
    charset: Option<&'static Encoding>,
}

/// Text, though its name does not say so.
const TEXTS: [&str; 12] = [
    "application/json",
    "application/xml",
    "application/xhtml+xml",
    "application/javascript",
    "application/x-javascript",
    "application/ecmascript",
    "application/x-ndjson",
    "application/yaml",
    "application/x-yaml",
    "application/toml",
    "application/x-sh",
    "application/sql",
];

/// Bytes in which a page says how its letters are written.
const HEAD: usize = 1_024;

impl ContentKind {
    /// Reads a `content-type`.
    pub(crate) fn read(header: &str) -> Self {
        let mut parts = header.split(';');
        let name = parts.next().unwrap_or_default().trim().to_ascii_lowercase();
        let charset = parts.find_map(|part| {
            let (key, value) = part.split_once('=')?;
            let label = value.trim().trim_matches(['"', '\'']);
            key.trim().eq_ignore_ascii_case("charset").then(|| Encoding::for_label(label.as_bytes()))?
        });
        ContentKind { name, charset }
    }

    /// Could it be text? Where the server says nothing, the bytes tell.
    pub(crate) fn is_text(&self) -> bool {
        self.name.is_empty()
            || self.name.starts_with("text/")
            || TEXTS.contains(&self.name.as_str())
            || self.name.starts_with("application/") && (self.name.ends_with("+json") || self.name.ends_with("+xml"))
    }

    /// For the user: `html`, `json`, `plain`.
    pub(crate) fn short(&self, form: TextForm) -> String {
        let last = self.name.rsplit(['/', '+']).next().unwrap_or_default();
        match form {
            TextForm::Html => "html".into(),
            TextForm::Plain if last.is_empty() => "plain".into(),
            TextForm::Plain => last.into(),
        }
    }

    /// What becomes of `text`.
    pub(crate) fn form(&self, text: &str) -> TextForm {
        let beginning = || text.trim_start().get(..14).unwrap_or(text.trim_start()).to_ascii_lowercase();
        let html = match self.name.as_str() {
            "text/html" | "application/xhtml+xml" => true,
            "" => beginning().starts_with("<!doctype html") || beginning().starts_with("<html"),
            _ => false,
        };
        if html { TextForm::Html } else { TextForm::Plain }
    }

    /// The text in `bytes`; `None`: it is none.
    pub(crate) fn text(&self, bytes: &[u8]) -> Option<String> {
        let said = self.charset.or_else(|| Encoding::for_bom(bytes).map(|(encoding, _)| encoding));
        let encoding = said.or_else(|| in_head(bytes)).unwrap_or_else(|| usual(bytes));
        let (text, _, _) = encoding.decode(bytes);
        (!text.contains('\0')).then(|| text.into_owned())
    }
}

/// What stands after `charset=` at the beginning of a page.
fn in_head(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(HEAD)]).to_ascii_lowercase();
    let (_, after) = head.split_once("charset=")?;
    let label: String = after.trim_start_matches(['"', '\'', ' ']).chars().take_while(|c| is_of_label(*c)).collect();
    // Whoever can write this word in ASCII does not write the page in UTF-16.
    Encoding::for_label(label.as_bytes()).map(|encoding| if encoding.is_ascii_compatible() { encoding } else { UTF_8 })
}

fn is_of_label(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "-_:.".contains(letter)
}

/// UTF-8 where it can be; a letter that was cut in two at the end is no reason against it where others are whole.
fn usual(bytes: &[u8]) -> &'static Encoding {
    match std::str::from_utf8(bytes) {
        Ok(_) => UTF_8,
        Err(error) if error.error_len().is_none() && !bytes[..error.valid_up_to()].is_ascii() => UTF_8,
        Err(_) => WINDOWS_1252,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_read_as_the_server_the_page_or_the_bytes_say() {
        let latin = b"caf\xe9";
        assert_eq!(ContentKind::read("text/html; Charset=\"ISO-8859-1\"").text(latin).as_deref(), Some("café"));
        assert_eq!(ContentKind::read("text/html").text(latin).as_deref(), Some("café"));
        assert_eq!(ContentKind::read("text/plain; charset=klingon").text("café".as_bytes()).as_deref(), Some("café"));
        let page = b"<meta charset='windows-1251'>\xef\xf0";
        assert_eq!(ContentKind::read("text/html").text(page).as_deref(), Some("<meta charset='windows-1251'>пр"));
        let page = "<meta http-equiv=Content-Type content='text/html; charset=utf-16'>é".as_bytes();
        assert!(ContentKind::read("text/html").text(page).unwrap().ends_with('é'));
        assert_eq!(ContentKind::read("").text(b"\xff\xfea\0b\0").as_deref(), Some("ab"));
        assert_eq!(ContentKind::read("text/plain").text(b"\xef\xbb\xbfa").as_deref(), Some("a"));
        assert_eq!(ContentKind::read("text/plain").text(b"\xc3\xa9 caf\xc3").as_deref(), Some("é caf\u{fffd}"));
    }

    #[test]
    fn what_is_no_text_is_told_by_its_name_or_by_its_bytes() {
        for name in ["text/markdown", "application/ld+json", "application/atom+xml", "", "application/json; x=y"] {
            assert!(ContentKind::read(name).is_text(), "{name}");
        }
        for name in ["application/pdf", "image/svg+xml", "application/octet-stream", "video/mp4", "font/x"] {
            assert!(!ContentKind::read(name).is_text(), "{name}");
        }
        assert_eq!(ContentKind::read("text/plain").text(b"\x7fELF\0\0"), None);
    }

    #[test]
    fn a_page_is_html_by_its_name_or_by_how_it_begins() {
        assert_eq!(ContentKind::read("text/html").form("x"), TextForm::Html);
        assert_eq!(ContentKind::read("").form("\n<!DOCTYPE HTML><p>x"), TextForm::Html);
        assert_eq!(ContentKind::read("").form("é"), TextForm::Plain);
        assert_eq!(ContentKind::read("text/plain").form("<html>"), TextForm::Plain);
        assert_eq!(ContentKind::read("application/ld+json").short(TextForm::Plain), "json");
        assert_eq!(ContentKind::read("").short(TextForm::Plain), "plain");
    }
}
