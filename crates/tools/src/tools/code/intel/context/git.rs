//! What git says of the project: branch, whether all is committed, the last commit.
//!
//! Asked like any question of fact: read-only, without network. Nothing that the repository names is run: where its own
//! config names a program that looking would start, it is not asked what changed.

use crate::facts::git::names_program;
use crate::program::Runner;
use crate::words::count;
use crate::workspace::Workspace;
use agent_policy::STILL_GIT;
use agent_sandbox::ask;
use std::path::{Path, PathBuf};

/// Overrules what a config may say.
const STILL: &[&str] = &[
    "--no-pager",
    "-c",
    "core.fsmonitor=false",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.alternateRefsCommand=/bin/false",
    "-c",
    "log.showSignature=false",
];
/// Characters of a commit's subject.
const SUBJECT: usize = 100;

/// `branch main · clean · last commit 1a2b3c4 2026-01-31 Mend it`; `None` where there is no repository in the project or
/// no git.
pub(super) fn state(runner: &Runner, workspace: &Workspace, folder: &Path) -> Option<String> {
    let git =
        Git { program: runner.find("git")?, runner, folder, above: workspace.root().parent()?.to_str()?.to_owned() };
    let inside = git.ask(&["rev-parse", "--is-inside-work-tree"])?;
    if inside.trim() != "true" {
        return None;
    }
    let branch = git.ask(&["symbolic-ref", "--short", "-q", "HEAD"]);
    let branch = branch.map_or_else(|| "no branch".to_owned(), |name| format!("branch {}", plain(name.trim())));
    let commit = git.ask(&["log", "-1", "--no-show-signature", "--format=%h %cs %s"]);
    let commit =
        commit.map_or_else(|| "no commit yet".to_owned(), |commit| format!("last commit {}", plain(commit.trim())));
    Some(format!("{branch} · {} · {commit}", git.changes()))
}

struct Git<'a> {
    program: PathBuf,
    runner: &'a Runner,
    folder: &'a Path,
    /// Where no repository is looked for any more.
    above: String,
}

impl Git<'_> {
    fn ask(&self, args: &[&str]) -> Option<String> {
        let args: Vec<&str> = STILL.iter().chain(args).copied().collect();
        let ceiling = ("GIT_CEILING_DIRECTORIES", self.above.as_str());
        let env: Vec<(&str, &str)> = STILL_GIT.iter().copied().chain([ceiling]).collect();
        let said = ask(&self.program, &args, self.folder, &env, self.runner.around())?;
        Some(String::from_utf8_lossy(&said).into_owned())
    }

    fn changes(&self) -> String {
        match self.named_program() {
            Some(None) => {}
            Some(Some(key)) => {
                return format!("not asked what changed, as {} in its config names a program", plain(&key));
            }
            None => return "not known what changed".into(),
        }
        let Some(said) = self.ask(&["status", "--porcelain", "--ignore-submodules=all", "--untracked-files=normal"])
        else {
            return "not known what changed".into();
        };
        let new = said.lines().filter(|line| line.starts_with("??")).count();
        let changed = said.lines().count() - new;
        match (changed, new) {
            (0, 0) => "clean".into(),
            (changed, 0) => format!("{} changed", count(changed as u64, "file")),
            (0, new) => format!("{new} untracked"),
            (changed, new) => format!("{} changed, {new} untracked", count(changed as u64, "file")),
        }
    }

    /// A setting of the repository itself by which a program would be started; `None` where git does not say.
    fn named_program(&self) -> Option<Option<String>> {
        let said = self.ask(&["config", "--list", "--name-only", "--show-scope", "--includes", "-z"])?;
        let words: Vec<&str> = said.split('\0').collect();
        let own = |pair: &&[&str]| !matches!(pair[0], "system" | "global" | "command");
        let found = words.chunks_exact(2).filter(own).find(|pair| names_program(pair[1]));
        Some(found.map(|pair| pair[1].to_owned()))
    }
}

/// On one line, and not too long.
fn plain(said: &str) -> String {
    said.chars().filter(|c| !c.is_control()).take(SUBJECT).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ground;
    use crate::undo::Undo;
    use std::process::Command;
    use tempfile::TempDir;

    struct House {
        _folder: TempDir,
        root: PathBuf,
    }

    impl House {
        fn new() -> Self {
            let folder = TempDir::new().unwrap();
            let root = folder.path().canonicalize().unwrap().join("project");
            std::fs::create_dir_all(root.join("sub")).unwrap();
            House { _folder: folder, root }
        }

        fn git(&self, args: &[&str]) {
            let who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com", "-c", "init.defaultBranch=main"];
            let ran = Command::new("git")
                .args(who)
                .args(args)
                .current_dir(&self.root)
                .env("GIT_CONFIG_GLOBAL", "/dev/null")
                .output();
            assert!(ran.unwrap().status.success(), "{args:?}");
        }

        fn state(&self, below: &str) -> Option<String> {
            let ground = Ground::of_this_process(self.root.clone()).unwrap();
            let workspace = Workspace::new(&self.root);
            let runner = Runner::new(&ground, Undo::new(&workspace, &ground));
            state(&runner, &workspace, &self.root.join(below))
        }
    }

    #[test]
    fn branch_changes_and_the_last_commit_are_told() {
        let house = House::new();
        assert_eq!(house.state(""), None);
        house.git(&["init", "-q"]);
        assert_eq!(house.state("").as_deref(), Some("branch main · clean · no commit yet"));
        std::fs::write(house.root.join("a"), "1").unwrap();
        house.git(&["add", "a"]);
        house.git(&["commit", "-qm", "Begin"]);
        let said = house.state("sub").unwrap();
        assert!(said.starts_with("branch main · clean · last commit ") && said.ends_with(" Begin"), "{said}");
        std::fs::write(house.root.join("a"), "22").unwrap();
        std::fs::write(house.root.join("b"), "").unwrap();
        let said = house.state("").unwrap();
        assert!(said.contains(" · 1 file changed, 1 untracked · "), "{said}");
    }

    #[test]
    fn a_repository_around_the_project_is_none_of_ours() {
        let house = House::new();
        let ran = Command::new("git").args(["init", "-q"]).current_dir(house.root.parent().unwrap()).status();
        assert!(ran.unwrap().success());
        assert_eq!(house.state(""), None);
    }

    #[test]
    fn nothing_that_the_repository_names_is_run() {
        let house = House::new();
        house.git(&["init", "-q"]);
        std::fs::write(house.root.join("a"), "1").unwrap();
        house.git(&["add", "a"]);
        let mark = house.root.parent().unwrap().join("mark");
        house.git(&["config", "filter.x.clean", &format!("touch {}; cat", mark.display())]);
        std::fs::write(house.root.join(".gitattributes"), "* filter=x\n").unwrap();
        std::fs::write(house.root.join("a"), "2").unwrap();
        let said = house.state("").unwrap();
        assert!(said.contains("not asked what changed, as filter.x.clean"), "{said}");
        assert!(!mark.exists());
    }
}
