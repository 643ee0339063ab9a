//! The rows of the battery: `everyday.jsonl`, one command or a few a line, in a project of `projects.json`.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::process::{Command, Stdio};

/// How the program is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// On the screen, every question answered with yes.
    Safe,
    /// The same in unsafe mode.
    Unsafe,
    /// `-p`, with the flags that a sensible person gives.
    Alone,
}

impl Mode {
    pub(crate) fn words(self) -> &'static str {
        match self {
            Mode::Safe => "safe",
            Mode::Unsafe => "unsafe",
            Mode::Alone => "-p",
        }
    }
}

/// One line of the battery.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Row {
    pub(crate) project: String,
    /// The commands that the model runs, one after the other; one that begins with `&` in the background.
    pub(crate) run: Vec<String>,
    /// What the result of the last one says if all is well.
    pub(crate) says: String,
    /// The program is known: at most one question, else two.
    #[serde(default)]
    pub(crate) known: bool,
    /// It needs the registries.
    #[serde(default)]
    pub(crate) net: bool,
    /// Programs that it needs beside those of its project.
    #[serde(default)]
    pub(crate) needs: Vec<String>,
    /// Flags for `-p` beside the usual ones; `{top}` is the folder above the project.
    #[serde(default)]
    pub(crate) flags: Vec<String>,
}

/// A small project.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Project {
    pub(crate) needs: Vec<String>,
    pub(crate) files: BTreeMap<String, String>,
    /// Shell lines that are run in it beforehand, outside of any sandbox.
    pub(crate) before: Vec<String>,
}

impl Row {
    /// Questions that it may ask.
    pub(crate) fn most(&self) -> usize {
        if self.known { 1 } else { 2 }
    }

    pub(crate) fn holds(&self, word: &str) -> bool {
        self.project == word || self.run.iter().any(|line| line.contains(word))
    }

    /// What this row needs and is not here.
    pub(crate) fn missing(&self, registry: bool) -> Option<String> {
        if self.net && !registry {
            return Some("openssl or python3 for the registries".into());
        }
        self.needs.iter().find_map(|name| missing(name))
    }
}

impl Project {
    pub(crate) fn missing(&self) -> Option<String> {
        self.needs.iter().find_map(|name| missing(name))
    }
}

/// `name`, if there is no such program, or if what it stands for does not work here.
fn missing(name: &str) -> Option<String> {
    let line = match name {
        "docker-daemon" => "docker ps".to_owned(),
        "pytest" => "python3 -c 'import pytest'".to_owned(),
        name => format!("command -v {name}"),
    };
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", &line]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    (!shell.status().is_ok_and(|status| status.success())).then(|| name.to_owned())
}

pub(crate) fn rows() -> Vec<Row> {
    let lines = include_str!("everyday.jsonl").lines();
    lines.map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

pub(crate) fn project(name: &str) -> Project {
    let mut all: BTreeMap<String, Project> = serde_json::from_str(include_str!("projects.json")).unwrap();
    all.remove(name).unwrap_or_else(|| panic!("there is no project {name}"))
}
