//! DeepSeek V3.2 to V4.1: `invoke` elements whose tags carry `｜DSML｜`; `string="false"` marks JSON values.

use crate::markup::{Key, Marks, Trim, invoke, wrapper};
use crate::page::{Ahead, Page, Reading, ahead};
use crate::table::Dialect;

pub(super) static DIALECT: Dialect =
    Dialect::marked("deepseek-dsml", &["<｜DSML｜", "<|DSML|"], parse_page).tails(TAILS);

const TAILS: &[&str] = &[
    "</｜DSML｜function_calls>",
    "</｜DSML｜tool_calls>",
    "</｜DSML｜ calls>",
    "</｜DSML｜calls>",
    "</|DSML|function_calls>",
    "</|DSML|tool_calls>",
    "</｜DSML｜ tool_calls>",
    "</｜DSML｜ function_calls>",
    "</｜DSML｜toolcalls>",
    "</｜DSML｜invoke>",
    "</|DSML|invoke>",
    "</｜DSML｜ invoke>",
    "</｜DSML｜parameter>",
    "</|DSML|parameter>",
    "</｜DSML｜ parameter>",
];

const WRAPPERS: &[&str] = &["function_calls>", "tool_calls>", "toolcalls>", "calls>"];

const FULL: Marks<'_> = Marks {
    open: &["<｜DSML｜parameter ", "<｜DSML｜ parameter "],
    key: Key::Attribute,
    close: &["</｜DSML｜parameter>", "</｜DSML｜ parameter>"],
    call: &[],
    end: &["</｜DSML｜invoke>", "</｜DSML｜ invoke>"],
    beyond: &[
        "</｜DSML｜function_calls>",
        "</｜DSML｜tool_calls>",
        "</｜DSML｜ calls>",
        "</｜DSML｜ tool_calls>",
        "<｜DSML｜invoke",
        "<｜DSML｜ invoke",
    ],
    trim: Trim::Nothing,
    tokens: true,
};

const ASCII: Marks<'_> = Marks {
    open: &["<|DSML|parameter ", "<|DSML| parameter "],
    key: Key::Attribute,
    close: &["</|DSML|parameter>", "</|DSML| parameter>"],
    call: &[],
    end: &["</|DSML|invoke>", "</|DSML| invoke>"],
    beyond: &["</|DSML|function_calls>", "</|DSML|tool_calls>", "</|DSML| calls>", "<|DSML|invoke", "<|DSML| invoke"],
    trim: Trim::Nothing,
    tokens: true,
};

fn parse_page(page: &Page<'_>) -> Reading {
    let body = page.body();
    let space = usize::from(body.starts_with(' '));
    let body = &body[space..];
    match ahead(body, &["invoke "]) {
        Ahead::Yes(_) => {
            let marks = if page.text.starts_with("<｜") { &FULL } else { &ASCII };
            return invoke(page, &page.text[..page.opener + space + "invoke".len()], marks);
        }
        Ahead::Maybe => return page.open_or(Reading::No),
        Ahead::No => {}
    }
    match ahead(body, WRAPPERS) {
        Ahead::Yes(len) => {
            let page = Page { opener: page.opener + space + len, ..*page };
            wrapper(&page, &["<｜DSML｜invoke ", "<｜DSML｜ invoke ", "<|DSML|invoke ", "<|DSML| invoke "])
        }
        Ahead::Maybe => page.open_or(Reading::No),
        Ahead::No => Reading::No,
    }
}
