//! Gemma's calls without their tokens, which a server may have removed: `call:f{k:v}`.

use crate::gemma::call;
use crate::page::{Page, Reading};
use crate::table::{Dialect, Place, Proof};

pub(super) static DIALECT: Dialect =
    Dialect { name: "gemma", openers: &["call:"], tails: &[], place: Place::LineStart, proof: Proof::Looks, read };

fn read(page: &Page<'_>) -> Reading {
    match call(page, 0, "<escape>", &[]) {
        Reading::Open => page.open_or(Reading::No),
        Reading::Calls { calls, .. } if !calls.iter().all(|call| page.tools.knows(&call.name)) => Reading::No,
        Reading::Broken { .. } => Reading::No,
        reading => reading,
    }
}
