//! What a search found that found much: the files with how many lines of each match and the first of them. A list of hundreds of
//! lines fills a window and is cut somewhere; this says where to look closer.

use crate::search::{HitLine, Hits};
use crate::words;
use crate::workspace::Workspace;
use agent_protocol::Outcome;
use std::path::{Component, Path};

/// Characters of a line that are shown.
const WIDTH: usize = 120;

/// Folders that are named of the files that are not.
const FOLDERS: usize = 8;

/// Bytes kept free for the closing remarks.
const REMARKS: usize = 400;

/// At most `most` files in `room` bytes, and in which folders below `base` the others lie.
pub(super) fn report(
    hits: &[Hits],
    total: u64,
    remark: &str,
    (workspace, base): (&Workspace, &Path),
    (room, most): (usize, u64),
) -> Outcome {
    let files = words::count(hits.len() as u64, "file");
    let mut told = format!("[{total} lines in {files} match: of each file how many, and the first]\n");
    let room = room.saturating_sub(REMARKS);
    let mut shown = 0;
    for hits in hits.iter().take(usize::try_from(most).unwrap_or(usize::MAX)) {
        let line = format!("{}: {}, the first {}\n", workspace.shown(&hits.path), hits.matches, first(&hits.lines));
        if told.len() + line.len() > room {
            break;
        }
        told.push_str(&line);
        shown += 1;
    }
    let rest = &hits[shown..];
    if !rest.is_empty() {
        told.push_str(&format!("[… {}: {}]\n", words::count(rest.len() as u64, "more file"), folders(rest, base)));
    }
    told.push_str("[narrow the pattern or name a folder to see the lines]");
    told.push_str(remark);
    told.push('\n');
    let summary = format!("{} in {files}", words::count(total, "match"));
    words::done(told.clone(), summary, told)
}

fn first(lines: &[HitLine]) -> String {
    let found = lines.iter().find_map(|line| match line {
        HitLine::Match(number, text) => Some(format!("{number}:{}", words::shortened(text.trim(), WIDTH))),
        HitLine::Context(..) | HitLine::Gap => None,
    });
    found.unwrap_or_default()
}

/// `src 12, tests 3`: the folders right below `base` in which these files lie, the fullest first.
fn folders(rest: &[Hits], base: &Path) -> String {
    let mut folders: Vec<(String, usize)> = Vec::new();
    for hits in rest {
        let mut parts = hits.path.strip_prefix(base).unwrap_or(&hits.path).components();
        let name = match (parts.next(), parts.next()) {
            (Some(Component::Normal(folder)), Some(_)) => format!("{}/", folder.to_string_lossy()),
            _ => "here".to_owned(),
        };
        match folders.iter_mut().find(|(known, _)| *known == name) {
            Some((_, files)) => *files += 1,
            None => folders.push((name, 1)),
        }
    }
    folders.sort_by_key(|(_, files)| std::cmp::Reverse(*files));
    let more = if folders.len() > FOLDERS { ", …" } else { "" };
    let named: Vec<String> = folders.iter().take(FOLDERS).map(|(name, files)| format!("{name} {files}")).collect();
    named.join(", ") + more
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hits(path: &str, matches: u64) -> Hits {
        let lines = vec![
            HitLine::Context(11, "before".into()),
            HitLine::Match(12, "    fn main() {".into()),
            HitLine::Match(30, "main();".into()),
        ];
        Hits { path: format!("/p/{path}").into(), matches, lines }
    }

    fn told(files: &[Hits], room: usize, most: u64) -> String {
        let total = files.iter().map(|hits| hits.matches).sum();
        report(files, total, "", (&Workspace::new(Path::new("/p")), Path::new("/p")), (room, most)).told
    }

    #[test]
    fn each_file_comes_with_its_number_and_its_first_line() {
        assert_eq!(
            told(&[hits("a.rs", 31), hits("src/b.rs", 12)], 4_000, 40),
            "[43 lines in 2 files match: of each file how many, and the first]\n\
             a.rs: 31, the first 12:fn main() {\nsrc/b.rs: 12, the first 12:fn main() {\n\
             [narrow the pattern or name a folder to see the lines]\n"
        );
    }

    #[test]
    fn files_beyond_the_room_are_counted_by_folder() {
        let names = ["a.rs", "b.rs", "src/c.rs", "tests/d.rs", "tests/e/f.rs", "z.rs"];
        let files: Vec<Hits> = names.iter().map(|name| hits(name, 20)).collect();
        let by_count = told(&files, 4_000, 2);
        assert!(by_count.contains("b.rs: 20") && !by_count.contains("c.rs"), "{by_count}");
        assert!(by_count.contains("[… 4 more files: tests/ 2, src/ 1, here 1]"), "{by_count}");
        let by_room = told(&files, 560, 40);
        assert!(by_room.len() <= 560 && by_room.contains(" more files: "), "{by_room}");
    }
}
