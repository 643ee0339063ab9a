//! Programs that know the holes in dependencies. They ask a server, so they are only named here.

use agent_code::security::stands_in_tests;
use std::path::{Path, PathBuf};

/// One of them.
struct Auditor {
    /// Files by which it knows the dependencies.
    files: &'static [&'static str],
    /// The program that must be there.
    program: &'static str,
    command: &'static str,
    install: &'static str,
}

const AUDITORS: [Auditor; 9] = [
    Auditor {
        files: &["Cargo.lock"],
        program: "cargo-audit",
        command: "cargo audit",
        install: "cargo install cargo-audit",
    },
    Auditor { files: &["pnpm-lock.yaml"], program: "pnpm", command: "pnpm audit", install: "npm install -g pnpm" },
    Auditor { files: &["yarn.lock"], program: "yarn", command: "yarn npm audit", install: "npm install -g yarn" },
    Auditor { files: &["bun.lock", "bun.lockb"], program: "bun", command: "bun audit", install: "npm install -g bun" },
    Auditor { files: &["package-lock.json"], program: "npm", command: "npm audit", install: "apt-get install npm" },
    Auditor {
        files: &["requirements.txt"],
        program: "pip-audit",
        command: "pip-audit -r requirements.txt",
        install: "pip install pip-audit",
    },
    Auditor {
        files: &["pyproject.toml", "uv.lock", "poetry.lock", "Pipfile.lock"],
        program: "pip-audit",
        command: "pip-audit",
        install: "pip install pip-audit",
    },
    Auditor {
        files: &["go.mod"],
        program: "govulncheck",
        command: "govulncheck ./...",
        install: "go install golang.org/x/vuln/cmd/govulncheck@latest",
    },
    Auditor {
        files: &["Gemfile.lock"],
        program: "bundle-audit",
        command: "bundle-audit check --update",
        install: "gem install bundler-audit",
    },
];
/// Folders for which a command is named.
const PLACES: usize = 4;

/// Which of them there are for `files` (relative to the project), in a line for the model; empty where there is nothing
/// to be audited.
pub(super) fn remark(files: &[PathBuf], installed: &dyn Fn(&str) -> bool) -> String {
    let (mut run, mut install) = (Vec::new(), Vec::new());
    for auditor in &AUDITORS {
        let places: Vec<&Path> = files
            .iter()
            .filter(|file| auditor.is_for(file) && !stands_in_tests(file))
            .filter_map(|file| file.parent())
            .collect();
        match places.as_slice() {
            [] => {}
            _ if !installed(auditor.program) => {
                install.push(format!("{} (install it with: {})", auditor.program, auditor.install));
            }
            places => run.extend(places.iter().take(PLACES).map(|place| command(place, auditor.command))),
        }
    }
    install.dedup();
    run.dedup();
    let run = (!run.is_empty())
        .then(|| format!("look them up with run_command, which needs the network: {}", run.join(" · ")));
    let install = (!install.is_empty()).then(|| format!("not installed: {}", install.join(", ")));
    let both: Vec<String> = run.into_iter().chain(install).collect();
    if both.is_empty() {
        String::new()
    } else {
        format!("[known holes in dependencies were not looked up; {}]", both.join("; "))
    }
}

fn command(place: &Path, command: &str) -> String {
    match place.to_str() {
        Some("") | None => format!("`{command}`"),
        Some(place) => format!("`cd {} && {command}`", agent_policy::spelled(&[place.to_owned()])),
    }
}

impl Auditor {
    fn is_for(&self, file: &Path) -> bool {
        file.file_name().is_some_and(|name| self.files.iter().any(|known| name == *known))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_is_named_where_its_program_is_installed() {
        let files: Vec<PathBuf> =
            ["Cargo.lock", "my web/package-lock.json", "go.mod", "src/a.rs"].map(Into::into).into();
        assert_eq!(
            remark(&files, &|program| program != "govulncheck"),
            "[known holes in dependencies were not looked up; look them up with run_command, which needs the network: \
             `cargo audit` · `cd 'my web' && npm audit`; not installed: govulncheck (install it with: go install \
             golang.org/x/vuln/cmd/govulncheck@latest)]"
        );
        assert_eq!(remark(&["src/a.rs".into()], &|_| true), "");
    }
}
