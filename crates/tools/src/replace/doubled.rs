//! Notices a line that an edit leaves twice in a row: mostly one that the new text has and the old one forgot.
//!
//! It is only told. Which of the two was meant nobody can know here.

use super::line_index::is_telling;

/// The second of two lines, counted from 1, that the first or last line of `new` has made one too many.
pub(super) fn doubled(before: &str, after: &str, new: &str) -> Option<usize> {
    let mut lines = new.lines().map(str::trim).filter(|line| !line.is_empty());
    let (first, last) = (lines.next()?, lines.next_back()?);
    [last, first].into_iter().filter(|edge| is_telling(edge)).find_map(|edge| {
        let more = pairs(after, edge).count() > pairs(before, edge).count() + pairs(new, edge).count();
        pairs(after, edge).next().filter(|_| more)
    })
}

/// The second lines of all pairs of `line`.
fn pairs<'a>(text: &'a str, line: &'a str) -> impl Iterator<Item = usize> + 'a {
    let next = text.lines().skip(1);
    let both = text.lines().zip(next).enumerate();
    both.filter(move |(_, (one, two))| one.trim() == line && two.trim() == line).map(|(index, _)| index + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_comes_to_stand_twice_is_noticed() {
        let before = "open();\nread();\nclose();\n";
        assert_eq!(doubled(before, "open();\nwrite();\nclose();\nclose();\n", "write();\nclose();"), Some(4));
        assert_eq!(doubled(before, "open();\nopen();\nwrite();\nclose();\n", "open();\nwrite();\n"), Some(2));
        assert_eq!(doubled(before, "open();\nread();\nread();\nclose();\n", "read();\nread();"), None);
        assert_eq!(doubled("}\n", "{\n}\n}\n", "{\n}"), None);
        assert_eq!(doubled("same;\nsame;\nx\n", "same;\nsame;\ny;\nsame;\n", "y;\nsame;"), None);
    }
}
