//! What a file is, told by its first bytes: lines of text, a document of pages, or a picture.

use super::{READ, Values, pdf, picture};
use crate::blocking::Stop;
use crate::open::read_all;
use crate::text::Charset;
use crate::{text, words};
use agent_protocol::{Failure, Outcome};
use pdf::Pages;
use std::io::{BufRead, BufReader, Cursor, Read};

/// Larger files are not decoded, in bytes.
const DECODED: u64 = 16 * 1024 * 1024;

/// A byte order mark.
const MARK: &str = "\u{feff}";

pub(super) enum Source<'a> {
    /// At the first character, in UTF-8; of what encoding they are, where the file is not.
    Lines(Box<dyn BufRead + 'a>, Option<Charset>),
    Pages(Pages),
    Picture(Box<Outcome>),
}

/// What `file` holds, of `size` bytes.
pub(super) fn source<'a>(
    file: impl Read + 'a,
    shown: &str,
    size: u64,
    values: Values,
    stop: &Stop,
) -> Result<Source<'a>, Failure> {
    let mut reader = BufReader::new(file);
    let start = reader.fill_buf().map_err(|error| words::system(&error, shown))?;
    if text::is_utf_16(start) {
        let bytes = read_all(&mut reader, shown, DECODED)?;
        return Ok(decoded(bytes));
    }
    if pdf::begins(start) {
        let bytes = read_all(&mut reader, shown, pdf::LARGEST)?;
        return pdf::pages(bytes, shown, stop).map(Source::Pages);
    }
    if let Some(format) = picture::format(start) {
        // There are no names in a picture that could be shown alone.
        if values == Values::Hidden {
            return Err(picture::hidden(shown));
        }
        let bytes = read_all(&mut reader, shown, picture::LARGEST)?;
        return picture::seen(&bytes, format, shown).map(|outcome| Source::Picture(Box::new(outcome)));
    }
    if start.contains(&0) {
        return Err(text::binary(shown, size));
    }
    // What is longer is guessed line by line.
    if size <= DECODED {
        let mut bytes = Vec::new();
        reader.take(READ).read_to_end(&mut bytes).map_err(|error| words::system(&error, shown))?;
        return Ok(decoded(bytes));
    }
    if start.starts_with(MARK.as_bytes()) {
        reader.consume(MARK.len());
    }
    Ok(Source::Lines(Box::new(reader), None))
}

/// The lines of a whole file.
fn decoded(bytes: Vec<u8>) -> Source<'static> {
    let charset = Charset::of(&bytes);
    if charset.is_utf_8() {
        let mut lines = Cursor::new(bytes);
        if lines.get_ref().starts_with(MARK.as_bytes()) {
            lines.set_position(MARK.len() as u64);
        }
        return Source::Lines(Box::new(lines), None);
    }
    let text = charset.decode(&bytes);
    let text = text.strip_prefix(MARK).unwrap_or(&text).to_owned();
    Source::Lines(Box::new(Cursor::new(text)), Some(charset))
}
