//! Granite 20B: `<function_call>` before an object.

use crate::page::{Page, Reading};
use crate::table::{Dialect, Place, Proof};
use crate::tagged::{Ends, block};

pub(super) static DIALECT: Dialect = Dialect {
    name: "granite-20b",
    openers: &["<function_call>", "<functioncall>"],
    tails: &["</function_call>", "</functioncall>"],
    place: Place::Anywhere,
    proof: Proof::Mark,
    read,
};

fn read(page: &Page<'_>) -> Reading {
    block(page, page.opener, Ends { closers: &["</function_call>", "</functioncall>"] })
}
