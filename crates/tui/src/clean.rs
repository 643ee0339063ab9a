//! The sanitiser: the only way from foreign text to a cell.

use std::borrow::Cow;

/// One line made safe to draw; line breaks become `␤`.
pub(crate) fn clean_line(text: &str) -> Cow<'_, str> {
    Cow::Owned(text.replace(|c: char| c.is_control(), "␤"))
}

/// Text made safe to draw; line breaks stay.
pub(crate) fn clean_text(text: &str) -> Cow<'_, str> {
    Cow::Owned(text.replace(|c: char| c.is_control() && c != '\n', "␛"))
}
