//! Mistral, Devstral, Ministral, Magistral: `[TOOL_CALLS]` before an array, or before `name[ARGS]{…}`.

use crate::args::object;
use crate::page::{Ahead, Page, Reading, ahead, blank, is_unfinished, name_len, plain_name};
use crate::table::Dialect;
use crate::tagged::block;

pub(super) static DIALECT: Dialect =
    Dialect::marked("mistral", &["[TOOL_CALLS]"], parse_page).tails(&["[/TOOL_CALLS]"]);

fn parse_page(page: &Page<'_>) -> Reading {
    let at = page.opener + blank(page.body());
    match page.text[at..].chars().next() {
        None => page.open_or(Reading::No),
        Some('[' | '{') => block(page, at, &[]),
        Some('`') => Reading::No,
        Some(_) => named(page, at),
    }
}

/// `name[CALL_ID]x[ARGS]{…}`, each part but the name and the arguments optional.
fn named(page: &Page<'_>, start: usize) -> Reading {
    let len = name_len(&page.text[start..]);
    if is_unfinished(&page.text[start..]) {
        return page.open_or(Reading::Open);
    }
    if len == 0 {
        return Reading::No;
    }
    let name = plain_name(&page.text[start..start + len], page.tools);
    let mut at = start + len;
    match ahead(&page.text[at..], &["[CALL_ID]"]) {
        Ahead::Yes(mark) => {
            let id = &page.text[at + mark..];
            let Some(end) = id.find(['[', '{']) else { return Reading::Open };
            at += mark + end;
        }
        Ahead::Maybe => return page.open_or(Reading::No),
        Ahead::No => {}
    }
    match ahead(&page.text[at..], &["[ARGS]"]) {
        Ahead::Yes(mark) => at += mark,
        Ahead::Maybe => return page.open_or(Reading::Open),
        Ahead::No => {}
    }
    let rest = &page.text[at + blank(&page.text[at..])..];
    if rest.is_empty() {
        return Reading::Open;
    }
    object(page, at, name, &[]).unwrap_or(Reading::No)
}
