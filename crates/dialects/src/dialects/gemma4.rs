//! Gemma 4: `<|tool_call>call:f{k:<|"|>v<|"|>}<tool_call|>`.

use crate::gemma::call;
use crate::page::{Page, Reading};
use crate::table::{Dialect, Place, Proof};

pub(super) static DIALECT: Dialect = Dialect {
    name: "gemma4",
    openers: &["<|tool_call>"],
    tails: &["<tool_call|>"],
    place: Place::Anywhere,
    proof: Proof::Mark,
    read,
};

fn read(page: &Page<'_>) -> Reading {
    call(page, page.opener, "<|\"|>", &["<tool_call|>"])
}
