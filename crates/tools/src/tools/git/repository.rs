//! Asks git about the repository, for questions and titles: reading only, without network, and in a way in which it
//! starts no other program.

use crate::facts::git::still;
use crate::program::Runner;
use crate::workspace::Workspace;
use agent_protocol::{Failure, FailureKind};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The repository that git works on in a folder.
pub(super) struct Repository<'a> {
    program: PathBuf,
    runner: &'a Runner,
    folder: &'a Path,
    /// The top of its files; `None` where git cannot be asked, for there is no fence to ask it in.
    top: Option<PathBuf>,
}

impl<'a> Repository<'a> {
    /// The one in `folder`.
    ///
    /// # Errors
    /// There is no git, or no repository.
    pub(super) fn at(runner: &'a Runner, workspace: &Workspace, folder: &'a Path) -> Result<Self, Failure> {
        let program = runner.need("git", "the system's packages, for example: apt install git")?;
        let mut repository = Repository { program, runner, folder, top: None };
        match repository.ask(&["rev-parse", "--show-toplevel"]) {
            Some(said) => repository.top = Some(PathBuf::from(OsStr::from_bytes(trimmed(&said)))),
            // Nothing can be asked here, which is no reason not to try.
            None if repository.ask(&["--version"]).is_none() => {}
            None => return Err(no_repository(&workspace.shown(folder))),
        }
        Ok(repository)
    }

    /// The top of its files; `None` where nothing can be asked.
    pub(super) fn top(&self) -> Option<&Path> {
        self.top.as_deref()
    }

    /// What git answers; `None` where it fails or cannot be asked, or says too much.
    pub(super) fn ask(&self, words: &[&str]) -> Option<Vec<u8>> {
        still::ask(&self.program, words, self.folder, self.runner.around())
    }

    /// What the shell answers to `line`, in which `$git` is that git and `"$@"` these words.
    pub(super) fn ask_shell(&self, line: &str, words: &[&str]) -> Option<Vec<u8>> {
        still::ask_shell(&self.runner.find("sh")?, line, words, self.folder, self.runner.around())
    }

    /// What git answers, as text without the line end.
    pub(super) fn line(&self, words: &[&str]) -> Option<String> {
        String::from_utf8(trimmed(&self.ask(words)?).to_vec()).ok()
    }
}

fn trimmed(said: &[u8]) -> &[u8] {
    said.strip_suffix(b"\n").unwrap_or(said)
}

fn no_repository(shown: &str) -> Failure {
    let place = if shown == "." { "the project folder".into() } else { shown.to_owned() };
    let message = format!(
        "there is no git repository in {place}, or none that git accepts; to make one, have run_command run: git init"
    );
    Failure::new(FailureKind::NotReady, message)
}
