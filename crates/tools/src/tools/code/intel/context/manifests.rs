//! What manifests say, each read by a real parser, and only its beginning: what is longer is left unread.

use super::cargo::Cargo;
use super::node::Node;
use super::python::Python;
use super::survey::{Survey, shown};
use crate::open::{Found, open, read_all};
use crate::workspace::{Workspace, one_line};
use std::path::{Path, PathBuf};

/// Bytes of the longest manifest that is read.
const LONGEST: u64 = 256 << 10;
/// Manifests of one kind that are read.
const MOST: usize = 60;
/// Characters of what a project says of itself.
const SAID: usize = 160;

/// What they say.
#[derive(Debug, Default)]
pub(super) struct Manifests {
    pub(super) cargo: Vec<(PathBuf, Cargo)>,
    pub(super) node: Vec<(PathBuf, Node)>,
    pub(super) python: Vec<(PathBuf, Python)>,
    /// Modules of Go.
    pub(super) go: Vec<(PathBuf, String)>,
    /// Goals of the outermost makefile.
    pub(super) make: Vec<String>,
}

impl Manifests {
    pub(super) fn of(workspace: &Workspace, survey: &Survey) -> Self {
        let text = |file: &Path| read(workspace, &survey.base.join(file));
        let all = |name: &str| -> Vec<(PathBuf, String)> {
            let files = survey.named(name).into_iter().take(MOST);
            files.filter_map(|file| Some((file.to_owned(), text(file)?))).collect()
        };
        let makefile = ["Makefile", "makefile", "GNUmakefile"].iter().find(|name| survey.has(name));
        Manifests {
            cargo: all("Cargo.toml").into_iter().filter_map(|(file, text)| Some((file, Cargo::read(&text)?))).collect(),
            node: all("package.json").into_iter().filter_map(|(file, text)| Some((file, Node::read(&text)?))).collect(),
            python: all("pyproject.toml")
                .into_iter()
                .filter_map(|(file, text)| Some((file, Python::read(&text)?)))
                .collect(),
            go: all("go.mod").into_iter().filter_map(|(file, text)| Some((file, module(&text)?))).collect(),
            make: makefile.and_then(|name| text(Path::new(name))).map(|text| goals(&text)).unwrap_or_default(),
        }
    }

    /// What the outermost of them calls the project.
    pub(super) fn name(&self) -> Option<String> {
        let cargo = outermost(&self.cargo).and_then(|cargo| cargo.name.clone());
        let node = || outermost(&self.node).and_then(|node| node.name.clone());
        let python = || outermost(&self.python).and_then(|python| python.name.clone());
        let go = || outermost(&self.go).cloned();
        cargo.or_else(node).or_else(python).or_else(go).map(|name| one_line(Path::new(&name)))
    }

    pub(super) fn description(&self) -> Option<String> {
        let cargo = outermost(&self.cargo).and_then(|cargo| cargo.description.clone());
        let node = || outermost(&self.node).and_then(|node| node.description.clone());
        let python = || outermost(&self.python).and_then(|python| python.description.clone());
        let said = cargo.or_else(node).or_else(python)?;
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        Some(said.chars().take(SAID).collect())
    }

    /// Packages that belong together, as their manifests say.
    pub(super) fn members(&self) -> Vec<String> {
        let cargo = self.cargo.iter().filter(|(_, cargo)| cargo.is_workspace).flat_map(|(root, cargo)| {
            let packages = self.cargo.iter().filter(move |(file, other)| file != root && other.name.is_some());
            let here: Vec<String> = packages.filter_map(|(file, _)| file.parent().map(shown)).collect();
            if here.is_empty() { cargo.members.clone() } else { here }
        });
        let node = self.node.iter().flat_map(|(_, node)| node.workspaces.iter().cloned());
        let mut members: Vec<String> = cargo.chain(node).collect();
        members.dedup();
        members
    }

    /// What `package.json` and the makefile offer to run.
    pub(super) fn scripts(&self) -> Vec<String> {
        let node = self.node.iter().find(|(_, node)| !node.scripts.is_empty());
        let node = node.into_iter().flat_map(|(file, node)| {
            let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
            let place = folder.map_or(String::new(), |folder| format!("{}/ ", shown(folder)));
            node.scripts.iter().map(move |(name, line)| format!("{place}{name}: {}", short(line)))
        });
        let make = self.make.iter().take(12).map(|goal| format!("make {goal}"));
        node.chain(make).collect()
    }
}

/// The one at the top of the project.
fn outermost<T>(manifests: &[(PathBuf, T)]) -> Option<&T> {
    manifests.iter().find(|(file, _)| file.components().count() == 1).map(|(_, manifest)| manifest)
}

fn read(workspace: &Workspace, path: &Path) -> Option<String> {
    let Ok(Found::File(mut file, _)) = open(workspace, path) else { return None };
    String::from_utf8(read_all(&mut file, "", LONGEST).ok()?).ok()
}

fn module(text: &str) -> Option<String> {
    text.lines().find_map(|line| line.trim().strip_prefix("module ")).map(|name| name.trim().to_owned())
}

/// What stands before a colon at the beginning of a line, and is no file, pattern or variable.
fn goals(text: &str) -> Vec<String> {
    let goal = |line: &str| {
        let (name, rest) = line.split_once(':')?;
        let plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
        (plain && !rest.starts_with('=')).then(|| name.to_owned())
    };
    let mut goals: Vec<String> = text.lines().filter_map(goal).collect();
    goals.dedup();
    goals
}

fn short(line: &str) -> String {
    let words = line.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown: String = words.chars().take(60).collect();
    if shown.len() < words.len() { format!("{shown}…") } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goals_of_a_makefile_are_names_before_a_colon() {
        let text = "A := 1\nall: test\n\nTEST: x\ntest:\n\techo a: b\n%.o: %.c\n.PHONY: all\nout/x: y\n";
        assert_eq!(goals(text), ["all", "TEST", "test"]);
        assert_eq!(module("// x\nmodule example.com/a\n\ngo 1.22\n").as_deref(), Some("example.com/a"));
    }
}
