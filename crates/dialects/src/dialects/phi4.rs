//! Phi-4-mini, Firefunction: `functools[…]`.

use crate::page::{Page, Reading};
use crate::table::{Dialect, Place, Proof};
use crate::tagged::{Ends, block};

pub(super) static DIALECT: Dialect =
    Dialect { name: "phi4", openers: &["functools["], tails: &[], place: Place::Anywhere, proof: Proof::Mark, read };

fn read(page: &Page<'_>) -> Reading {
    block(page, page.opener - 1, Ends { closers: &[] })
}
