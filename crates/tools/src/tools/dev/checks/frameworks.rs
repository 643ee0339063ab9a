//! Which test programs a project has, found by its files, and the words to run them with.
//!
//! Nothing is run here.

use super::place::CheckedPlace;
use crate::program::Runner;
use agent_protocol::{Failure, FailureKind};
use serde_json::Value;
use std::path::{Path, PathBuf};

mod words;

pub(super) use words::TestRequest;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Framework {
    Cargo,
    Nextest,
    Pytest,
    Node(ScriptRunner),
    Go,
    Maven,
    Gradle,
    Make,
}

/// Who runs the scripts of a `package.json`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ScriptRunner {
    Npm,
    Pnpm,
    Yarn,
    Bun,
}

/// A test program and the folder that it is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FoundTests {
    pub(super) framework: Framework,
    pub(super) folder: PathBuf,
}

/// What `npm init` writes.
const NO_TESTS: &str = "no test specified";
/// Files that say that something in Python is here.
const PYTHON: [&str; 5] = ["pytest.ini", "pyproject.toml", "setup.cfg", "setup.py", "tox.ini"];
const GRADLE: [&str; 5] = ["gradlew", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"];
pub(super) const MAKEFILES: [&str; 3] = ["GNUmakefile", "makefile", "Makefile"];

/// How files end that scripts of a `package.json` test, and those of Java's builds.
const NODE: &str = "js mjs cjs jsx ts mts cts tsx vue svelte";
const JAVA: &str = "java kt kts groovy scala";

/// Each with its name, and how the files end that it tests; make may test anything. In the order in which they are taken
/// where one folder has several.
const FRAMEWORKS: [(Framework, &str, &str); 11] = [
    (Framework::Nextest, "cargo nextest", "rs"),
    (Framework::Cargo, "cargo test", "rs"),
    (Framework::Pytest, "pytest", "py"),
    (Framework::Node(ScriptRunner::Pnpm), "pnpm test", NODE),
    (Framework::Node(ScriptRunner::Npm), "npm test", NODE),
    (Framework::Node(ScriptRunner::Yarn), "yarn test", NODE),
    (Framework::Node(ScriptRunner::Bun), "bun run test", NODE),
    (Framework::Go, "go test", "go"),
    (Framework::Maven, "maven test", JAVA),
    (Framework::Gradle, "gradle test", JAVA),
    (Framework::Make, "make test", ""),
];

impl Framework {
    fn row(self) -> Option<&'static (Framework, &'static str, &'static str)> {
        FRAMEWORKS.iter().find(|(framework, ..)| *framework == self)
    }

    pub(super) fn name(self) -> &'static str {
        self.row().map_or("", |(_, name, _)| name)
    }

    /// Does it test files of this kind?
    pub(super) fn tests(self, extension: &str) -> bool {
        self.row().is_some_and(|(.., extensions)| extensions.split_whitespace().any(|known| known == extension))
    }
}

/// All that are around `place`, the nearest first, and of one folder in order.
pub(super) fn found(place: &CheckedPlace, runner: &Runner) -> Vec<FoundTests> {
    let mut found = Vec::new();
    for folder in place.folders() {
        let here = in_folder(place, folder, runner).into_iter();
        found.extend(here.map(|framework| FoundTests { framework, folder: folder.to_owned() }));
    }
    // Tests in Python need no file that says so; where one is above, they belong to it.
    if is_python(place) && !found.iter().any(|found| found.framework == Framework::Pytest) {
        let nearer = found.iter().take_while(|found| found.folder == place.folder).count();
        found.insert(nearer, FoundTests { framework: Framework::Pytest, folder: place.folder.clone() });
    }
    let extension = place.extension();
    if place.is_file && found.iter().any(|found| found.framework.tests(&extension)) {
        found.retain(|found| found.framework.tests(&extension));
    }
    found
}

fn in_folder(place: &CheckedPlace, folder: &Path, runner: &Runner) -> Vec<Framework> {
    let has = |name: &str| place.has(folder, name);
    let mut found = Vec::new();
    if has("Cargo.toml") {
        found.push(if is_nextest(place, folder, runner) { Framework::Nextest } else { Framework::Cargo });
    }
    if PYTHON.iter().any(|name| has(name)) {
        found.push(Framework::Pytest);
    }
    if script(place, folder).is_some() {
        found.push(Framework::Node(manager(place, folder)));
    }
    if has("go.mod") {
        found.push(Framework::Go);
    }
    if has("pom.xml") {
        found.push(Framework::Maven);
    }
    if GRADLE.iter().any(|name| has(name)) {
        found.push(Framework::Gradle);
    }
    if goal(place, folder).is_some() {
        found.push(Framework::Make);
    }
    found
}

/// It is installed, and the project is set up for it.
fn is_nextest(place: &CheckedPlace, folder: &Path, runner: &Runner) -> bool {
    let set_up = place.at(folder).folders().iter().any(|folder| place.has(folder, ".config/nextest.toml"));
    set_up && runner.find("cargo-nextest").is_some()
}

/// Are there tests of pytest in the folder itself, or in the folder `tests` of it, or is it one?
fn is_python(place: &CheckedPlace) -> bool {
    if place.is_file {
        return place.extension() == "py";
    }
    let is_test = |name: &String| name.ends_with(".py") && (name.starts_with("test_") || name.ends_with("_test.py"));
    let there = |folder: &Path| place.names(folder).iter().any(is_test);
    there(&place.folder) || there(&place.folder.join("tests"))
}

/// What the test script of the `package.json` in `folder` says, where there is one that tests something.
fn script(place: &CheckedPlace, folder: &Path) -> Option<String> {
    let package: Value = serde_json::from_str(&place.text(folder, "package.json")?).ok()?;
    let script = package.get("scripts")?.get("test")?.as_str()?;
    (!script.trim().is_empty() && !script.contains(NO_TESTS)).then(|| script.to_owned())
}

/// Does what the test script of `folder` runs take files of tests as arguments?
pub(super) fn takes_files(place: &CheckedPlace, folder: &Path) -> bool {
    script(place, folder).is_some_and(|script| TAKE_FILES.iter().any(|runner| script.trim_end().ends_with(runner)))
}

/// How scripts end whose runner takes files of tests as further arguments.
const TAKE_FILES: [&str; 8] =
    ["jest", "vitest", "vitest run", "vitest --run", "react-scripts test", "bun test", "node --test", "jest --ci"];

/// As the lock file says, which may lie above: in the folder of the workspace.
pub(super) fn manager(place: &CheckedPlace, folder: &Path) -> ScriptRunner {
    let around = place.at(folder);
    let Some(lock) = around.nearest(&[
        "package-lock.json",
        "npm-shrinkwrap.json",
        "pnpm-lock.yaml",
        "yarn.lock",
        "bun.lock",
        "bun.lockb",
    ]) else {
        return ScriptRunner::Npm;
    };
    match lock.file_name().and_then(|name| name.to_str()).unwrap_or_default() {
        "pnpm-lock.yaml" => ScriptRunner::Pnpm,
        "yarn.lock" => ScriptRunner::Yarn,
        "bun.lock" | "bun.lockb" => ScriptRunner::Bun,
        _ => ScriptRunner::Npm,
    }
}

/// `test` or `check`, where the makefile has it.
pub(super) fn goal(place: &CheckedPlace, folder: &Path) -> Option<&'static str> {
    let mut text = MAKEFILES.iter().find_map(|name| place.text(folder, name))?;
    // One of GNU's own may only stand before what automake makes.
    if text.lines().any(|line| line.trim_start_matches('-').split_whitespace().eq(["include", "Makefile"])) {
        text.push_str(&place.text(folder, "Makefile").unwrap_or_default());
    }
    let goals = goals(&text);
    ["test", "check"].iter().find(|goal| goals.contains(*goal)).copied()
}

/// The targets of a makefile. A line of a recipe is none, nor is one that goes on in the next, a variable or a comment.
fn goals(text: &str) -> Vec<&str> {
    let (mut goals, mut goes_on) = (Vec::new(), false);
    for line in text.lines() {
        let is_rule = !goes_on && !line.starts_with(['\t', '#']);
        goes_on = line.ends_with('\\');
        let Some((names, rest)) = line.split_once(':').filter(|_| is_rule) else { continue };
        let is_variable = rest.trim_start_matches(':').starts_with('=') || names.contains(['=', '$', '"', '\'']);
        if !is_variable {
            goals.extend(names.split_whitespace());
        }
    }
    goals
}

/// The one that is wanted, the one that is taken, or why there is none.
pub(super) fn chosen(place: &CheckedPlace, found: &[FoundTests], wanted: Option<&str>) -> Result<FoundTests, Failure> {
    let Some(wanted) = wanted else { return found.first().cloned().ok_or_else(|| none(place)) };
    let plain = wanted.to_lowercase();
    let framework = named(&plain).ok_or_else(|| unknown(wanted))?;
    let same = |found: &&FoundTests| match (found.framework, framework) {
        // The lock file knows better who runs the scripts than the name of what they run.
        (Framework::Node(_), Framework::Node(ScriptRunner::Npm)) => true,
        // With or without nextest: that is what was asked for.
        (one, other) => one == other,
    };
    let at = found.iter().find(same).cloned();
    let rust = [Framework::Cargo, Framework::Nextest];
    let cousin = || found.iter().find(|found| rust.contains(&found.framework) && rust.contains(&framework));
    let folder = || cousin().map_or_else(|| place.folder.clone(), |found| found.folder.clone());
    Ok(at.unwrap_or_else(|| FoundTests { framework, folder: folder() }))
}

/// The framework that `name` (in lower case) speaks of.
fn named(name: &str) -> Option<Framework> {
    let runners = ["node", "jest", "vitest", "mocha", "ava", "javascript", "typescript"];
    if let Some((known, ..)) = FRAMEWORKS.iter().find(|(_, word, _)| {
        let own = word.strip_prefix("cargo n").map_or_else(|| word.split(' ').next().unwrap_or(word), |_| "nextest");
        name.contains(own)
    }) {
        return Some(*known);
    }
    match name {
        "rust" => Some(Framework::Cargo),
        "python" => Some(Framework::Pytest),
        "mvn" | "java" => Some(Framework::Maven),
        "golang" => Some(Framework::Go),
        _ => runners.iter().any(|runner| name.contains(runner)).then_some(Framework::Node(ScriptRunner::Npm)),
    }
}

fn unknown(wanted: &str) -> Failure {
    let message = format!(
        "no framework {wanted:?} is known; give one of cargo, nextest, pytest, npm, pnpm, yarn, bun, go, maven, gradle, \
         make, or run the tests with run_command"
    );
    Failure::new(FailureKind::InvalidArguments, message)
}

fn none(place: &CheckedPlace) -> Failure {
    let message = format!(
        "nothing in {} or above it says how tests are run (Cargo.toml, pyproject.toml or test_*.py, package.json with a \
         test script, go.mod, pom.xml, gradlew, Makefile with a test target); give another path, or use run_command",
        place.shown(&place.path)
    );
    Failure::new(FailureKind::NotFound, message)
}

#[cfg(test)]
mod tests {
    use super::goals;

    #[test]
    fn a_line_of_a_recipe_is_no_target() {
        let text = "VAR := check: test\nall: a.o\n\ttest: no\n# check: no\nLIST = a \\\n  check: no\nclean install:\n\techo check: x\n";
        assert_eq!(goals(text), ["all", "clean", "install"]);
        assert_eq!(goals("test check:: a\n.PHONY: test\n"), ["test", "check", ".PHONY"]);
    }
}
