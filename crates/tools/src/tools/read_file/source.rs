//! What a file is, told by its first bytes: lines of text, a document of pages, or a picture.

use super::{Values, pdf, picture};
use crate::blocking::Stop;
use crate::open::read_all;
use crate::{text, words};
use agent_protocol::{Failure, Outcome};
use pdf::Pages;
use std::io::{BufRead, BufReader, Cursor, Read};

/// Larger files in UTF-16 are not decoded, in bytes.
const DECODED: u64 = 16 * 1024 * 1024;

pub(super) enum Source<'a> {
    /// At the first character, in UTF-8 or in something that no mark tells.
    Lines(Box<dyn BufRead + 'a>),
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
    if let Some(encoding) = text::announced(start) {
        let bytes = read_all(&mut reader, shown, DECODED)?;
        return Ok(Source::Lines(Box::new(Cursor::new(encoding.decode(&bytes).0.into_owned()))));
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
    if start.starts_with("\u{feff}".as_bytes()) {
        reader.consume(3);
    }
    Ok(Source::Lines(Box::new(reader)))
}
