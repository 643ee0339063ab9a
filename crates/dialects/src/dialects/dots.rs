//! dots: JSON or `invoke` elements in `<dots_function_call>`.

use crate::markup::wrapper;
use crate::page::{Page, Reading};
use crate::table::{Dialect, Place, Proof};
use crate::tagged::{Ends, block};

pub(super) static DIALECT: Dialect = Dialect {
    name: "dots",
    openers: &["<dots_function_call>"],
    tails: &["</dots_function_call>"],
    place: Place::Anywhere,
    proof: Proof::Mark,
    read,
};

fn read(page: &Page<'_>) -> Reading {
    match block(page, page.opener, Ends { closers: &["</dots_function_call>"] }) {
        Reading::No => wrapper(page, &["<invoke "]),
        reading => reading,
    }
}
