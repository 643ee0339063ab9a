//! What is told of a git repository: the branch, by its file, and what is changed, by git itself.
//!
//! Git is asked only where all that it obeys is known to be harmless, and in the way in which every question of fact is asked: it
//! starts no other program, reads only, and reaches no network. It is asked aside, and what comes too late is left out.

use crate::facts::git::{outer_repository, still};
use crate::open::{plain_file, plain_file_below};
use crate::program::Runner;
use crate::tools::ToolContext;
use crate::workspace::{Workspace, one_line};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Instant;

/// Where a repository says what is checked out.
const HEAD: &str = ".git/HEAD";

/// Bytes of that file, at most.
const LONGEST: u64 = 1_024;

/// Names that are told of what is changed, and of what is new.
const NAMES: usize = 5;

/// What is short of git: no rename is looked for, and submodules are looked at from outside.
const STATUS: [&str; 7] = ["status", "--porcelain=v1", "-z", "--no-renames", "--ignore-submodules=dirty", "--", "."];

/// What is checked out in a repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CheckedOut {
    /// The branch of this name.
    Branch(String),
    /// No branch, but the commit that begins so.
    Commit(String),
}

impl CheckedOut {
    /// The name of the branch, or the beginning of the commit.
    pub(crate) fn name(self) -> String {
        match self {
            CheckedOut::Branch(name) | CheckedOut::Commit(name) => name,
        }
    }

    /// In words: `branch main`.
    pub(super) fn words(&self) -> String {
        match self {
            CheckedOut::Branch(name) => format!("branch {name}"),
            CheckedOut::Commit(name) => format!("no branch, commit {name}"),
        }
    }
}

/// What is checked out. `None`: the project is neither a repository nor a part of one.
pub(crate) fn checked_out(workspace: &Workspace) -> Option<CheckedOut> {
    let within = plain_file_below(workspace.root(), Path::new(HEAD), LONGEST);
    let text = within.or_else(|| plain_file(&outer_repository(workspace.root())?.own.join("HEAD"), LONGEST));
    let text = String::from_utf8(text?).ok()?;
    let head = text.trim();
    match head.strip_prefix("ref: refs/heads/") {
        Some(branch) => Some(CheckedOut::Branch(branch.to_owned())),
        None if head.len() >= 40 && head.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
            Some(CheckedOut::Commit(head[..10].to_owned()))
        }
        None => None,
    }
}

/// What is changed in the repository, once git has said it.
pub(super) struct Changes(Receiver<Option<Said>>);

struct Said {
    bytes: Vec<u8>,
    /// Where the project is in the repository: names are told from its top.
    project: PathBuf,
}

impl Changes {
    pub(super) fn ask(kit: &ToolContext) -> Self {
        let (said, hears) = channel();
        let (runner, root) = (kit.runner.clone(), kit.workspace.root().to_owned());
        // Nobody may wait for it any more.
        thread::spawn(move || drop(said.send(answer(&runner, &root))));
        Changes(hears)
    }

    /// In words, where git has said it by then.
    pub(super) fn by(self, until: Instant, workspace: &Workspace) -> Option<String> {
        let said = self.0.recv_timeout(until.saturating_duration_since(Instant::now())).ok()??;
        Some(in_words(&said.bytes, &said.project, workspace))
    }
}

/// What git says of the repository at `root`, where it can be asked without starting anything.
fn answer(runner: &Runner, root: &Path) -> Option<Said> {
    let obeyed = runner.obeyed_by_git(root)?;
    let project = root.strip_prefix(obeyed.tree.as_ref()?).ok()?.to_owned();
    let git = runner.find("git").filter(|_| obeyed.findings.is_empty())?;
    let filters = without_filters(&obeyed.keys);
    let words: Vec<&str> = filters.iter().map(String::as_str).chain(STATUS).collect();
    Some(Said { bytes: still::ask(&git, &words, root, runner.around())?, project })
}

/// Filters of the user's own config would be run to tell what is changed: git is asked as if there were none.
fn without_filters(keys: &[String]) -> Vec<String> {
    let mut words = Vec::new();
    for name in keys.iter().filter_map(|key| key.strip_prefix("filter.")?.rsplit_once('.')).map(|(name, _)| name) {
        for nothing in ["clean=", "process=", "required=false"] {
            words.extend(["-c".to_owned(), format!("filter.{name}.{nothing}")]);
        }
    }
    words
}

/// `2 changed (a.rs, b.rs), 1 new (c.txt)`.
fn in_words(said: &[u8], project: &Path, workspace: &Workspace) -> String {
    let (mut changed, mut new) = (Vec::new(), Vec::new());
    for entry in said.split(|byte| *byte == 0) {
        let (Some(kind), Some(name)) = (entry.get(..2), entry.get(3..)) else { continue };
        let path = Path::new(OsStr::from_bytes(name));
        let path = path.strip_prefix(project).unwrap_or(path);
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        let list = if kind == b"??" { &mut new } else { &mut changed };
        let is_secret = path != Path::new(".") && workspace.is_secret(&workspace.root().join(path));
        list.push((!is_secret).then(|| one_line(path)));
    }
    let told: Vec<String> =
        [(changed, "changed"), (new, "new")].into_iter().filter_map(|(list, kind)| told(&list, kind)).collect();
    told.join(", ")
}

fn told(list: &[Option<String>], kind: &str) -> Option<String> {
    let names: Vec<&str> = list.iter().flatten().take(NAMES).map(String::as_str).collect();
    let more = if names.len() < list.len() { ", …" } else { "" };
    match (list.len(), names.as_slice()) {
        (0, _) => None,
        (count, []) => Some(format!("{count} {kind}")),
        (count, names) => Some(format!("{count} {kind} ({}{more})", names.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn project(head: &str) -> (tempfile::TempDir, Workspace) {
        let folder = tempfile::TempDir::new().unwrap();
        std::fs::create_dir(folder.path().join(".git")).unwrap();
        std::fs::write(folder.path().join(HEAD), head).unwrap();
        let workspace = Workspace::new(&folder.path().canonicalize().unwrap());
        (folder, workspace)
    }

    #[test]
    fn the_branch_is_read_from_its_file() {
        for (head, told) in [
            ("ref: refs/heads/fix/parser\n", Some("branch fix/parser")),
            ("0123456789abcdef0123456789abcdef01234567\n", Some("no branch, commit 0123456789")),
            ("ref: somewhere/else\n", None),
            ("nonsense", None),
        ] {
            let (_folder, workspace) = project(head);
            assert_eq!(checked_out(&workspace).map(|out| out.words()).as_deref(), told, "{head}");
        }
    }

    #[test]
    fn filters_of_the_person_are_as_if_they_were_not_there() {
        let keys = ["core.editor".to_owned(), "filter.lfs.clean".to_owned()];
        assert_eq!(
            without_filters(&keys).join(" "),
            "-c filter.lfs.clean= -c filter.lfs.process= -c filter.lfs.required=false"
        );
    }

    #[test]
    fn what_is_changed_is_told_in_few_words_without_names_of_secrets() {
        let (_folder, workspace) = project("");
        let said = b" M src/a.rs\0A  b.rs\0?? c.txt\0?? .env\0";
        assert_eq!(in_words(said, Path::new(""), &workspace), "2 changed (src/a.rs, b.rs), 2 new (c.txt, …)");
        let within = in_words(b" M part/a.rs\0?? part/\0", Path::new("part"), &workspace);
        assert_eq!(within, "1 changed (a.rs), 1 new (.)");
        assert_eq!(in_words(b"", Path::new(""), &workspace), "", "who knows of no changes says nothing of them either");
        let many: String = (0..9).map(|at| format!("?? f{at}\0")).collect();
        assert_eq!(in_words(many.as_bytes(), Path::new(""), &workspace), "9 new (f0, f1, f2, f3, f4, …)");
    }
}
