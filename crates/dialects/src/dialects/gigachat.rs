//! GigaChat: `<|function_call|>` before an object, or `function call` in the role part.

use crate::page::{Ahead, Page, Reading, ahead};
use crate::table::Dialect;
use crate::tagged::block;

pub(super) static DIALECT: Dialect = Dialect::marked("gigachat", &["<|function_call|>", "<|message_sep|>"], parse_page);

fn parse_page(page: &Page<'_>) -> Reading {
    if page.text.starts_with("<|function_call|>") {
        return block(page, page.opener, &[]);
    }
    let rest = page.body().trim_start();
    match ahead(rest, &["function call<|role_sep|>"]) {
        Ahead::Yes(len) => block(page, page.text.len() - rest.len() + len, &[]),
        Ahead::Maybe => page.open_or(Reading::Drop { len: page.opener }),
        Ahead::No => Reading::Drop { len: page.opener },
    }
}
