//! What a pattern of a shell matches: the shell's own way of looking, taken for the worst where shells differ.

use agent_policy::{Glyph, Pattern};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Matches after which it is too much to tell.
const MATCHES: usize = 2_000;
/// Names that are looked at.
const NAMES: usize = 20_000;

/// What `pattern` matches for a shell that stands in `folder`, sorted; `None` where there is too much to look at.
pub(super) fn matches(folder: &Path, pattern: &Pattern) -> Option<Vec<PathBuf>> {
    let parts: Vec<&[Glyph]> = pattern.0.split(|glyph| *glyph == Glyph::Literal('/')).collect();
    let start = if parts.len() > 1 && parts[0].is_empty() { PathBuf::from("/") } else { folder.to_owned() };
    let mut found = vec![start];
    let mut left = NAMES;
    for (index, part) in parts.iter().enumerate() {
        let last = index + 1 == parts.len();
        found = if part.is_empty() {
            if last { found.into_iter().filter(|path| path.is_dir()).collect() } else { found }
        } else {
            step(found, part, &mut left)?
        };
    }
    found.sort();
    Some(found)
}

/// One folder further down.
fn step(folders: Vec<PathBuf>, part: &[Glyph], left: &mut usize) -> Option<Vec<PathBuf>> {
    if let Some(name) = literal(part) {
        let there = folders.into_iter().map(|folder| folder.join(&name));
        return Some(there.filter(|path| path.symlink_metadata().is_ok()).collect());
    }
    let mut found = Vec::new();
    for folder in folders {
        // What cannot be listed is as good as empty, for the shell as well.
        let listed = std::fs::read_dir(&folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
        // Some shells find these two and some do not.
        for name in [".".into(), "..".into()].into_iter().chain(listed) {
            *left = left.checked_sub(1)?;
            if stands_for(part, &name) {
                found.push(folder.join(&name));
            }
        }
        if found.len() > MATCHES {
            return None;
        }
    }
    Some(found)
}

/// The name that `part` is, where it stands for no other.
fn literal(part: &[Glyph]) -> Option<String> {
    let character = |glyph: &Glyph| match glyph {
        Glyph::Literal(character) => Some(*character),
        Glyph::Any | Glyph::One => None,
    };
    part.iter().map(character).collect()
}

/// A leading dot is matched by a dot alone.
fn stands_for(part: &[Glyph], name: &OsStr) -> bool {
    let name = name.as_bytes();
    (name.first() != Some(&b'.') || part.first() == Some(&Glyph::Literal('.'))) && fits(part, name)
}

/// Does `part` fit `name`? Works out which beginnings of `name` the glyphs so far can stand for, so that it takes no
/// more than `part` times `name` steps.
fn fits(part: &[Glyph], name: &[u8]) -> bool {
    let mut ends = vec![false; name.len() + 1];
    ends[0] = true;
    for glyph in part {
        let mut next = vec![false; name.len() + 1];
        for at in (0..=name.len()).filter(|at| ends[*at]) {
            match glyph {
                Glyph::Literal(character) => {
                    let bytes = character.encode_utf8(&mut [0; 4]).len();
                    if name[at..].starts_with(character.encode_utf8(&mut [0; 4]).as_bytes()) {
                        next[at + bytes] = true;
                    }
                }
                Glyph::Any => next[at..].fill(true),
                // One byte for some shells and one character for others.
                Glyph::One => (1..=width(&name[at..])).for_each(|bytes| next[at + bytes] = true),
            }
        }
        ends = next;
    }
    ends[name.len()]
}

/// Bytes that one character at the beginning of `name` may take.
fn width(name: &[u8]) -> usize {
    match name.first() {
        None => 0,
        Some(byte) if byte.is_ascii() => 1,
        Some(_) => name.len().min(4),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;
    use tempfile::TempDir;

    /// `*` and `?` stand for others; everything else for itself.
    fn pattern(text: &str) -> Pattern {
        let glyph = |character| match character {
            '*' => Glyph::Any,
            '?' => Glyph::One,
            other => Glyph::Literal(other),
        };
        Pattern(text.chars().map(glyph).collect())
    }

    /// A project, and the folder that holds nothing but it: some patterns lead up to there.
    fn project() -> (TempDir, PathBuf) {
        let folder = TempDir::new().unwrap();
        let project = folder.path().join("project");
        for name in ["a.rs", "b.rs", "é.rs", ".env", ".hidden/x.rs", "src/a.rs", "src/deep/a.rs", "*.rs"] {
            let path = project.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        symlink("src", project.join("way")).unwrap();
        symlink("nowhere", project.join("gone.rs")).unwrap();
        (folder, project)
    }

    fn found(project: &Path, text: &str) -> Vec<String> {
        let paths = matches(project, &pattern(text)).unwrap();
        let shown = |path: &PathBuf| path.strip_prefix(project).unwrap_or(path).display().to_string();
        paths.iter().map(shown).collect()
    }

    #[test]
    fn patterns_match_as_in_a_shell() {
        let (_folder, project) = project();
        for (text, expected) in [
            ("*.rs", vec!["*.rs", "a.rs", "b.rs", "gone.rs", "é.rs"]),
            ("?.rs", vec!["*.rs", "a.rs", "b.rs", "é.rs"]),
            ("??.rs", vec!["é.rs"]),
            ("s*/a.rs", vec!["src/a.rs"]),
            ("w*/*.rs", vec!["way/a.rs"]),
            ("*/*/a.rs", vec!["src/deep/a.rs", "way/deep/a.rs"]),
            (".e*", vec![".env"]),
            ("*env", vec![]),
            ("?env", vec![]),
            ("*/", vec!["src", "way"]),
            ("src//*.rs", vec!["src/a.rs"]),
            ("./a*", vec!["a.rs"]),
            ("*/nothing", vec![]),
            ("src/../b*", vec!["src/../b.rs"]),
        ] {
            assert_eq!(found(&project, text), expected, "{text}");
        }
    }

    #[test]
    fn a_dot_with_a_star_leads_up_as_well() {
        let (_folder, project) = project();
        assert!(found(&project, ".*").contains(&"..".to_owned()));
    }

    #[test]
    fn absolute_patterns_start_at_the_top() {
        let (_folder, project) = project();
        let text = format!("{}/s*c", project.display());
        assert_eq!(found(&project, &text), ["src"]);
    }

    #[test]
    fn too_many_matches_are_not_told() {
        let project = TempDir::new().unwrap();
        for number in 0..=MATCHES {
            std::fs::write(project.path().join(number.to_string()), "").unwrap();
        }
        assert_eq!(matches(project.path(), &pattern("*")), None);
        assert_eq!(found(project.path(), "1999*"), ["1999"]);
    }

    #[test]
    fn bytes_that_are_no_characters_are_matched() {
        assert!(fits(&pattern("a?b").0, b"a\xffb"));
        assert!(fits(&pattern("a*b").0, b"a\xff\xfeb"));
        assert!(!fits(&pattern("a?b").0, b"axxb"));
    }

    /// What a shell matches is never more than what is found here.
    #[test]
    fn no_shell_matches_more() {
        let (_folder, project) = project();
        for text in ["*", ".*", "*.rs", "?.rs", "*/*", "*/.*", ".*/*", "w*/../*", "*/", "?????", "./*", "s*/d*/?.rs"] {
            let line = format!("printf '%s\\n' {text}");
            let said = std::process::Command::new("sh").args(["-c", &line]).current_dir(&project).output();
            let ours = matches(&project, &pattern(text)).unwrap();
            for name in String::from_utf8(said.unwrap().stdout).unwrap().lines() {
                let path = project.join(name);
                assert!(ours.contains(&path), "{text}: {name} is not in {ours:?}");
            }
        }
    }
}
