//! How files would change if they became what the last commit of git holds: a plan like that of every undo, so that lines of it
//! can be taken back.
//!
//! Git is asked as for every question of fact: reading only, without network, where it starts no other program. Where the
//! repository names something that git would obey, it is not asked.

use super::part::refused;
use super::room::{self, Room};
use super::{Wanted, look, plan};
use crate::Ground;
use crate::facts::git::still;
use crate::parallel;
use crate::program::Runner;
use crate::words::count;
use crate::workspace::Workspace;
use agent_protocol::{FileState, UndoFile};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Files that are held against a commit; each is a question to git.
const MOST: usize = 200;
/// Attributes with which git keeps other bytes than those that lie in the folder (see gitattributes(5)).
const CHANGING: [&str; 3] = ["filter", "ident", "working-tree-encoding"];
/// The rights of files that are not there, as git knows them: it keeps no others.
const PLAIN: (&str, u32) = ("100644", 0o644);
const EXECUTABLE: (&str, u32) = ("100755", 0o755);

/// What would become of those of `paths` that are not as in the last commit, by name; the bytes of the commit are kept, as far
/// as there is room.
///
/// # Errors
/// Why git is not asked, in words.
pub(super) fn against_head(
    paths: &[PathBuf],
    runner: &Runner,
    ground: &Ground,
    workspace: &Workspace,
) -> Result<Vec<UndoFile>, String> {
    let git = Git::at(workspace.root(), runner)?;
    let own: Vec<&Path> = paths.iter().map(PathBuf::as_path).filter(|path| workspace.contains(path)).collect();
    if own.len() > MOST {
        return Err(format!("this session changed {}, more than git is asked about", count(own.len() as u64, "file")));
    }
    let commit = git.commit(&own).ok_or("git does not say what the last commit holds")?;
    let room = Room::new(ground, room::MOST);
    let targets = parallel::each(&own, |path| {
        let left = look::now(path, look::largest(ground));
        let target = git.committed(path, &left, &commit, ground, workspace, &room);
        (left, target)
    });
    let (mut known, mut files) = (Vec::new(), Vec::new());
    for (path, (left, target)) in own.into_iter().zip(targets) {
        match target {
            Ok(target) => known.push(Wanted { path: path.to_owned(), left, target }),
            Err(why) => {
                let stays = Wanted { path: path.to_owned(), left: left.clone(), target: left };
                files.push(refused(&stays, &why, workspace));
            }
        }
    }
    files.extend(plan::planned(&known, ground, workspace));
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(files)
}

/// The git that is asked, and the folder that its names begin in.
struct Git<'a> {
    program: PathBuf,
    runner: &'a Runner,
    tree: PathBuf,
}

/// What the commit says of some files, by their names in it.
#[derive(Default)]
struct Commit {
    /// Their kind, as git writes it, and the name of their bytes.
    files: HashMap<String, (String, String)>,
    /// Those that git changes on the way, and by which attribute.
    changed: HashMap<String, String>,
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

    /// The name that git knows it by.
    fn name<'p>(&self, path: &'p Path) -> Option<&'p str> {
        path.strip_prefix(&self.tree).ok().and_then(Path::to_str)
    }

    /// What it says of all of them.
    fn commit(&self, paths: &[&Path]) -> Option<Commit> {
        let names: Vec<&str> = paths.iter().filter_map(|path| self.name(path)).collect();
        if names.is_empty() {
            return Some(Commit::default());
        }
        let asked = |words: &[&str]| self.ask(&[words, &["--"], &names].concat());
        let listed = asked(&["ls-tree", "-z", "HEAD"])?;
        let attributes = asked(&[&["check-attr", "-z"], CHANGING.as_slice()].concat())?;
        let entry = |entry: &[u8]| {
            let (about, name) = std::str::from_utf8(entry).ok()?.split_once('\t')?;
            let mut about = about.split(' ');
            let (kind, content) = (about.next()?, about.nth(1)?);
            Some((name.to_owned(), (kind.to_owned(), content.to_owned())))
        };
        let changed = |three: &[&[u8]]| {
            let [name, attribute, value] = three else { return None };
            let is_set = *value != b"unspecified" && *value != b"unset";
            let words = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            is_set.then(|| (words(name), words(attribute)))
        };
        let fields: Vec<&[u8]> = attributes.split(|byte| *byte == 0).collect();
        Some(Commit {
            files: listed.split(|byte| *byte == 0).filter_map(entry).collect(),
            changed: fields.chunks_exact(3).filter_map(changed).collect(),
        })
    }

    /// What the commit holds under this name, where `now` lies; its bytes are kept.
    fn committed(
        &self,
        path: &Path,
        now: &FileState,
        commit: &Commit,
        ground: &Ground,
        workspace: &Workspace,
        room: &Room<'_>,
    ) -> Result<FileState, String> {
        let name = self.name(path).ok_or("its name is none that git can be asked for")?;
        let Some((kind, content)) = commit.files.get(name) else { return Ok(FileState::Missing) };
        if let Some(attribute) = commit.changed.get(name) {
            return Err(format!("git keeps it in another form ({attribute} in its attributes)"));
        }
        let known = [PLAIN, EXECUTABLE].into_iter().find(|(known, _)| known == kind);
        let (_, usual) = known.ok_or("what was committed is no plain file")?;
        let bytes = self.ask(&["cat-file", "blob", content]).ok_or("what was committed is too large to be shown")?;
        let (bytes, mode) = match now {
            FileState::File { content, mode, size } => {
                let lies = look::bytes(path, content, *size, ground, workspace);
                (as_it_lies(bytes, lies.as_deref()), *mode)
            }
            FileState::Missing | FileState::Link { .. } | FileState::Unkept { .. } => (bytes, usual),
        };
        let content = room.keep(&bytes).ok_or("there is no room to keep what was committed")?;
        Ok(FileState::File { content, mode, size: bytes.len() as u64 })
    }
}

/// Where git takes the carriage returns out of lines, the committed ones get them as those have that lie in the folder: else
/// every line would be another.
fn as_it_lies(committed: Vec<u8>, lies: Option<&[u8]>) -> Vec<u8> {
    let breaks = |bytes: &[u8]| bytes.iter().filter(|byte| **byte == b'\n').count();
    let Some(lies) = lies.filter(|lies| lies.windows(2).filter(|two| *two == b"\r\n").count() == breaks(lies)) else {
        return committed;
    };
    if breaks(lies) == 0 || committed.contains(&b'\r') || committed.contains(&0) {
        return committed;
    }
    committed
        .split_inclusive(|byte| *byte == b'\n')
        .flat_map(|line| match line {
            [text @ .., b'\n'] => [text, b"\r\n"],
            text => [text, b""],
        })
        .collect::<Vec<_>>()
        .concat()
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

        fn held(&self, names: &[&str]) -> Result<Vec<UndoFile>, String> {
            let ground = Ground::of_this_process(self.root.clone()).unwrap();
            let workspace = Workspace::new(&self.root);
            let runner = Runner::new(&ground, Undo::new(&workspace, &ground), Default::default());
            let paths: Vec<PathBuf> = names.iter().map(|name| self.root.join(name)).collect();
            against_head(&paths, &runner, &ground, &workspace)
        }
    }

    /// What is told of each file: its name, its text now and in the commit.
    fn told(held: &[UndoFile]) -> Vec<(&str, Option<&str>, Option<&str>)> {
        assert!(held.iter().all(|file| file.possible), "{held:?}");
        let diffs = held.iter().map(|file| &file.diff);
        diffs.map(|diff| (diff.shown_path.as_str(), diff.before.as_deref(), diff.after.as_deref())).collect()
    }

    #[test]
    fn files_are_held_against_the_commit_and_those_that_are_alike_left_out() {
        let project = Project::committed();
        project.put("sub/a", "one\nTWO\n");
        project.put("new", "n\n");
        let held = project.held(&["sub/a", "b", "new"]).unwrap();
        assert_eq!(told(&held), [("new", Some("n\n"), None), ("sub/a", Some("one\nTWO\n"), Some("one\ntwo\n"))]);
        std::fs::remove_file(project.root.join("b")).unwrap();
        let held = project.held(&["b"]).unwrap();
        assert_eq!(told(&held), [("b", None, Some("b\n"))]);
        assert!(matches!(held[0].target, FileState::File { mode: 0o644, size: 2, .. }), "{:?}", held[0].target);
        project.put("sub/a", "one\0");
        let note = project.held(&["sub/a"]).unwrap()[0].diff.note.clone().unwrap();
        assert!(note.contains("no text"), "{note}");
    }

    #[test]
    fn a_linked_work_tree_is_held_against_its_own_commit() {
        let project = Project::committed();
        project.git(&["worktree", "add", "-q", "../tree", "-b", "topic"]);
        let tree = Project { root: project.root.with_file_name("tree"), ..project };
        tree.put("b", "topic\n");
        tree.git(&["commit", "-qam", "On the branch"]);
        tree.put("b", "changed\n");
        assert_eq!(told(&tree.held(&["b"]).unwrap()), [("b", Some("changed\n"), Some("topic\n"))]);
    }

    #[test]
    fn rights_and_line_ends_stay_as_they_lie_there() {
        let project = Project::committed();
        project.put("b", "more\r\nb\r\n");
        std::fs::set_permissions(project.root.join("b"), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
        let held = project.held(&["b"]).unwrap();
        assert_eq!(told(&held), [("b", Some("more\r\nb\r\n"), Some("b\r\n"))]);
        assert!(matches!(held[0].target, FileState::File { mode: 0o755, size: 3, .. }), "{:?}", held[0].target);
        project.put("b", "b\r\n");
        assert_eq!(project.held(&["b"]).unwrap(), [], "git would say so, too");
    }

    #[test]
    fn what_git_keeps_in_another_form_does_not_come_back() {
        let project = Project::committed();
        project.put("b", "other\n");
        project.put(".gitattributes", "b filter=big\nsub/* ident\n");
        let held = project.held(&["b"]).unwrap();
        assert!(!held[0].possible);
        assert_eq!(held[0].diff.note.as_deref(), Some("git keeps it in another form (filter in its attributes)"));
        project.put("sub/a", "other\n");
        assert!(!project.held(&["sub/a"]).unwrap()[0].possible);
        std::fs::remove_file(project.root.join("b")).unwrap();
        std::os::unix::fs::symlink("sub", project.root.join("link")).unwrap();
        project.git(&["add", "link"]);
        project.git(&["commit", "-qm", "A link"]);
        std::fs::remove_file(project.root.join("link")).unwrap();
        project.put("link", "text\n");
        let held = project.held(&["link"]).unwrap();
        assert_eq!(held[0].diff.note.as_deref(), Some("what was committed is no plain file"));
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
