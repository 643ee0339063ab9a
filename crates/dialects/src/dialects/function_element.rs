//! A call whose arguments are an attribute: `<function name="f" arguments='{…}'/>`, as small models write what a schema showed
//! them.

use crate::args::object;
use crate::page::{Page, Reading, is_name, plain_name};
use crate::table::Dialect;

pub(super) static DIALECT: Dialect = Dialect::marked("function-element", &["<function name="], parse_page);

/// A longer name is none.
const LONGEST: usize = 128;

/// What the arguments are called.
const ATTRIBUTES: [&str; 3] = ["arguments=", "parameters=", "args="];

/// What may stand behind them.
const CLOSERS: [&str; 8] = ["'></function>", "\"></function>", "' />", "\" />", "'/>", "\"/>", "></function>", "/>"];

fn parse_page(page: &Page<'_>) -> Reading {
    let body = page.body();
    let Some(quote) = body.chars().next() else { return page.open_or(Reading::No) };
    if !matches!(quote, '"' | '\'') {
        return Reading::No;
    }
    let Some(end) = body[1..].find([quote, '<', '>', '\n']) else {
        return if body.len() > LONGEST { Reading::No } else { page.open_or(Reading::No) };
    };
    let (name, rest) = (plain_name(&body[1..=end], page.tools), &body[1 + end..]);
    let Some(rest) = rest.strip_prefix(quote).filter(|_| is_name(name)) else { return Reading::No };
    let attributes = rest.trim_start();
    let Some(attribute) = ATTRIBUTES.iter().find(|attribute| attributes.starts_with(**attribute)) else {
        let may_come = ATTRIBUTES.iter().any(|attribute| attribute.starts_with(attributes));
        return if may_come { page.open_or(Reading::No) } else { Reading::No };
    };
    let value = attributes[attribute.len()..].trim_start_matches(['"', '\'']);
    if value.is_empty() {
        return page.open_or(Reading::No);
    }
    object(page, page.text.len() - value.len(), name, &CLOSERS).unwrap_or(Reading::No)
}
