//! Llama 3.1: `<|python_tag|>` before JSON or before `f.call(k="v")`.

use crate::page::{Page, Reading, blank};
use crate::pycall::lines;
use crate::shapes::Faith;
use crate::table::{Dialect, Place, Proof};
use crate::tagged::{Ends, block};

pub(super) static DIALECT: Dialect = Dialect {
    name: "python-tag",
    openers: &["<|python_tag|>"],
    tails: &["<|eom_id|>"],
    place: Place::Anywhere,
    proof: Proof::Mark,
    read,
};

fn read(page: &Page<'_>) -> Reading {
    let at = page.opener + blank(page.body());
    match page.text[at..].chars().next() {
        None => page.open_or(Reading::No),
        Some('{' | '[') => block(page, at, Ends { closers: &["<|eom_id|>"] }),
        Some(_) => lines(page, at, Faith::Marked, &["<|eom_id|>"]),
    }
}
