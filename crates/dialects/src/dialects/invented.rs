//! Results that the model made up after its own call, in the marks that results come in.

use crate::page::{Before, Page, Reading};
use crate::table::{Dialect, Place, Proof};

pub(super) static DIALECT: Dialect = Dialect {
    name: "invented result",
    openers: &[
        "<tool_response>",
        "<tool_results>",
        "<tool_result>",
        "<tool_output>",
        "<tool_outputs>",
        "<function_results>",
        "<function_result>",
        "<function_response>",
        "<function_output>",
        "<|tool_response>",
        "<|tool_response|>",
        "<start_function_response>",
        "[TOOL_RESULTS]",
        "<|START_TOOL_RESULT|>",
        "<｜tool▁outputs▁begin｜>",
        "<|tool▁outputs▁begin|>",
        "<|tool_outputs_begin|>",
        "<｜tool▁output▁begin｜>",
        "<|tool▁output▁begin|>",
        "<|tool_output_begin|>",
        "<｜tool_outputs_begin｜>",
        "<｜DSML｜function_results>",
        "<minimax:tool_result>",
        "<seed:tool_response>",
        "<longcat_tool_response>",
        "<|observation|>",
        "<|ipython|>",
        "<|start_header_id|>ipython",
        "<|start_header_id|>tool",
        "<|im_start|>tool",
        "<|im_start|>user",
        "<|start|>functions.",
        "<observation>",
    ],
    tails: &[],
    place: Place::Anywhere,
    proof: Proof::Mark,
    read,
};

fn read(page: &Page<'_>) -> Reading {
    match page.before {
        Before::Call | Before::CallAndText => Reading::Invented,
        // Without a call there is nothing that a result could answer. Marks that no keyboard has are no talk about marks.
        Before::Nothing | Before::Text if page.text[..page.opener].contains('▁') => Reading::Invented,
        Before::Nothing | Before::Text => Reading::No,
    }
}
