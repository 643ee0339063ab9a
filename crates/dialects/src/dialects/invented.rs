//! Results that the model made up after its own call.

use crate::page::{Before, Page, Reading};
use crate::table::Dialect;

/// In the marks that results come in.
pub(super) static MARKED: Dialect = Dialect::marked("invented result", MARKS, marked);

/// Announced in plain words directly after the call.
pub(super) static ANNOUNCED: Dialect = Dialect::marked("invented result", WORDS, announced).at_line_start();

const MARKS: &[&str] = &[
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
];

const WORDS: &[&str] = &[
    "```tool_output",
    "```output",
    "Observation:",
    "Observation\n",
    "Output:",
    "Result:",
    "Results:",
    "Response:",
    "Tool output:",
    "Tool Output:",
    "Tool result:",
    "Tool Result:",
    "Tool response:",
    "Tool Response:",
    "Function output:",
    "Function result:",
    "Function Output:",
    "Function Result:",
    "**Observation:**",
    "**Output:**",
    "**Output**:",
    "**Result:**",
    "**Result**:",
    "## Output",
    "## Result",
    "## Tool Output",
    "## Tool Result",
    "## Function Output",
    "## Function Result",
];

fn marked(page: &Page<'_>) -> Reading {
    match page.before {
        Before::Call | Before::CallAndText => Reading::Invented,
        // Without a call there is nothing that a result could answer. Marks that no keyboard has are no talk about marks.
        Before::Nothing | Before::Text if page.text[..page.opener].contains('▁') => Reading::Invented,
        Before::Nothing | Before::Text => Reading::No,
    }
}

fn announced(page: &Page<'_>) -> Reading {
    match page.before {
        Before::Call => Reading::Invented,
        Before::Nothing | Before::Text | Before::CallAndText => Reading::No,
    }
}
