//! What git says of the project: branch, whether all is committed, the last commit.
//!
//! Asked like any question of fact: read-only, without network. Nothing that the repository names is run: it is asked
//! only where there is nothing that git would obey.

use crate::facts::git::{outer_repository, still};
use crate::program::Runner;
use crate::words::count;
use crate::workspace::Workspace;
use std::path::{Path, PathBuf};

/// Characters of a commit's subject.
const SUBJECT: usize = 100;

/// `branch main · clean · last commit 1a2b3c4 2026-01-31 Mend it`; `None` where there is no repository in the project or
/// around it, or no git.
pub(super) fn state(runner: &Runner, workspace: &Workspace, folder: &Path) -> Option<String> {
    let program = runner.find("git")?;
    let mut inside = folder.ancestors().take_while(|at| at.starts_with(workspace.root()));
    let is_inside = inside.any(|at| at.join(".git").symlink_metadata().is_ok());
    if !is_inside && outer_repository(workspace.root()).is_none() {
        return None;
    }
    let Some(obeyed) = runner.obeyed_by_git(folder) else {
        return Some("a repository; not asked about it, as it cannot be found out what git would run".into());
    };
    // No hook runs when git is asked.
    let harmful = |finding: &&String| !finding.starts_with("hook ");
    if let Some(finding) = obeyed.findings.iter().find(harmful) {
        return Some(format!("a repository; not asked about it, as git would obey what it names: {}", plain(finding)));
    }
    let above = obeyed.tree.as_deref().unwrap_or(workspace.root()).parent()?.to_str()?.to_owned();
    let git = Git { program, runner, folder, above };
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
        let ceiling = [("GIT_CEILING_DIRECTORIES", self.above.as_str())];
        let said = still::ask_with(&ceiling, &self.program, args, self.folder, self.runner.around())?;
        Some(String::from_utf8_lossy(&said).into_owned())
    }

    fn changes(&self) -> String {
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
            let runner = Runner::new(&ground, Undo::new(&workspace, &ground), Default::default());
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
    fn a_repository_around_the_project_is_told_of() {
        let house = House::new();
        let ran =
            Command::new("git").args(["init", "-q", "-b", "main"]).current_dir(house.root.parent().unwrap()).status();
        assert!(ran.unwrap().success());
        assert_eq!(house.state("").as_deref(), Some("branch main · clean · no commit yet"));
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
        assert_eq!(said, "a repository; not asked about it, as git would obey what it names: filter.x.clean");
        assert!(!mark.exists());
    }

    #[test]
    fn what_is_not_known_to_be_harmless_keeps_git_from_being_asked_and_a_hook_does_not() {
        let house = House::new();
        house.git(&["init", "-q"]);
        let hook = house.root.join(".git/hooks/pre-commit");
        std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
        std::fs::write(&hook, "").unwrap();
        std::fs::set_permissions(&hook, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        assert_eq!(house.state("").as_deref(), Some("branch main · clean · no commit yet"));
        house.git(&["config", "future.setting", "x"]);
        let said = house.state("sub").unwrap();
        assert_eq!(said, "a repository; not asked about it, as git would obey what it names: future.setting");
    }
}
