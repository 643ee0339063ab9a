//! Apertus: an array of `{"name": {arguments}}` between `<|tools_prefix|>` and `<|tools_suffix|>`.

use crate::page::{Page, Reading};
use crate::table::{Dialect, Place, Proof};
use crate::tagged::{Ends, block};

pub(super) static DIALECT: Dialect = Dialect {
    name: "apertus",
    openers: &["<|tools_prefix|>"],
    tails: &["<|tools_suffix|>"],
    place: Place::Anywhere,
    proof: Proof::Mark,
    read,
};

fn read(page: &Page<'_>) -> Reading {
    block(page, page.opener, Ends { closers: &["<|tools_suffix|>"] })
}
