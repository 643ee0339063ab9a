//! What may be built in: licences, where packages come from, and large crates of which one version is enough.
//!
//! Reads `cargo metadata` for this machine, so that it holds where `cargo deny` is not there; `deny.toml` says the same.

use serde_json::Value;
use std::collections::BTreeMap;
use std::process::Command;

/// Licences that a dependency may have. Each lets the program be given away under its own.
const LICENCES: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Unicode-DFS-2016",
    "Unlicense",
    "WTFPL",
    "Zlib",
];

/// Packages that name no licence in their manifest, with the one that their own file holds.
const SAID_IN_A_FILE: &[(&str, &str)] = &[("ollama-rs", "MIT")];

/// Packages whose licence asks only for their own files to stay open, of which we change none.
const THEIR_OWN_FILES: &[(&str, &str)] = &[("nucleo-matcher", "MPL-2.0")];

/// The one place from which packages come; those of the workspace have none.
const REGISTRY: &str = "registry+";

/// Large crates, each at most once: a second version costs seconds of every build and a part of the program's file.
const ONCE: &[&str] = &[
    "clap_builder",
    "encoding_rs",
    "h2",
    "html5ever",
    "hyper",
    "image",
    "onig_sys",
    "ratatui-core",
    "regex-automata",
    "reqwest",
    "ring",
    "rustls",
    "serde_json",
    "syntect",
    "tokio",
    "toml_edit",
    "tree-sitter",
];

/// Crates that are not for us: one that is not for input that is not trusted, and one that links a system's library.
const NEVER: &[&str] = &["markup5ever_rcdom", "openssl-sys"];

/// What the rules look at in a package.
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) licence: Option<String>,
    pub(crate) source: Option<String>,
}

/// Every package that a build on this machine may need, those of the workspace included.
pub(crate) fn packages() -> Vec<Package> {
    let platform = host();
    let metadata = cargo(&["metadata", "--format-version", "1", "--offline", "--filter-platform", &platform]);
    let metadata: Value = serde_json::from_str(&metadata).expect("cargo prints JSON");
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let package = |value: &Value| Package {
        name: text(&value["name"]).unwrap_or_default(),
        licence: text(&value["license"]),
        source: text(&value["source"]),
    };
    metadata["packages"].as_array().into_iter().flatten().map(package).collect()
}

/// What this machine is called, as compilers say it.
fn host() -> String {
    let said = cargo(&["-vV"]);
    said.lines().find_map(|line| line.strip_prefix("host: ")).expect("cargo names its host").to_owned()
}

fn cargo(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO"));
    let output = command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("cargo prints text")
}

/// What is wrong with `packages`.
pub(crate) fn wrong(packages: &[Package]) -> Vec<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for package in packages {
        *counts.entry(&package.name).or_default() += 1;
    }
    let twice = ONCE.iter().filter(|name| counts.get(*name).is_some_and(|count| *count > 1));
    let never = NEVER.iter().filter(|name| counts.contains_key(*name));
    let single = packages.iter().flat_map(|package| [wrong_licence(package), wrong_source(package)]).flatten();
    single
        .chain(twice.map(|name| format!("{name} is there in more than one version")))
        .chain(never.map(|name| format!("{name} must not be used")))
        .collect()
}

fn wrong_licence(package: &Package) -> Option<String> {
    let in_a_file = SAID_IN_A_FILE.iter().find(|(name, _)| *name == package.name).map(|(_, licence)| *licence);
    let licence = package.licence.as_deref().or(in_a_file);
    match licence {
        Some(licence) if is_allowed(licence) || THEIR_OWN_FILES.contains(&(&package.name, licence)) => None,
        Some(licence) => Some(format!("{} has the licence {licence}", package.name)),
        None => Some(format!("{} names no licence", package.name)),
    }
}

fn wrong_source(package: &Package) -> Option<String> {
    let source = package.source.as_deref().filter(|source| !source.starts_with(REGISTRY))?;
    Some(format!("{} comes from {source}", package.name))
}

/// May a package have the licences of this expression? `OR` (older: `/`) leaves the choice, `AND` asks for all.
fn is_allowed(expression: &str) -> bool {
    let expression = expression.replace('/', " OR ");
    every(&expression, " AND ").iter().all(|all| {
        every(all, " OR ").iter().any(|one| match bare(one) {
            one if one.contains(" AND ") || one.contains(" OR ") => is_allowed(one),
            one => LICENCES.contains(&one),
        })
    })
}

/// `text` without the brackets around the whole of it.
fn bare(text: &str) -> &str {
    let text = text.trim();
    text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text).trim()
}

/// The parts of `text` between each `word` outside brackets.
fn every<'a>(text: &'a str, word: &str) -> Vec<&'a str> {
    let (mut parts, mut from, mut depth) = (Vec::new(), 0, 0_usize);
    for (at, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 && text[at..].starts_with(word) => {
                parts.push(text[from..at].trim());
                from = at + word.len();
            }
            _ => {}
        }
    }
    parts.push(text[from..].trim());
    parts
}
