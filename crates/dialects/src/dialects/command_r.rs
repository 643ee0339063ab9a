//! Cohere Command R7B and A: an array between `<|START_ACTION|>` and `<|END_ACTION|>`; Command R: a fence after `Action:`.

use crate::page::{Page, Reading};
use crate::table::{Dialect, Place, Proof};
use crate::tagged::{Ends, block};

pub(super) static DIALECT: Dialect = Dialect {
    name: "command-r",
    openers: &["<|START_ACTION|>", "Action: ```json", "Action:```json", "Action:\n```json"],
    tails: &["<|END_ACTION|>"],
    place: Place::Anywhere,
    proof: Proof::Mark,
    read,
};

fn read(page: &Page<'_>) -> Reading {
    if page.text.starts_with("Action") {
        return match block(page, page.opener, Ends { closers: &["```"] }) {
            Reading::Calls { calls, .. } if !calls.iter().all(|call| page.tools.knows(&call.name)) => Reading::No,
            reading => reading,
        };
    }
    block(page, page.opener, Ends { closers: &["<|END_ACTION|>"] })
}
