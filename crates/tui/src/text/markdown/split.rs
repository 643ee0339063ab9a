//! Cuts markdown into units that can be laid out one by one: blocks at the margin, and the items of lists there.

use pulldown_cmark::{Event, Options, Parser, Tag};
use std::ops::Range;

/// What is understood beyond plain CommonMark.
pub(super) const OPTIONS: Options =
    Options::ENABLE_TABLES.union(Options::ENABLE_STRIKETHROUGH).union(Options::ENABLE_TASKLISTS);

/// A unit: where it stands, and how.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct UnitSpan {
    /// Its bytes.
    pub(super) range: Range<usize>,
    pub(super) kind: UnitKind,
    /// Does a blank line stand before it?
    pub(super) gap: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum UnitKind {
    /// A paragraph, a heading, a quote …
    Block,
    /// A table; its second line makes it one.
    Table,
    Fenced,
    /// One item of a list.
    Item,
}

impl UnitSpan {
    /// This piece as it stands after `previous`. Items keep as close to what is above as the source has them.
    pub(super) fn after(mut self, previous: Option<&UnitSpan>, source: &str) -> Self {
        self.gap = match (previous, self.kind) {
            (None, _) => false,
            (Some(_), UnitKind::Block | UnitKind::Table | UnitKind::Fenced) => true,
            (Some(previous), UnitKind::Item) => blank_line_ends(&source[previous.range.start..self.range.start]),
        };
        self
    }
}

/// The units of `text`.
pub(super) fn split(text: &str) -> Vec<UnitSpan> {
    let mut pieces = Vec::new();
    let mut depth = 0;
    let mut in_list = false;
    for (event, range) in Parser::new_ext(text, OPTIONS).into_offset_iter() {
        match &event {
            Event::Start(tag) => {
                let kind = match (depth, tag) {
                    (0, Tag::List(_)) => None,
                    (0, Tag::CodeBlock(kind)) if kind.is_fenced() => Some(UnitKind::Fenced),
                    (0, Tag::Table(_)) => Some(UnitKind::Table),
                    (0, _) => Some(UnitKind::Block),
                    (1, Tag::Item) if in_list => Some(UnitKind::Item),
                    _ => None,
                };
                in_list = in_list && depth > 0 || depth == 0 && matches!(tag, Tag::List(_));
                depth += 1;
                pieces.extend(kind.map(|kind| UnitSpan { range: whole_line(text, range), kind, gap: false }));
            }
            Event::End(_) => depth -= 1,
            _ if depth == 0 => {
                pieces.push(UnitSpan { range: whole_line(text, range), kind: UnitKind::Block, gap: false });
            }
            _ => {}
        }
    }
    pieces
}

/// The first piece that text to come could still change. A piece is closed once the next one has begun for certain:
/// with a whole line, or with a letter at the margin after a blank line.
pub(super) fn first_open(text: &str, pieces: &[UnitSpan]) -> usize {
    let whole_lines = text.rfind('\n').map_or(0, |at| at + 1);
    let certain = |piece: &UnitSpan| {
        let lines = if piece.kind == UnitKind::Table { 2 } else { 1 };
        let whole = text[piece.range.start.min(whole_lines)..whole_lines].matches('\n').take(lines).count() == lines;
        let letter = text[piece.range.start..].starts_with(char::is_alphabetic);
        whole || letter && blank_line_ends(&text[..piece.range.start])
    };
    pieces.iter().rposition(certain).unwrap_or(0)
}

/// Is the last line of `text` blank?
fn blank_line_ends(text: &str) -> bool {
    text[text.trim_end().len()..].matches('\n').count() > 1
}

/// `range`, begun at the margin: its indentation tells what belongs to it.
fn whole_line(text: &str, range: Range<usize>) -> Range<usize> {
    let margin = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
    if text[margin..range.start].trim().is_empty() { margin..range.end } else { range }
}

/// How much of a text that is still being written to show. A last line of nothing but signs waits for its next
/// character: `-` would make a heading of the line above and become a list item a moment later.
pub(super) fn shown(text: &str) -> usize {
    let last = text.rfind('\n').map_or(0, |at| at + 1);
    let line = text[last..].trim();
    let signs = !line.is_empty() && line.chars().all(|c| "-=*_`~#+>|:.)".contains(c) || c.is_ascii_digit());
    if signs { last } else { text.len() }
}
