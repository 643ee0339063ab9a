//! Which tests check a change: those near the changed files, else all that there are.
//!
//! Nothing is run here, and no test program is given a folder without tests: it would take it for a filter that fits nothing.

use super::changed::ChangedFile;
use super::frameworks::{self, FoundTests, Framework};
use super::place::{CheckedPlace, extension};
use crate::tools::ToolContext;
use agent_protocol::Failure;
use std::path::{Path, PathBuf};

/// So few files of tests are all near.
const FEW: usize = 12;

/// More files of tests than these are not named one by one.
const MOST: usize = 20;

/// The tests that are to run.
pub(super) struct NearTests {
    pub(super) taken: FoundTests,
    pub(super) found: Vec<FoundTests>,
    /// For the program, below the folder of `taken`; empty: all of them.
    pub(super) files: Vec<String>,
    pub(super) extent: TestExtent,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TestExtent {
    Near,
    /// All tests that the project has.
    Whole,
}

/// The tests for these changes; `None`: no tests are known here.
pub(super) fn find(kit: &ToolContext, changed: &[ChangedFile]) -> Result<Option<NearTests>, Failure> {
    let root = kit.workspace.root();
    let there: Vec<PathBuf> =
        changed.iter().filter(|file| file.now.is_some()).map(|file| root.join(&file.shown)).collect();
    let place = CheckedPlace::find(&kit.workspace, common(root, &there))?;
    let mut found = frameworks::found(&place, &kit.runner);
    let tests_them = |found: &FoundTests| there.iter().any(|path| found.framework.tests(&extension(path)));
    // A change of a C file is nothing for the tests of a package.json beside it, as long as there is a makefile.
    if found.iter().any(tests_them) {
        found.retain(|found| tests_them(found));
    } else if found.iter().any(|found| found.framework == Framework::Make) {
        found.retain(|found| found.framework == Framework::Make);
    }
    let Some(taken) = found.first().cloned() else { return Ok(None) };
    let (files, extent) = chosen(&place, &taken, &there);
    Ok(Some(NearTests { taken, found, files, extent }))
}

/// What of the tests of `taken` is near the changed files.
fn chosen(place: &CheckedPlace, taken: &FoundTests, changed: &[PathBuf]) -> (Vec<String>, TestExtent) {
    let is_inner = taken.folder != place.workspace.root();
    let whole = if is_inner { TestExtent::Near } else { TestExtent::Whole };
    let all = match taken.framework {
        Framework::Cargo | Framework::Nextest => {
            let is_package = place.text(&taken.folder, "Cargo.toml").is_some_and(|text| text.contains("[package]"));
            return (Vec::new(), if is_package { TestExtent::Near } else { whole });
        }
        Framework::Maven | Framework::Gradle | Framework::Make => return (Vec::new(), whole),
        Framework::Node(_) if !frameworks::takes_files(place, &taken.folder) => return (Vec::new(), whole),
        Framework::Pytest | Framework::Node(_) | Framework::Go => test_files(place, taken),
    };
    if all.len() <= FEW && taken.framework != Framework::Go {
        return (Vec::new(), TestExtent::Near);
    }
    let near: Vec<&PathBuf> = all.iter().filter(|test| changed.iter().any(|file| is_near(test, file, taken))).collect();
    if near.is_empty() || near.len() > MOST {
        return (Vec::new(), whole);
    }
    let mut files: Vec<String> = near.into_iter().map(|test| word(test, taken)).collect();
    files.sort();
    files.dedup();
    (files, TestExtent::Near)
}

/// The files of tests in the folder of `taken`.
fn test_files(place: &CheckedPlace, taken: &FoundTests) -> Vec<PathBuf> {
    let files = place.at(&taken.folder).files().into_iter();
    files.filter(|path| taken.framework.tests(&extension(path)) && tested_stem(path).is_some()).collect()
}

/// What a file of tests is about, by its name: `a` of `test_a.py`, `a_test.go`, `a.spec.ts`; `None`: it is no file of tests.
fn tested_stem(path: &Path) -> Option<&str> {
    let name = path.file_name()?.to_str()?;
    let stem = name.split('.').next()?;
    let is_below = path.parent()?.file_name().is_some_and(|folder| folder == "__tests__");
    let marked = [".test.", ".spec."].iter().any(|mark| name.contains(mark)) || is_below;
    stem.strip_prefix("test_").or_else(|| stem.strip_suffix("_test")).or(marked.then_some(stem))
}

/// Does the file of tests lie beside what was changed, bear its name, or is it changed itself?
fn is_near(test: &Path, changed: &Path, taken: &FoundTests) -> bool {
    if taken.framework == Framework::Go {
        return test.parent() == changed.parent();
    }
    let stem = changed.file_name().and_then(|name| name.to_str()).and_then(|name| name.split('.').next());
    let is_beside = test.parent() == changed.parent() && changed.parent() != Some(&taken.folder);
    test == changed || is_beside || (stem.is_some() && tested_stem(test) == stem)
}

/// As the program is told of it: Go tests whole packages.
fn word(test: &Path, taken: &FoundTests) -> String {
    let place = match taken.framework {
        Framework::Go => test.parent().unwrap_or(test),
        _ => test,
    };
    match place.strip_prefix(&taken.folder) {
        Ok(below) if below.as_os_str().is_empty() => ".".to_owned(),
        Ok(below) if taken.framework == Framework::Go => format!("./{}", below.display()),
        Ok(below) => super::place::no_option(below.display().to_string()),
        Err(_) => place.display().to_string(),
    }
}

/// The innermost folder that holds all these files, as far as it is there.
fn common(root: &Path, files: &[PathBuf]) -> PathBuf {
    let mut folders = files.iter().map(|file| file.parent().unwrap_or(root).to_owned());
    let first = folders.next().unwrap_or_else(|| root.to_owned());
    let shared = folders.fold(first, |shared, folder| {
        shared.ancestors().find(|around| folder.starts_with(around)).unwrap_or(root).to_owned()
    });
    if shared.starts_with(root) && shared.is_dir() { shared } else { root.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_is_near_what_it_is_named_after_and_what_lies_beside_it() {
        let near = |framework, test: &str, changed: &str| {
            let taken = FoundTests { framework, folder: "/p".into() };
            is_near(Path::new(test), Path::new(changed), &taken)
        };
        for (test, changed, expected) in [
            ("/p/tests/test_a.py", "/p/pkg/a.py", true),
            ("/p/tests/test_a.py", "/p/tests/test_a.py", true),
            ("/p/tests/test_b.py", "/p/pkg/a.py", false),
            ("/p/pkg/sub/test_b.py", "/p/pkg/sub/a.py", true),
            ("/p/test_b.py", "/p/a.py", false),
        ] {
            assert_eq!(near(Framework::Pytest, test, changed), expected, "{test} {changed}");
        }
        assert!(near(Framework::Go, "/p/a/b_test.go", "/p/a/a.go"));
        let stems = ["a.spec.ts", "__tests__/a.js", "test_a.py", "a_test.go", "a.js"].map(|name| {
            let path = Path::new("/p").join(name);
            tested_stem(&path).map(str::to_owned)
        });
        let a = || Some("a".to_owned());
        assert_eq!(stems, [a(), a(), a(), a(), None]);
    }
}
