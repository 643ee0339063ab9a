//! Programs that know the holes in dependencies. They ask a server, so they are run only where the call says so, as a
//! command that is asked about; else they are named.

use crate::program::{Reading, Said, Told, WantedRun};
use crate::workspace::one_line;
use agent_policy::spelled;
use agent_protocol::{Failure, FailureKind, Profile};
use agent_syntax::security::stands_in_tests;
use regex::Regex;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

struct Auditor {
    /// Files by which it knows the dependencies.
    files: &'static str,
    program: &'static str,
    command: &'static str,
    install: &'static str,
}

const fn auditor(files: &'static str, program: &'static str, command: &'static str, install: &'static str) -> Auditor {
    Auditor { files, program, command, install }
}

const AUDITORS: [Auditor; 9] = [
    auditor("Cargo.lock", "cargo-audit", "cargo audit", "cargo install cargo-audit"),
    auditor("pnpm-lock.yaml", "pnpm", "pnpm audit", "npm install -g pnpm"),
    auditor("yarn.lock", "yarn", "yarn npm audit", "npm install -g yarn"),
    auditor("bun.lock bun.lockb", "bun", "bun audit", "npm install -g bun"),
    auditor("package-lock.json", "npm", "npm audit", "apt-get install npm"),
    auditor("requirements.txt", "pip-audit", "pip-audit -r requirements.txt", "pip install pip-audit"),
    auditor("pyproject.toml uv.lock poetry.lock Pipfile.lock", "pip-audit", "pip-audit", "pip install pip-audit"),
    auditor("go.mod", "govulncheck", "govulncheck ./...", "go install golang.org/x/vuln/cmd/govulncheck@latest"),
    auditor("Gemfile.lock", "bundle-audit", "bundle-audit check --update", "gem install bundler-audit"),
];
/// Folders in which one of them is run.
const PLACES: usize = 4;
/// Seconds that they may take together.
const TIME: u64 = 300;
const LINES: usize = 6;

/// Where an auditor says what it found in all.
static SUMMARY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:\d+|no)\s+(?:\w+\s+)?vulnerabilit(?:y|ies)\b|^vulnerabilities found!").expect("it is tested")
});

/// An auditor for what lies in `place`, relative to the project.
type Due<'a> = (&'static Auditor, &'a Path);

/// What there is to be run for `files`, and the programs that are not there.
fn due<'a>(files: &'a [PathBuf], installed: &dyn Fn(&str) -> bool) -> (Vec<Due<'a>>, Vec<&'static Auditor>) {
    let (mut run, mut install): (Vec<Due<'a>>, Vec<&Auditor>) = (Vec::new(), Vec::new());
    for auditor in &AUDITORS {
        let of_it = files.iter().filter(|file| auditor.is_for(file) && !stands_in_tests(file));
        let places: Vec<&Path> = of_it.filter_map(|file| file.parent()).collect();
        match places.as_slice() {
            [] => {}
            _ if !installed(auditor.program) => install.push(auditor),
            places => run.extend(places.iter().take(PLACES).map(|place| (auditor, *place))),
        }
    }
    install.dedup_by_key(|auditor| auditor.program);
    run.dedup_by_key(|(auditor, place)| (auditor.command, *place));
    (run, install)
}

/// Runs all that are installed for `files`, which are relative to the project at `root`.
pub(super) fn wanted(files: &[PathBuf], root: &Path, installed: &dyn Fn(&str) -> bool) -> Result<WantedRun, Failure> {
    let (run, install) = due(files, installed);
    let first = match (run.first(), install.as_slice()) {
        (Some(first), _) => first,
        (None, []) => {
            let message = "there is no file here by which an auditor knows the dependencies, like Cargo.lock or \
                           package-lock.json; give another path";
            return Err(Failure::new(FailureKind::NotFound, message));
        }
        (None, install) => {
            let message = format!("no auditor is installed for what is here: {}", to_install(install));
            return Err(Failure::new(FailureKind::NotInstalled, message));
        }
    };
    let wanted = match run.as_slice() {
        [(auditor, place)] => {
            let cwd = if place.as_os_str().is_empty() { root.to_owned() } else { root.join(place) };
            WantedRun::argv(auditor.command.split(' ').map(str::to_owned).collect(), cwd)
        }
        // Each is to run whatever the others find.
        several => {
            let lines: Vec<String> = several.iter().map(|(auditor, place)| line(place, auditor.command)).collect();
            WantedRun::line(lines.join("; "), root.to_owned())
        }
    };
    let more = if run.len() > 1 { format!(" and {} more", run.len() - 1) } else { String::new() };
    Ok(WantedRun {
        title: Some(format!("Look up known holes in dependencies with {}{more}", first.0.command)),
        profile: Profile::Network,
        timeout_secs: TIME,
        has_timeout: false,
        note: (!install.is_empty()).then(|| format!("not installed: {}", to_install(&install))),
        reading: Some(reading()),
        ..wanted
    })
}

/// What is found in all comes first, the whole of it follows.
fn reading() -> Reading {
    Arc::new(|said: &Said<'_>| {
        let found: Vec<&str> =
            said.text.lines().map(str::trim).filter(|line| SUMMARY.is_match(line)).take(LINES).collect();
        let summary = found.first()?.to_string();
        Some(Told {
            told: format!("in short: {}\n{}", found.join(" · "), said.text.trim_end()),
            summary,
            failing: None,
            cannot_run: false,
        })
    })
}

fn to_install(auditors: &[&Auditor]) -> String {
    let named = auditors.iter().map(|auditor| format!("{} (install it with: {})", auditor.program, auditor.install));
    named.collect::<Vec<_>>().join(", ")
}

/// A line that leaves the shell where it is.
fn line(place: &Path, command: &str) -> String {
    match place.to_str() {
        Some("") | None => command.to_owned(),
        Some(place) => format!("(cd {} && {command})", spelled(&[place.to_owned()])),
    }
}

/// Which of them there are for `files` (relative to the project), in a line for the model; empty where there is nothing
/// to be audited.
pub(super) fn remark(files: &[PathBuf], installed: &dyn Fn(&str) -> bool) -> String {
    let (run, install) = due(files, installed);
    let run: Vec<String> = run.iter().map(|(auditor, place)| named(auditor, place)).collect();
    let run = (!run.is_empty()).then(|| {
        format!(
            "to look them up, which needs the network, call it again with audit: true, which runs {}",
            run.join(" · ")
        )
    });
    let install = (!install.is_empty()).then(|| format!("not installed: {}", to_install(&install)));
    let both: Vec<String> = run.into_iter().chain(install).collect();
    if both.is_empty() {
        String::new()
    } else {
        format!("[known holes in dependencies were not looked up; {}]", both.join("; "))
    }
}

fn named(auditor: &Auditor, place: &Path) -> String {
    match place.as_os_str().is_empty() {
        true => auditor.command.to_owned(),
        false => format!("{} in {}", auditor.command, one_line(place)),
    }
}

impl Auditor {
    fn is_for(&self, file: &Path) -> bool {
        file.file_name().is_some_and(|name| self.files.split(' ').any(|known| name == known))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::Command;

    #[test]
    fn the_command_is_named_where_its_program_is_installed() {
        let files: Vec<PathBuf> =
            ["Cargo.lock", "my web/package-lock.json", "go.mod", "src/a.rs"].map(Into::into).into();
        assert_eq!(
            remark(&files, &|program| program != "govulncheck"),
            "[known holes in dependencies were not looked up; to look them up, which needs the network, call it again with \
             audit: true, which runs cargo audit · npm audit in my web; not installed: govulncheck (install it with: go \
             install golang.org/x/vuln/cmd/govulncheck@latest)]"
        );
        assert_eq!(remark(&["src/a.rs".into()], &|_| true), "");
    }

    fn run(files: &[&str], installed: &dyn Fn(&str) -> bool) -> Result<(Command, PathBuf), Failure> {
        let files: Vec<PathBuf> = files.iter().map(Into::into).collect();
        let wanted = wanted(&files, Path::new("/p"), installed)?;
        assert_eq!(wanted.profile, Profile::Network);
        Ok((wanted.command, wanted.cwd))
    }

    #[test]
    fn what_is_installed_is_run() {
        let argv = |words: &[&str]| Command::Argv(words.iter().map(|word| (*word).to_owned()).collect());
        assert_eq!(run(&["Cargo.lock"], &|_| true).unwrap(), (argv(&["cargo", "audit"]), "/p".into()));
        assert_eq!(run(&["web/package-lock.json"], &|_| true).unwrap(), (argv(&["npm", "audit"]), "/p/web".into()));
        let both = run(&["Cargo.lock", "my web/package-lock.json"], &|_| true).unwrap();
        assert_eq!(both, (Command::Line("cargo audit; (cd 'my web' && npm audit)".into()), "/p".into()));
        let one = run(&["Cargo.lock", "go.mod"], &|program| program == "govulncheck").unwrap();
        assert_eq!(one, (argv(&["govulncheck", "./..."]), "/p".into()));
    }

    #[test]
    fn where_nothing_can_be_run_it_says_what_to_do() {
        let failure = run(&["Cargo.lock", "src/a.rs"], &|_| false).unwrap_err();
        assert_eq!(failure.kind, FailureKind::NotInstalled);
        assert!(failure.message.contains("cargo-audit (install it with: cargo install cargo-audit)"), "{failure:?}");
        assert_eq!(run(&["src/a.rs"], &|_| true).unwrap_err().kind, FailureKind::NotFound);
    }

    #[test]
    fn what_was_found_in_all_comes_first() {
        for (text, summary) in [
            ("Crate: a\nerror: 3 vulnerabilities found!\n", Some("error: 3 vulnerabilities found!")),
            ("found 0 vulnerabilities\n", Some("found 0 vulnerabilities")),
            ("No known vulnerabilities found\n", Some("No known vulnerabilities found")),
            ("No vulnerabilities found.\n", Some("No vulnerabilities found.")),
            ("Vulnerabilities found!\n", Some("Vulnerabilities found!")),
            ("npm error network\n", None),
        ] {
            let told = reading()(&Said { code: Some(1), text, raw: text, cut: false, room: 4_000 });
            assert_eq!(told.as_ref().map(|told| told.summary.as_str()), summary, "{text}");
            let expected = summary.map(|summary| format!("in short: {summary}\n{}", text.trim_end()));
            assert_eq!(told.map(|told| told.told), expected);
        }
    }
}
