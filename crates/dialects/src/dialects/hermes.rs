//! Hermes, Qwen 2.5 and 3, Granite 4, Reka, ERNIE: JSON in `<tool_call>`; Qwen2.5-Coder also in `<tools>`.

use crate::args::closer;
use crate::page::{Ahead, Page, Reading, ahead};
use crate::table::Dialect;
use crate::tagged::block;

pub(super) static DIALECT: Dialect =
    Dialect::marked("hermes", &["<tool_call>", "<tools>"], parse_page).tails(&["</tool_call>", "</tools>"]);

fn parse_page(page: &Page<'_>) -> Reading {
    let closers: &'static [&'static str] =
        if page.text.starts_with("<tools>") { &["</tools>"] } else { &["</tool_call>"] };
    match block(page, page.opener, closers) {
        Reading::No if page.body().starts_with(['\n', '\r']) => garbled(page, closers),
        reading => reading,
    }
}

/// Laid out as a call, closed like one, and no JSON.
fn garbled(page: &Page<'_>, closers: &[&str]) -> Reading {
    let body = page.body();
    let near = &body[..body.floor_char_boundary(1024)];
    let next = near.find('<').unwrap_or(near.len());
    match closer(near, closers) {
        Some((end, len)) if end <= next => Reading::Broken { name: None, len: page.opener + end + len },
        Some(_) => Reading::No,
        None if page.over || body.len() > 1024 => Reading::No,
        None => match ahead(&near[next..], closers) {
            Ahead::Maybe => Reading::Open,
            Ahead::Yes(_) | Ahead::No => Reading::No,
        },
    }
}
