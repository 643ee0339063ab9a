//! The end of reasoning as the first thing of an answer: its beginning stood in the prompt, and it was empty.

use crate::page::{Before, Page, Reading};
use crate::table::{Dialect, Place, Proof};

pub(super) static DIALECT: Dialect = Dialect {
    name: "end of reasoning",
    openers: &[
        "</think>",
        "</thinking>",
        "[/THINK]",
        "</seed:think>",
        "</mm:think>",
        "</longcat_think>",
        "<|END_THINKING|>",
        "<channel|>",
        "<|inner_suffix|>",
        "<|close|>think<|sep|>",
        "</ifm|think>",
        "</ifm|think_fast>",
    ],
    tails: &[],
    place: Place::Anywhere,
    proof: Proof::Mark,
    read,
};

fn read(page: &Page<'_>) -> Reading {
    match page.before {
        Before::Nothing => Reading::Drop { len: page.opener },
        Before::Text | Before::Call | Before::CallAndText => Reading::No,
    }
}
