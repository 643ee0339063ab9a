//! Jamba, Hunyuan A13B, Apriel: an array in `<tool_calls>`.

use crate::page::{Page, Reading};
use crate::table::{Dialect, Place, Proof};
use crate::tagged::{Ends, block};

pub(super) static DIALECT: Dialect = Dialect {
    name: "jamba",
    openers: &["<tool_calls>"],
    tails: &["</tool_calls>"],
    place: Place::Anywhere,
    proof: Proof::Mark,
    read,
};

fn read(page: &Page<'_>) -> Reading {
    block(page, page.opener, Ends { closers: &["</tool_calls>"] })
}
