//! GLM 4.5 to 5, Spark, Ling, Poolside, Hunyuan v3: the name, then pairs of `arg_key` and `arg_value`.

use crate::page::{Page, Reading};
use crate::pairs::{Pairs, call};
use crate::table::{Dialect, Place, Proof};

pub(super) static DIALECT: Dialect = Dialect {
    name: "glm",
    openers: &["<tool_call>", "<user>"],
    tails: &["</tool_call>", "</tool_calls>"],
    place: Place::Anywhere,
    proof: Proof::Mark,
    read,
};

const PAIRS: Pairs = Pairs {
    key: ("<arg_key>", "</arg_key>"),
    value: ("<arg_value>", "</arg_value>"),
    close: "</tool_call>",
    after_name: "<tool_sep>",
};

fn read(page: &Page<'_>) -> Reading {
    // Some builds of Laguna decode the token of `<tool_call>` as another one's; the pairs inside prove what it is.
    match page.text.starts_with("<user>") {
        true => with_pairs(call(page, page.opener, &Pairs { close: "</user>", ..PAIRS }), page),
        false => call(page, page.opener, &PAIRS),
    }
}

fn with_pairs(reading: Reading, page: &Page<'_>) -> Reading {
    match reading {
        Reading::Calls { ref calls, .. } if calls.iter().all(|call| call.arguments.is_empty()) => Reading::No,
        Reading::Open if page.over => Reading::No,
        reading => reading,
    }
}
