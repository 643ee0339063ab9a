//! dots: JSON or `invoke` elements in `<dots_function_call>`.

use crate::markup::wrapper;
use crate::page::{Page, Reading};
use crate::table::Dialect;
use crate::tagged::block;

pub(super) static DIALECT: Dialect =
    Dialect::marked("dots", &["<dots_function_call>"], parse_page).tails(&["</dots_function_call>"]);

fn parse_page(page: &Page<'_>) -> Reading {
    match block(page, page.opener, &["</dots_function_call>"]) {
        Reading::No => wrapper(page, &["<invoke "]),
        reading => reading,
    }
}
