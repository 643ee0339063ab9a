//! The end of reasoning whose beginning stood in the prompt.

use crate::page::{Ahead, Before, Page, Reading, ahead, blank};
use crate::table::Dialect;

pub(super) static DIALECT: Dialect = Dialect::marked("end of reasoning", ENDS, parse_page);

/// Ends of reasoning, whatever it began with.
pub(crate) const ENDS: &[&str] = &[
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
    "<|plamo:end_think:plamo|>",
    "<|end|>",
    "<|end_message|>",
];

/// Marks that end any message: one of reasoning where the header of the next follows.
const MESSAGES: [(&str, &str); 2] = [("<|end|>", "<|start|>assistant"), ("<|end_message|>", "<|message_model|>")];

/// How many bytes stand before a mark that ends reasoning and nothing else, and how long it is.
pub(crate) fn end_of_reasoning(text: &str) -> (usize, Ahead) {
    let mut places = text.match_indices(['<', '[']).map(|(at, _)| (at, mark_here(&text[at..])));
    places.find(|(_, end)| *end != Ahead::No).unwrap_or((text.len(), Ahead::No))
}

/// Does `text` begin with a mark that ends reasoning and nothing else?
pub(crate) fn mark_here(text: &str) -> Ahead {
    match ahead(text, ENDS) {
        Ahead::Yes(len) if MESSAGES.iter().any(|(mark, _)| *mark == &text[..len]) => Ahead::No,
        end => end,
    }
}

fn parse_page(page: &Page<'_>) -> Reading {
    if page.before == Before::Nothing {
        return Reading::Drop { len: page.opener };
    }
    let len = page.opener;
    let Some((_, header)) = MESSAGES.iter().find(|(mark, _)| *mark == &page.text[..len]) else {
        return Reading::ThinkEnd { len, of_any: false };
    };
    match ahead(&page.body()[blank(page.body())..], &[header]) {
        Ahead::Yes(_) => Reading::ThinkEnd { len, of_any: true },
        Ahead::Maybe => page.open_or(Reading::No),
        Ahead::No => Reading::No,
    }
}
