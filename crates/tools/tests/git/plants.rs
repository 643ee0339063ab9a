//! A repository with a program planted in it, made anew for every command.

use agent_sandbox::Surroundings;
use agent_tools::{Ground, Toolbox};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use tempfile::TempDir;

/// What every repository starts from.
const BASE: &str = "git init -q; echo a > a.txt; echo b > b.bin; git add .; git commit -qm 1; echo c >> a.txt; \
    git commit -qam 2; echo d >> a.txt; echo dd >> b.bin";
const PERSON: &str = "git config --global user.email a@b; git config --global user.name x; \
    git config --global init.defaultBranch main; git config --global protocol.file.allow always";

pub(crate) struct Plants {
    _folder: TempDir,
    top: PathBuf,
}

impl Plants {
    pub(crate) fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let top = folder.path().canonicalize().unwrap();
        let plants = Plants { _folder: folder, top };
        std::fs::create_dir(plants.top.join("home")).unwrap();
        let mark = plants.mark();
        let mark = mark.display();
        plants.program("evil.sh", &format!("#!/bin/sh\necho \"$0 $*\" >> {mark}\nexit 0\n"));
        plants.program("evilcat.sh", &format!("#!/bin/sh\necho \"$0 $*\" >> {mark}\nexec cat \"$@\"\n"));
        plants.run(&plants.top, PERSON, &[]);
        plants
    }

    fn program(&self, name: &str, text: &str) {
        let written = self.top.join("written");
        std::fs::write(&written, text).unwrap();
        // By another process: what any thread of ours held open for writing while another started a child could not be run.
        let made = Command::new("install").args(["-m", "755"]).args([written, self.top.join(name)]).status().unwrap();
        assert!(made.success());
    }

    fn mark(&self) -> PathBuf {
        self.top.join("mark")
    }

    /// Makes the repository of a case, to be copied from; `setup` names the planted programs `{E}` and `{C}` (which
    /// passes on what it reads) and the folder around the repository `{R}`.
    pub(crate) fn prepare(&self, setup: &str) {
        for folder in ["made", "sub"] {
            let _ = std::fs::remove_dir_all(self.top.join(folder));
        }
        std::fs::create_dir(self.top.join("made")).unwrap();
        let at = |name: &str| self.top.join(name).display().to_string();
        let setup = setup.replace("{E}", &at("evil.sh")).replace("{C}", &at("evilcat.sh")).replace("{R}", &at(""));
        self.run(&self.top.join("made"), &format!("{BASE}; {setup}"), &[]);
    }

    /// A fresh copy of it, in which `line` was run.
    pub(crate) fn fresh(&self, line: &str) -> PathBuf {
        let root = self.top.join("r");
        let _ = std::fs::remove_dir_all(&root);
        assert!(Command::new("cp").arg("-a").args([self.top.join("made"), root.clone()]).status().unwrap().success());
        self.run(&root, line, &[]);
        let _ = self.sprung();
        root
    }

    /// The tools of a project at `root`, for a person whose home is here.
    pub(crate) fn toolbox(&self, root: &Path) -> Toolbox {
        let home = self.top.join("home");
        let path = std::env::var_os("PATH").unwrap();
        let env = [("HOME".into(), home.clone().into()), ("PATH".into(), path), ("LANG".into(), "C".into())];
        let surroundings = Arc::new(Surroundings::new(env, &[], root).unwrap());
        let ground = Ground { home: Some(home), surroundings, ..Ground::of_this_process(root.into()).unwrap() };
        Toolbox::with(ground, &[]).0
    }

    /// Runs `line` in `folder` without any fence, so that a planted program could do what it wants.
    pub(crate) fn run(&self, folder: &Path, line: &str, env: &[(String, String)]) {
        let mut shell = Command::new("timeout");
        shell.args(["20", "sh", "-c", line]).current_dir(folder).env_clear();
        shell.env("PATH", std::env::var_os("PATH").unwrap()).env("HOME", self.top.join("home"));
        shell.env("LANG", "C").env("EDITOR", "true").envs(env.iter().map(|(name, value)| (name, value)));
        shell.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        shell.status().unwrap();
    }

    /// Did a planted program run since it was asked last?
    pub(crate) fn sprung(&self) -> bool {
        std::fs::remove_file(self.mark()).is_ok()
    }
}
