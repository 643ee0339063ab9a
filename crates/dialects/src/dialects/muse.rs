//! Muse: `atem:invoke` elements behind a harmony-like header.

use crate::markup::{Key, Marks, Trim, invoke, wrapper};
use crate::page::{Page, Reading};
use crate::table::{Dialect, Place, Proof};

pub(super) static DIALECT: Dialect = Dialect {
    name: "muse",
    openers: &["<atem:invoke", "<atem:function_calls>", "<|message|>"],
    tails: &["</atem:function_calls>", "</atem:invoke>"],
    place: Place::Anywhere,
    proof: Proof::Mark,
    read,
};

const MARKS: Marks<'_> = Marks {
    open: &["<atem:parameter "],
    key: Key::Attribute,
    close: &["</atem:parameter>"],
    call: &["<atem:invoke "],
    end: &["</atem:invoke>"],
    beyond: &["</atem:function_calls>", "<atem:invoke"],
    trim: Trim::FirstBreak,
    tokens: false,
};

fn read(page: &Page<'_>) -> Reading {
    if page.text.starts_with("<atem:invoke") {
        return invoke(page, "<atem:invoke", &MARKS);
    }
    wrapper(page, &["<atem:invoke ", "<atem:function_calls>"])
}
