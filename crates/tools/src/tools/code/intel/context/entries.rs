//! Where a program begins, and what a newcomer reads first.

use super::manifests::{Ecosystem, Manifests};
use super::survey::{Survey, shown};
use std::path::{Path, PathBuf};

/// Names with which programs begin, in any folder that is not deeper than `DEEP`.
const NAMES: &str = "__main__.py manage.py wsgi.py asgi.py main.py app.py cli.py main.go Main.java Application.java \
    Main.kt Application.kt Program.cs main.c main.cpp main.cc main.swift main.dart main.zig index.php \
    artisan config.ru";
/// Names with which programs begin at the top of a package.
const AT_TOP: &str = "index.js index.ts index.mjs server.js server.ts src/index.js src/index.ts src/index.tsx src/main.js \
    src/main.ts src/main.tsx src/main.jsx src/server.ts src/App.tsx index.html";
/// Folders above such a file.
const DEEP: usize = 7;
/// Entry points told at most.
const MOST: usize = 24;

pub(super) fn words(survey: &Survey, manifests: &Manifests) -> Vec<String> {
    let is_there = |path: &PathBuf| survey.files.binary_search(path).is_ok();
    let mut found = cargo(survey, manifests);
    for (file, node) in manifests.all(Ecosystem::Node) {
        let folder = file.parent().unwrap_or(Path::new(""));
        found.extend(node.starts.iter().map(|start| started(folder, start)));
        found.extend(AT_TOP.split(' ').map(|name| folder.join(name)).filter(is_there).map(|path| shown(&path)));
    }
    let scripts = manifests.all(Ecosystem::Python).flat_map(|(_, python)| &python.starts);
    found.extend(scripts.map(|(name, at)| format!("{name} = {at}")));
    let named = survey.files.iter().filter(|file| is_entry(file) && file.components().count() <= DEEP);
    let mut named: Vec<&PathBuf> = named.collect();
    named.sort_by_key(|file| file.components().count());
    found.extend(named.into_iter().map(|file| shown(file)));
    let mut seen = std::collections::HashSet::new();
    found.retain(|entry| seen.insert(entry.split(" (").next().unwrap_or(entry).to_owned()));
    found.truncate(MOST);
    found
}

/// `src/x.rs (bin x)`.
fn started(folder: &Path, (file, said): &(String, String)) -> String {
    format!("{} ({said})", shown(&folder.join(file.trim_start_matches("./"))))
}

fn is_entry(file: &Path) -> bool {
    let known = file.file_name().is_some_and(|name| NAMES.split(' ').any(|known| name == known));
    known && !agent_syntax::security::stands_in_tests(file)
}

/// Programs first, then libraries: `[[bin]]`, `src/main.rs`, `src/bin/*`, `src/lib.rs`.
fn cargo(survey: &Survey, manifests: &Manifests) -> Vec<String> {
    let (mut programs, mut libraries) = (Vec::new(), Vec::new());
    for (file, cargo) in manifests.all(Ecosystem::Cargo) {
        let folder = file.parent().unwrap_or(Path::new(""));
        let there = |below: &str| Some(folder.join(below)).filter(|path| survey.files.binary_search(path).is_ok());
        programs.extend(cargo.starts.iter().map(|start| started(folder, start)));
        programs.extend(there("src/main.rs").map(|path| shown(&path)));
        let bins = folder.join("src/bin");
        programs
            .extend(survey.files.iter().filter(|path| path.parent() == Some(bins.as_path())).map(|path| shown(path)));
        libraries.extend(there("src/lib.rs").map(|path| shown(&path)));
    }
    programs.into_iter().chain(libraries).collect()
}

/// Beginnings of names that a newcomer reads first, in that order.
const KEY: &str = "readme agents.md claude.md gemini.md contributing architecture changelog license licence copying \
    security code_of_conduct codeowners todo roadmap notice";

pub(super) fn key_files(survey: &Survey) -> Vec<String> {
    let near = |file: &&PathBuf| {
        file.components().count() == 1
            || file.components().count() == 2 && (file.starts_with("docs") || file.starts_with(".github"))
    };
    let rank = |file: &PathBuf| {
        let name = file.file_name()?.to_string_lossy().to_ascii_lowercase();
        let kind = file.extension().map(|kind| kind.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
        let text = matches!(kind.as_str(), "" | "md" | "txt" | "rst" | "adoc");
        let rank = KEY.split(' ').position(|key| name.starts_with(key))?;
        text.then_some(rank)
    };
    let files = survey.files.iter().chain(&survey.hidden).filter(near);
    let mut found: Vec<(usize, usize, String)> =
        files.filter_map(|file| Some((rank(file)?, file.components().count(), shown(file)))).collect();
    found.sort();
    found.into_iter().map(|(_, _, name)| name).take(14).collect()
}

#[cfg(test)]
mod tests {
    use super::super::survey::survey;
    use super::*;

    #[test]
    fn programs_are_found_by_manifests_and_names() {
        let survey = survey(&[
            "Cargo.toml",
            "src/lib.rs",
            "src/bin/x.rs",
            "crates/door/main.rs",
            "tools/__main__.py",
            "tests/main.py",
            "cmd/serve/main.go",
        ]);
        let text = "[[bin]]\nname = \"door\"\npath = \"crates/door/main.rs\"\n";
        let found = words(&survey, &Manifests::with(Ecosystem::Cargo, "Cargo.toml", text));
        let expected =
            ["crates/door/main.rs (bin door)", "src/bin/x.rs", "src/lib.rs", "tools/__main__.py", "cmd/serve/main.go"];
        assert_eq!(found, expected);
    }

    #[test]
    fn what_a_newcomer_reads_first_comes_in_that_order() {
        let found = key_files(&survey(&[
            "LICENSE",
            "README.md",
            "src/README.md",
            "docs/ARCHITECTURE.md",
            "license.rs",
            "AGENTS.md",
        ]));
        assert_eq!(found, ["README.md", "AGENTS.md", "docs/ARCHITECTURE.md", "LICENSE"]);
    }
}
