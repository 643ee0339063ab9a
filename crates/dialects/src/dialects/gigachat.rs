//! GigaChat: `<|function_call|>` before an object, or `function call` in the role part.

use crate::page::{Ahead, Page, Reading, ahead};
use crate::table::{Dialect, Place, Proof};
use crate::tagged::{Ends, block};

pub(super) static DIALECT: Dialect = Dialect {
    name: "gigachat",
    openers: &["<|function_call|>", "<|message_sep|>"],
    tails: &[],
    place: Place::Anywhere,
    proof: Proof::Mark,
    read,
};

fn read(page: &Page<'_>) -> Reading {
    if page.text.starts_with("<|function_call|>") {
        return block(page, page.opener, Ends { closers: &[] });
    }
    let rest = page.body().trim_start();
    match ahead(rest, &["function call<|role_sep|>"]) {
        Ahead::Yes(len) => block(page, page.text.len() - rest.len() + len, Ends { closers: &[] }),
        Ahead::Maybe => page.open_or(Reading::Drop { len: page.opener }),
        Ahead::No => Reading::Drop { len: page.opener },
    }
}
