//! Reasoning written into the answer: `<think>…</think>` and the marks of other families.

use crate::page::{Before, Page, Reading};
use crate::table::{Dialect, Place, Proof};

pub(super) static DIALECT: Dialect =
    Dialect { name: "reasoning", openers: OPENERS, tails: &[], place: Place::Anywhere, proof: Proof::Mark, read };

/// What reasoning begins with, and what ends it.
const MARKS: &[(&str, &[&str])] = &[
    ("<think>", &["</think>"]),
    ("<thinking>", &["</thinking>", "</think>"]),
    ("[THINK]", &["[/THINK]"]),
    ("<seed:think>", &["</seed:think>"]),
    ("<mm:think>", &["</mm:think>"]),
    ("<longcat_think>", &["</longcat_think>"]),
    ("<|START_THINKING|>", &["<|END_THINKING|>"]),
    ("<|channel>thought", &["<channel|>"]),
    ("<|inner_prefix|>", &["<|inner_suffix|>"]),
    ("<|open|>think<|sep|>", &["<|close|>think<|sep|>"]),
    ("<|plamo:begin_think:plamo|>", &["<|plamo:end_think:plamo|>"]),
    ("<|content_thinking|>", &["<|end_message|>"]),
    ("<ifm|think>", &["</ifm|think>"]),
    ("<ifm|think_fast>", &["</ifm|think_fast>"]),
];

const OPENERS: &[&str] = &[
    "<think>",
    "<thinking>",
    "[THINK]",
    "<seed:think>",
    "<mm:think>",
    "<longcat_think>",
    "<|START_THINKING|>",
    "<|channel>thought",
    "<|inner_prefix|>",
    "<|open|>think<|sep|>",
    "<|plamo:begin_think:plamo|>",
    "<|content_thinking|>",
    "<ifm|think>",
    "<ifm|think_fast>",
];

fn read(page: &Page<'_>) -> Reading {
    let opener = &page.text[..page.opener];
    let Some((_, ends)) = MARKS.iter().find(|(mark, _)| *mark == opener) else { return Reading::No };
    // A plain tag in the middle of an answer is talk about the tag; the others are tokens that mean nothing else.
    let plain = opener.starts_with("<think");
    if plain && matches!(page.before, Before::Text | Before::CallAndText) {
        return Reading::No;
    }
    Reading::Think { len: page.opener, ends }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mark_is_an_opener() {
        assert!(MARKS.iter().map(|(mark, _)| *mark).eq(OPENERS.iter().copied()));
    }
}
