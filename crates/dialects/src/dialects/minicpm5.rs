//! MiniCPM 5: `<function name="f"><param name="k">v</param></function>`; its tokenizer may leave `Ġ` for a blank.

use crate::markup::{Key, Marks, Trim, invoke};
use crate::page::{Call, Page, Reading};
use crate::table::Dialect;
use serde_json::Value;

pub(super) static DIALECT: Dialect = Dialect::marked("minicpm5", &["<function name=", "<functionĠname="], parse_page)
    .tails(&["</function>", "</param>"]);

const MARKS: Marks<'_> = Marks {
    open: &["<param name=", "<paramname=", "<paramĠname="],
    key: Key::Plain,
    close: &["</param>"],
    call: &["<function=", "<function name=", "<functionĠname="],
    end: &["</function>"],
    beyond: &["<function name=", "<functionĠname="],
    trim: Trim::FirstBreak,
    tokens: false,
};

fn parse_page(page: &Page<'_>) -> Reading {
    match invoke(page, "<function", &MARKS) {
        Reading::Calls { calls, len } => Reading::Calls { calls: calls.into_iter().map(without_cdata).collect(), len },
        other => other,
    }
}

/// `<![CDATA[…]]>` around a value belongs to the layout.
fn without_cdata(mut call: Call) -> Call {
    for value in call.arguments.values_mut() {
        if let Value::String(text) = value
            && let Some(inner) = text.trim().strip_prefix("<![CDATA[").and_then(|rest| rest.strip_suffix("]]>"))
        {
            *text = inner.to_owned();
        }
    }
    call
}
