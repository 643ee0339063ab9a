//! The words that a test program is started with.

use super::{FoundTests, Framework, GRADLE, ScriptRunner, goal, script};
use crate::program::Runner;
use crate::tools::dev::checks::place::CheckedPlace;
use agent_protocol::{Failure, FailureKind};
use std::path::Path;

/// What of the tests is wanted.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct TestRequest {
    /// Only tests with this in their name.
    pub(in super::super) pattern: Option<String>,
    /// More words, as they are.
    pub(in super::super) args: Vec<String>,
    /// Only these files or packages of tests, as the program is told of them.
    pub(in super::super) only: Vec<String>,
}

impl FoundTests {
    /// The words to run it with, of the place that is tested.
    pub(in super::super) fn argv(
        &self,
        place: &CheckedPlace,
        asked: &TestRequest,
        runner: &Runner,
    ) -> Result<Vec<String>, Failure> {
        if let Some(pattern) = asked.pattern.as_ref().filter(|pattern| pattern.starts_with('-')) {
            return Err(no_pattern(pattern));
        }
        let mut argv = match self.framework {
            Framework::Cargo => rust(place, &self.folder, &["cargo", "test"], runner)?,
            Framework::Nextest => {
                runner.need("cargo-nextest", "cargo install cargo-nextest --locked")?;
                rust(place, &self.folder, &["cargo", "nextest", "run"], runner)?
            }
            Framework::Pytest => pytest(place, &self.folder, runner)?,
            Framework::Node(manager) => return node(place, &self.folder, manager, asked, runner),
            Framework::Go => return go(place, &self.folder, asked, runner),
            Framework::Maven => maven(place, &self.folder, runner)?,
            Framework::Gradle => gradle(place, &self.folder, runner)?,
            Framework::Make => make(place, &self.folder, asked, runner)?,
        };
        argv.extend(asked.pattern.iter().flat_map(|pattern| self.framework.only(pattern)));
        argv.extend(asked.args.clone());
        argv.extend(asked.only.clone());
        Ok(argv)
    }
}

fn no_pattern(pattern: &str) -> Failure {
    let message = format!(
        "`pattern` is a part of the names of tests, and {pattern:?} would be taken for an option; give options as `args`"
    );
    Failure::new(FailureKind::InvalidArguments, message)
}

impl Framework {
    /// The words that leave only the tests with `pattern` in their name.
    fn only(self, pattern: &str) -> Vec<String> {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        match self {
            Framework::Cargo | Framework::Nextest => words(&[pattern]),
            Framework::Pytest => words(&["-k", pattern]),
            Framework::Maven if is_whole(pattern) => vec![format!("-Dtest={pattern}")],
            Framework::Maven => vec![format!("-Dtest=*#*{pattern}*")],
            Framework::Gradle if pattern.contains('*') => words(&["--tests", pattern]),
            Framework::Gradle => words(&["--tests", &format!("*{pattern}*")]),
            Framework::Node(_) | Framework::Go | Framework::Make => Vec::new(),
        }
    }
}

/// The name of a class, or a pattern already.
fn is_whole(pattern: &str) -> bool {
    pattern.contains(['#', '*', ',']) || pattern.starts_with(|c: char| c.is_uppercase())
}

/// A file beside `src/` that holds tests is a target of its own.
fn rust(place: &CheckedPlace, folder: &Path, words: &[&str], runner: &Runner) -> Result<Vec<String>, Failure> {
    runner.need("cargo", "https://rustup.rs")?;
    let mut argv: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    argv.push("--no-fail-fast".into());
    let target = place.path.strip_prefix(folder.join("tests")).ok().filter(|_| place.is_file);
    let mut parts = target.into_iter().flat_map(Path::iter).filter_map(|part| part.to_str());
    match (parts.next(), parts.next()) {
        (Some(file), None) => argv.extend(target_words(file.trim_end_matches(".rs"))),
        (Some(folder), Some("main.rs")) => argv.extend(target_words(folder)),
        (Some(_), Some(_)) | (None, _) => {}
    }
    Ok(argv)
}

/// A name that begins with a dash is no option.
fn target_words(name: &str) -> Vec<String> {
    if name.starts_with('-') { vec![format!("--test={name}")] } else { vec!["--test".into(), name.into()] }
}

/// The project's own virtual environment comes first.
fn pytest(place: &CheckedPlace, folder: &Path, runner: &Runner) -> Result<Vec<String>, Failure> {
    let own = [".venv/bin/pytest", "venv/bin/pytest"].iter().find_map(|program| place.program(program));
    let program = match own {
        Some(own) => own.display().to_string(),
        None => {
            runner.need("pytest", "pip install pytest")?;
            "pytest".into()
        }
    };
    let mut argv = vec![program];
    argv.extend(["-q", "--tb=short", "-rfE", "--color=no"].map(String::from));
    if place.path != *folder && place.path.starts_with(folder) {
        argv.push(place.from(folder));
    }
    Ok(argv)
}

impl ScriptRunner {
    pub(in super::super) fn program(self) -> (&'static str, &'static str) {
        match self {
            ScriptRunner::Npm => ("npm", "https://nodejs.org"),
            ScriptRunner::Pnpm => ("pnpm", "npm install -g pnpm"),
            ScriptRunner::Yarn => ("yarn", "npm install -g yarn"),
            ScriptRunner::Bun => ("bun", "https://bun.sh"),
        }
    }

    /// To run the test script; what follows goes to it.
    pub(in super::super) fn words(self, more: bool) -> Vec<String> {
        let words: &[&str] = match self {
            ScriptRunner::Npm if more => &["npm", "test", "--"],
            ScriptRunner::Npm => &["npm", "test"],
            ScriptRunner::Pnpm => &["pnpm", "test"],
            ScriptRunner::Yarn => &["yarn", "test"],
            ScriptRunner::Bun => &["bun", "run", "test"],
        };
        words.iter().map(|word| (*word).to_owned()).collect()
    }
}

/// What the script runs decides how a name is given to it.
fn node(
    place: &CheckedPlace,
    folder: &Path,
    manager: ScriptRunner,
    asked: &TestRequest,
    runner: &Runner,
) -> Result<Vec<String>, Failure> {
    let (program, install) = manager.program();
    runner.need(program, install)?;
    let Some(script) = script(place, folder) else {
        let message = format!(
            "{} has no test script; add one to its package.json, or use run_command",
            place.shown(&folder.join("package.json"))
        );
        return Err(Failure::new(FailureKind::NotFound, message));
    };
    let mut more = Vec::new();
    if let Some(pattern) = &asked.pattern {
        more.extend(named(&script, pattern)?);
    }
    if script.contains("react-scripts test") {
        more.push("--watchAll=false".into());
    }
    more.extend(asked.args.clone());
    more.extend(asked.only.clone());
    if place.path != *folder {
        more.push(place.from(folder));
    }
    let mut argv = manager.words(!more.is_empty());
    argv.extend(more);
    Ok(argv)
}

fn named(script: &str, pattern: &str) -> Result<Vec<String>, Failure> {
    let says = |names: &[&str]| names.iter().any(|name| script.contains(name));
    match () {
        () if says(&["jest", "vitest", "react-scripts test", "bun test"]) => Ok(vec!["-t".into(), pattern.into()]),
        () if says(&["mocha"]) => Ok(vec!["-g".into(), pattern.into()]),
        () if says(&["node --test", "tsx --test"]) => Ok(vec![format!("--test-name-pattern={pattern}")]),
        () if says(&["playwright test"]) => Ok(vec!["-g".into(), pattern.into()]),
        () if says(&["ava"]) => Ok(vec![format!("--match=*{pattern}*")]),
        () => {
            let message = format!(
                "how `{script}` takes the name of a test is not known; give what it takes as `args`, or leave `pattern` out"
            );
            Err(Failure::new(FailureKind::InvalidArguments, message))
        }
    }
}

/// A file of it means its folder: a Go test needs its whole package.
fn go(place: &CheckedPlace, folder: &Path, asked: &TestRequest, runner: &Runner) -> Result<Vec<String>, Failure> {
    runner.need("go", "https://go.dev/dl")?;
    let mut argv = vec!["go".into(), "test".into(), "-v".into()];
    if let Some(pattern) = &asked.pattern {
        argv.extend(["-run".into(), pattern.clone()]);
    }
    argv.extend(asked.args.clone());
    let packages = if asked.only.is_empty() { vec![place.packages(folder)] } else { asked.only.clone() };
    argv.extend(packages);
    Ok(argv)
}

fn maven(place: &CheckedPlace, folder: &Path, runner: &Runner) -> Result<Vec<String>, Failure> {
    let mut argv = vec![wrapped(place, folder, "mvnw", ("mvn", "https://maven.apache.org/install.html"), runner)?];
    argv.extend(["-B", "test", "-Dsurefire.failIfNoSpecifiedTests=false"].map(String::from));
    Ok(argv)
}

fn gradle(place: &CheckedPlace, folder: &Path, runner: &Runner) -> Result<Vec<String>, Failure> {
    let mut argv = vec![wrapped(place, folder, GRADLE[0], ("gradle", "https://gradle.org/install"), runner)?];
    argv.extend(["test", "--continue", "--no-daemon", "--console=plain"].map(String::from));
    Ok(argv)
}

/// The program that the project brings along to run its builds, or the one that is installed.
fn wrapped(
    place: &CheckedPlace,
    folder: &Path,
    wrapper: &str,
    (name, install): (&str, &str),
    runner: &Runner,
) -> Result<String, Failure> {
    match place.at(folder).program(wrapper) {
        Some(own) => Ok(own.display().to_string()),
        None => runner.need(name, install).map(|_| name.to_owned()),
    }
}

fn make(place: &CheckedPlace, folder: &Path, asked: &TestRequest, runner: &Runner) -> Result<Vec<String>, Failure> {
    runner.need("make", "apt install make")?;
    if asked.pattern.is_some() {
        let message = "make takes no name of a test; give what it takes as `args`, or leave `pattern` out";
        return Err(Failure::new(FailureKind::InvalidArguments, message));
    }
    let Some(goal) = goal(place, folder) else {
        let message = "no makefile here has a target `test` or `check`; name another with run_command";
        return Err(Failure::new(FailureKind::NotFound, message));
    };
    Ok(vec!["make".into(), goal.into()])
}
