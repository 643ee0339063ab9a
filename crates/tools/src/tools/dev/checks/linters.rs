//! Which linter a project or a file has, and the words to run it with.
//!
//! Nothing is run here.

use super::messages::MessageForm;
use super::place::{CheckedPlace, extension, no_option};
use crate::program::Runner;
use agent_protocol::{Failure, FailureKind};
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Linter {
    Clippy,
    Ruff,
    Pylint,
    Eslint,
    GolangciLint,
    GoVet,
    Shellcheck,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Language {
    Rust,
    Python,
    JavaScript,
    Go,
    Shell,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Linting {
    pub(super) linter: Linter,
    pub(super) argv: Vec<String>,
    pub(super) cwd: PathBuf,
    /// What names of files are relative to.
    pub(super) base: PathBuf,
    /// What is to be known of the choice; empty where there is nothing.
    pub(super) note: String,
}

/// Shell scripts that are linted in one call.
const SCRIPTS: usize = 200;

/// Each linter with its name, its language, and how its messages look.
const LINTERS: [(Linter, &str, Language, MessageForm); 7] = [
    (Linter::Clippy, "clippy", Language::Rust, MessageForm::Clippy),
    (Linter::Ruff, "ruff", Language::Python, MessageForm::Bare),
    (Linter::Pylint, "pylint", Language::Python, MessageForm::Pylint),
    (Linter::Eslint, "eslint", Language::JavaScript, MessageForm::Stylish),
    (Linter::GolangciLint, "golangci-lint", Language::Go, MessageForm::Bare),
    (Linter::GoVet, "go vet", Language::Go, MessageForm::Bare),
    (Linter::Shellcheck, "shellcheck", Language::Shell, MessageForm::Gcc),
];

/// Each language with its name, how its files end, and files that say that a folder is of it; in the order in which they
/// are taken where one folder has several.
const LANGUAGES: [(Language, &str, &[&str], &[&str]); 5] = [
    (Language::Rust, "Rust", &["rs"], &["Cargo.toml"]),
    (
        Language::Python,
        "Python",
        &["py", "pyi"],
        &["pyproject.toml", "setup.cfg", "setup.py", "ruff.toml", ".ruff.toml", ".pylintrc", "requirements.txt"],
    ),
    (
        Language::JavaScript,
        "JavaScript",
        &["js", "mjs", "cjs", "jsx", "ts", "mts", "cts", "tsx", "vue", "svelte"],
        &["package.json"],
    ),
    (Language::Go, "Go", &["go"], &["go.mod"]),
    (Language::Shell, "shell", &["sh", "bash", "dash", "ksh"], &[]),
];

impl Linter {
    pub(super) fn name(self) -> &'static str {
        LINTERS[self as usize].1
    }

    fn language(self) -> Language {
        LINTERS[self as usize].2
    }

    pub(super) fn form(self) -> MessageForm {
        LINTERS[self as usize].3
    }
}

impl Language {
    fn all() -> impl Iterator<Item = Language> {
        LANGUAGES.iter().map(|(language, ..)| *language)
    }

    fn of(extension: &str) -> Option<Self> {
        Language::all().find(|language| LANGUAGES[*language as usize].2.contains(&extension))
    }

    fn name(self) -> &'static str {
        LANGUAGES[self as usize].1
    }

    fn signs(self) -> &'static [&'static str] {
        LANGUAGES[self as usize].3
    }
}

/// How the file or folder at `place` is linted, by the linter `wanted` if one is.
pub(super) fn linting(
    place: &CheckedPlace,
    runner: &Runner,
    wanted: Option<&str>,
    args: &[String],
) -> Result<Linting, Failure> {
    let wanted = wanted.map(named).transpose()?;
    let languages = match wanted {
        Some(linter) => vec![linter.language()],
        None => languages(place),
    };
    let Some(language) = languages.first() else { return Err(none(place)) };
    let others: Vec<&str> = languages[1..].iter().map(|language| language.name()).collect();
    let mut linting = match language {
        Language::Rust => clippy(place, runner)?,
        Language::Python => python(place, runner, wanted)?,
        Language::JavaScript => eslint(place, runner)?,
        Language::Go => go(place, runner, wanted)?,
        Language::Shell => shellcheck(place, runner)?,
    };
    if !others.is_empty() {
        linting
            .note
            .push_str(&format!("; there is also {}: give its folder or a file to lint that", others.join(", ")));
    }
    let at = linting.argv.len() - linting.named_last(place);
    linting.argv.splice(at..at, args.iter().cloned());
    Ok(linting)
}

impl Linting {
    /// How many of its last words name what is linted; more words stand before these.
    fn named_last(&self, place: &CheckedPlace) -> usize {
        match self.linter {
            Linter::Clippy => 0,
            Linter::Shellcheck => scripts(place).len(),
            Linter::Ruff | Linter::Pylint | Linter::Eslint | Linter::GolangciLint | Linter::GoVet => 1,
        }
    }
}

fn named(wanted: &str) -> Result<Linter, Failure> {
    let plain = wanted.to_lowercase();
    let known = LINTERS.iter().find(|(_, name, ..)| plain.contains(name)).map(|(linter, ..)| *linter);
    known.or_else(|| plain.contains("golangci").then_some(Linter::GolangciLint)).ok_or_else(|| {
        let names: Vec<&str> = LINTERS.iter().map(|(_, name, ..)| *name).collect();
        let message =
            format!("no linter {wanted:?} is known; known are {}; run others with run_command", names.join(", "));
        Failure::new(FailureKind::InvalidArguments, message)
    })
}

/// Of a file its own; of a folder those that the nearest folder with any sign has, then what lies in it.
fn languages(place: &CheckedPlace) -> Vec<Language> {
    if place.is_file {
        return Language::of(&place.extension()).into_iter().collect();
    }
    let here = |folder: &Path| -> Vec<Language> {
        let signed = |language: &Language| language.signs().iter().any(|name| place.has(folder, name));
        Language::all().filter(signed).collect()
    };
    let signed = place.folders().into_iter().map(here).find(|languages| !languages.is_empty()).unwrap_or_default();
    let lying: Vec<Language> = place.files().iter().filter_map(|file| Language::of(&extension(file))).collect();
    // A sign above counts as far as there is something of it here.
    let mut languages: Vec<Language> =
        signed.into_iter().filter(|language| lying.contains(language) || *language == Language::Rust).collect();
    let rest: Vec<Language> =
        Language::all().filter(|language| lying.contains(language) && !languages.contains(language)).collect();
    languages.extend(rest);
    languages
}

fn none(place: &CheckedPlace) -> Failure {
    let message = format!(
        "no linter is known for {}; known are those of Rust, Python, JavaScript, TypeScript, Go and shell: run others with \
         run_command",
        place.shown(&place.path)
    );
    Failure::new(FailureKind::InvalidArguments, message)
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// The folder with the nearest of these files; that of the place itself where there is none.
fn home(place: &CheckedPlace, signs: &[&str]) -> PathBuf {
    let sign = place.nearest(signs);
    sign.as_deref().and_then(Path::parent).unwrap_or(&place.folder).to_owned()
}

fn clippy(place: &CheckedPlace, runner: &Runner) -> Result<Linting, Failure> {
    runner.need("cargo-clippy", "rustup component add clippy")?;
    let cwd = home(place, &["Cargo.toml"]);
    let argv = words(&["cargo", "clippy", "--all-targets", "--message-format=short"]);
    let base = place.cargo_root(&cwd);
    Ok(Linting { linter: Linter::Clippy, argv, cwd, base, note: String::new() })
}

/// What the project is set up for, else what is there; its own programs come first.
fn python(place: &CheckedPlace, runner: &Runner, wanted: Option<Linter>) -> Result<Linting, Failure> {
    let for_pylint =
        place.nearest(&[".pylintrc", "pylintrc"]).is_some() || place.configured("pyproject.toml", "[tool.pylint");
    let for_ruff =
        place.nearest(&["ruff.toml", ".ruff.toml"]).is_some() || place.configured("pyproject.toml", "[tool.ruff");
    let order = match wanted {
        Some(linter) => vec![linter],
        None if for_pylint && !for_ruff => vec![Linter::Pylint, Linter::Ruff],
        None => vec![Linter::Ruff, Linter::Pylint],
    };
    let cwd = home(place, Language::Python.signs());
    for linter in &order {
        let below = [".venv/bin/", "venv/bin/"].map(|folder| format!("{folder}{}", linter.name()));
        let own = below.iter().find_map(|program| place.program(program)).map(|own| own.display().to_string());
        let Some(program) = own.or_else(|| runner.find(linter.name()).map(|_| linter.name().to_owned())) else {
            continue;
        };
        let mut argv = vec![program];
        argv.extend(match linter {
            Linter::Pylint => words(&[
                "--score=n",
                "--reports=n",
                "--recursive=y",
                "--msg-template={path}:{line}:{column}: {msg_id} {msg} ({symbol})",
            ]),
            _ => words(&["check", "--output-format=concise", "--no-cache"]),
        });
        argv.push(place.from(&cwd));
        let set_up = if for_pylint && !for_ruff { Linter::Pylint } else { Linter::Ruff };
        let note = match wanted.is_none() && *linter != set_up && (for_pylint || for_ruff) {
            true => format!("; {}, which the project is set up for, is not installed", set_up.name()),
            false => String::new(),
        };
        return Ok(Linting { linter: *linter, argv, base: cwd.clone(), cwd, note });
    }
    let (name, install) = (order[0].name(), if order.len() > 1 { "pip install ruff" } else { "pip" });
    let install = if install == "pip" { format!("pip install {name}") } else { install.to_owned() };
    Err(runner.need(name, &install).err().unwrap_or_else(|| none(place)))
}

fn eslint(place: &CheckedPlace, runner: &Runner) -> Result<Linting, Failure> {
    let program = match place.program("node_modules/.bin/eslint") {
        Some(own) => own.display().to_string(),
        None => runner.need("eslint", "npm install --save-dev eslint").map(|_| "eslint".to_owned())?,
    };
    let cwd = home(place, Language::JavaScript.signs());
    let argv = vec![program, "--format".into(), "stylish".into(), "--no-color".into(), place.from(&cwd)];
    Ok(Linting { linter: Linter::Eslint, argv, base: cwd.clone(), cwd, note: String::new() })
}

/// A file means its package.
fn go(place: &CheckedPlace, runner: &Runner, wanted: Option<Linter>) -> Result<Linting, Failure> {
    let cwd = home(place, Language::Go.signs());
    let target = place.packages(&cwd);
    let base = cwd.clone();
    if wanted != Some(Linter::GoVet) && runner.find("golangci-lint").is_some() {
        let argv = vec!["golangci-lint".into(), "run".into(), target];
        return Ok(Linting { linter: Linter::GolangciLint, argv, cwd, base, note: String::new() });
    }
    if wanted == Some(Linter::GolangciLint) {
        runner.need("golangci-lint", "https://golangci-lint.run/docs/welcome/install")?;
    }
    runner.need("go", "https://go.dev/dl")?;
    let note = match wanted {
        Some(_) => String::new(),
        None => "; golangci-lint, which finds more, is not installed".into(),
    };
    let argv = vec!["go".into(), "vet".into(), target];
    Ok(Linting { linter: Linter::GoVet, argv, cwd, base, note })
}

fn shellcheck(place: &CheckedPlace, runner: &Runner) -> Result<Linting, Failure> {
    runner.need("shellcheck", "apt install shellcheck")?;
    let scripts = scripts(place);
    if scripts.is_empty() {
        return Err(none(place));
    }
    let cwd = place.folder.clone();
    let mut argv = words(&["shellcheck", "-f", "gcc"]);
    argv.extend(scripts);
    Ok(Linting { linter: Linter::Shellcheck, argv, base: cwd.clone(), cwd, note: String::new() })
}

/// The scripts that are meant, below the folder they are run in.
fn scripts(place: &CheckedPlace) -> Vec<String> {
    let files = place.files().into_iter();
    let scripts = files.filter(|file| place.is_file || Language::of(&extension(file)) == Some(Language::Shell));
    let names = scripts.map(|file| file.strip_prefix(&place.folder).map_or_else(|_| file.clone(), Path::to_owned));
    names.map(|name| no_option(name.display().to_string())).take(SCRIPTS).collect()
}
