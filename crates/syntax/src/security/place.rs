//! Where a file stands says how much what is in it weighs.

use std::path::Path;

/// Words of folders and files that hold what is made up.
const MADE_UP: &str = "test tests testing testdata spec specs fixture fixtures mock mocks example examples sample samples \
    demo demos doc docs __tests__ e2e stub stubs snapshots bench benches";

/// Do the names in `path` (relative to the project) say that it holds tests, examples or the like?
pub fn stands_in_tests(path: &Path) -> bool {
    let names = path.components().map(|name| name.as_os_str().to_string_lossy().to_ascii_lowercase());
    names.into_iter().any(|name| name.split(['.', '_', '-']).any(is_made_up) || is_made_up(&name))
        || path.file_stem().is_some_and(|stem| {
            let stem = stem.to_string_lossy();
            stem.ends_with("Test") || stem.ends_with("Tests") || stem.ends_with("Spec")
        })
}

fn is_made_up(word: &str) -> bool {
    MADE_UP.split(' ').any(|known| known == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_and_examples_are_told_by_whole_words() {
        for path in
            ["tests/a.py", "src/a_test.go", "src/a.spec.ts", "src/UserTest.java", "config.example.yml", "docs/x"]
        {
            assert!(stands_in_tests(Path::new(path)), "{path}");
        }
        for path in ["src/latest.py", "src/attest/a.go", "contest.js", "src/Testament.java", "protest/a.c"] {
            assert!(!stands_in_tests(Path::new(path)), "{path}");
        }
    }
}
