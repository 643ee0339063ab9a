//! How things were before a call, as a text that outlasts a program that is killed while the call is carried out.
//!
//! A small text says what the call may change; how the files of a project were stands in a text of its own, which many
//! calls in a row share. One line a file. Names that are no UTF-8 are left out: of these nothing can be brought back.

use super::snapshot::{KnownContent, Snapshot, SnapshotEntry};
use super::stat::{Moment, Stat};
use super::vault::raw;
use super::{FileBefore, StateBefore};
use agent_protocol::{Digest, FileState, Unkept};
use std::fmt::Write;
use std::path::{Component, Path, PathBuf};
use std::str::Split;

/// The first lines of both texts, with their version.
const HEAD: &str = "agent: before a call, 1";
const TABLE: &str = "agent: files of a project, 1";
/// Bytes that a line of a table mostly has at most.
const LINE: usize = 200;

/// What a small text says.
#[derive(Debug)]
pub(super) enum Written {
    Files(Vec<FileBefore>),
    Project {
        at: Moment,
        whole: bool,
        /// The text with its files.
        table: Digest,
    },
}

/// The small text for a call; for one that may change a whole project with the table of it. `None`: it changes nothing.
pub(super) fn before(before: &StateBefore, table: Option<Digest>) -> Option<String> {
    match before {
        StateBefore::Nothing => None,
        StateBefore::Files(looks) => {
            let lines =
                looks.iter().filter_map(|look| serde_json::to_string(&(&look.path, &look.kept, &look.seen)).ok());
            Some(lines.fold(format!("{HEAD}\nfiles\n"), |text, line| text + &line + "\n"))
        }
        StateBefore::Project { snapshot, whole } => {
            let scope = if *whole { "whole" } else { "seen" };
            Some(format!("{HEAD}\nproject\n{:x} {scope} {}\n", snapshot.at, table?.0))
        }
    }
}

/// What such a text says; `None` where it is none.
pub(super) fn read(text: &[u8]) -> Option<Written> {
    let mut lines = lines(text, HEAD)?;
    match lines.next()? {
        "files" => lines.map(look).collect::<Option<_>>().map(Written::Files),
        "project" => {
            let mut words = lines.next()?.split(' ');
            let at = Moment::read(words.next()?)?;
            let whole = match words.next()? {
                "whole" => true,
                "seen" => false,
                _ => return None,
            };
            Some(Written::Project { at, whole, table: Digest(words.next()?.into()) })
        }
        _ => None,
    }
}

fn look(line: &str) -> Option<FileBefore> {
    let (path, kept, seen): (PathBuf, FileState, FileState) = serde_json::from_str(line).ok()?;
    path.is_absolute().then_some(FileBefore { path, kept, seen })
}

/// The files of the project at `root`.
pub(super) fn table(snapshot: &Snapshot, root: &Path) -> String {
    let mut text = String::with_capacity(TABLE.len() + 1 + snapshot.entries.len() * LINE);
    text.push_str(TABLE);
    text.push('\n');
    for entry in &snapshot.entries {
        if let Some(path) = entry.path.strip_prefix(root).ok().and_then(Path::to_str) {
            file(entry, path, &mut text);
        }
    }
    text
}

fn file(entry: &SnapshotEntry, path: &str, text: &mut String) {
    match &entry.known {
        KnownContent::File(content) => {
            text.push_str("file ");
            for byte in content {
                text.extend([byte >> 4, byte & 15].map(|half| char::from(b"0123456789abcdef"[usize::from(half)])));
            }
        }
        KnownContent::Link(target) => {
            // One whose target is no UTF-8 is `Not`.
            text.push_str("link ");
            escape(&target.to_string_lossy(), text);
        }
        KnownContent::Not(why) => {
            text.push_str("not ");
            text.push_str(word(*why));
        }
    }
    // Writing to a string cannot fail.
    let _ = write!(text, "\t{:x}\t", entry.stat);
    escape(path, text);
    text.push('\n');
}

/// How these files were at `at`; `None` where the text is none of ours.
pub(super) fn snapshot(text: &[u8], at: Moment, root: &Path) -> Option<Snapshot> {
    let mut entries = lines(text, TABLE)?.map(|line| entry(line, at, root)).collect::<Option<Vec<_>>>()?;
    entries.sort_unstable_by(|one, other| one.path.cmp(&other.path));
    Some(Snapshot { at, entries })
}

fn entry(line: &str, at: Moment, root: &Path) -> Option<SnapshotEntry> {
    let mut parts = line.split('\t');
    let (kind, what) = parts.next()?.split_once(' ')?;
    let known = match kind {
        "file" => KnownContent::File(raw(&Digest(what.into()))?),
        "link" => KnownContent::Link(PathBuf::from(unescaped(what)?).into()),
        "not" => KnownContent::Not(why(what)?),
        _ => return None,
    };
    let stat = Stat::read(parts.next()?)?;
    let path = PathBuf::from(unescaped(parts.next()?)?);
    // Nothing of the project lies outside of it.
    let below = path.components().all(|part| matches!(part, Component::Normal(_)));
    (below && parts.next().is_none()).then(|| SnapshotEntry::told(root.join(path), stat, known, at))
}

/// The lines after the first, which must be this one. Without the last one's end it is not whole.
fn lines<'a>(text: &'a [u8], first: &str) -> Option<Split<'a, char>> {
    let (begin, lines) = std::str::from_utf8(text).ok()?.split_once('\n')?;
    if begin != first {
        return None;
    }
    // `lines` would take a name's own carriage return for a part of the line's end.
    let mut all = lines.strip_suffix('\n').unwrap_or(lines).split('\n');
    if lines.is_empty() {
        all.next();
    }
    (lines.is_empty() || lines.ends_with('\n')).then_some(all)
}

fn escape(name: &str, text: &mut String) {
    if !name.contains(['\\', '\t', '\n']) {
        return text.push_str(name);
    }
    for c in name.chars() {
        match c {
            '\\' => text.push_str("\\\\"),
            '\t' => text.push_str("\\t"),
            '\n' => text.push_str("\\n"),
            c => text.push(c),
        }
    }
}

fn unescaped(text: &str) -> Option<String> {
    let (mut name, mut rest) = (String::with_capacity(text.len()), text.chars());
    while let Some(c) = rest.next() {
        name.push(match c {
            '\\' => match rest.next()? {
                '\\' => '\\',
                't' => '\t',
                'n' => '\n',
                _ => return None,
            },
            c => c,
        });
    }
    Some(name)
}

fn word(why: Unkept) -> &'static str {
    match why {
        Unkept::TooLarge => "large",
        Unkept::NoRoom => "room",
        Unkept::Unreadable => "unreadable",
        Unkept::Special => "special",
        Unkept::Name => "name",
    }
}

fn why(said: &str) -> Option<Unkept> {
    let all = [Unkept::TooLarge, Unkept::NoRoom, Unkept::Unreadable, Unkept::Special, Unkept::Name];
    all.into_iter().find(|why| word(*why) == said)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::apply::digest;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    use std::time::{Duration, SystemTime};

    fn all() -> (Snapshot, Moment) {
        let at = Moment::at(SystemTime::now());
        let stat = Stat::of(&Path::new("/").metadata().unwrap());
        let content = raw(&digest(b"text")).unwrap();
        let names = ["a", "b/c d", "b/e\tf\n\\g\r", "é"].map(|name| (name, KnownContent::File(content)));
        let links = [("l", KnownContent::Link(Path::new("..\n/x\\n").into()))];
        let whys = [Unkept::TooLarge, Unkept::NoRoom, Unkept::Unreadable, Unkept::Special, Unkept::Name];
        let not = ["n/1", "n/2", "n/3", "n/4", "n/5"].into_iter().zip(whys.map(KnownContent::Not));
        let entries = names.into_iter().chain(links).chain(not);
        let mut entries: Vec<SnapshotEntry> = entries
            .map(|(name, known)| SnapshotEntry::told(Path::new("/project").join(name), stat, known, at))
            .collect();
        entries.sort_by(|one, other| one.path.cmp(&other.path));
        (Snapshot { at, entries }, at)
    }

    #[test]
    fn a_table_is_read_as_it_was_written() {
        let (snapshot, at) = all();
        let text = table(&snapshot, Path::new("/project"));
        assert_eq!(super::snapshot(text.as_bytes(), at, Path::new("/project")).unwrap().entries, snapshot.entries);
        let moved = super::snapshot(text.as_bytes(), at, Path::new("/other")).unwrap();
        assert_eq!(moved.entries[0].path, Path::new("/other/a"));
    }

    #[test]
    fn names_that_are_no_text_are_left_out() {
        let (mut snapshot, at) = all();
        let odd = PathBuf::from(OsStr::from_bytes(b"/project/odd\xff"));
        snapshot.entries = vec![SnapshotEntry::told(odd, Stat::default(), KnownContent::Not(Unkept::Name), at)];
        let text = table(&snapshot, Path::new("/project"));
        assert_eq!(super::snapshot(text.as_bytes(), at, Path::new("/project")).unwrap().entries, []);
    }

    #[test]
    fn whatever_is_cut_or_is_another_text_is_no_table() {
        let (snapshot, at) = all();
        let text = table(&snapshot, Path::new("/project")).into_bytes();
        let is_one = |text: &[u8]| super::snapshot(text, at, Path::new("/project")).is_some();
        for end in 0..text.len() {
            // A text that ends with a line is what its digest is for.
            assert_eq!(is_one(&text[..end]), end > 0 && text[end - 1] == b'\n', "{end}");
        }
        let line = |line: &str| format!("{TABLE}\n{line}\n").into_bytes();
        let stat = format!("{:x}", Stat::default());
        assert!(is_one(&line(&format!("not room\t{stat}\ta"))));
        for odd in ["", "not room", "not known\t{}\ta", "not room\t{}\t../a", "not room\t{}\t/a", "file 12\t{}\ta"] {
            assert!(!is_one(&line(&odd.replace("{}", &stat))), "{odd}");
        }
        assert!(!is_one(&line(&format!("not room\t{stat}\ta\\x"))));
        assert!(!is_one(b"\xff"));
    }

    #[test]
    fn a_time_of_looking_is_read_as_it_was_written() {
        let at = Moment::at(SystemTime::UNIX_EPOCH + Duration::new(1_700_000_000, 123_456_789));
        for whole in [true, false] {
            let snapshot = Snapshot { at, entries: Vec::new() }.into();
            let text = before(&StateBefore::Project { snapshot, whole }, Some(Digest("ab".into()))).unwrap();
            let read = read(text.as_bytes()).unwrap();
            let Written::Project { at: then, whole: all, table } = read else { panic!("it is a project") };
            assert_eq!((then, all, table), (at, whole, Digest("ab".into())));
        }
        assert!(before(&StateBefore::Nothing, None).is_none());
        for odd in ["", HEAD, "agent: before a call, 2\nfiles\n", &format!("{HEAD}\nfiles\n{{}}\n")] {
            assert!(super::read(odd.as_bytes()).is_none(), "{odd}");
        }
    }
}
