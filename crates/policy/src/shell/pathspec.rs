//! The paths that git is given, as `gitglossary(7)` describes them under pathspec, held against the name of a file.
//!
//! Whatever is in doubt counts as reached: more is asked about rather than less.

use super::paths::lexical;
use std::path::Path;

pub(super) struct Pathspec {
    /// From the top of the tree; lexically plain.
    path: String,
    /// What it matches is left out.
    pub(super) excludes: bool,
    /// It has magic that is not known here.
    unclear: bool,
}

impl Pathspec {
    /// That of `text`, given in the folder `below` of the tree.
    pub(super) fn parse(text: &str, below: &Path) -> Self {
        let (mut excludes, mut top, mut unclear) = (false, false, false);
        let rest = match text.strip_prefix(":(").and_then(|rest| rest.split_once(')')) {
            Some((magic, rest)) => {
                for word in magic.split(',') {
                    match word {
                        "exclude" => excludes = true,
                        "top" => top = true,
                        _ => unclear = true,
                    }
                }
                rest
            }
            None => match text.strip_prefix(':') {
                Some(short) => {
                    let rest = short.trim_start_matches(['/', '!', '^']);
                    let magic = &short[..short.len() - rest.len()];
                    (excludes, top) = (magic.contains(['!', '^']), magic.contains('/'));
                    rest.strip_prefix(':').unwrap_or(rest)
                }
                None => text,
            },
        };
        let joined = Path::new("/").join(if top { Path::new("") } else { below }).join(rest);
        let plain = lexical(&joined);
        unclear |= plain.is_none() || rest.starts_with('/');
        let path = plain.map(|path| path.to_string_lossy().trim_start_matches('/').to_owned()).unwrap_or_default();
        Pathspec { path, excludes, unclear }
    }

    /// May it include the file of this name, seen from the top of the tree?
    pub(super) fn may_include(&self, name: &str) -> bool {
        let (path, name) = (self.path.to_lowercase(), name.to_lowercase());
        self.unclear || path.is_empty() || folders_and_file(&name).any(|part| matches(&path, part))
    }

    /// Is that file left out for certain?
    pub(super) fn leaves_out(&self, name: &str) -> bool {
        let certain = !self.unclear && !self.path.contains(['[', '\\']);
        let lies_in = || folders_and_file(name).any(|part| part == self.path);
        self.excludes && certain && (lies_in() || matches(&self.path, name))
    }
}

/// `a`, `a/b` and `a/b/c` of `a/b/c`.
fn folders_and_file(name: &str) -> impl Iterator<Item = &str> {
    name.match_indices('/').map(|(at, _)| &name[..at]).chain(std::iter::once(name))
}

/// Does a pattern of git match this name? `*` crosses folders, `[…]` counts as any one character.
fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) = (pattern.chars().collect(), name.chars().collect());
    let (mut at, mut seen) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while seen < name.len() {
        let width = match &pattern[at..] {
            ['*', ..] => {
                star = Some((at + 1, seen));
                at += 1;
                continue;
            }
            ['?', ..] => Some(1),
            ['\\', literal, ..] => (*literal == name[seen]).then_some(2),
            ['[', rest @ ..] if rest.iter().skip(1).any(|end| *end == ']') => {
                rest.iter().skip(1).position(|end| *end == ']').map(|end| end + 3)
            }
            [literal, ..] => (*literal == name[seen]).then_some(1),
            [] => None,
        };
        match (width, star) {
            (Some(width), _) => (at, seen) = (at + width, seen + 1),
            (None, Some((from, taken))) => {
                (at, seen) = (from, taken + 1);
                star = Some((from, taken + 1));
            }
            (None, None) => return false,
        }
    }
    pattern[at..].iter().all(|character| *character == '*')
}
