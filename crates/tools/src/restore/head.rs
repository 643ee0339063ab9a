//! How files differ from the last commit of git: bytes as git keeps them, and as they lie there now. To be looked at; nothing is
//! brought back from there.
//!
//! Git is asked as for every question of fact: reading only, without network, where it starts no other program. Where the
//! repository names something that git would obey, it is not asked.

use super::look;
use crate::Ground;
use crate::facts::git::still;
use crate::parallel;
use crate::program::Runner;
use crate::words::count;
use crate::workspace::Workspace;
use agent_protocol::{FileDiff, FileState};
use std::path::{Path, PathBuf};

/// Files that are held against a commit; each is a question to git.
const MOST: usize = 200;
/// Bytes of the largest file that is shown.
const LARGEST: u64 = 1_000_000;

/// Those of `paths` that are not as in the last commit, by name.
///
/// # Errors
/// Why git is not asked, in words.
pub(super) fn against_head(
    paths: &[PathBuf],
    runner: &Runner,
    ground: &Ground,
    workspace: &Workspace,
) -> Result<Vec<FileDiff>, String> {
    let git = Git::at(workspace.root(), runner)?;
    let own: Vec<&PathBuf> = paths.iter().filter(|path| workspace.contains(path)).collect();
    if own.len() > MOST {
        return Err(format!("this session changed {}, more than git is asked about", count(own.len() as u64, "file")));
    }
    let held = parallel::each(&own, |path| git.held(path, ground, workspace));
    let mut files: Vec<FileDiff> = held.into_iter().flatten().collect();
    files.sort_by(|one, other| one.shown_path.cmp(&other.shown_path));
    Ok(files)
}

/// The git that is asked, and the folder that its names begin in.
struct Git<'a> {
    program: PathBuf,
    runner: &'a Runner,
    tree: PathBuf,
}

/// One side of a difference.
enum Side {
    Nothing,
    Text(String),
    /// Bytes that are not shown, for this reason.
    Hidden(&'static str),
}

impl<'a> Git<'a> {
    fn at(root: &Path, runner: &'a Runner) -> Result<Self, String> {
        let program = runner.find("git").ok_or("git is not installed")?;
        let obeyed = runner.obeyed_by_git(root).ok_or("it cannot be found out what git would run here")?;
        // No hook runs when git is asked.
        let harmful = |finding: &&String| !finding.starts_with("hook ");
        if let Some(finding) = obeyed.findings.iter().find(harmful) {
            return Err(format!("git is not asked, as it would obey what the repository names: {finding}"));
        }
        let tree = obeyed.tree.filter(|tree| root.starts_with(tree)).ok_or("this folder is no git repository")?;
        let git = Git { program, runner, tree };
        git.ask(&["rev-parse", "--verify", "-q", "HEAD^{commit}"]).ok_or("there is no commit yet")?;
        Ok(git)
    }

    fn ask(&self, words: &[&str]) -> Option<Vec<u8>> {
        still::ask(&self.program, words, &self.tree, self.runner.around())
    }

    /// How the file became what it is; `None`: it is as in the commit.
    fn held(&self, path: &Path, ground: &Ground, workspace: &Workspace) -> Option<FileDiff> {
        let (was, now) = (self.committed(path), lying(path, ground, workspace));
        let (before, after, note) = match (was, now) {
            (Side::Nothing, Side::Nothing) => return None,
            (Side::Hidden(why), _) | (_, Side::Hidden(why)) => (None, None, Some(why.to_owned())),
            (was, now) => (was.text(), now.text(), None),
        };
        let differs = note.is_some() || before != after;
        let (path, shown_path) = (path.to_owned(), workspace.shown(path));
        differs.then(|| FileDiff { path, shown_path, before, after, note, skipped: 0, marks: Vec::new() })
    }

    fn committed(&self, path: &Path) -> Side {
        let Some(name) = path.strip_prefix(&self.tree).ok().and_then(Path::to_str) else {
            return Side::Hidden("its name is none that git can be asked for");
        };
        let name = format!("HEAD:{name}");
        match self.ask(&["cat-file", "-e", &name]) {
            None => Side::Nothing,
            Some(_) => match self.ask(&["cat-file", "blob", &name]) {
                Some(bytes) => Side::of(bytes),
                None => Side::Hidden("what was committed is too large to be shown, or no file"),
            },
        }
    }
}

/// As it lies there.
fn lying(path: &Path, ground: &Ground, workspace: &Workspace) -> Side {
    match look::now(path, look::largest(ground)) {
        FileState::Missing => Side::Nothing,
        FileState::File { content, size, .. } if size <= LARGEST => {
            look::bytes(path, &content, size, ground, workspace).map_or(Side::Hidden("it cannot be read"), Side::of)
        }
        FileState::File { .. } | FileState::Unkept { .. } => {
            Side::Hidden("it is too large to be shown, or no plain file")
        }
        FileState::Link { .. } => Side::Hidden("it is a link"),
    }
}

impl Side {
    fn of(bytes: Vec<u8>) -> Self {
        look::text(bytes).map_or(Side::Hidden("it is no text"), Side::Text)
    }

    fn text(self) -> Option<String> {
        match self {
            Side::Text(text) => Some(text),
            Side::Nothing | Side::Hidden(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::undo::Undo;
    use std::process::Command;
    use tempfile::TempDir;

    struct Project {
        _folder: TempDir,
        root: PathBuf,
    }

    impl Project {
        fn new() -> Self {
            let folder = TempDir::new().unwrap();
            let root = folder.path().canonicalize().unwrap().join("project");
            std::fs::create_dir_all(root.join("sub")).unwrap();
            Project { _folder: folder, root }
        }

        fn git(&self, args: &[&str]) {
            let who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com", "-c", "init.defaultBranch=main"];
            let mut git = Command::new("git");
            let ran = git.args(who).args(args).current_dir(&self.root).env("GIT_CONFIG_GLOBAL", "/dev/null").output();
            assert!(ran.unwrap().status.success(), "{args:?}");
        }

        fn put(&self, name: &str, text: &str) {
            std::fs::write(self.root.join(name), text).unwrap();
        }

        fn committed() -> Self {
            let project = Project::new();
            project.git(&["init", "-q"]);
            project.put("sub/a", "one\ntwo\n");
            project.put("b", "b\n");
            project.git(&["add", "."]);
            project.git(&["commit", "-qm", "Begin"]);
            project
        }

        fn held(&self, names: &[&str]) -> Result<Vec<FileDiff>, String> {
            let ground = Ground::of_this_process(self.root.clone()).unwrap();
            let workspace = Workspace::new(&self.root);
            let runner = Runner::new(&ground, Undo::new(&workspace, &ground), Default::default());
            let paths: Vec<PathBuf> = names.iter().map(|name| self.root.join(name)).collect();
            against_head(&paths, &runner, &ground, &workspace)
        }
    }

    #[test]
    fn files_are_held_against_the_commit_and_those_that_are_alike_left_out() {
        let project = Project::committed();
        project.put("sub/a", "one\nTWO\n");
        project.put("new", "n\n");
        let held = project.held(&["sub/a", "b", "new"]).unwrap();
        let told: Vec<_> =
            held.iter().map(|file| (file.shown_path.as_str(), file.before.as_deref(), file.after.as_deref())).collect();
        assert_eq!(told, [("new", None, Some("n\n")), ("sub/a", Some("one\ntwo\n"), Some("one\nTWO\n"))]);
        std::fs::remove_file(project.root.join("b")).unwrap();
        let held = project.held(&["b"]).unwrap();
        assert_eq!((held[0].before.as_deref(), held[0].after.as_deref()), (Some("b\n"), None));
        project.put("sub/a", "one\0");
        assert_eq!(project.held(&["sub/a"]).unwrap()[0].note.as_deref(), Some("it is no text"));
    }

    #[test]
    fn where_git_is_not_asked_it_is_said_why() {
        let project = Project::new();
        assert_eq!(project.held(&["b"]).unwrap_err(), "this folder is no git repository");
        project.git(&["init", "-q"]);
        assert_eq!(project.held(&["b"]).unwrap_err(), "there is no commit yet");
        let project = Project::committed();
        project.git(&["config", "core.fsmonitor", "touch ran"]);
        let why = project.held(&["b"]).unwrap_err();
        assert!(
            why.starts_with("git is not asked, as it would obey what the repository names: core.fsmonitor"),
            "{why}"
        );
        assert!(!project.root.join("ran").exists());
    }
}
