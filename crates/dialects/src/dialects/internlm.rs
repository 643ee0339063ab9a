//! InternLM 2, Intern-S1: an object after `<|action_start|><|plugin|>`.

use crate::page::{Ahead, Page, Reading, ahead, blank};
use crate::table::{Dialect, Place, Proof};
use crate::tagged::{Ends, block};

pub(super) static DIALECT: Dialect = Dialect {
    name: "internlm",
    openers: &["<|action_start|>"],
    tails: &["<|action_end|>"],
    place: Place::Anywhere,
    proof: Proof::Mark,
    read,
};

fn read(page: &Page<'_>) -> Reading {
    let mut at = page.opener + blank(page.body());
    match ahead(&page.text[at..], &["<|plugin|>", "<|interpreter|>"]) {
        Ahead::Yes(len) => at += len,
        Ahead::Maybe => return page.open_or(Reading::No),
        Ahead::No => {}
    }
    block(page, at, Ends { closers: &["<|action_end|>"] })
}
