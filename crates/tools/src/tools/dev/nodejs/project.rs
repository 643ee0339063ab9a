//! What the folder says of itself: `package.json`, lock files.

use super::manager::Manager;
use crate::open::{Found, open, read_all};
use crate::tools::dev::shared::is_there;
use crate::workspace::Workspace;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// The largest `package.json` or `yarn.lock` that is looked into.
const LARGEST: u64 = 16 << 20;

/// Lock files in the order in which they count, with whose they are.
pub(super) const LOCKS: [(&str, &str); 6] = [
    ("package-lock.json", "npm"),
    ("yarn.lock", "yarn"),
    ("pnpm-lock.yaml", "pnpm"),
    ("bun.lockb", "bun"),
    ("bun.lock", "bun"),
    ("npm-shrinkwrap.json", "npm"),
];

/// A package, as far as its folder tells.
pub(super) struct Project {
    /// Of the nearest `package.json`; `None` where there is none, or it cannot be read.
    scripts: Option<Vec<String>>,
    /// The nearest sign: what `packageManager` says, else the lock file.
    manager: Option<&'static str>,
    /// Yarn is its second or a later edition.
    berry: bool,
}

impl Project {
    /// Looks into `folders`, the nearest first.
    pub(super) fn found(folders: &[PathBuf], workspace: &Workspace) -> Project {
        let mut project = Project { scripts: None, manager: None, berry: false };
        for folder in folders {
            let package = package(workspace, folder);
            if let (None, Some(package)) = (&project.scripts, &package) {
                project.scripts = Some(scripts(package));
            }
            if project.manager.is_none() {
                let named =
                    package.as_ref().and_then(|package| package.get("packageManager")?.as_str().map(str::to_owned));
                project.settle(named.as_deref(), folder, workspace);
            }
        }
        project
    }

    fn settle(&mut self, named: Option<&str>, folder: &Path, workspace: &Workspace) {
        let (name, version) = named.map(|named| named.split_once('@').unwrap_or((named, ""))).unwrap_or_default();
        let named = LOCKS.iter().map(|(_, manager)| *manager).find(|manager| *manager == name);
        let locked =
            LOCKS.iter().find(|(file, _)| is_there(workspace, &folder.join(file))).map(|(_, manager)| *manager);
        self.manager = named.or(locked);
        let later = version.chars().next().is_some_and(|first| ('2'..='9').contains(&first));
        self.berry |= match (named, later) {
            (Some("yarn"), later) => later,
            (_, _) => {
                is_there(workspace, &folder.join(".yarnrc.yml")) || is_later_lock(workspace, &folder.join("yarn.lock"))
            }
        };
    }

    /// The package manager: the one `asked` for, else that of the folder, else npm.
    pub(super) fn manager(&self, asked: Option<&str>) -> Manager {
        match asked.or(self.manager) {
            Some("yarn") if self.berry => Manager::Berry,
            Some("yarn") => Manager::Yarn,
            Some("pnpm") => Manager::Pnpm,
            Some("bun") => Manager::Bun,
            Some(_) | None => Manager::Npm,
        }
    }

    /// The names of its scripts; `None`: nothing is known of them.
    pub(super) fn scripts(&self) -> Option<&[String]> {
        self.scripts.as_deref()
    }

    pub(super) fn has_script(&self, name: &str) -> bool {
        self.scripts.as_ref().is_some_and(|scripts| scripts.iter().any(|script| script == name))
    }
}

/// What `package.json` in `folder` holds. What a link leads to is nobody's business here.
fn package(workspace: &Workspace, folder: &Path) -> Option<Map<String, Value>> {
    let Ok(Found::File(mut file, _)) = open(workspace, &folder.join("package.json")) else { return None };
    let bytes = read_all(&mut file, "package.json", LARGEST).ok()?;
    match serde_json::from_slice(&bytes) {
        Ok(Value::Object(package)) => Some(package),
        // Whoever reads it says what is wrong with it.
        Ok(_) | Err(_) => None,
    }
}

fn scripts(package: &Map<String, Value>) -> Vec<String> {
    let scripts = package.get("scripts").and_then(Value::as_object);
    scripts.map(|scripts| scripts.keys().cloned().collect()).unwrap_or_default()
}

/// The lock file of yarn's later editions is YAML with its own data in front.
fn is_later_lock(workspace: &Workspace, path: &Path) -> bool {
    let Ok(Found::File(mut file, _)) = open(workspace, path) else { return false };
    let bytes = read_all(&mut file, "yarn.lock", LARGEST).unwrap_or_default();
    String::from_utf8_lossy(&bytes).lines().any(|line| line.starts_with("__metadata:"))
}
