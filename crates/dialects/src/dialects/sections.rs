//! Marks around calls and answers that mean nothing to a person.

use crate::page::{Page, Reading};
use crate::table::Dialect;

pub(super) static CALLS: Dialect = Dialect::marked("section mark", BEFORE_CALLS, before_calls);
pub(super) static DIALECT: Dialect = Dialect::marked("section mark", OTHERS, parse_page).tails(TAILS);

const OTHERS: &[&str] = &[
    "<|START_RESPONSE|>",
    "<|END_RESPONSE|>",
    "<|START_TEXT|>",
    "<|END_TEXT|>",
    "[BEGIN FINAL RESPONSE]",
    "[END FINAL RESPONSE]",
    "<|message_model|>",
    "<|content_text|>",
    "<|plamo:end_think:plamo|>",
    "<|plamo:end_tool_requests:plamo|>",
    "<|open|>tools<|sep|>",
    "<|close|>tools<|sep|>",
    "<|open|>response<|sep|>",
    "<|close|>response<|sep|>",
    "<|open|>message<|sep|>",
    "<|close|>message<|sep|>",
    "<|start_header_id|>assistant<|end_header_id|>",
    "<|im_start|>assistant",
];

const TAILS: &[&str] = &[
    "<｜tool▁calls▁end｜>",
    "<|tool▁calls▁end|>",
    "<|tool_calls_end|>",
    "<｜tool_calls_end｜>",
    "<|tool_calls_section_end|>",
    "<|tool_call_section_end|>",
    "</ifm|tool_calls>",
    "<|plamo:end_tool_requests:plamo|>",
    "<|close|>tools<|sep|>",
    "<|close|>message<|sep|>",
    "</answer>",
];

/// Marks before calls: where none follows, they are talk about the mark.
const BEFORE_CALLS: &[&str] = &[
    "<｜tool▁calls▁begin｜>",
    "<|tool▁calls▁begin|>",
    "<|tool_calls_begin|>",
    "<｜tool_calls_begin｜>",
    "<|tool_calls_section_begin|>",
    "<|tool_call_section_begin|>",
    "<ifm|tool_calls>",
    "<|plamo:begin_tool_requests:plamo|>",
];

fn before_calls(page: &Page<'_>) -> Reading {
    match page.body().trim_start().chars().next() {
        // `function` is what stands before DeepSeek's separator where its other marks are missing.
        Some(next) if !matches!(next, '<' | '{' | '[' | 'f') => Reading::No,
        Some(_) | None => parse_page(page),
    }
}

fn parse_page(page: &Page<'_>) -> Reading {
    let drop = Reading::Drop { len: page.opener };
    if page.body().trim().is_empty() { page.open_or(drop) } else { drop }
}
