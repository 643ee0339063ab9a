//! Cohere Command R7B and A: an array between `<|START_ACTION|>` and `<|END_ACTION|>`; Command R: a fence after `Action:`.

use crate::page::{Page, Reading};
use crate::table::Dialect;
use crate::tagged::block;

pub(super) static DIALECT: Dialect = Dialect::marked(
    "command-r",
    &["<|START_ACTION|>", "Action: ```json", "Action:```json", "Action:\n```json"],
    parse_page,
)
.tails(&["<|END_ACTION|>"]);

fn parse_page(page: &Page<'_>) -> Reading {
    if page.text.starts_with("Action") {
        return match block(page, page.opener, &["```"]) {
            Reading::Calls { calls, .. } if !calls.iter().all(|call| page.tools.knows(&call.name)) => Reading::No,
            reading => reading,
        };
    }
    block(page, page.opener, &["<|END_ACTION|>"])
}
