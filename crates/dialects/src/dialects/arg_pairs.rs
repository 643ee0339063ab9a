//! The name, then pairs of elements for key and value.

use crate::page::{Page, Reading};
use crate::pairs::{Pairs, call};
use crate::table::Dialect;
use crate::tagged::block;

/// GLM 4.5 to 5, Spark, Ling, Poolside, Hunyuan v3: pairs of `arg_key` and `arg_value`.
pub(super) static GLM: Dialect = Dialect::marked("glm", &["<tool_call>", "<user>"], parse_page).tails(&[
    "</tool_call>",
    "</tool_calls>",
    "</arg_value>",
    "</arg_key>",
]);

/// LongCat: JSON, or the pairs.
pub(super) static LONGCAT: Dialect =
    Dialect::marked("longcat", &["<longcat_tool_call>"], |page| json_or_pairs(page, LONGCAT.tails, &LONGCAT_PAIRS))
        .tails(&["</longcat_tool_call>"]);

/// K2 Horizon: JSON, or the pairs.
pub(super) static K2_HORIZON: Dialect = Dialect::marked("k2-horizon", &["<ifm|tool_call>"], |page| {
    json_or_pairs(page, K2_HORIZON.tails, &K2_HORIZON_PAIRS)
})
.tails(&["</ifm|tool_call>"]);

const PAIRS: Pairs = Pairs {
    key: ("<arg_key>", "</arg_key>"),
    value: ("<arg_value>", "</arg_value>"),
    close: "</tool_call>",
    after_name: "<tool_sep>",
};

const LONGCAT_PAIRS: Pairs = Pairs {
    key: ("<longcat_arg_key>", "</longcat_arg_key>"),
    value: ("<longcat_arg_value>", "</longcat_arg_value>"),
    close: "</longcat_tool_call>",
    after_name: "",
};

const K2_HORIZON_PAIRS: Pairs = Pairs {
    key: ("<ifm|arg_key>", "</ifm|arg_key>"),
    value: ("<ifm|arg_value>", "</ifm|arg_value>"),
    close: "</ifm|tool_call>",
    after_name: "",
};

fn json_or_pairs(page: &Page<'_>, closers: &'static [&'static str], pairs: &Pairs) -> Reading {
    match block(page, page.opener, closers) {
        Reading::No => call(page, page.opener, pairs),
        reading => reading,
    }
}

fn parse_page(page: &Page<'_>) -> Reading {
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
