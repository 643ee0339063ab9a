//! A text as lines, and where a run of lines is in it, at several levels of looseness.

use super::ends::LineEnd;
use super::glyphs::{plain, plain_form};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

/// Letters and digits of a line that tells one place from another.
const TELLING: usize = 4;

/// What does not count when lines are compared, from strict to loose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// White space at the end of lines.
    Ends,
    /// That, and at their beginning.
    Indents,
    /// All of that, and how much of it stands between words.
    Blanks,
    /// All of that, and the kind of quotes and dashes.
    Marks,
    /// All of that, the form in which letters are written, and what cannot be seen.
    Forms,
}

impl Level {
    pub(super) const ALL: [Level; 5] = [Level::Ends, Level::Indents, Level::Blanks, Level::Marks, Level::Forms];
    pub(super) const LOOSEST: Level = Level::Forms;

    /// Lines with the same key are the same.
    pub(super) fn key(self, line: &str) -> Cow<'_, str> {
        match self {
            Level::Ends => line.trim_end().into(),
            Level::Indents => line.trim().into(),
            Level::Blanks => single_blanks(line.trim()),
            Level::Marks => without_blanks(plain(line)),
            Level::Forms => without_blanks(plain_form(line)),
        }
    }
}

fn without_blanks(line: Cow<'_, str>) -> Cow<'_, str> {
    match line {
        Cow::Borrowed(line) => single_blanks(line.trim()),
        Cow::Owned(line) => single_blanks(line.trim()).into_owned().into(),
    }
}

fn single_blanks(line: &str) -> Cow<'_, str> {
    let mut blank_before = false;
    let even = line.chars().all(|c| {
        let (blank, before) = (c.is_whitespace(), blank_before);
        blank_before = blank;
        !blank || (c == ' ' && !before)
    });
    if even { line.into() } else { line.split_whitespace().collect::<Vec<_>>().join(" ").into() }
}

pub(super) fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

/// Does `line` say enough to tell one place from another?
pub(super) fn is_telling(line: &str) -> bool {
    line.chars().filter(|c| c.is_alphanumeric()).nth(TELLING - 1).is_some()
}

/// The white space at the beginning of `line`.
pub(super) fn indent(line: &str) -> &str {
    &line[..line.len() - line.trim_start().len()]
}

/// A text as lines. A byte order mark belongs to no line.
pub(super) struct LineIndex<'a> {
    pub(super) text: &'a str,
    lines: Vec<Line>,
}

/// Where a line is: its text, then its end.
struct Line {
    text: Range<usize>,
    next: usize,
}

/// What becomes of a run of lines.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Out {
    /// This line of the line_index, to the byte.
    Keep(usize),
    Put(String),
}

impl<'a> LineIndex<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let mut start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let mut lines = Vec::new();
        while start < text.len() {
            let next = text[start..].find('\n').map_or(text.len(), |index| start + index + 1);
            let line = &text[start..next];
            let line = line.strip_suffix('\n').map_or(line, |line| line.strip_suffix('\r').unwrap_or(line));
            lines.push(Line { text: start..start + line.len(), next });
            start = next;
        }
        LineIndex { text, lines }
    }

    pub(super) fn len(&self) -> usize {
        self.lines.len()
    }

    pub(super) fn line(&self, index: usize) -> &'a str {
        &self.text[self.lines[index].text.clone()]
    }

    pub(super) fn lines(&self) -> impl Iterator<Item = &'a str> {
        (0..self.len()).map(|index| self.line(index))
    }

    /// Where the `sought` lines begin, also where they overlap; linear. Blank lines alone are nowhere.
    pub(super) fn find(&self, sought: &[&str], level: Level) -> Vec<usize> {
        if sought.iter().all(|line| is_blank(line)) {
            return Vec::new();
        }
        let mut numbers: HashMap<Cow<str>, usize> = HashMap::new();
        let mut number = |line| {
            let next = numbers.len();
            *numbers.entry(level.key(line)).or_insert(next)
        };
        let sought: Vec<usize> = sought.iter().map(|line| number(line)).collect();
        let here: Vec<usize> =
            self.lines().map(|line| numbers.get(&level.key(line)).copied().unwrap_or(usize::MAX)).collect();
        runs(&here, &sought)
    }

    /// The text with `outs` in place of the lines of `place`, which holds at least one. Every line kept keeps its end.
    pub(super) fn put(&self, result: &mut String, place: Range<usize>, outs: &[Out]) {
        let last = &self.lines[place.end - 1];
        let bytes = self.lines[place.start].text.start..last.next;
        let end = LineEnd::within(&self.text[bytes]).unwrap_or_else(|| LineEnd::mostly(self.text)).as_str();
        let last_end = &self.text[last.text.end..last.next];
        for (index, out) in outs.iter().enumerate() {
            let is_last = index + 1 == outs.len();
            let own = match out {
                Out::Keep(line) => {
                    result.push_str(self.line(*line));
                    self.end(*line)
                }
                Out::Put(line) => {
                    result.push_str(line);
                    end
                }
            };
            result.push_str(match (is_last, own) {
                (true, _) => last_end,
                (false, "") => end,
                (false, own) => own,
            });
        }
    }

    /// The whole text made of `outs`. Every line kept keeps its end, a new one ends like the one before it, and the last one
    /// as the last one did.
    pub(super) fn rewritten(&self, outs: &[Out]) -> String {
        let usual = LineEnd::mostly(self.text).as_str();
        let last_end = self.lines.len().checked_sub(1).map_or(usual, |last| self.end(last));
        let mut result = self.text[..self.lines.first().map_or(self.text.len(), |line| line.text.start)].to_owned();
        let mut before = usual;
        for (index, out) in outs.iter().enumerate() {
            let (line, own) = match out {
                Out::Keep(line) => (self.line(*line), self.end(*line)),
                Out::Put(line) => (line.as_str(), before),
            };
            before = if own.is_empty() { usual } else { own };
            result.push_str(line);
            result.push_str(if index + 1 == outs.len() { last_end } else { before });
        }
        result
    }

    /// The bytes of these lines with their ends.
    pub(super) fn bytes(&self, place: Range<usize>) -> Range<usize> {
        self.lines[place.start].text.start..self.lines[place.end - 1].next
    }

    fn end(&self, index: usize) -> &'a str {
        let line = &self.lines[index];
        &self.text[line.text.end..line.next]
    }
}

/// Where `sought` begins in `all`, also where it overlaps itself: the search of Knuth, Morris and Pratt.
pub(super) fn runs(all: &[usize], sought: &[usize]) -> Vec<usize> {
    let mut back = vec![0; sought.len()];
    let mut length = 0;
    for index in 1..sought.len() {
        while length > 0 && sought[index] != sought[length] {
            length = back[length - 1];
        }
        length += usize::from(sought[index] == sought[length]);
        back[index] = length;
    }
    let mut found = Vec::new();
    let mut length = 0;
    for (index, line) in all.iter().enumerate() {
        while length > 0 && (length == sought.len() || *line != sought[length]) {
            length = back[length - 1];
        }
        length += usize::from(*line == sought[length]);
        if length == sought.len() {
            found.push(index + 1 - length);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_forgives_more() {
        let line_index = LineIndex::new("\u{feff}a b\r\n\ta b \n\ta  b\n a “b”\nlast");
        let found = |sought: &[&str]| Level::ALL.map(|level| line_index.find(sought, level));
        assert_eq!(found(&["a b"]), [vec![0], vec![0, 1], vec![0, 1, 2], vec![0, 1, 2], vec![0, 1, 2]]);
        assert_eq!(found(&["a \"b\"", "last"]), [vec![], vec![], vec![], vec![3], vec![3]]);
        assert_eq!(found(&[" ", ""]), [const { Vec::<usize>::new() }; 5]);
    }

    #[test]
    fn overlapping_runs_are_all_found() {
        assert_eq!(runs(&[1, 1, 1, 2, 1, 1], &[1, 1]), [0, 1, 4]);
        assert_eq!(runs(&[1, 2, 1, 2, 1, 3, 1, 2, 1, 2, 1], &[1, 2, 1]), [0, 2, 6, 8]);
        assert_eq!(runs(&[4], &[4]), [0]);
    }
}
