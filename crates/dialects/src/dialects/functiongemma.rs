//! FunctionGemma: `<start_function_call>call:f{k:<escape>v<escape>}<end_function_call>`.

use crate::gemma::call;
use crate::page::{Page, Reading};
use crate::table::{Dialect, Place, Proof};

pub(super) static DIALECT: Dialect = Dialect {
    name: "functiongemma",
    openers: &["<start_function_call>"],
    tails: &["<end_function_call>"],
    place: Place::Anywhere,
    proof: Proof::Mark,
    read,
};

fn read(page: &Page<'_>) -> Reading {
    call(page, page.opener, "<escape>", &["<end_function_call>"])
}
