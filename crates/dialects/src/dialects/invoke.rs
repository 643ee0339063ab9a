//! Elements named `invoke` with `parameter`s, in a wrapper or without: OpenAI-like XML, MiniMax M2, and many a model that saw them.

use crate::markup::{Key, Marks, Trim, invoke, wrapper};
use crate::page::{Page, Reading};
use crate::table::{Dialect, Place, Proof};

pub(super) static DIALECT: Dialect = Dialect {
    name: "xml-invoke",
    openers: &["<invoke", "<tool_calls>", "<function_calls>", "<minimax:tool_call>", "<tool_call>"],
    tails: &["</invoke>", "</tool_calls>", "</function_calls>", "</minimax:tool_call>"],
    place: Place::Anywhere,
    proof: Proof::Mark,
    read,
};

const INVOKE: &[&str] = &["<invoke "];

const MARKS: Marks<'_> = Marks {
    open: &["<parameter "],
    key: Key::Attribute,
    close: &["</parameter>"],
    call: INVOKE,
    end: &["</invoke>"],
    beyond: &["</tool_calls>", "</function_calls>", "</minimax:tool_call>", "</tool_call>", "<invoke "],
    trim: Trim::FirstBreak,
    tokens: false,
};

fn read(page: &Page<'_>) -> Reading {
    if page.text.starts_with("<invoke") {
        return invoke(page, "<invoke", &MARKS);
    }
    let inner: &[&str] = if page.text.starts_with("<tool_calls>") { &["<invoke ", "<tool_call>"] } else { INVOKE };
    wrapper(page, inner)
}
