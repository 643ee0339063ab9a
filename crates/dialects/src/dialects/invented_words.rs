//! Results that the model made up, announced in plain words directly after its call.

use crate::page::{Before, Page, Reading};
use crate::table::{Dialect, Place, Proof};

pub(super) static DIALECT: Dialect = Dialect {
    name: "invented result",
    openers: &[
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
    ],
    tails: &[],
    place: Place::LineStart,
    proof: Proof::Mark,
    read,
};

fn read(page: &Page<'_>) -> Reading {
    match page.before {
        Before::Call => Reading::Invented,
        Before::Nothing | Before::Text | Before::CallAndText => Reading::No,
    }
}
