//! Inkling: an object after `<|content_invoke_tool_json|>`.

use crate::page::{Page, Reading};
use crate::table::{Dialect, Place, Proof};
use crate::tagged::{Ends, block};

pub(super) static DIALECT: Dialect = Dialect {
    name: "inkling",
    openers: &["<|content_invoke_tool_json|>"],
    tails: &[],
    place: Place::Anywhere,
    proof: Proof::Mark,
    read,
};

fn read(page: &Page<'_>) -> Reading {
    block(page, page.opener, Ends { closers: &["<|end_message|>", "<|content_model_end_sampling|>"] })
}
