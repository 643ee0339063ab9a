//! How tests are run, and where they are.

use super::build::{self, node_manager};
use super::manifests::{Ecosystem, Manifests};
use super::survey::{Survey, shown};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Files that show a project in Python.
const PYTHON: &str = "pyproject.toml setup.py setup.cfg requirements.txt tox.ini";
/// Folders named.
const PLACES: usize = 6;

pub(super) fn words(survey: &Survey, manifests: &Manifests) -> Vec<String> {
    let mut words: Vec<String> =
        commands(survey, manifests).into_iter().map(|command| format!("`{command}`")).collect();
    words.extend(places(survey));
    words
}

fn commands(survey: &Survey, manifests: &Manifests) -> Vec<String> {
    let mut commands = Vec::new();
    let there = |name: &str| !survey.named(name).is_empty();
    if there("Cargo.toml") {
        let nextest = survey.has(".config/nextest.toml");
        commands.push(if nextest { "cargo nextest run" } else { "cargo test" }.to_owned());
    }
    let scripted = manifests.all(Ecosystem::Node).find(|(_, node)| {
        let test = node.scripts.iter().find(|(name, _)| name == "test");
        test.is_some_and(|(_, line)| !line.contains("no test specified"))
    });
    commands.extend(scripted.map(|(file, _)| within(file, &format!("{} test", node_manager(survey, manifests)))));
    if PYTHON.split(' ').any(there) || commands.is_empty() {
        commands.extend(python(survey, manifests));
    }
    commands.extend(there("go.mod").then(|| "go test ./...".to_owned()));
    commands.extend(build::tests(survey));
    let goal = manifests.goals.iter().find(|goal| matches!(goal.as_str(), "test" | "check" | "tests"));
    commands.extend(goal.map(|goal| format!("make {goal}")));
    commands
}

/// The command, in the folder of `file`.
fn within(file: &Path, command: &str) -> String {
    match file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) => format!("cd {} && {command}", shown(folder)),
        None => command.to_owned(),
    }
}

fn python(survey: &Survey, manifests: &Manifests) -> Option<String> {
    let settings = ["pytest.ini", "conftest.py"].iter().any(|name| !survey.named(name).is_empty());
    let said = manifests.all(Ecosystem::Python).any(|(_, python)| python.pytest);
    let files = survey.files.iter().any(|file| is_python_test(file));
    if settings || said || files {
        return Some("pytest".to_owned());
    }
    survey.has("tox.ini").then(|| "tox".to_owned())
}

fn is_python_test(file: &Path) -> bool {
    let name = file.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    name.ends_with(".py") && (name.starts_with("test_") || name.ends_with("_test.py"))
}

/// `412 test files: tests/ 210, crates/a/tests/ 100, beside the code 102`.
fn places(survey: &Survey) -> Option<String> {
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    for place in survey.files.iter().filter_map(|file| place(file.as_path())) {
        *places.entry(place).or_default() += 1;
    }
    let all: usize = places.values().sum();
    let mut places: Vec<(String, usize)> = places.into_iter().collect();
    places.sort_by_key(|(_, files)| usize::MAX - files);
    let more = places.len().saturating_sub(PLACES);
    let mut named: Vec<String> = places.iter().take(PLACES).map(|(place, files)| format!("{place} {files}")).collect();
    named.extend((more > 0).then(|| format!("{more} more folders")));
    (all > 0).then(|| format!("{} in {}", crate::words::count(all as u64, "test file"), named.join(" + ")))
}

/// The folder of tests in which `file` lies; a file of code with a test's name lies beside the code.
fn place(file: &Path) -> Option<String> {
    let mut folder = PathBuf::new();
    for part in file.parent()?.components() {
        folder.push(part);
        if matches!(
            part.as_os_str().to_str(),
            Some("tests" | "test" | "__tests__" | "spec" | "specs" | "e2e" | "testing")
        ) {
            return Some(format!("{}/", shown(&folder)));
        }
    }
    let name = file.file_name()?.to_string_lossy();
    let stem = file.file_stem()?.to_string_lossy();
    let named =
        name.contains(".test.") || name.contains(".spec.") || stem.ends_with("_test") || stem.ends_with("_spec");
    let named =
        named || stem.starts_with("test_") || stem == "tests" || stem.ends_with("Test") || stem.ends_with("Tests");
    named.then(|| "beside the code".to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::survey::survey;
    use super::*;

    #[test]
    fn every_system_has_its_command() {
        for (files, expected) in [
            (&["Cargo.toml"][..], &["cargo test"][..]),
            (&["Cargo.toml", ".config/nextest.toml"], &["cargo nextest run"]),
            (&["requirements.txt", "tests/test_a.py"], &["pytest"]),
            (&["tox.ini", "setup.py"], &["tox"]),
            (&["Cargo.toml", "tests/data/test_a.py"], &["cargo test"]),
            (&["test_a.py"], &["pytest"]),
            (&["go.mod"], &["go test ./..."]),
            (&["pom.xml", "mvnw"], &["./mvnw test"]),
            (&["build.gradle.kts", "gradlew"], &["./gradlew test"]),
            (&["CMakeLists.txt"], &["ctest"]),
            (&["a.c"], &[]),
        ] {
            assert_eq!(commands(&survey(files), &Manifests::default()), expected, "{files:?}");
        }
    }

    #[test]
    fn a_script_that_only_says_that_there_is_none_is_none() {
        let node = |line: &str| {
            let text = serde_json::json!({ "scripts": { "test": line } }).to_string();
            commands(&survey(&["web/package.json"]), &Manifests::with(Ecosystem::Node, "web/package.json", &text))
        };
        assert_eq!(node("echo \"Error: no test specified\" && exit 1"), Vec::<String>::new());
        assert_eq!(node("vitest"), ["cd web && npm test"]);
    }

    #[test]
    fn tests_are_counted_by_folder() {
        let found = places(&survey(&["tests/a.rs", "tests/b/c.rs", "src/a_test.go", "src/a.rs", "web/__tests__/x.ts"]));
        assert_eq!(found.as_deref(), Some("4 test files in tests/ 2 + beside the code 1 + web/__tests__/ 1"));
    }
}
