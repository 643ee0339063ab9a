//! Files and folders that a message names by `@`: `@src/a.rs`, `@src/a.rs:10-40`, `@docs/`, `@"with spaces.txt"`.
//!
//! Only reads text; whether there is such a file is for others to find out.

use std::ops::Range;

/// What may stand right before the sign, besides a space and the beginning of the text. No quotes: `"@types/node"` is a name
/// of something else.
const OPENING: [char; 3] = ['(', '[', '{'];
/// What ends a sentence or a bracket, and no name.
const CLOSING: [char; 12] = ['.', ',', ';', ':', '!', '?', ')', ']', '}', '"', '\'', '`'];

/// A file or folder that a message names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// The path as it is written; that of a folder may end with a slash.
    pub path: String,
    /// First and last line, counted from 1, where only these are meant.
    pub lines: Option<(u64, u64)>,
    /// Where it stands in the text, in bytes, the sign included.
    pub place: Range<usize>,
}

impl Mention {
    /// Can it hardly be anything but a path? `@param` or `@alice` may be said of something else.
    pub fn is_path_like(&self) -> bool {
        self.path.contains(['/', '.'])
    }

    /// The path without the slash at its end.
    pub fn name(&self) -> &str {
        self.path.trim_end_matches('/').trim_start_matches("./")
    }

    /// How a message names this path.
    pub fn written(path: &str) -> String {
        if path.contains(char::is_whitespace) { format!("@\"{path}\"") } else { format!("@{path}") }
    }
}

/// What `text` names, in order.
pub fn mentions(text: &str) -> Vec<Mention> {
    let mut found: Vec<Mention> = Vec::new();
    for at in signs(text) {
        if found.last().is_none_or(|last| last.place.end <= at) {
            found.extend(read(text, at).filter(|mention| !mention.path.is_empty()));
        }
    }
    found
}

/// What is being written where `cursor` stands, a place in bytes: the path up to there, which may be empty.
pub fn mention_at(text: &str, cursor: usize) -> Option<Mention> {
    let before = text.get(..cursor)?;
    let at = signs(before).last()?;
    let written = &before[at + 1..];
    let path = match written.strip_prefix('"') {
        Some(quoted) if !quoted.contains(['"', '\n']) => quoted,
        Some(_) => return None,
        None if !written.contains(char::is_whitespace) => written,
        None => return None,
    };
    Some(Mention { path: path.to_owned(), lines: None, place: at..cursor })
}

/// Where an `@` stands that may begin a name.
fn signs(text: &str) -> impl Iterator<Item = usize> {
    let begins = |at: &usize| {
        let before = text[..*at].chars().next_back();
        before.is_none_or(|letter| letter.is_whitespace() || OPENING.contains(&letter))
    };
    text.match_indices('@').map(|(at, _)| at).filter(begins)
}

fn read(text: &str, at: usize) -> Option<Mention> {
    let rest = &text[at + 1..];
    if let Some(quoted) = rest.strip_prefix('"') {
        let end = quoted.find(['"', '\n']).filter(|end| quoted[*end..].starts_with('"'))?;
        let behind = &quoted[end + 1..];
        let word = behind.find(char::is_whitespace).map_or(behind, |end| &behind[..end]);
        let (lines, taken) = match word.strip_prefix(':').map(|word| word.trim_end_matches(CLOSING)) {
            Some(range) => numbers(range).map_or((None, 0), |lines| (Some(lines), range.len() + 1)),
            None => (None, 0),
        };
        return Some(Mention { path: quoted[..end].to_owned(), lines, place: at..at + end + 3 + taken });
    }
    let word = rest.find(char::is_whitespace).map_or(rest, |end| &rest[..end]).trim_end_matches(CLOSING);
    let ranged = word.rsplit_once(':').and_then(|(path, range)| Some((path, numbers(range)?)));
    let (path, lines) = ranged.map_or((word, None), |(path, lines)| (path, Some(lines)));
    Some(Mention { path: path.to_owned(), lines, place: at..at + 1 + word.len() })
}

/// `10-40` or `10`.
fn numbers(range: &str) -> Option<(u64, u64)> {
    let (first, last) = range.split_once('-').unwrap_or((range, range));
    let (first, last): (u64, u64) = (first.parse().ok()?, last.parse().ok()?);
    Some((first.min(last).max(1), first.max(last).max(1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_from(text: &str) -> Vec<(String, Option<(u64, u64)>)> {
        mentions(text).into_iter().map(|mention| (mention.path, mention.lines)).collect()
    }

    #[test]
    fn paths_ranges_and_folders_are_read_and_the_sentence_around_them_is_not() {
        for (text, path, lines) in [
            ("see @src/a.rs.", "src/a.rs", None),
            ("@src/a.rs:10-40 is wrong", "src/a.rs", Some((10, 40))),
            ("(@src/a.rs:7)", "src/a.rs", Some((7, 7))),
            ("@src/a.rs:40-10", "src/a.rs", Some((10, 40))),
            ("what is in @docs/?", "docs/", None),
            ("@.gitignore", ".gitignore", None),
            ("look at @\"my notes.md\":3-4, please", "my notes.md", Some((3, 4))),
            ("@a:b", "a:b", None),
        ] {
            assert_eq!(read_from(text), [(path.to_owned(), lines)], "{text}");
        }
        for text in ["me@example.org", "a @ b", "@", "@\"never closed", "@.", "\"@types/node\""] {
            assert_eq!(read_from(text), [], "{text}");
        }
        assert_eq!(read_from("@a.rs and @b.rs").len(), 2);
    }

    #[test]
    fn the_place_of_a_mention_is_what_it_is_written_as() {
        for text in ["see @src/a.rs:10-40, now", "see @\"a b.txt\":3 now"] {
            let mention = mentions(text).remove(0);
            let written = &text[mention.place.clone()];
            assert_eq!(mentions(written), [Mention { place: 0..written.len(), ..mention }], "{text}");
        }
        assert_eq!(Mention::written("a b/c.txt"), "@\"a b/c.txt\"");
    }

    #[test]
    fn what_is_being_written_ends_at_the_cursor() {
        let at = |text: &str, cursor| mention_at(text, cursor).map(|mention| (mention.path, mention.place));
        assert_eq!(at("see @src/a", 10), Some(("src/a".into(), 4..10)));
        assert_eq!(at("see @src/a", 6), Some(("s".into(), 4..6)));
        assert_eq!(at("see @", 5), Some((String::new(), 4..5)));
        assert_eq!(at("see @\"a b", 9), Some(("a b".into(), 4..9)));
        for (text, cursor) in [("see @a b", 8), ("a@b", 3), ("@\"a b\"", 6), ("", 0)] {
            assert_eq!(at(text, cursor), None, "{text}");
        }
    }
}
