//! Finds a text in a file and puts another in its place. Pure.
//!
//! Line ends are no matter: the text sought is compared with LF ends, and what is put in gets the ends that were there.
//! Every byte outside the places found stays as it is.

use similar::get_close_matches;

/// How often a text may be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Which {
    TheOnly,
    All,
}

/// The new text of the file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Replaced {
    pub(crate) text: String,
    pub(crate) places: usize,
}

/// Why nothing was replaced.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Mismatch {
    Nowhere,
    /// In these lines, counted from 1.
    Several(Vec<usize>),
}

/// `text` with `new` in place of `old`, which is not empty.
pub(crate) fn replace(text: &str, old: &str, new: &str, which: Which) -> Result<Replaced, Mismatch> {
    let flat = Flat::new(text);
    let (old, new) = (old.replace("\r\n", "\n"), new.replace("\r\n", "\n"));
    let found: Vec<usize> = flat.text.match_indices(&old).map(|(index, _)| index).collect();
    let Some(first) = found.first() else { return Err(Mismatch::Nowhere) };
    if which == Which::TheOnly {
        let lines = overlapping(&flat.text, &old, *first);
        if lines.len() > 1 {
            return Err(Mismatch::Several(lines));
        }
    }
    let mut result = String::with_capacity(text.len());
    let mut done = 0;
    for index in &found {
        let place = flat.original(*index)..flat.original(*index + old.len());
        result.push_str(&text[done..place.start]);
        match flat.ends_in(&text[place.clone()]) {
            LineEnd::Lf => result.push_str(&new),
            LineEnd::CrLf => result.push_str(&new.replace('\n', "\r\n")),
        }
        done = place.end;
    }
    result.push_str(&text[done..]);
    Ok(Replaced { text: result, places: found.len() })
}

/// `content` with the line ends that `before` mostly has, where `content` itself has no CRLF.
pub(crate) fn with_ends_of(before: &str, content: &str) -> String {
    match Flat::new(before).mostly {
        LineEnd::CrLf if !content.contains('\r') => content.replace('\n', "\r\n"),
        LineEnd::CrLf | LineEnd::Lf => content.into(),
    }
}

/// Does `text` mostly end its lines with CRLF?
pub(crate) fn is_crlf(text: &str) -> bool {
    Flat::new(text).mostly == LineEnd::CrLf
}

/// The lines in which `old` begins, from the match at `first` on, also where matches overlap.
fn overlapping(text: &str, old: &str, first: usize) -> Vec<usize> {
    let mut lines = Vec::new();
    let mut from = first;
    while let Some(index) = text[from..].find(old) {
        let at = from + index;
        lines.push(text[..at].matches('\n').count() + 1);
        from = at + text[at..].chars().next().map_or(1, char::len_utf8);
    }
    lines
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LineEnd {
    Lf,
    CrLf,
}

/// A text with LF line ends only, and the way back.
struct Flat {
    text: String,
    /// Where in `text` the line ends are that were CRLF.
    shortened: Vec<usize>,
    mostly: LineEnd,
}

impl Flat {
    fn new(original: &str) -> Self {
        let shortened: Vec<usize> =
            original.match_indices("\r\n").enumerate().map(|(before, (index, _))| index - before).collect();
        let text = original.replace("\r\n", "\n");
        let mostly = if shortened.len() * 2 > text.matches('\n').count() { LineEnd::CrLf } else { LineEnd::Lf };
        Flat { text, shortened, mostly }
    }

    /// Where the byte at `index` of the flat text is in the original.
    fn original(&self, index: usize) -> usize {
        index + self.shortened.partition_point(|end| *end < index)
    }

    /// The line ends to use in `place` of the original: those that are there, else those of the file.
    fn ends_in(&self, place: &str) -> LineEnd {
        match (place.contains("\r\n"), place.contains('\n')) {
            (true, _) => LineEnd::CrLf,
            (false, true) => LineEnd::Lf,
            (false, false) => self.mostly,
        }
    }
}

/// The longest line that is compared letter by letter when looking for what was meant, in bytes.
const LONGEST: usize = 400;
/// The most lines that are.
const COMPARED: usize = 5_000;
/// Lines shown of what was meant.
const SHOWN: usize = 10;

/// The lines of `text` (first one counted from 1) that look most like `old`, where any do.
pub(crate) fn nearest<'a>(text: &'a str, old: &str) -> Option<(usize, Vec<&'a str>)> {
    let sought: Vec<&str> = old.lines().collect();
    let (position, longest) = sought.iter().map(|line| line.trim()).enumerate().max_by_key(|(_, line)| line.len())?;
    let lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().position(|line| line.trim() == longest).or_else(|| most_like(&lines, longest))?;
    let start = at.saturating_sub(position.min(SHOWN / 2));
    let end = (start + sought.len().clamp(1, SHOWN)).max(at + 1).min(lines.len());
    Some((start + 1, lines[start..end].to_vec()))
}

/// Which of `lines` is most like `sought`, if one is at all.
fn most_like(lines: &[&str], sought: &str) -> Option<usize> {
    if sought.is_empty() || sought.len() > LONGEST {
        return None;
    }
    let compared = lines.iter().map(|line| line.trim()).filter(|line| line.len() <= LONGEST).take(COMPARED);
    let compared: Vec<&str> = compared.collect();
    let best = *get_close_matches(sought, &compared, 1, 0.6).first()?;
    lines.iter().position(|line| line.trim() == best)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn once(text: &str, old: &str, new: &str) -> Result<String, Mismatch> {
        replace(text, old, new, Which::TheOnly).map(|replaced| replaced.text)
    }

    #[test]
    fn bytes_outside_the_place_never_change() {
        for (text, old, new, expected) in [
            ("one\ntwo\n", "two", "TWO", "one\nTWO\n"),
            ("one\ntwo", "one", "ONE", "ONE\ntwo"),
            ("x\t \none\n", "one", "ONE", "x\t \nONE\n"),
            ("one\r\ntwo\r\n", "two", "TWO", "one\r\nTWO\r\n"),
            ("one\r\ntwo\r\nthree\r\n", "one\ntwo", "1\n2\n2½", "1\r\n2\r\n2½\r\nthree\r\n"),
            ("one\r\ntwo\nthree\r\n", "two", "TWO", "one\r\nTWO\nthree\r\n"),
            ("one\r\ntwo\nthree\r\n", "two\nthree", "2\n3", "one\r\n2\n3\r\n"),
            ("a\r\nb\r\nc\n", "c", "c\nd", "a\r\nb\r\nc\r\nd\n"),
            ("a\nb\n", "b\n", "", "a\n"),
            ("a\r\nb\r\n", "\nb", "", "a\r\n"),
            ("\u{feff}é→🦀\n", "→", "x", "\u{feff}éx🦀\n"),
            ("one\ntwo\n", "one\r\ntwo", "1\r\n2", "1\n2\n"),
        ] {
            assert_eq!(once(text, old, new), Ok(expected.into()), "{text:?}: {old:?} → {new:?}");
        }
    }

    #[test]
    fn one_place_is_demanded_unless_all_are_meant() {
        let text = "a = 1\nb = 1\r\nc\nd = 1\n";
        assert_eq!(once(text, "= 1", "= 2"), Err(Mismatch::Several(vec![1, 2, 4])));
        let all = replace(text, "= 1", "= 2", Which::All).unwrap();
        assert_eq!(all, Replaced { text: "a = 2\nb = 2\r\nc\nd = 2\n".into(), places: 3 });
        assert_eq!(once(text, "= 3", "= 2"), Err(Mismatch::Nowhere));
    }

    #[test]
    fn overlapping_places_are_several() {
        assert_eq!(once("éé\nx", "é", "y"), Err(Mismatch::Several(vec![1, 1])));
        assert_eq!(once("aaa", "aa", "b"), Err(Mismatch::Several(vec![1, 1])));
    }

    #[test]
    fn new_content_keeps_the_ends_of_the_file() {
        assert_eq!(with_ends_of("a\r\nb\r\n", "x\ny\n"), "x\r\ny\r\n");
        assert_eq!(with_ends_of("a\nb\r\nc\n", "x\ny\n"), "x\ny\n");
        assert_eq!(with_ends_of("a\r\n", "x\r\ny\n"), "x\r\ny\n");
    }

    #[test]
    fn what_was_meant_is_found() {
        let text = "fn main() {\n    let total = sum(&items);\n    println!(\"{total}\");\n}\n";
        let found = nearest(text, "    let totals = sum(items);\n    println!(\"{totals}\");");
        assert_eq!(found, Some((2, vec!["    let total = sum(&items);", "    println!(\"{total}\");"])));
        assert_eq!(nearest(text, "completely different words here"), None);
        assert_eq!(nearest("", "a"), None);
    }
}
