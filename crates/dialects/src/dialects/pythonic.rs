//! Llama 3.2 and 4, ToolACE: a list of calls written like code, `[f(k="v"), g()]`, and no mark.

use crate::page::{Page, Reading};
use crate::pycall::list;
use crate::shapes::Faith;
use crate::table::Dialect;

pub(super) static DIALECT: Dialect = Dialect::looking("pythonic", &["["], parse_page);

fn parse_page(page: &Page<'_>) -> Reading {
    match list(page, 0, Faith::Bare) {
        Reading::Open => page.open_or(Reading::No),
        reading => reading,
    }
}
