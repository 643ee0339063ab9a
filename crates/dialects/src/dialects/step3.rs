//! Step-3: `steptml:invoke` elements between DeepSeek-like tokens.

use crate::markup::{Key, Marks, Trim, invoke};
use crate::page::{Page, Reading};
use crate::table::{Dialect, Place, Proof};

pub(super) static DIALECT: Dialect = Dialect {
    name: "step3",
    openers: &["<steptml:invoke"],
    tails: &["</steptml:invoke>"],
    place: Place::Anywhere,
    proof: Proof::Mark,
    read,
};

const MARKS: Marks<'_> = Marks {
    open: &["<steptml:parameter "],
    key: Key::Attribute,
    close: &["</steptml:parameter>"],
    call: &["<steptml:invoke "],
    end: &["</steptml:invoke>"],
    beyond: &["<｜tool_call_end｜>", "<|tool_call_end|>", "<steptml:invoke"],
    trim: Trim::FirstBreak,
    tokens: false,
};

fn read(page: &Page<'_>) -> Reading {
    invoke(page, "<steptml:invoke", &MARKS)
}
