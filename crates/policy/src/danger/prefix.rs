//! How much of a command a lasting rule may name.

use super::known::{INTERPRETERS, NEVER, SUBCOMMANDS, known_as, takes_subcommand, unversioned};
use super::lasting::{harmless_flags, is_listed};
use super::programs::starts_others;
use super::starters::{names_a_script, starts_what_follows};
use crate::lists::listed;

/// Those that do their work without such a word, too.
const BY_THEMSELVES: &[&str] = &["make", "gmake", "just", "task", "ninja", "rake", "mvn", "gradle", "yarn"];

/// Those that start a script of the project by its name: the name belongs to the rule.
const SCRIPTED: &[&str] = &["npm", "pnpm", "yarn"];

/// Runtimes that run what they are given, and which of their first words run no more than the project's own tests and
/// checks, or nothing.
const TAMED: &[(&str, &[&str])] = &[
    ("bun", &["test"]),
    ("deno", &["test", "check", "lint", "fmt"]),
    ("swift", &["test", "build"]),
    ("cmake", &["--build"]),
    ("python", &["--version", "-V"]),
    ("node", &["--version", "-v"]),
    ("ruby", &["--version"]),
    ("php", &["--version"]),
    ("java", &["--version", "-version"]),
];

/// What starts a program in the surroundings of the project, by its next words: nothing between these is known.
const LAUNCHERS: &[(&str, &[&str])] = &[
    ("python", &["-m"]),
    ("npx", &[]),
    ("bunx", &[]),
    ("pnpx", &[]),
    ("uvx", &[]),
    ("uv", &["run"]),
    ("poetry", &["run"]),
    ("pdm", &["run"]),
    ("pipenv", &["run"]),
    ("bundle", &["exec"]),
    ("pnpm", &["exec"]),
    ("yarn", &["exec"]),
];

/// Programs of the system, or of somebody's account somewhere, whose words are known: nothing that a project brings along.
const NOT_OF_A_PROJECT: &str = "git gh terraform conda rustup mkdir touch cp mv gcc g++ cc c++ clang clang++";

/// The words of `words` that a lasting rule may name.
pub(super) fn prefix(words: &[String]) -> Option<Vec<String>> {
    let at = launched_at(words);
    if at == 0 && starts_what_follows(words) || names_a_script(&words[at..]).is_some() {
        return None;
    }
    let (launcher, inner) = words.split_at(at);
    let (program, starts) = (inner.first()?, words.first()?);
    let fits = match at {
        0 => is_name(program) || is_own(program),
        _ => (is_name(starts) || is_own(starts)) && is_name(program) && is_runner(program),
    };
    fits.then(|| Some([launcher, &least(inner)?].concat())).flatten()
}

/// What of a program with its words says what it does.
fn least(words: &[String]) -> Option<Vec<String>> {
    let (program, rest) = words.split_first()?;
    let name = known_as(program);
    let two = |second: &String| vec![program.clone(), second.clone()];
    if let Some((_, tame)) = TAMED.iter().find(|(runtime, _)| *runtime == unversioned(name)) {
        return scripted(name, words).or_else(|| rest.first().filter(|word| tame.contains(&word.as_str())).map(two));
    }
    if is_barred(name) {
        return None;
    }
    let Some((_, runners)) = SUBCOMMANDS.iter().find(|(known, _)| listed(known, name)) else {
        return Some(vec![program.clone()]);
    };
    match &rest[harmless_flags(name, rest)..] {
        [] => BY_THEMSELVES.contains(&name).then(|| vec![program.clone()]),
        [subcommand, ..] if !is_name(subcommand) || listed(runners, subcommand) => None,
        [run, ..] if SCRIPTED.contains(&name) && matches!(run.as_str(), "run" | "run-script") => scripted(name, words),
        [subcommand, ..] => Some(two(subcommand)),
    }
}

/// The name of a script that the project keeps belongs to the rule. Not of a file, which a runtime would run as well.
fn scripted(name: &str, words: &[String]) -> Option<Vec<String>> {
    let (run, script) = (words.get(1)?.as_str(), words.get(2)?);
    let is_file = script.contains('.') && !SCRIPTED.contains(&name);
    let runs = match name {
        "deno" => run == "task",
        "bun" => run == "run",
        _ => matches!(run, "run" | "run-script"),
    };
    (runs && is_name(script) && !is_file).then(|| words[..3].to_vec())
}

/// Where in `words` the program stands that is started in the project's own surroundings by what comes before it:
/// `python -m pytest`, `npx jest`, `uv run python -m pytest`. 0: nothing is.
pub(super) fn launched_at(words: &[String]) -> usize {
    let mut at = 0;
    while let Some(length) = launcher(&words[at..]) {
        at += length;
    }
    at
}

/// How many of these words only say that the next one is to be started.
fn launcher(words: &[String]) -> Option<usize> {
    let name = known_as(words.first()?);
    let name = if unversioned(name) == "python" { "python" } else { name };
    let says = |(launcher, then): &&(&str, &[&str])| {
        *launcher == name && words[1..].iter().zip(*then).filter(|(word, then)| *word == *then).count() == then.len()
    };
    let length = LAUNCHERS.iter().find(says).map(|(_, then)| then.len() + 1)?;
    words.get(length).filter(|next| is_name(next)).map(|_| length)
}

/// A program that lies in the project, where such are put: a wrapper, or in a folder of programs. Called by a path that
/// leads nowhere else.
fn is_own(program: &str) -> bool {
    let Some((folder, name)) = program.rsplit_once('/') else { return false };
    let parts: Vec<&str> = folder.split('/').collect();
    let plain = |part: &&str| *part == "." || is_name(part.strip_prefix('.').unwrap_or(part));
    let of_programs = parts.last().is_some_and(|last| matches!(*last, "bin" | ".bin"));
    let wrapper = matches!(name, "gradlew" | "mvnw");
    let runs = is_runner(name) || unversioned(name) == "python";
    parts.iter().all(plain) && is_name(name) && (wrapper || of_programs && runs)
}

/// Is it known what this program does with its words, and is it one of those that projects bring along?
fn is_runner(program: &str) -> bool {
    let name = known_as(program);
    let of_the_system = listed(NOT_OF_A_PROJECT, name);
    !of_the_system && (takes_subcommand(name) || is_listed(name) || TAMED.iter().any(|(tamed, _)| *tamed == name))
}

fn is_barred(program: &str) -> bool {
    let bare = unversioned(program);
    starts_others(program) || [program, bare].iter().any(|name| listed(INTERPRETERS, name) || listed(NEVER, name))
}

/// A plain name: no flag, no path, no assignment, nothing that a shell would read.
fn is_name(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_alphanumeric() || first == '_')
        && word.chars().all(|character| character.is_ascii_alphanumeric() || "_-.:+".contains(character))
}
