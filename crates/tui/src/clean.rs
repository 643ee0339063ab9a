//! The one door for foreign text: the sanitiser that both faces share, under the name this crate knows it by.

pub(crate) use agent_protocol::sanitize::{
    OutputCleaner, clean_copy, clean_line, clean_output, clean_text, marked, panic_words,
};
