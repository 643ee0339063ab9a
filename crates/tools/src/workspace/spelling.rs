//! Names on one line, whatever bytes they are made of, and the way back from what was shown to the name.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// Names may hold line ends, other control characters and bytes that are no text; a result has one line for each.
pub(crate) fn one_line(path: &Path) -> String {
    if let Some(name) = path.to_str().filter(|name| !name.chars().any(is_odd)) {
        return name.into();
    }
    let mut shown = String::new();
    for chunk in path.as_os_str().as_bytes().utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\\' => shown.push_str("\\\\"),
                c if is_odd(c) => shown.extend(c.escape_default()),
                c => shown.push(c),
            }
        }
        chunk.invalid().iter().for_each(|byte| shown.push_str(&format!("\\x{byte:02x}")));
    }
    shown
}

/// The name that [`one_line`] would show as `shown`; `None` where it shows none so.
pub(crate) fn spelled_out(shown: &str) -> Option<PathBuf> {
    let mut bytes = Vec::new();
    let mut rest = shown;
    while let Some(at) = rest.find('\\') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        let (meant, after) = escape(&rest[at + 1..])?;
        bytes.extend(meant);
        rest = after;
    }
    bytes.extend_from_slice(rest.as_bytes());
    let path = PathBuf::from(OsString::from_vec(bytes));
    (one_line(&path) == shown).then_some(path)
}

/// What an escape stands for, and what comes after it. `text` begins behind its backslash.
fn escape(text: &str) -> Option<(Vec<u8>, &str)> {
    let letter = text.chars().next()?;
    let after = &text[letter.len_utf8()..];
    match letter {
        '\\' => Some((vec![b'\\'], after)),
        'n' => Some((vec![b'\n'], after)),
        'r' => Some((vec![b'\r'], after)),
        't' => Some((vec![b'\t'], after)),
        'x' => Some((vec![u8::from_str_radix(after.get(..2)?, 16).ok()?], &after[2..])),
        'u' => {
            let (digits, after) = after.strip_prefix('{')?.split_once('}')?;
            let c = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
            Some((c.to_string().into_bytes(), after))
        }
        _ => None,
    }
}

/// Would it break a line, or not be seen as what it is?
fn is_odd(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(bytes: &[u8]) -> PathBuf {
        PathBuf::from(OsString::from_vec(bytes.to_vec()))
    }

    #[test]
    fn odd_names_are_shown_on_one_line_and_lead_back() {
        for (bytes, shown) in [
            (&b"b\xff.txt"[..], "b\\xff.txt"),
            (b"a\nb", "a\\nb"),
            (b"a\\n\nb", "a\\\\n\\nb"),
            ("\u{1b}[31mé".as_bytes(), "\\u{1b}[31mé"),
            ("a\u{2028}b".as_bytes(), "a\\u{2028}b"),
            (b"\xc3", "\\xc3"),
        ] {
            assert_eq!(one_line(&path(bytes)), shown);
            assert_eq!(spelled_out(shown), Some(path(bytes)), "{shown}");
        }
    }

    #[test]
    fn ordinary_names_stay_as_they_are() {
        for name in ["src/main.rs", "a\\nb", "é 🦀", "C:\\new"] {
            assert_eq!(one_line(Path::new(name)), name);
        }
        // Only what is shown so stands for another name.
        for shown in ["a\\qb", "a\\x6fb", "a\\u{61}", "a\\", "a\\x", "a\\u{"] {
            assert_eq!(spelled_out(shown), None, "{shown}");
        }
    }
}
