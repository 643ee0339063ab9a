//! Glob patterns as models write them: a pattern without a slash names files at any depth, one with a slash is taken
//! from the folder that is searched, or from the project.

use crate::unicode_forms::folded;
use agent_protocol::{Failure, FailureKind};
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use std::path::Path;

/// What names are looked for.
#[derive(Debug)]
pub(crate) struct Pattern {
    set: GlobSet,
    hidden: Hidden,
}

/// Are files that begin with a dot wanted?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hidden {
    Left,
    Shown,
}

impl Pattern {
    /// Reads `pattern`; `root` is the project, which an absolute pattern may begin with.
    pub(crate) fn new(pattern: &str, root: &Path) -> Result<Self, Failure> {
        let mut set = GlobSetBuilder::new();
        let mut hidden = Hidden::Left;
        for part in alternatives(pattern) {
            let part = from_inside(part, root)?;
            if part.split('/').any(|name| name.starts_with('.') && name.len() > 1) {
                hidden = Hidden::Shown;
            }
            let anywhere = if part.contains('/') { part } else { format!("**/{part}") };
            let anywhere = folded(&anywhere);
            let glob = GlobBuilder::new(&anywhere).literal_separator(true).build();
            set.add(glob.map_err(|error| invalid(format!("{pattern:?} is no glob pattern ({})", error.kind())))?);
        }
        let set = set.build().map_err(|error| invalid(format!("{pattern:?} is too large a pattern ({error})")))?;
        Ok(Pattern { set, hidden })
    }

    pub(crate) fn hidden(&self) -> Hidden {
        self.hidden
    }

    /// Does `path` match, seen from `base` or from `root`?
    pub(crate) fn matches(&self, path: &Path, base: &Path, root: &Path) -> bool {
        let is_match = |relative: &Path| match relative.to_str().map(folded) {
            Some(relative) => self.set.is_match(&*relative),
            None => self.set.is_match(relative),
        };
        let seen_from = |folder: &Path| path.strip_prefix(folder).is_ok_and(is_match);
        seen_from(base) || (root != base && seen_from(root))
    }
}

/// `*.ts,*.tsx` means both; commas inside braces belong to the pattern.
fn alternatives(pattern: &str) -> Vec<&str> {
    if pattern.contains(['{', '[']) {
        return vec![pattern.trim()];
    }
    pattern.split(',').map(str::trim).filter(|part| !part.is_empty()).collect()
}

/// `pattern` without what leads to the project, and with everything below where it names a folder.
fn from_inside(pattern: &str, root: &Path) -> Result<String, Failure> {
    let inside = match root.to_str().and_then(|root| pattern.strip_prefix(root)) {
        Some(rest) => rest.trim_start_matches('/'),
        None => pattern,
    };
    let mut inside = inside;
    while let Some(rest) = inside.strip_prefix("./") {
        inside = rest;
    }
    if inside.starts_with('/') || inside.split('/').any(|name| name == "..") {
        return Err(invalid(format!("the pattern {pattern:?} leaves the folder; name the folder in `path` instead")));
    }
    Ok(if inside.is_empty() || inside.ends_with('/') { format!("{inside}**") } else { inside.into() })
}

fn invalid(message: String) -> Failure {
    Failure::new(FailureKind::InvalidArguments, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, path: &str) -> bool {
        let root = Path::new("/home/ann/project");
        let pattern = Pattern::new(pattern, root).unwrap();
        pattern.matches(&root.join(path), &root.join("src"), root)
    }

    #[test]
    fn patterns_mean_what_models_mean() {
        for (pattern, path, expected) in [
            ("*.rs", "src/a.rs", true),
            ("*.rs", "src/deep/a.rs", true),
            ("a.rs", "src/deep/a.rs", true),
            ("**/*.rs", "src/deep/a.rs", true),
            ("**/*.rs", "src/a.rs", true),
            ("deep/*.rs", "src/deep/a.rs", true),
            ("deep/*.rs", "src/deep/er/a.rs", false),
            ("src/**/*.rs", "src/deep/a.rs", true),
            ("./src/*.rs", "src/a.rs", true),
            ("/home/ann/project/src/*.rs", "src/a.rs", true),
            ("deep/", "src/deep/a.rs", true),
            ("*.{rs,md}", "src/a.md", true),
            ("*.rs, *.md", "src/a.md", true),
            ("*.rs", "src/a.rsx", false),
            ("caf\u{e9} *.md", "src/cafe\u{301}\u{202f}1.md", true),
        ] {
            assert_eq!(matches(pattern, path), expected, "{pattern} on {path}");
        }
    }

    #[test]
    fn a_dot_asks_for_hidden_files() {
        for (pattern, hidden) in
            [(".env", Hidden::Shown), (".github/**", Hidden::Shown), ("*.rs", Hidden::Left), ("./a", Hidden::Left)]
        {
            assert_eq!(Pattern::new(pattern, Path::new("/p")).unwrap().hidden(), hidden, "{pattern}");
        }
    }

    #[test]
    fn what_leaves_the_folder_or_is_broken_is_refused() {
        for (pattern, message) in [
            ("/etc/*", "the pattern \"/etc/*\" leaves the folder; name the folder in `path` instead"),
            ("../*.rs", "the pattern \"../*.rs\" leaves the folder; name the folder in `path` instead"),
            ("[a", "\"[a\" is no glob pattern (unclosed character class; missing ']')"),
        ] {
            assert_eq!(Pattern::new(pattern, Path::new("/p")).unwrap_err().message, message);
        }
    }
}
