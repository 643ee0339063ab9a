//! Which formatter a file has, and the words that make it format what it reads.
//!
//! Nobody is asked before one of these runs: it only reads, in a folder where nothing of the project lies, so that no file
//! there decides which program is started. One that the project itself brings along, or whose settings may be programs, is
//! run by question instead: of these, that is prettier alone. The settings of the others are data.

use super::place::{CheckedPlace, extension};
use crate::program::Runner;
use agent_protocol::{Failure, FailureKind};
use std::path::{Path, PathBuf};

mod prettier;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Formatter {
    Rustfmt,
    Gofmt,
    Ruff,
    Black,
    Prettier,
    ClangFormat,
    Shfmt,
}

/// How one file is formatted.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Reads the text, writes the formatted one.
    Filter(Filter),
    /// Is asked about, and changes the file itself.
    Own { argv: Vec<String>, check: Vec<String>, why: &'static str },
}

/// A program that makes of a text another.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Filter {
    pub(super) program: PathBuf,
    pub(super) args: Vec<String>,
    pub(super) env: Vec<(String, String)>,
    /// What is to be known of the choice.
    pub(super) note: Option<String>,
}

const STYLES: [&str; 2] = [".clang-format", "_clang-format"];
const RUSTFMT: [&str; 2] = ["rustfmt.toml", ".rustfmt.toml"];
const TOOLCHAIN: [&str; 2] = ["rust-toolchain.toml", "rust-toolchain"];

/// Each formatter with its name, how it is installed, and how the files end that it is for; in Python black serves too.
const FORMATTERS: [(Formatter, &str, &str, &str); 7] = [
    (Formatter::Rustfmt, "rustfmt", "rustup component add rustfmt", "rs"),
    (Formatter::Gofmt, "gofmt", "https://go.dev/dl", "go"),
    (Formatter::Ruff, "ruff", "pip install ruff", "py pyi"),
    (Formatter::Black, "black", "pip install black", ""),
    (
        Formatter::Prettier,
        "prettier",
        "npm install --save-dev prettier",
        "js mjs cjs jsx ts mts cts tsx vue css scss less html json jsonc json5 md mdx yaml yml graphql",
    ),
    (Formatter::ClangFormat, "clang-format", "apt install clang-format", "c h cc cpp cxx hh hpp hxx java proto"),
    (Formatter::Shfmt, "shfmt", "apt install shfmt", "sh bash"),
];

impl Formatter {
    pub(super) fn name(self) -> &'static str {
        FORMATTERS[self as usize].1
    }

    fn install(self) -> &'static str {
        FORMATTERS[self as usize].2
    }
}

/// Is there a formatter for files of this name?
pub(super) fn is_known(path: &Path) -> bool {
    usual(&extension(path)).is_some()
}

/// The formatter of files with this extension.
fn usual(extension: &str) -> Option<Formatter> {
    let ends = |(.., extensions): &&(Formatter, &str, &str, &str)| {
        extensions.split_whitespace().any(|known| known == extension)
    };
    FORMATTERS.iter().find(ends).map(|(formatter, ..)| *formatter)
}

/// How the file at `place` is formatted.
pub(super) fn way(place: &CheckedPlace, runner: &Runner) -> Result<Way, Failure> {
    let path = &place.path;
    let formatter = usual(&extension(path)).ok_or_else(|| unknown(place))?;
    let text = path.to_str().ok_or_else(|| unknown(place))?;
    match formatter {
        Formatter::Rustfmt => Ok(Way::Filter(rustfmt(place, runner)?)),
        Formatter::Gofmt => Ok(Way::Filter(filter(formatter, &[], runner)?)),
        Formatter::Ruff | Formatter::Black => python(place, text, runner),
        Formatter::Prettier => prettier::prettier(place, text, runner),
        Formatter::ClangFormat => {
            let found = filter(formatter, &[&format!("--assume-filename={text}")], runner)?;
            let styled = place.nearest(&STYLES).is_some();
            let note = (!styled).then(|| "there is no .clang-format here, so LLVM's style is taken".to_owned());
            Ok(Way::Filter(Filter { note, ..found }))
        }
        Formatter::Shfmt => Ok(Way::Filter(filter(formatter, &["-filename", text], runner)?)),
    }
}

fn unknown(place: &CheckedPlace) -> Failure {
    let message = format!(
        "no formatter is known for {}; known are those of Rust, Go, Python, JavaScript, TypeScript, CSS, HTML, JSON, \
         Markdown, YAML, C, C++, Java and shell",
        place.shown(&place.path)
    );
    Failure::new(FailureKind::InvalidArguments, message)
}

fn filter(formatter: Formatter, args: &[&str], runner: &Runner) -> Result<Filter, Failure> {
    let program = runner.need(formatter.name(), formatter.install())?;
    Ok(Filter { program, args: args.iter().map(|word| (*word).to_owned()).collect(), ..Filter::default() })
}

fn rustfmt(place: &CheckedPlace, runner: &Runner) -> Result<Filter, Failure> {
    let mut found = filter(Formatter::Rustfmt, &[], runner)?;
    let settings = place.nearest(&RUSTFMT);
    let edition = edition(place);
    // Without a package the settings may say it.
    if let Some(edition) = edition.or_else(|| settings.is_none().then(|| "2024".to_owned())) {
        found.args.extend(["--edition".into(), edition]);
    }
    if let Some(settings) = settings {
        found.args.extend(["--config-path".into(), settings.display().to_string()]);
    }
    found.env.extend(toolchain(place).map(|channel| ("RUSTUP_TOOLCHAIN".into(), channel)));
    Ok(found)
}

/// Of the package that the file belongs to, which may have it from its workspace.
fn edition(place: &CheckedPlace) -> Option<String> {
    let mut inherits = false;
    for folder in place.folders() {
        let Some(text) = place.text(folder, "Cargo.toml") else { continue };
        let section = if inherits { "[workspace.package]" } else { "[package]" };
        match (value(&text, section, "edition"), inherits) {
            (Some(edition), _) => return Some(edition),
            (None, true) => {}
            // Only the workspace, or a package that has its edition from it.
            (None, false) if !text.contains("edition") && text.contains("[package]") => return Some("2015".into()),
            (None, false) => {
                if let Some(edition) = value(&text, "[workspace.package]", "edition") {
                    return Some(edition);
                }
                inherits = true;
            }
        }
    }
    None
}

/// `key = "value"` below `section`.
fn value(text: &str, section: &str, key: &str) -> Option<String> {
    let below = text.lines().map(str::trim).skip_while(|line| *line != section).skip(1);
    let mut lines = below.take_while(|line| !line.starts_with('['));
    lines.find_map(|line| {
        let (name, value) = line.split_once('=')?;
        let quoted = value.trim().strip_prefix(['"', '\''])?;
        (name.trim() == key).then(|| quoted.split(['"', '\'']).next().unwrap_or_default().to_owned())
    })
}

/// The channel that the project pins: a name of a release and nothing else, no folder of its own.
fn toolchain(place: &CheckedPlace) -> Option<String> {
    let path = place.nearest(&TOOLCHAIN)?;
    let text = place.text(path.parent()?, path.file_name()?.to_str()?)?;
    let channel = value(&text, "[toolchain]", "channel").unwrap_or_else(|| text.trim().to_owned());
    let name = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '-';
    let is_release = ["stable", "beta", "nightly"].iter().any(|known| channel.starts_with(known))
        || channel.starts_with(|c: char| c.is_ascii_digit());
    (is_release && channel.chars().all(name)).then_some(channel)
}

/// What the project is set up for, else what is there.
fn python(place: &CheckedPlace, path: &str, runner: &Runner) -> Result<Way, Failure> {
    let for_ruff =
        place.nearest(&["ruff.toml", ".ruff.toml"]).is_some() || place.configured("pyproject.toml", "[tool.ruff");
    let for_black = place.configured("pyproject.toml", "[tool.black");
    let order =
        if for_black && !for_ruff { [Formatter::Black, Formatter::Ruff] } else { [Formatter::Ruff, Formatter::Black] };
    let wanted = (for_ruff || for_black).then_some(order[0].name());
    for formatter in order {
        let args: &[&str] = match formatter {
            Formatter::Ruff => &["format", "--no-cache", "--stdin-filename", path, "-"],
            _ => &["-q", "--stdin-filename", path, "-"],
        };
        if let Ok(found) = filter(formatter, args, runner) {
            let other = wanted.filter(|wanted| *wanted != formatter.name());
            let note = match other {
                Some(wanted) => format!(
                    "{wanted}, which the project is set up for, is not installed: {} was taken",
                    formatter.name()
                ),
                None if wanted.is_some() => return Ok(Way::Filter(found)),
                None => format!("the project names no formatter: {} was taken", formatter.name()),
            };
            return Ok(Way::Filter(Filter { note: Some(note), ..found }));
        }
        if let Some(own) = own_python(place, formatter, path) {
            return Ok(own);
        }
    }
    Err(runner.need(order[0].name(), "pip install ruff, or pip install black").err().unwrap_or_else(|| unknown(place)))
}

/// In the project's virtual environment.
fn own_python(place: &CheckedPlace, formatter: Formatter, path: &str) -> Option<Way> {
    let programs = [".venv/bin/", "venv/bin/"].map(|folder| format!("{folder}{}", formatter.name()));
    let program = programs.iter().find_map(|program| place.program(program))?.display().to_string();
    let words = |words: &[&str]| -> Vec<String> { words.iter().map(|word| (*word).to_owned()).collect() };
    let (argv, check) = match formatter {
        Formatter::Ruff => (words(&[&program, "format", path]), words(&[&program, "format", "--check", path])),
        _ => (words(&[&program, "-q", path]), words(&[&program, "--check", path])),
    };
    Some(Way::Own { argv, check, why: OWN })
}

const OWN: &str = "the formatter is a program of the project, so it is asked about and changes the file itself";
