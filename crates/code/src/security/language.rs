//! Which rules a file falls under, by its name or its first line.

use super::mask::Syntax;
use super::rule::Table;
use super::rules::TABLES;
use std::path::Path;

/// What a file is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    Rust,
    Python,
    /// JavaScript and TypeScript.
    Script,
    Go,
    /// C and C++.
    C,
    /// Java, Kotlin and their like.
    Java,
    Shell,
    Php,
    Ruby,
    Docker,
    /// Of a forge, in YAML.
    Workflow,
    /// Of machines and clusters, in YAML.
    Settings,
}

impl Language {
    /// Of the file at `path`; `text` tells where the name does not.
    pub(super) fn of(path: &Path, text: &str) -> Option<Self> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        if name.starts_with("dockerfile") || name.starts_with("containerfile") || name.ends_with(".dockerfile") {
            return Some(Language::Docker);
        }
        let (_, kind) = name.rsplit_once('.').unwrap_or(("", ""));
        Some(match kind {
            "rs" => Language::Rust,
            "py" | "pyw" => Language::Python,
            "js" | "jsx" | "mjs" | "cjs" | "ts" | "tsx" | "mts" | "cts" | "vue" | "svelte" => Language::Script,
            "go" => Language::Go,
            "c" | "h" | "cc" | "cpp" | "cxx" | "hpp" | "hh" | "hxx" | "m" | "mm" => Language::C,
            "java" | "kt" | "kts" | "scala" | "groovy" => Language::Java,
            "sh" | "bash" | "zsh" | "ksh" | "bats" => Language::Shell,
            "php" => Language::Php,
            "rb" | "rake" => Language::Ruby,
            "yml" | "yaml" if is_workflow(path, &name) => Language::Workflow,
            "yml" | "yaml" => Language::Settings,
            _ if name == "makefile" => Language::Shell,
            _ => return by_first_line(text),
        })
    }

    /// How it writes comments and strings, and the rules that it falls under.
    pub(super) fn reading(self) -> (Syntax, Vec<&'static Table>) {
        let tables = &*TABLES;
        match self {
            Language::Rust => (Syntax::Rust, vec![&tables.rust]),
            Language::Python => (Syntax::Python, vec![&tables.python]),
            Language::Script => (Syntax::Script, vec![&tables.script]),
            Language::Go => (Syntax::Go, vec![&tables.go]),
            Language::C => (Syntax::C, vec![&tables.c]),
            Language::Java => (Syntax::C, vec![&tables.java]),
            Language::Shell => (Syntax::Shell, vec![&tables.shell]),
            Language::Php => (Syntax::Php, vec![&tables.php]),
            Language::Ruby => (Syntax::Ruby, vec![&tables.ruby]),
            Language::Docker => (Syntax::Hash, vec![&tables.ci, &tables.docker]),
            Language::Workflow => (Syntax::Hash, vec![&tables.ci, &tables.workflow]),
            Language::Settings => (Syntax::Hash, vec![&tables.settings]),
        }
    }
}

fn is_workflow(path: &Path, name: &str) -> bool {
    let folders = path.to_string_lossy().to_ascii_lowercase();
    let within = |folder: &str| folders.starts_with(folder) || folders.contains(&format!("/{folder}"));
    [".github/", ".gitea/", ".forgejo/"].iter().any(|folder| within(folder))
        || matches!(name, "action.yml" | "action.yaml" | ".gitlab-ci.yml")
}

/// `#!/usr/bin/env python3`.
fn by_first_line(text: &str) -> Option<Language> {
    let line = text.lines().next()?.strip_prefix("#!")?;
    let mut words = line.split_whitespace().map(|word| word.rsplit('/').next().unwrap_or(word));
    let program = words.find(|word| *word != "env" && !word.starts_with('-'))?;
    let bare = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    Some(match bare {
        "sh" | "bash" | "dash" | "zsh" | "ksh" | "ash" => Language::Shell,
        "python" => Language::Python,
        "node" | "deno" | "bun" => Language::Script,
        "ruby" => Language::Ruby,
        "php" => Language::Php,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_told_by_the_name_or_the_first_line() {
        for (path, text, expected) in [
            ("src/a.rs", "", Some(Language::Rust)),
            ("a.TSX", "", Some(Language::Script)),
            ("Dockerfile.dev", "", Some(Language::Docker)),
            (".github/workflows/ci.yml", "", Some(Language::Workflow)),
            ("deploy/pod.yaml", "", Some(Language::Settings)),
            ("bin/tool", "#!/usr/bin/env -S python3.12 -u\n", Some(Language::Python)),
            ("bin/tool", "#!/bin/sh\n", Some(Language::Shell)),
            ("bin/tool", "#!/usr/bin/awk\n", None),
            ("README.md", "eval(x)", None),
        ] {
            assert_eq!(Language::of(Path::new(path), text), expected, "{path}");
        }
    }
}
