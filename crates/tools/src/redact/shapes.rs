//! Keys that are known by their shape.

mod discord;
mod table;

use super::Span;
use super::chance::is_mixed;
use aho_corasick::AhoCorasick;
use regex::Regex;
use std::ops::Range;
use std::sync::{LazyLock, OnceLock};
use table::{BEGINNING, HOLDING, Row};

/// A kind of key: of what it is, and how it looks.
struct Shape {
    what: &'static str,
    place: Place,
    looks: &'static str,
    compiled: OnceLock<Regex>,
}

/// Where in a key the text stands that tells of it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// At its beginning; the expression begins behind it.
    Beginning,
    /// Anywhere.
    Within,
}

impl Shape {
    fn of((what, _, looks): Row, place: Place) -> Self {
        Shape { what, place, looks, compiled: OnceLock::new() }
    }

    /// The expression, in which the group `key` is what is hidden.
    fn looks(&self) -> &Regex {
        self.compiled.get_or_init(|| {
            let pattern = match self.place {
                Place::Beginning => format!("^(?-u:{})", self.looks),
                // Not in the middle of a word, but behind the colour that a program gave it.
                Place::Within => format!(r"(?:^|[^A-Za-z0-9_]|\x1b\[[0-9;]*m|\\[nrt])(?<key>{})", self.looks),
            };
            Regex::new(&pattern).expect("the shapes are tested")
        })
    }

    /// Where the key ends that begins with `mark`.
    fn end(&self, text: &str, mark: Range<usize>) -> Option<usize> {
        let before = &text.as_bytes()[..mark.start];
        let beginning = &text[mark.clone()];
        // Pictures and archives, written as letters, hold every short row of letters somewhere, and names are put together
        // of words.
        let plain = beginning.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        if !may_begin(before) || plain && before.last().is_some_and(|byte| b"/+-".contains(byte)) {
            return None;
        }
        let rest = &text[mark.end..];
        let body = self.looks().find(rest)?.as_str();
        let goes_on = rest[body.len()..].starts_with(|next: char| next.is_ascii_alphanumeric() || next == '_');
        let chance = !(plain || IN_CODE.contains(&beginning)) || is_mixed(body);
        let shown = SHOWN.contains(&beginning) && body.starts_with("0123456789");
        (!goes_on && chance && !shown).then_some(mark.end + body.len())
    }
}

/// Beginnings that also stand in front of names in code.
const IN_CODE: [&str; 3] = ["hvs.", "hvb.", "secret_"];

/// Beginnings that are words, which documents show with all letters in a row behind them.
const SHOWN: [&str; 2] = ["key-", "API-"];

/// All kinds, and what tells that one of them may be in a text: one look at it finds all of these.
struct Shapes {
    all: Vec<Shape>,
    marks: AhoCorasick,
    /// The kind of each mark.
    owners: Vec<usize>,
}

static SHAPES: LazyLock<Shapes> = LazyLock::new(|| {
    let rows =
        BEGINNING.iter().map(|row| (*row, Place::Beginning)).chain(HOLDING.iter().map(|row| (*row, Place::Within)));
    let (rows, all): (Vec<Row>, Vec<Shape>) = rows.map(|(row, place)| (row, Shape::of(row, place))).unzip();
    let marks =
        rows.iter().enumerate().flat_map(|(owner, (_, marks, _))| marks.split(' ').map(move |mark| (owner, mark)));
    let (owners, marks): (Vec<usize>, Vec<&str>) = marks.unzip();
    Shapes { all, marks: AhoCorasick::new(marks).expect("the shapes are tested"), owners }
});

/// Shorter passwords are found in examples only.
const SHORTEST: usize = 4;

/// `scheme://user:password@host`.
static IN_ADDRESS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"[A-Za-z][A-Za-z0-9+.-]{1,20}://(?<user>[^\s/:@'"<>`]*):(?<key>[^\s/@'"<>`]+)@[^\s/@'"<>`]"#)
        .expect("the shapes are tested")
});

pub(super) fn find(text: &str, spans: &mut Vec<Span>) {
    let Shapes { all, marks, owners } = &*SHAPES;
    // Of a kind that begins with its mark, from where on the next may begin: where a key was found, nothing within it is
    // looked at again. Of the others, whether a mark was there.
    let (mut from, mut held) = (vec![0; all.len()], vec![false; all.len()]);
    for mark in marks.find_overlapping_iter(text) {
        let owner = owners[mark.pattern().as_usize()];
        let shape = &all[owner];
        if shape.place == Place::Within {
            held[owner] = true;
        } else if mark.start() >= from[owner]
            && let Some(end) = shape.end(text, mark.range())
        {
            from[owner] = end;
            let range = mark.start()..end;
            spans.extend(is_no_filler(&text[range.clone()]).then_some(Span { range, what: shape.what }));
        }
    }
    discord::find(text, spans);
    for (shape, _) in all.iter().zip(held).filter(|(_, held)| *held) {
        let found = shape.looks().captures_iter(text).filter_map(|found| found.name("key"));
        let found = found.filter(|key| is_real(shape.what, key.as_str()));
        spans.extend(found.map(|key| Span { range: key.range(), what: shape.what }));
    }
    in_addresses(text, spans);
}

fn in_addresses(text: &str, spans: &mut Vec<Span>) {
    if !text.contains("://") || !text.contains('@') {
        return;
    }
    for found in IN_ADDRESS.captures_iter(text) {
        if let (Some(user), Some(key)) = (found.name("user"), found.name("key"))
            && is_password(user.as_str(), key.as_str())
        {
            spans.push(Span { range: key.range(), what: "password" });
        }
    }
}

/// Documentation shows the shape without a key in it.
fn is_real(what: &str, key: &str) -> bool {
    let has = |kind: fn(&char) -> bool| key.chars().any(|c| kind(&c));
    let random = || has(char::is_ascii_digit) && has(char::is_ascii_uppercase) && has(char::is_ascii_lowercase);
    is_no_filler(key) && (what != "API key" || random())
}

fn is_no_filler(key: &str) -> bool {
    !["EXAMPLE", "XXXXXXXX", "xxxxxxxx", "00000000"].iter().any(|filler| key.contains(filler))
}

/// May a key begin behind `before`: not in the middle of a word, but behind the colour or the line that a program began?
fn may_begin(before: &[u8]) -> bool {
    let Some(last) = before.last() else { return true };
    if !last.is_ascii_alphanumeric() && *last != b'_' {
        return true;
    }
    match before {
        [.., b'\\', b'n' | b'r' | b't'] => true,
        [colour @ .., b'm'] => {
            let codes = colour.iter().rev().take(16).take_while(|byte| byte.is_ascii_digit() || **byte == b';').count();
            colour[..colour.len() - codes].ends_with(b"\x1b[")
        }
        _ => false,
    }
}

/// Placeholders, and the usual `postgres:postgres@` of a machine of one's own, are no secrets.
fn is_password(user: &str, key: &str) -> bool {
    const PLACEHOLDERS: [&str; 9] =
        ["password", "pass", "passwd", "pwd", "secret", "token", "user", "hunter2", "example"];
    let lower = key.to_ascii_lowercase();
    let variable = key.contains(['$', '{', '}', '%', '*', '[', '(']) && !key.contains("%4") && !key.contains("%2");
    let dots = key.chars().all(|c| c == '.' || c == 'x' || c == '…');
    // A port and a path with an `@` further on look the same.
    let port = key.chars().all(|c| c.is_ascii_digit()) && key.len() <= 5;
    !(key.len() < SHORTEST || variable || dots || port || user == key || PLACEHOLDERS.contains(&lower.as_str()))
}
