//! Which rules a file falls under, by its name or its first line.

use super::mask::Syntax;
use super::rule::Table;
use super::rules::TABLES;
use std::path::Path;

/// What a file is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileKind {
    Rust,
    Python,
    Script,
    Go,
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

impl FileKind {
    /// Of the file at `path`; `text` tells where the name does not.
    pub(super) fn of(path: &Path, text: &str) -> Option<Self> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        if name.starts_with("dockerfile") || name.starts_with("containerfile") || name.ends_with(".dockerfile") {
            return Some(FileKind::Docker);
        }
        let (_, kind) = name.rsplit_once('.').unwrap_or(("", ""));
        Some(match kind {
            "rs" => FileKind::Rust,
            "py" | "pyw" => FileKind::Python,
            "js" | "jsx" | "mjs" | "cjs" | "ts" | "tsx" | "mts" | "cts" | "vue" | "svelte" => FileKind::Script,
            "go" => FileKind::Go,
            "c" | "h" | "cc" | "cpp" | "cxx" | "hpp" | "hh" | "hxx" | "m" | "mm" => FileKind::C,
            "java" | "kt" | "kts" | "scala" | "groovy" => FileKind::Java,
            "sh" | "bash" | "zsh" | "ksh" | "bats" => FileKind::Shell,
            "php" => FileKind::Php,
            "rb" | "rake" => FileKind::Ruby,
            "yml" | "yaml" if is_workflow(path, &name) => FileKind::Workflow,
            "yml" | "yaml" => FileKind::Settings,
            _ if name == "makefile" => FileKind::Shell,
            _ => return by_first_line(text),
        })
    }

    /// How it writes comments and strings, and the rules that it falls under.
    pub(super) fn reading(self) -> (Syntax, Vec<&'static Table>) {
        let tables = &*TABLES;
        match self {
            FileKind::Rust => (Syntax::Rust, vec![&tables.rust]),
            FileKind::Python => (Syntax::Python, vec![&tables.python]),
            FileKind::Script => (Syntax::Script, vec![&tables.script]),
            FileKind::Go => (Syntax::Go, vec![&tables.go]),
            FileKind::C => (Syntax::C, vec![&tables.c]),
            FileKind::Java => (Syntax::C, vec![&tables.java]),
            FileKind::Shell => (Syntax::Shell, vec![&tables.shell]),
            FileKind::Php => (Syntax::Php, vec![&tables.php]),
            FileKind::Ruby => (Syntax::Ruby, vec![&tables.ruby]),
            FileKind::Docker => (Syntax::Hash, vec![&tables.ci, &tables.docker]),
            FileKind::Workflow => (Syntax::Hash, vec![&tables.ci, &tables.workflow]),
            FileKind::Settings => (Syntax::Hash, vec![&tables.settings]),
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
fn by_first_line(text: &str) -> Option<FileKind> {
    let line = text.lines().next()?.strip_prefix("#!")?;
    let mut words = line.split_whitespace().map(|word| word.rsplit('/').next().unwrap_or(word));
    let program = words.find(|word| *word != "env" && !word.starts_with('-'))?;
    let bare = program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    Some(match bare {
        "sh" | "bash" | "dash" | "zsh" | "ksh" | "ash" => FileKind::Shell,
        "python" => FileKind::Python,
        "node" | "deno" | "bun" => FileKind::Script,
        "ruby" => FileKind::Ruby,
        "php" => FileKind::Php,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_told_by_the_name_or_the_first_line() {
        for (path, text, expected) in [
            ("src/a.rs", "", Some(FileKind::Rust)),
            ("a.TSX", "", Some(FileKind::Script)),
            ("Dockerfile.dev", "", Some(FileKind::Docker)),
            (".github/workflows/ci.yml", "", Some(FileKind::Workflow)),
            ("deploy/pod.yaml", "", Some(FileKind::Settings)),
            ("bin/tool", "#!/usr/bin/env -S python3.12 -u\n", Some(FileKind::Python)),
            ("bin/tool", "#!/bin/sh\n", Some(FileKind::Shell)),
            ("bin/tool", "#!/usr/bin/awk\n", None),
            ("README.md", "eval(x)", None),
        ] {
            assert_eq!(FileKind::of(Path::new(path), text), expected, "{path}");
        }
    }
}
