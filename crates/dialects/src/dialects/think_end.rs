//! The end of reasoning as the first thing of an answer: its beginning stood in the prompt, and it was empty.

use crate::page::{Before, Page, Reading};
use crate::table::Dialect;

pub(super) static DIALECT: Dialect = Dialect::marked("end of reasoning", ENDS, read);

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
];

fn read(page: &Page<'_>) -> Reading {
    match page.before {
        Before::Nothing => Reading::Drop { len: page.opener },
        Before::Text | Before::Call | Before::CallAndText => Reading::No,
    }
}
