//! Granite 3: `<|tool_call|>` before an array.

use crate::page::{Page, Reading};
use crate::table::{Dialect, Place, Proof};
use crate::tagged::{Ends, block};

pub(super) static DIALECT: Dialect = Dialect {
    name: "granite",
    openers: &["<|tool_call|>"],
    tails: &[],
    place: Place::Anywhere,
    proof: Proof::Mark,
    read,
};

fn read(page: &Page<'_>) -> Reading {
    block(page, page.opener, Ends { closers: &[] })
}
