//! K2 Horizon: JSON or pairs of elements in `<ifm|tool_call>`.

use crate::page::{Page, Reading};
use crate::pairs::{Pairs, call};
use crate::table::{Dialect, Place, Proof};
use crate::tagged::{Ends, block};

pub(super) static DIALECT: Dialect = Dialect {
    name: "k2-horizon",
    openers: &["<ifm|tool_call>"],
    tails: &["</ifm|tool_call>"],
    place: Place::Anywhere,
    proof: Proof::Mark,
    read,
};

const PAIRS: Pairs = Pairs {
    key: ("<ifm|arg_key>", "</ifm|arg_key>"),
    value: ("<ifm|arg_value>", "</ifm|arg_value>"),
    close: "</ifm|tool_call>",
    after_name: "",
};

fn read(page: &Page<'_>) -> Reading {
    match block(page, page.opener, Ends { closers: &["</ifm|tool_call>"] }) {
        Reading::No => call(page, page.opener, &PAIRS),
        reading => reading,
    }
}
