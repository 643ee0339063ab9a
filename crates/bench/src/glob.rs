//! Patterns of paths inside a project: `*` and `?` stay within one folder, `**/` spans folders, none included.

/// Does `path` (parts joined by `/`) match `pattern`?
pub(crate) fn matches(pattern: &str, path: &str) -> bool {
    if let Some(rest) = pattern.strip_prefix("**/") {
        let deeper = path.match_indices('/').map(|(at, _)| &path[at + 1..]);
        return std::iter::once(path).chain(deeper).any(|tail| matches(rest, tail));
    }
    if let Some(rest) = pattern.strip_prefix("**") {
        return ends(path).any(|tail| matches(rest, tail));
    }
    if let Some(rest) = pattern.strip_prefix('*') {
        let within = path.find('/').unwrap_or(path.len());
        return ends(path).take_while(|tail| path.len() - tail.len() <= within).any(|tail| matches(rest, tail));
    }
    let (mut wanted, mut there) = (pattern.chars(), path.chars());
    match (wanted.next(), there.next()) {
        (None, None) => true,
        (Some('?'), Some(letter)) if letter != '/' => matches(wanted.as_str(), there.as_str()),
        (Some(want), Some(letter)) if want == letter => matches(wanted.as_str(), there.as_str()),
        (_, _) => false,
    }
}

/// All tails of `path`, the whole of it first and the empty one last.
fn ends(path: &str) -> impl Iterator<Item = &str> {
    path.char_indices().map(|(at, _)| &path[at..]).chain(std::iter::once(""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stays_in_one_folder_and_two_span_them() {
        let yes = [
            ("a.py", "a.py"),
            ("src/*.rs", "src/lib.rs"),
            ("src/**/*.ts", "src/a.ts"),
            ("src/**/*.ts", "src/b/c/a.ts"),
            ("**/*.go", "main.go"),
            ("src/**", "src/a/b"),
            ("*", "ä"),
            ("t?.sh", "t1.sh"),
        ];
        let no = [
            ("src/*.rs", "src/a/lib.rs"),
            ("*.py", "a/b.py"),
            ("a.py", "a.pyc"),
            ("t?.sh", "t/.sh"),
            ("src/**/*.ts", "lib/a.ts"),
        ];
        assert_eq!(yes.iter().filter(|(pattern, path)| !matches(pattern, path)).count(), 0);
        assert_eq!(no.iter().filter(|(pattern, path)| matches(pattern, path)).count(), 0);
    }
}
