//! Notices when a command changed what other programs of the project obey: hooks, settings of editors and package
//! managers, instructions to agents.
//!
//! The fence lets a command write in the project and cannot leave out single names there, so they are looked at before
//! it and after it. What git itself writes all the time (index, refs, objects, logs, the branches in its settings, which
//! branch is out) is not looked at, and a repository that the command made is told and is no alarm, unless git would
//! start something in it.
//!
//! Does not undo anything and does not decide what follows.

mod compared;
mod found;
mod repositories;
mod settings;
mod watched;

use crate::open::plain_file;
use compared::Fates;
use found::GitPart;
pub(crate) use found::Protected;
use settings::Matter;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Names that are told.
const TOLD: usize = 12;
/// The longest file that is read whole; of a longer one its size and times count.
const LONGEST: u64 = 1 << 20;

/// What is not as it was.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Noticed {
    /// What others obey, by the names a person would use.
    pub(crate) tampered: Vec<String>,
    /// Repositories that were made, and nothing is started in them: `sub/`.
    pub(crate) made: Vec<String>,
}

/// How the watched names of a project were at one moment.
#[derive(Debug)]
pub(crate) struct Tripwire {
    root: PathBuf,
    /// By path below the project.
    states: BTreeMap<PathBuf, State>,
    /// Where they were found.
    pub(crate) found: Protected,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct State {
    what: What,
    mode: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum What {
    /// A file with this text, by its hash.
    Text([u8; 32]),
    /// Settings of git, by what of them matters.
    Settings(Matter),
    /// Which branch is out, and that is all it says.
    Head,
    /// A file too long to read, by what changes with it.
    Long { size: u64, inode: u64, changed: (i64, i64) },
    /// A link that says this; in a repository, where git follows it, with what it leads to.
    Link { to: PathBuf, behind: Option<Box<What>> },
    /// A folder; what is in it is looked at by itself. Of a repository which one it is: made when, under which number.
    Folder(Option<(u64, Option<SystemTime>)>),
    /// A pipe, socket or device.
    Special,
}

impl What {
    /// Is it another thing than what it was `before`?
    fn differs(&self, before: &What) -> bool {
        match (before, self) {
            (What::Settings(before), What::Settings(now)) => now.differs(before),
            (What::Link { to: old, behind: Some(before) }, What::Link { to: new, behind: Some(now) }) => {
                old != new || now.differs(before)
            }
            (What::Folder(_), What::Folder(_)) => false,
            (before, now) => before != now,
        }
    }

    fn is_folder(&self) -> bool {
        matches!(self, What::Folder(_))
    }

    fn matters(&self) -> bool {
        match self {
            What::Settings(matter) => !matter.is_nothing(),
            What::Head | What::Folder(_) => false,
            What::Text(_) | What::Long { .. } | What::Link { .. } | What::Special => true,
        }
    }
}

impl Tripwire {
    /// Looks at the project at `root` now; what is `known` of earlier saves work. Bounded; blocking.
    pub(crate) fn set(root: &Path, known: &Protected) -> Self {
        let found = watched::find(root, known);
        let state = |path: &PathBuf| Some((path.clone(), state(&root.join(path), found.kind(path))?));
        Tripwire { root: root.to_owned(), states: found.paths().filter_map(state).collect(), found }
    }

    /// What is not as it was; and how it is now.
    pub(crate) fn sprung(&self) -> (Noticed, Tripwire) {
        let now = Tripwire::set(&self.root, &self.found);
        let fates = Fates::between(self, &now);
        let (mut tampered, mut came) = (fates.alarms(), Vec::new());
        tampered.extend(self.states.keys().filter_map(|path| self.lost(path, &fates)));
        for (path, state) in now.states.iter().filter(|(path, _)| !self.states.contains_key(*path)) {
            match self.is_new(path, state, &now.found, &fates) {
                New::Alarm => tampered.push(named(path, "new")),
                New::With(tree) => came.push((tree.to_owned(), path.clone())),
                New::Nothing => {}
            }
        }
        tampered.sort();
        tampered.dedup();
        let more = tampered.len().saturating_sub(TOLD);
        if more > 0 {
            tampered.truncate(TOLD);
            tampered.push(format!("and {more} more"));
        }
        (Noticed { tampered, made: fates.told(&came) }, now)
    }

    /// What became of `path`, if it is not what it was.
    fn lost(&self, path: &Path, fates: &Fates<'_>) -> Option<String> {
        let before = self.states.get(path)?;
        if self.found.repository(path).is_some_and(|git_dir| fates.are_others(git_dir)) {
            return None;
        }
        // Asked for by name: it may only have come out of reach of the walk.
        match state(&self.root.join(path), self.found.kind(path)) {
            Some(after) if after.what.differs(&before.what) => Some(named(path, "changed")),
            Some(after) if after.mode != before.mode => Some(named(path, "other permissions")),
            Some(_) => None,
            None if before.what.is_folder() || before.what.matters() => {
                (!fates.went_with_its_tree(path)).then(|| named(path, "gone"))
            }
            None => None,
        }
    }

    /// These are as they ought to be now: the user has seen what becomes of them. Bounded; blocking.
    pub(crate) fn accept(&mut self, paths: &[PathBuf]) {
        let now = Tripwire::set(&self.root, &self.found);
        for path in paths.iter().filter_map(|path| path.strip_prefix(&self.root).ok()) {
            match now.states.get(path) {
                Some(state) => drop(self.states.insert(path.to_owned(), state.clone())),
                None => drop(self.states.remove(path)),
            }
        }
    }

    /// There may be more to watch than is watched.
    pub(crate) fn is_incomplete(&self) -> bool {
        self.found.is_incomplete()
    }

    /// Is it new, and not just seen for the first time?
    fn is_new<'a>(&self, path: &Path, state: &State, now: &Protected, fates: &'a Fates<'_>) -> New<'a> {
        let alarm = |is_one| if is_one { New::Alarm } else { New::Nothing };
        if !state.what.matters() {
            return New::Nothing;
        }
        if self.found.leads_to(path) {
            return New::Alarm;
        }
        match now.repository(path).filter(|_| !now.is_other(path)) {
            // What would be started in it is told by itself.
            Some(git_dir) if fates.are_others(git_dir) => New::Nothing,
            Some(git_dir) => alarm(self.found.is_repository(git_dir) && self.found.knows_all_like(path)),
            // It is the settings that lead there that are new.
            None if now.leads_to(path) && !now.is_other(path) => New::Nothing,
            None => match fates.new_tree(path) {
                Some(tree) => New::With(tree),
                None => alarm(!self.found.full && self.found.was_in_sight(path)),
            },
        }
    }
}

/// What a new name is.
enum New<'a> {
    Alarm,
    /// It came with the repository of this folder, which is new itself.
    With(&'a Path),
    Nothing,
}

fn named(path: &Path, what: &str) -> String {
    format!("{} ({what})", crate::workspace::one_line(path))
}

/// How the thing at `whole` is; `None` where there is none.
fn state(whole: &Path, kind: GitPart) -> Option<State> {
    let found = whole.symlink_metadata().ok()?;
    let what = what(whole, &found, kind)?;
    // The bits of a link mean nothing, those of a folder are not obeyed by anybody, and git sets those of a `HEAD` anew.
    let mode = match what {
        What::Link { .. } | What::Folder(_) | What::Head => 0,
        What::Text(_) | What::Settings(_) | What::Long { .. } | What::Special => found.mode() & 0o7777,
    };
    Some(State { what, mode })
}

fn what(whole: &Path, found: &Metadata, kind: GitPart) -> Option<What> {
    if found.is_symlink() {
        let behind = match kind {
            GitPart::Settings | GitPart::Head | GitPart::Within => behind(whole, kind),
            GitPart::Repository | GitPart::Modules | GitPart::Other => None,
        };
        return Some(What::Link { to: std::fs::read_link(whole).ok()?, behind });
    }
    Some(match () {
        () if found.is_dir() => {
            What::Folder((kind == GitPart::Repository).then(|| (found.ino(), found.created().ok())))
        }
        () if !found.is_file() => What::Special,
        () if found.len() > LONGEST => {
            What::Long { size: found.len(), inode: found.ino(), changed: (found.ctime(), found.ctime_nsec()) }
        }
        // What cannot be read, or became another thing meanwhile, is as good as empty.
        () => text(&plain_file(whole, LONGEST).unwrap_or_default(), kind, whole),
    })
}

/// What the link at `whole` leads to.
fn behind(whole: &Path, kind: GitPart) -> Option<Box<What>> {
    let real = whole.canonicalize().ok()?;
    let found = real.symlink_metadata().ok()?;
    what(&real, &found, kind).map(Box::new)
}

/// Of git's settings only what git does not write by itself, so that `git checkout` may write its branches there.
fn text(bytes: &[u8], kind: GitPart, whole: &Path) -> What {
    let matter = match kind {
        GitPart::Settings => settings::that_matter(bytes, |tree| repositories::is_own_tree(whole, tree)),
        GitPart::Modules => settings::of_modules(bytes),
        GitPart::Head if repositories::is_plain_head(bytes) => return What::Head,
        GitPart::Head | GitPart::Repository | GitPart::Within | GitPart::Other => None,
    };
    matter.map_or_else(|| What::Text(Sha256::digest(bytes).into()), What::Settings)
}

#[cfg(test)]
mod tests;
