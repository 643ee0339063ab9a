//! Where things may be written beside the project, and what a yes has to open for a command to do what it says.
//!
//! **Invariant.** No question is held whose yes could not work: what the sandbox would refuse all the same is opened by the
//! yes for this run, or refused before anybody is asked.

use super::Policy;
use crate::danger::{self, Places, WritablePlaces};
use agent_protocol::{Profile, SandboxKind};
use std::path::{Path, PathBuf};

/// What a command needs that its sandbox does not give.
#[derive(Debug)]
pub(super) struct Beyond {
    /// Places outside the project that a yes opens for writing, for this run.
    pub(super) places: Vec<PathBuf>,
    /// How far out it has to run.
    pub(super) least: Profile,
    /// What of it is dangerous besides.
    pub(super) warnings: Vec<String>,
    /// In words that follow why it asks.
    pub(super) why: String,
}

impl Default for Beyond {
    /// Nothing: it runs as far out as it asked to, and no further.
    fn default() -> Self {
        Beyond { places: Vec::new(), least: Profile::ReadOnly, warnings: Vec::new(), why: String::new() }
    }
}

impl Policy {
    pub(super) fn open(&self) -> WritablePlaces<'_> {
        WritablePlaces {
            writable: &self.setup.writable,
            private_tmp: self.setup.private_tmp,
            around: danger::around_in_temporary(&self.setup.root),
            temporary: self.setup.temporary.as_deref(),
        }
    }

    /// Does it lie in the project, or in a folder that the user opened beside it?
    pub(super) fn is_open(&self, path: &Path) -> bool {
        self.inside(path) || self.setup.writable.iter().any(|folder| path.starts_with(folder))
    }

    /// Could a flag open the folder in which it lies? Not the whole machine, nor what holds the user's home or our own.
    pub(super) fn could_be_opened(&self, path: &Path) -> bool {
        let Some(folder) = path.parent().filter(|folder| folder.parent().is_some()) else { return false };
        let holds = |place: &Path| place.starts_with(folder);
        let own = |own: &PathBuf| holds(own) && !self.inside(own) || path.starts_with(own);
        !self.setup.home.as_deref().is_some_and(holds) && !self.setup.own.iter().any(own)
    }

    /// Did a flag of this start allow writes there?
    pub(super) fn is_flagged_folder(&self, path: &Path) -> bool {
        self.setup.allow_write_in.iter().any(|folder| path.starts_with(folder))
    }

    /// What a yes to this command has to open.
    ///
    /// # Errors
    /// Why it is refused before anybody is asked, for the model.
    pub(super) fn beyond(&self, line: &str, profile: Profile, places: &Places<'_>) -> Result<Beyond, String> {
        if self.setup.sandbox != SandboxKind::Kernel || !matches!(profile, Profile::Project | Profile::Network) {
            return Ok(Beyond::default());
        }
        if let Some(path) = danger::shared_temporary(line, places) {
            return Err(format!(
                "the sandbox lets nothing be written in {}; use $TMPDIR instead, which is set for every command and stays for \
                 the whole session",
                path.display()
            ));
        }
        if let Some(warning) = danger::needs_no_sandbox(line) {
            return self.without_sandbox(warning);
        }
        let mut beyond = Beyond::default();
        for path in danger::outside(line, places) {
            match self.opened_for(&path) {
                Some(folder) if !beyond.places.contains(&folder) => beyond.places.push(folder),
                Some(_) => {}
                None => {
                    let shown = path.display();
                    return self.without_sandbox(format!("{shown} is nothing that the sandbox can be opened for"));
                }
            }
        }
        if let Some(folder) = self.repository_of(line) {
            beyond.places.push(folder.to_owned());
        }
        if !beyond.places.is_empty() {
            let named: Vec<String> = beyond.places.iter().map(|place| place.display().to_string()).collect();
            beyond.why = format!("; a yes lets it write in {}, this once", named.join(", "));
        }
        Ok(beyond)
    }

    /// The repository that git writes in for this project, where it lies outside and `line` calls git. It is opened like the
    /// folder `.git` of any other project, which lies in what commands may write.
    pub(super) fn repository_of(&self, line: &str) -> Option<&Path> {
        self.setup.git_folder.as_deref().filter(|_| danger::calls_git(line))
    }

    fn without_sandbox(&self, warning: String) -> Result<Beyond, String> {
        if self.setup.require_sandbox {
            return Err(format!("{warning}, and sandbox.require is set, so it cannot run"));
        }
        let why = "; a yes lets it run without the sandbox, where it can do what you can".into();
        Ok(Beyond { least: Profile::Unfenced, warnings: vec![warning], why, places: Vec::new() })
    }

    /// The folder that must be open for `path` to be made or changed: the one it lies in.
    fn opened_for(&self, path: &Path) -> Option<PathBuf> {
        if self.why_protected(path).is_some() || self.is_secret(path) {
            return None;
        }
        let folder = path.parent()?;
        may_be_opened(folder, self).then(|| folder.to_owned())
    }
}

/// May a place outside the project be opened for writing for one run? Not the system, the home or what the project lies
/// in, nor anything that holds our own files.
pub(super) fn may_be_opened(place: &Path, policy: &Policy) -> bool {
    let holds = |inner: &Path| inner.starts_with(place);
    // What of ours lies in the project is there whatever is opened beside it.
    let holds_own = |own: &Path| holds(own) && !policy.inside(own);
    let own = policy.setup.own.iter().any(|own| holds_own(own) || place.starts_with(own));
    let home = policy.setup.home.as_deref().is_some_and(holds);
    !(own || home || danger::is_of_system(place) || policy.setup.root == place)
}
