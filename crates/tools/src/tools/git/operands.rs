//! Words of the model that become words of git's: names of branches and remotes, commits, files.
//!
//! **Invariant.** None of them begins with a dash, so that none is taken for a flag.

use agent_protocol::{Failure, FailureKind};

/// Characters that no name of a branch holds; some of them would make a push force or delete something.
const NOT_IN_NAMES: &str = "~^:?*[\\\u{7f}";

/// A branch or remote, given as `parameter`.
pub(super) fn name(parameter: &str, given: &str) -> Result<String, Failure> {
    let given = given.trim();
    let odd = |c: char| c.is_whitespace() || c.is_control() || NOT_IN_NAMES.contains(c);
    if given.starts_with(['-', '+']) || given.contains("..") || given.contains("@{") || given.chars().any(odd) {
        return Err(wrong(parameter, given, "is no name of a branch or remote"));
    }
    Ok(given.to_owned())
}

/// A commit or a range of them, however git lets them be named.
pub(super) fn commit(parameter: &str, given: &str) -> Result<String, Failure> {
    let given = given.trim();
    if given.starts_with('-') || given.chars().any(char::is_control) {
        return Err(wrong(parameter, given, "is no commit; flags are not taken"));
    }
    Ok(given.to_owned())
}

/// A file, a folder or a pattern of git's.
pub(super) fn file(given: &str) -> Result<String, Failure> {
    if given.starts_with('-') {
        return Err(wrong("files", given, "begins like a flag; put ./ before it if it is a file"));
    }
    if given.is_empty() || given.chars().any(|c| c == '\0') {
        return Err(wrong("files", given, "is no file; name files, or . for all"));
    }
    Ok(given.to_owned())
}

fn wrong(parameter: &str, given: &str, why: &str) -> Failure {
    Failure::new(FailureKind::InvalidArguments, format!("`{parameter}` {given:?} {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_begins_like_a_flag_is_an_operand() {
        for given in ["-f", "--force", "-", " --upload-pack=x", "--output=x"] {
            assert!(name("branch", given).is_err(), "{given}");
            assert!(commit("commit", given).is_err(), "{given}");
        }
        for given in ["-f", "--force", "-", "--", "", "a\0b"] {
            assert!(file(given).is_err(), "{given}");
        }
    }

    #[test]
    fn a_branch_neither_forces_nor_deletes() {
        for given in ["+main", ":main", "main:other", "a b", "a..b", "HEAD~1", "a\nb", "x*", "@{u}", "a\\b"] {
            assert!(name("branch", given).is_err(), "{given:?}");
        }
        for given in ["main", "feature/x-1", "v1.2", "größe", "release_2", "HEAD"] {
            assert_eq!(name("branch", given).as_deref(), Ok(given));
        }
    }

    #[test]
    fn commits_and_files_are_taken_as_git_names_them() {
        for given in ["HEAD", "HEAD~2..main", "stash@{1}", "HEAD@{2 days ago}", ":/fix the", "v1^{}", "HEAD:a b.txt"] {
            assert_eq!(commit("commit", given).as_deref(), Ok(given));
        }
        for given in [".", "*.rs", "./-x", "a b.txt", ":!vendor"] {
            assert_eq!(file(given).as_deref(), Ok(given));
        }
    }
}
