//! One walk through the project: the names of its files, without what was only fetched or made.

use crate::blocking::Stop;
use crate::pattern::Hidden;
use crate::walk::{Area, Depth, EntryKind, walk};
use crate::workspace::{Workspace, one_line};
use agent_syntax::security::stands_in_tests;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};

/// Folders that hold what others wrote or a program made, where git does not leave them out anyway.
const NOT_OURS: &str = "node_modules bower_components __pycache__ venv .venv .tox .nox .mypy_cache .pytest_cache .ruff_cache \
    .gradle .next .nuxt .terraform site-packages Pods";
/// The same beside a file that says so.
const NOT_OURS_BESIDE: &[(&str, &str)] =
    &[("vendor", "go.mod"), ("vendor", "composer.json"), ("target", "Cargo.toml"), ("target", "pom.xml")];

#[derive(Debug, Default)]
pub(super) struct Survey {
    /// The folder that was walked.
    pub(super) base: PathBuf,
    /// Files, relative to it, in order; hidden ones are in `hidden`.
    pub(super) files: Vec<PathBuf>,
    pub(super) hidden: Vec<PathBuf>,
    /// Where in `files` those of each name are, but for tests and examples.
    by_name: HashMap<OsString, Vec<usize>>,
    /// Files in folders that are not ours, by the name of the folder.
    not_ours: BTreeMap<String, usize>,
    /// Files whose names say that they hold secrets.
    pub(super) secret: usize,
}

impl Survey {
    pub(super) fn of(workspace: &Workspace, base: &Path, stop: &Stop) -> Self {
        let entries = walk(Area { root: workspace.root(), base }, Hidden::Shown, Depth::All, stop)
            .into_iter()
            .filter(|entry| entry.kind == EntryKind::File);
        let paths: Vec<PathBuf> = entries.map(|entry| entry.path).collect();
        let (secret, paths): (Vec<_>, Vec<_>) = paths.into_iter().partition(|path| workspace.is_secret(path));
        let below = paths.iter().filter_map(|path| path.strip_prefix(base).ok().map(Path::to_owned));
        let mut survey = Survey::with(below.collect());
        survey.base = base.to_owned();
        survey.secret = secret.len();
        survey
    }

    /// Of files that are relative to the folder.
    pub(super) fn with(paths: Vec<PathBuf>) -> Self {
        let beside: HashSet<PathBuf> = paths
            .iter()
            .filter(|path| path.file_name().is_some_and(|name| NOT_OURS_BESIDE.iter().any(|(_, file)| name == *file)))
            .cloned()
            .collect();
        let mut survey = Survey::default();
        for path in paths {
            if let Some(folder) = not_ours(&path, &beside) {
                *survey.not_ours.entry(folder).or_default() += 1;
            } else if is_hidden(&path) {
                survey.hidden.push(path);
            } else {
                survey.files.push(path);
            }
        }
        for (at, file) in survey.files.iter().enumerate().filter(|(_, file)| !stands_in_tests(file)) {
            if let Some(name) = file.file_name() {
                survey.by_name.entry(name.to_owned()).or_default().push(at);
            }
        }
        survey
    }

    /// Is there a file of this name, relative to the folder?
    pub(super) fn has(&self, name: &str) -> bool {
        let name = Path::new(name);
        let files = if is_hidden(name) { &self.hidden } else { &self.files };
        files.binary_search_by(|file| file.as_path().cmp(name)).is_ok()
    }

    /// The files of this name, the outermost first; those in tests and examples are no part of how the project is made.
    pub(super) fn named(&self, name: &str) -> Vec<&Path> {
        let found = self.by_name.get(OsStr::new(name));
        let mut found: Vec<&Path> = found.into_iter().flatten().map(|at| self.files[*at].as_path()).collect();
        found.sort_by_key(|file| file.components().count());
        found
    }

    /// What was not counted, in words.
    pub(super) fn left_out(&self) -> Option<String> {
        let names = self.not_ours.iter().take(4).map(|(name, files)| format!("{name} {files}"));
        let secret = (self.secret > 0).then(|| format!("files named for secrets {}", self.secret));
        let all: Vec<String> = names.chain(secret).collect();
        (!all.is_empty()).then(|| format!("not counted: {}", all.join(" + ")))
    }
}

/// The name of a folder around `path` that is not ours.
fn not_ours(path: &Path, beside: &HashSet<PathBuf>) -> Option<String> {
    let mut around = PathBuf::new();
    for folder in path.parent()?.components() {
        let Component::Normal(name) = folder else { continue };
        let said = || NOT_OURS_BESIDE.iter().any(|(dir, file)| name == *dir && beside.contains(&around.join(file)));
        if NOT_OURS.split(' ').any(|known| name == known) || said() {
            return Some(name.to_string_lossy().into_owned());
        }
        around.push(name);
    }
    None
}

fn is_hidden(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str().as_encoded_bytes().starts_with(b"."))
}

/// A path in a line.
pub(super) fn shown(path: &Path) -> String {
    if path.as_os_str().is_empty() { ".".into() } else { one_line(path) }
}

#[cfg(test)]
pub(super) fn survey(names: &[&str]) -> Survey {
    let mut paths: Vec<PathBuf> = names.iter().map(Into::into).collect();
    paths.sort();
    Survey::with(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_fetched_or_made_is_counted_apart() {
        let survey = survey(&[
            "go.mod",
            "vendor/a/a.go",
            "sub/vendor/b.go",
            "web/node_modules/x/a.js",
            "web/node_modules/y/a.js",
            ".github/workflows/ci.yml",
            "main.go",
        ]);
        assert_eq!(survey.files, ["go.mod", "main.go", "sub/vendor/b.go"].map(PathBuf::from));
        assert_eq!(survey.hidden, [PathBuf::from(".github/workflows/ci.yml")]);
        assert_eq!(survey.left_out().as_deref(), Some("not counted: node_modules 2 + vendor 1"));
        assert!(survey.has("main.go") && survey.has(".github/workflows/ci.yml") && !survey.has("b.go"));
    }
}
