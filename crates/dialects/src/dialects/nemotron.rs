//! Nemotron Nano v2, Deci: an array in `<TOOLCALL>`.

use crate::page::{Page, Reading};
use crate::table::{Dialect, Place, Proof};
use crate::tagged::{Ends, block};

pub(super) static DIALECT: Dialect = Dialect {
    name: "nemotron",
    openers: &["<TOOLCALL>"],
    tails: &["</TOOLCALL>"],
    place: Place::Anywhere,
    proof: Proof::Mark,
    read,
};

fn read(page: &Page<'_>) -> Reading {
    block(page, page.opener, Ends { closers: &["</TOOLCALL>"] })
}
