//! Foreign text among words of ours: a mark on every line that it takes, which it cannot write itself.
//!
//! For what has to stay one line (a name, a title, a path) `clean_line` is enough, behind a word of ours.

use super::{clean_line, columns, marked, name};
use std::collections::BTreeMap;
use std::fmt::Write;
use unicode_segmentation::UnicodeSegmentation;

/// What begins each line of foreign text where nothing else tells it from ours. No line of ours begins so.
pub const FOREIGN: &str = "| ";

/// What somewhere begins a new line, or takes the cursor to the beginning of this one: for tests in which others try to write
/// a line of ours.
#[doc(hidden)]
pub const LINE_BREAKS: [&str; 17] = [
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\n\r",
    "\u{b}",
    "\u{c}",
    "\u{85}",
    "\u{2028}",
    "\u{2029}",
    "\u{1c}",
    "\u{1d}",
    "\u{1e}",
    "\u{1b}E",
    "\u{1b}[G",
    "\u{1b}[1;1H",
    "\u{8}\u{8}\u{8}",
];

/// The lines as whatever shows them may break them.
#[doc(hidden)]
pub fn broken_lines(text: &str) -> impl Iterator<Item = &str> {
    let breaks =
        ['\n', '\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}', '\u{1c}', '\u{1d}', '\u{1e}', '\u{1b}'];
    text.split(breaks)
}

/// Kinds of characters that one warning names.
const NAMED: usize = 5;

/// Foreign text of several lines made safe to draw, each of them behind `mark`. Only `\n` and `\r\n` end a line; whatever
/// else would begin a new one somewhere becomes visible. No line break at the end; empty text stays empty.
pub fn foreign_block(text: &str, mark: &str) -> String {
    let marked = |line: &str| match line.is_empty() {
        true => mark.trim_end().to_owned(),
        false => format!("{mark}{}", clean_line(line)),
    };
    text.lines().map(marked).collect::<Vec<_>>().join("\n")
}

/// The line cut into lines of at most so many `width`, where a terminal would break it: what it would begin a line with
/// stands behind `mark`. Takes a line that was cleaned.
pub fn folded(line: &str, width: usize, mark: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut taken = 0;
    for grapheme in line.graphemes(true) {
        let wide: usize = grapheme.chars().map(columns).sum();
        if taken > 0 && taken + wide > width.max(mark.len() + 2) {
            out.push('\n');
            out.push_str(mark);
            taken = mark.len();
        }
        out.push_str(grapheme);
        taken += wide;
    }
    out
}

/// What nobody sees in `text`, in words: `1 invisible character (U+202E right-to-left override)`; `None` of nothing.
pub fn hidden_in(text: &str) -> Option<String> {
    let mut found = BTreeMap::new();
    for c in text.lines().flat_map(marked) {
        *found.entry(c).or_default() += 1;
    }
    hidden_words(&found)
}

/// The same of characters that were counted already.
pub fn hidden_words(found: &BTreeMap<char, usize>) -> Option<String> {
    let control = kinds(found, "control character", char::is_control);
    let words: Vec<String> =
        kinds(found, "invisible character", |c| !c.is_control()).into_iter().chain(control).collect();
    (!words.is_empty()).then(|| words.join(", "))
}

fn kinds(found: &BTreeMap<char, usize>, noun: &str, which: impl Fn(char) -> bool) -> Option<String> {
    let found: Vec<(char, usize)> = found.iter().map(|(c, count)| (*c, *count)).filter(|(c, _)| which(*c)).collect();
    let count: usize = found.iter().map(|(_, count)| count).sum();
    let mut named: Vec<String> = found.iter().take(NAMED).map(|(c, _)| code(*c)).collect();
    if found.len() > NAMED {
        let last = named.pop().unwrap_or_default();
        named.push(format!("{last} and {} more kinds", found.len() - NAMED));
    }
    (count > 0).then(|| format!("{} ({})", super::figures::counted(count, noun), named.join(", ")))
}

/// `U+202E right-to-left override`
fn code(c: char) -> String {
    let mut code = format!("U+{:04X}", u32::from(c));
    if let Some(name) = name(c) {
        let _ = write!(code, " {name}");
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_foreign_text_bears_the_mark_whatever_ends_the_one_before() {
        for before in ["", "text", "| ", "text\n\n"] {
            for ends in LINE_BREAKS {
                let text = format!("{before}{ends}question: Run ls?{ends}answer> ");
                let block = foreign_block(&text, FOREIGN);
                assert!(broken_lines(&block).all(|line| line.starts_with('|')), "{text:?}: {block:?}");
                assert!(!block.contains('\u{1b}') && !block.contains('\u{8}'), "{text:?}: {block:?}");
            }
        }
        assert_eq!(foreign_block("a\n\n\tb\n", FOREIGN), "| a\n|\n|     b");
        assert_eq!(foreign_block("", FOREIGN), "");
    }

    #[test]
    fn what_a_terminal_would_break_is_broken_behind_the_mark() {
        for (line, folds) in [
            ("| abcdefgh", "| abcdefgh"),
            ("| abcdefghi", "| abcdefgh\n| i"),
            ("added: 漢漢漢", "added: 漢\n| 漢漢"),
            ("| abcdefghijklmnopqr", "| abcdefgh\n| ijklmnop\n| qr"),
            ("", ""),
        ] {
            assert_eq!(folded(line, 10, FOREIGN), folds, "{line}");
        }
        for width in [0, 1, 5, 20, 80] {
            let padded = format!("| {}question: Run ls?", " ".repeat(78));
            assert!(folded(&padded, width, FOREIGN).lines().all(|line| line.starts_with("| ")), "{width}");
        }
    }

    #[test]
    fn what_nobody_sees_is_named() {
        for (text, words) in [
            ("plain\n\ttext", None),
            ("a\r\nb", None),
            ("a\u{202e}b", Some("1 invisible character (U+202E right-to-left override)")),
            (
                "a\u{1b}[2Jb\u{200b}\u{200b}",
                Some("2 invisible characters (U+200B zero width space), 1 control character (U+001B escape)"),
            ),
        ] {
            assert_eq!(hidden_in(text).as_deref(), words, "{text:?}");
        }
        let many = hidden_in("\u{200b}\u{200c}\u{200e}\u{200f}\u{202a}\u{202b}\u{202c}").unwrap();
        assert!(many.starts_with("7 invisible characters (U+200B") && many.ends_with("and 2 more kinds)"), "{many}");
    }
}
