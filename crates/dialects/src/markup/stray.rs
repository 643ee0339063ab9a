//! Closing marks too many at the end of a value: doubled ones, and those that stand in another's place.
//!
//! What they close tells them from text that is markup itself, say of an XML file: that opens what it closes. A fragment that
//! closes what it does not open keeps all closing marks but the parameter's own, as long as the call is closed in order.

use super::{Marks, TagEnd, tag_end};
use crate::page::{Ahead, ahead, blank};

/// The value without closing marks that are none of its text; `after` is what follows its own.
pub(super) fn without_strays<'a>(value: &'a str, after: &str, marks: &Marks<'_>, closed: bool) -> &'a str {
    // A closing mark right before the end of the call is the parameter's, whatever opens before it.
    let value = if closed { value } else { without_one(value, marks.close).unwrap_or(value) };
    let next = &after[blank(after)..];
    let in_order = !closed || [marks.end, marks.open].iter().any(|marks| matches!(ahead(next, marks), Ahead::Yes(_)));
    if in_order {
        return without_own(value, marks.close);
    }
    let others = marks.end.iter().chain(marks.beyond).filter(|mark| mark.starts_with("</"));
    without_own(value, &marks.close.iter().chain(others).copied().collect::<Vec<_>>())
}

/// The value without those of `marks` at its end that close nothing in it.
pub(crate) fn without_own<'a>(mut value: &'a str, marks: &[&str]) -> &'a str {
    if without_one(value, marks).is_none() {
        return value;
    }
    let mut extra: Vec<(&str, usize)> = marks.iter().map(|mark| (*mark, unopened(value, mark))).collect();
    while let Some((rest, left)) = extra.iter_mut().find_map(|(mark, left)| {
        let rest = value.trim_end().strip_suffix(*mark)?;
        (*left > 0).then_some((rest, left))
    }) {
        value = rest;
        *left -= 1;
    }
    value
}

fn without_one<'a>(value: &'a str, marks: &[&str]) -> Option<&'a str> {
    marks.iter().find_map(|mark| value.trim_end().strip_suffix(mark))
}

/// How many more of this closing mark there are than tags that open what it closes.
fn unopened(value: &str, close: &str) -> usize {
    let opener = close.replacen("</", "<", 1);
    let opener = opener.trim_end_matches('>');
    let opens = value.match_indices(opener).filter(|(at, _)| opens_here(&value[*at..], opener.len())).count();
    value.matches(close).count().saturating_sub(opens)
}

/// Is this a whole tag, and none that closes itself?
fn opens_here(tag: &str, name: usize) -> bool {
    tag[name..].starts_with(|c: char| c.is_whitespace() || matches!(c, '>' | '=' | '/'))
        && match tag_end(tag, name) {
            TagEnd::At(end) => !tag[..end].ends_with('/'),
            TagEnd::Open | TagEnd::No => false,
        }
}
