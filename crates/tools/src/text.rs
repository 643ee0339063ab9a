//! Bytes as text: what can be read, and what can be written back faithfully.

use crate::words;
use agent_protocol::{Failure, FailureKind};
use encoding_rs::{Encoding, UTF_16BE, UTF_16LE, WINDOWS_1252};
use std::borrow::Cow;

/// One line as text: UTF-8, else Windows-1252, in which every byte is some character.
pub(crate) fn line(bytes: &[u8]) -> (Cow<'_, str>, Certainty) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (Cow::Borrowed(text), Certainty::Exact),
        Err(_) => (WINDOWS_1252.decode_without_bom_handling(bytes).0, Certainty::Guessed),
    }
}

/// How sure the reading is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Certainty {
    Exact,
    Guessed,
}

/// The encoding that the first bytes of a file announce, other than UTF-8.
pub(crate) fn announced(start: &[u8]) -> Option<&'static Encoding> {
    Encoding::for_bom(start).map(|(encoding, _)| encoding).filter(|it| *it == UTF_16LE || *it == UTF_16BE)
}

/// A whole file as text that can be written back byte for byte, byte order mark included.
pub(crate) fn exact(bytes: Vec<u8>, shown: &str) -> Result<String, Failure> {
    if let Some(encoding) = announced(&bytes) {
        return Err(not_text(format!(
            "{shown} is {}; only UTF-8 can be edited, convert it first (for example with iconv)",
            encoding.name()
        )));
    }
    if bytes.contains(&0) {
        return Err(not_text(format!("{shown} is a binary file and cannot be changed as text")));
    }
    String::from_utf8(bytes).map_err(|error| {
        let line = error.as_bytes()[..error.utf8_error().valid_up_to()].iter().filter(|byte| **byte == b'\n').count();
        not_text(format!(
            "{shown} is not UTF-8 (first in line {}); only UTF-8 can be edited, convert it first (for example with iconv)",
            line + 1
        ))
    })
}

/// The file is no text at all.
pub(crate) fn binary(shown: &str, size: u64) -> Failure {
    not_text(format!(
        "{shown} is a binary file of {}; look at it with run_command, for example `file` or `xxd | head`",
        words::size(size)
    ))
}

fn not_text(message: String) -> Failure {
    Failure::new(FailureKind::NotText, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_in_utf_8_or_guessed() {
        assert_eq!(line("é→".as_bytes()), ("é→".into(), Certainty::Exact));
        assert_eq!(line(b"caf\xe9"), ("café".into(), Certainty::Guessed));
    }

    #[test]
    fn only_what_can_be_written_back_counts_as_exact() {
        let kind = |bytes: &[u8]| exact(bytes.to_vec(), "a").map_err(|failure| failure.kind);
        assert_eq!(kind("\u{feff}é\r\n".as_bytes()), Ok("\u{feff}é\r\n".into()));
        for bytes in [&b"caf\xe9"[..], b"\xff\xfea\0", b"a\0b"] {
            assert_eq!(kind(bytes), Err(FailureKind::NotText), "{bytes:?}");
        }
    }
}
