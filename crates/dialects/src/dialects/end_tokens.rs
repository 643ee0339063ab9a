//! Tokens that end a message. A server removes most of them; those that come through mean nothing to a person.

use crate::page::{Before, Page, Reading, blank};
use crate::table::Dialect;

pub(super) static DIALECT: Dialect = Dialect::marked("end token", TOKENS, parse_page).tails(TOKENS);

const TOKENS: &[&str] = &[
    "<|im_end|>",
    "<|eot_id|>",
    "<|eot|>",
    "<|eom_id|>",
    "<|eom|>",
    "<|end_of_text|>",
    "<|endoftext|>",
    "<|end_of_msg|>",
    "<|end_message|>",
    "<|content_model_end_sampling|>",
    "<｜end▁of▁sentence｜>",
    "<|end▁of▁sentence|>",
    "<|end_of_sentence|>",
    "<|return|>",
    "<|call|>",
    "<|end|>",
    "<|END_OF_TURN_TOKEN|>",
    "<|role_end|>",
    "<|plamo:eos:plamo|>",
    "<end▁of▁sentence>",
    "<end_of_turn>",
    "<turn|>",
    "</s>",
];

fn parse_page(page: &Page<'_>) -> Reading {
    // Between bars it can be nothing else; a plain tag may be HTML, and counts only as the last thing of all.
    let token = page.text.starts_with("<|") || page.text.starts_with("<｜");
    let rest = &page.body()[blank(page.body())..];
    if page.before == Before::Text && token {
        return in_text(page);
    }
    match (token, rest.is_empty(), page.over) {
        (true, _, _) | (false, true, true) => Reading::Drop { len: page.opener },
        (false, true, false) => Reading::Open,
        (false, false, _) => Reading::No,
    }
}

/// After text it ends a message, unless the sentence goes on: then it is talk about the token.
fn in_text(page: &Page<'_>) -> Reading {
    let mut next = page.body().chars();
    match (next.next(), next.next()) {
        (None, _) | (Some(' '), None) => page.open_or(Reading::Drop { len: page.opener }),
        (Some(' '), Some(c)) if c.is_alphanumeric() => Reading::No,
        (Some(_), _) => Reading::Drop { len: page.opener },
    }
}
