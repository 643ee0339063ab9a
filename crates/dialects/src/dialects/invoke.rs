//! Elements named `invoke` with `parameter`s, in a wrapper or without.

use crate::markup::{Key, Marks, Trim, invoke, wrapper};
use crate::page::{Page, Reading};
use crate::table::Dialect;

/// OpenAI-like XML, MiniMax M2, and many a model that saw them.
pub(super) static PLAIN: Dialect = Dialect::marked(
    "xml-invoke",
    &["<invoke", "<tool_calls>", "<function_calls>", "<minimax:tool_call>", "<tool_call>"],
    plain,
)
.tails(&["</invoke>", "</parameter>", "</tool_calls>", "</function_calls>", "</minimax:tool_call>"]);

/// Step-3: between DeepSeek-like tokens.
pub(super) static STEP3: Dialect =
    Dialect::marked("step3", &["<steptml:invoke"], |page| invoke(page, "<steptml:invoke", &STEP3_MARKS))
        .tails(&["</steptml:invoke>", "</steptml:parameter>"]);

/// Muse: behind a harmony-like header.
pub(super) static MUSE: Dialect =
    Dialect::marked("muse", &["<atem:invoke", "<atem:function_calls>", "<|message|>"], muse).tails(&[
        "</atem:function_calls>",
        "</atem:invoke>",
        "</atem:parameter>",
    ]);

const MARKS: Marks<'_> = Marks {
    open: &["<parameter "],
    key: Key::Attribute,
    close: &["</parameter>"],
    call: &["<invoke "],
    end: &["</invoke>"],
    beyond: &["</tool_calls>", "</function_calls>", "</minimax:tool_call>", "</tool_call>", "<invoke "],
    trim: Trim::FirstBreak,
    tokens: false,
};

const STEP3_MARKS: Marks<'_> = Marks {
    open: &["<steptml:parameter "],
    close: &["</steptml:parameter>"],
    call: &["<steptml:invoke "],
    end: &["</steptml:invoke>"],
    beyond: &["<｜tool_call_end｜>", "<|tool_call_end|>", "<steptml:invoke"],
    ..MARKS
};

const MUSE_MARKS: Marks<'_> = Marks {
    open: &["<atem:parameter "],
    close: &["</atem:parameter>"],
    call: &["<atem:invoke "],
    end: &["</atem:invoke>"],
    beyond: &["</atem:function_calls>", "<atem:invoke"],
    ..MARKS
};

fn plain(page: &Page<'_>) -> Reading {
    match &page.text[..page.opener] {
        "<invoke" => invoke(page, "<invoke", &MARKS),
        "<tool_calls>" => wrapper(page, &["<invoke ", "<tool_call>"]),
        _ => wrapper(page, &["<invoke "]),
    }
}

fn muse(page: &Page<'_>) -> Reading {
    match &page.text[..page.opener] {
        "<atem:invoke" => invoke(page, "<atem:invoke", &MUSE_MARKS),
        _ => wrapper(page, &["<atem:invoke ", "<atem:function_calls>"]),
    }
}
