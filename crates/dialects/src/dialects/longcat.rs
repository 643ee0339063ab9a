//! LongCat: JSON or pairs of elements in `<longcat_tool_call>`.

use crate::page::{Page, Reading};
use crate::pairs::{Pairs, call};
use crate::table::{Dialect, Place, Proof};
use crate::tagged::{Ends, block};

pub(super) static DIALECT: Dialect = Dialect {
    name: "longcat",
    openers: &["<longcat_tool_call>"],
    tails: &["</longcat_tool_call>"],
    place: Place::Anywhere,
    proof: Proof::Mark,
    read,
};

const PAIRS: Pairs = Pairs {
    key: ("<longcat_arg_key>", "</longcat_arg_key>"),
    value: ("<longcat_arg_value>", "</longcat_arg_value>"),
    close: "</longcat_tool_call>",
    after_name: "",
};

fn read(page: &Page<'_>) -> Reading {
    match block(page, page.opener, Ends { closers: &["</longcat_tool_call>"] }) {
        Reading::No => call(page, page.opener, &PAIRS),
        reading => reading,
    }
}
