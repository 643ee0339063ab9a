//! PLaMo 3: name and arguments each between marks of their own.

use crate::args::object;
use crate::page::{Ahead, Page, Reading, ahead, blank, plain_name};
use crate::table::Dialect;

pub(super) static DIALECT: Dialect = Dialect::marked("plamo3", &["<|plamo:begin_tool_request:plamo|>"], parse_page)
    .tails(&["<|plamo:end_tool_request:plamo|>", "<|plamo:end_tool_requests:plamo|>"]);

const NAME: &str = "<|plamo:begin_tool_name:plamo|>";
const NAME_END: &str = "<|plamo:end_tool_name:plamo|>";
const ARGUMENTS: &str = "<|plamo:begin_tool_arguments:plamo|>";
const ARGUMENTS_END: &str = "<|plamo:end_tool_arguments:plamo|>";
const END: &str = "<|plamo:end_tool_request:plamo|>";

fn parse_page(page: &Page<'_>) -> Reading {
    let at = page.opener + blank(page.body());
    match ahead(&page.text[at..], &[NAME]) {
        Ahead::Yes(_) => {}
        Ahead::Maybe => return Reading::Open,
        Ahead::No => return Reading::No,
    }
    let from = at + NAME.len();
    let Some(end) = page.text[from..].find(NAME_END) else { return Reading::Open };
    let name = plain_name(&page.text[from..from + end], page.tools);
    let mut at = from + end + NAME_END.len();
    at += blank(&page.text[at..]);
    match ahead(&page.text[at..], &[ARGUMENTS, END]) {
        Ahead::Maybe => return Reading::Open,
        Ahead::No => return Reading::Broken { name: Some(name.to_owned()), len: at },
        Ahead::Yes(_) if page.text[at..].starts_with(END) => return Reading::without_arguments(name, at + END.len()),
        Ahead::Yes(len) => at += len,
    }
    // `<|plamo:constrain|>json<|plamo:msg|>` may stand before the object.
    let Some(brace) = page.text[at..].find(['{', '<']) else { return Reading::Open };
    let rest = &page.text[at + brace..];
    match (rest.starts_with('{'), rest.find('{'), rest.find(ARGUMENTS_END)) {
        (true, _, _) => object(page, at + brace, name, &[ARGUMENTS_END]).unwrap_or(Reading::No),
        (false, open, Some(end)) if open.is_none_or(|open| end < open) => {
            Reading::without_arguments(name, at + brace + end + ARGUMENTS_END.len())
        }
        (false, Some(open), _) => object(page, at + brace + open, name, &[ARGUMENTS_END]).unwrap_or(Reading::No),
        (false, None, _) => Reading::Open,
    }
}
