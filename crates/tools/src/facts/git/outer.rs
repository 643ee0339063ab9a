//! Where the repository of a project lies that is only a part of it, a linked work tree or a submodule.
//!
//! What the project's own file `.git` says is believed only where the repository leads back to it: else a project could name
//! any repository of the user's as its own.

use super::links::{leads_back, named_by, way};
use rustix::process::geteuid;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// A repository outside the project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OuterRepository {
    /// What is its own: what is checked out.
    pub(crate) own: PathBuf,
    /// What git writes in: this, or what several work trees share. The other lies in it.
    pub(crate) folder: PathBuf,
}

/// Where git writes for the project at `root`, which is resolved, if that is outside.
pub fn outer_git_folder(root: &Path) -> Option<PathBuf> {
    outer_repository(root).map(|found| found.folder)
}

/// The repository of the project at `root`, which is resolved, if it lies outside and is the user's.
pub(crate) fn outer_repository(root: &Path) -> Option<OuterRepository> {
    let tree = root.ancestors().find(|at| at.join(".git").symlink_metadata().is_ok())?;
    let named = tree.join(".git");
    let own = match named.symlink_metadata().ok()? {
        found if found.is_dir() => named,
        found if found.is_file() => named_by(&named).filter(|own| leads_back(own, tree))?,
        _ => return None,
    };
    let folder = match way(&own, "commondir") {
        Some(shared) => shared.filter(|shared| own.starts_with(shared))?,
        None => own.clone(),
    };
    let is_repository = folder.join("HEAD").is_file() && folder.join("objects").is_dir();
    let is_users = folder.metadata().is_ok_and(|found| found.uid() == geteuid().as_raw());
    (is_repository && is_users && !folder.starts_with(root)).then_some(OuterRepository { own, folder })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;
    use tempfile::TempDir;

    /// Two repositories, one with a work tree elsewhere and a submodule.
    fn repositories() -> (TempDir, PathBuf) {
        let folder = TempDir::new().unwrap();
        let at = folder.path().canonicalize().unwrap();
        let line = "git init -q -b main main && cd main && mkdir sub && echo x > sub/a && git add . && git commit -qm 1 && \
            git worktree add -q ../tree 2>&1 && git -c protocol.file.allow=always submodule --quiet add ../main part && \
            git init -q ../other && mkdir ../liar && echo \"gitdir: $PWD/.git/worktrees/tree\" > ../liar/.git && \
            mkdir ../thief && echo \"gitdir: $PWD/../other/.git\" > ../thief/.git && git commit -qm 2 && \
            mkdir forger && echo \"gitdir: ../.git/modules/part\" > forger/.git && mkdir pipe && mkfifo pipe/.git && \
            cd ../tree && git merge -q main && git -c protocol.file.allow=always submodule --quiet update --init";
        let mut git = Command::new("sh");
        git.args(["-c", line]).current_dir(&at);
        git.env("GIT_CONFIG_GLOBAL", "/dev/null");
        for (name, value) in [("GIT_AUTHOR_NAME", "a"), ("GIT_AUTHOR_EMAIL", "a@b"), ("GIT_COMMITTER_NAME", "a")] {
            git.env(name, value);
        }
        assert!(git.env("GIT_COMMITTER_EMAIL", "a@b").status().unwrap().success());
        (folder, at)
    }

    #[test]
    fn a_repository_outside_the_project_is_found_where_it_leads_back() {
        let (_folder, at) = repositories();
        let found = |project: &str| {
            outer_git_folder(&at.join(project)).map(|found| found.strip_prefix(&at).unwrap().to_owned())
        };
        for (project, folder) in [
            ("main", None),
            ("main/sub", Some("main/.git")),
            ("tree", Some("main/.git")),
            ("tree/sub", Some("main/.git")),
            ("main/part", Some("main/.git/modules/part")),
            ("tree/part", Some("main/.git/worktrees/tree/modules/part")),
            ("main/forger", None),
            ("main/pipe", None),
            ("other", None),
            ("liar", None),
            ("thief", None),
        ] {
            assert_eq!(found(project), folder.map(PathBuf::from), "{project}");
        }
        assert_eq!(outer_repository(&at.join("tree")).unwrap().own, at.join("main/.git/worktrees/tree"));
    }
}
