//! What files were before a call and what became of them, exact enough to bring them back.
//!
//! Of a command everything counts that happened in the project while it ran: what the user changed meanwhile in an
//! editor is told as a change of the command. Undo shows each file before it touches it, so nothing of it is lost unseen.
//!
//! Does not bring anything back; see `restore`.

mod changes;
mod cover;
mod lines;
mod snapshot;
mod stat;
pub(crate) mod state;
#[cfg(test)]
mod tests;
mod thing;
mod vault;
mod written;

use crate::Ground;
use crate::apply::{self, LARGEST};
use crate::walk::Built;
use crate::walk::look_at_each;
use crate::workspace::Workspace;
use agent_policy::Permit;
use agent_protocol::{Action, Cover, Digest, FileChange, FileState, FolderReceipt, Profile, Unkept};
use lines::Counter;
use snapshot::Glance;
pub(crate) use snapshot::Snapshot;
use stat::{Moment, Stat};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use thing::Folders;
use vault::Vault;
use written::Written;

/// Looks at the files of a project, and keeps what was there. Clones share what they know.
#[derive(Debug, Clone)]
pub(crate) struct Undo(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    workspace: Workspace,
    vault: Vault,
    /// The most files that are looked at.
    max_files: u64,
    /// The project holds more files than that, or is none: only what was seen in this session is looked at.
    only_seen: AtomicBool,
    /// Held during a look, so that there is one at a time.
    looking: Mutex<()>,
    /// How everything was at the last look.
    last: Mutex<Arc<Snapshot>>,
    /// What was told last of what is covered, and when.
    told: Mutex<Option<(Instant, Cover)>>,
    /// The last look that was written down whole, and under which digest.
    table: Mutex<Option<(Arc<Snapshot>, Digest)>>,
    ahead: AtomicBool,
}

/// What a call may change.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    Nothing,
    Files(Vec<PathBuf>),
    /// Whatever is covered of the project.
    Project,
}

impl Reach {
    /// Of what is permitted. What was proved to only read runs within a fence that keeps it from writing.
    pub(crate) fn of(permit: &Permit) -> Self {
        match permit.action() {
            Action::Read { .. } | Action::Restore { .. } | Action::Fetch { .. } | Action::Session { .. } => {
                Reach::Nothing
            }
            Action::Call { .. } => Reach::Project,
            Action::Write { .. } => Reach::Files(permit.action().paths().map(Path::to_path_buf).collect()),
            // What it changes after its start is not looked at, so nothing is claimed of its start either.
            Action::Run { background: true, .. } => Reach::Nothing,
            Action::Run { .. } => match permit.sandbox().profile() {
                Profile::ReadOnly => Reach::Nothing,
                // Without a fence the proof is all there is, and it is enough to run it unasked.
                Profile::Project | Profile::Network | Profile::Unfenced if permit.line().is_some() => Reach::Nothing,
                Profile::Project | Profile::Network | Profile::Unfenced => Reach::Project,
            },
        }
    }
}

/// How things were before a call.
#[derive(Debug, Default)]
pub(crate) enum StateBefore {
    #[default]
    Nothing,
    Files(Vec<FileBefore>),
    Project {
        snapshot: Arc<Snapshot>,
        whole: bool,
    },
}

/// What lay under a name at one moment.
#[derive(Debug)]
pub(crate) struct FileBefore {
    path: PathBuf,
    /// As far as it can be brought back.
    kept: FileState,
    /// What it was, also where its bytes could not be kept: else one that was changed would look as before.
    seen: FileState,
}

#[derive(Debug, Default, PartialEq)]
pub(crate) struct Changed {
    pub(crate) files: Vec<FileChange>,
    /// Folders of what is built or fetched.
    pub(crate) built: Vec<FolderReceipt>,
    /// Something that a person should know besides.
    pub(crate) note: Option<String>,
}

impl Undo {
    pub(crate) fn new(workspace: &Workspace, ground: &Ground) -> Self {
        let root = workspace.root();
        // Whoever starts in a home folder does not want all of it to be looked at.
        let no_project = root.parent().is_none() || ground.home.as_ref().is_some_and(|home| home.starts_with(root));
        Undo(Arc::new(Shared {
            workspace: workspace.clone(),
            vault: Vault::new(ground.keep.clone(), ground.undo),
            max_files: ground.undo.max_files,
            only_seen: AtomicBool::new(no_project || ground.undo.max_files == 0),
            looking: Mutex::default(),
            last: Mutex::default(),
            told: Mutex::default(),
            table: Mutex::default(),
            ahead: AtomicBool::new(false),
        }))
    }

    /// The bytes that were kept under this name. Blocking.
    pub(crate) fn kept(&self, digest: &Digest) -> Option<Vec<u8>> {
        self.0.vault.fetch(digest)
    }

    /// How things are that a call may change; their bytes are kept. Blocking.
    pub(crate) fn before(&self, reach: Reach) -> StateBefore {
        match reach {
            Reach::Nothing => StateBefore::Nothing,
            Reach::Files(paths) => {
                let settled = paths.into_iter().map(|path| self.settled(self.look(path)));
                StateBefore::Files(settled.collect())
            }
            Reach::Project => {
                let snapshot = self.0.look(&[]);
                StateBefore::Project { snapshot, whole: !self.0.only_seen() }
            }
        }
    }

    /// What became of them. Blocking.
    pub(crate) fn after(&self, before: &StateBefore) -> Changed {
        match before {
            StateBefore::Nothing => Changed::default(),
            StateBefore::Files(looks) => Changed { files: self.files(looks), ..Changed::default() },
            StateBefore::Project { snapshot, whole } => {
                let now = self.0.look_after(snapshot);
                let files = changes::between(snapshot, &now, &self.0.workspace, &self.0.vault);
                let note = (*whole && self.0.only_seen()).then(|| self.too_many());
                Changed { files, note, ..Changed::default() }
            }
        }
    }

    /// The folders of what is built or fetched, where a call may change them. Blocking.
    pub(crate) fn built(&self, before: &StateBefore) -> Built {
        match before {
            StateBefore::Nothing | StateBefore::Files(_) => Built::default(),
            StateBefore::Project { .. } if self.0.only_seen() => Built::default(),
            StateBefore::Project { .. } => Built::of(self.0.workspace.root()),
        }
    }

    /// What became of these since. Blocking.
    pub(crate) fn built_since(&self, built: &Built, before: &StateBefore) -> Vec<FolderReceipt> {
        self.built(before).since(built, self.0.workspace.root())
    }

    /// Keeps how things were before a call as a text, for whoever comes after a program that was killed meanwhile.
    /// `None`: nothing is kept of it. Blocking.
    pub(crate) fn written(&self, before: &StateBefore) -> Option<Digest> {
        let table = match before {
            StateBefore::Nothing | StateBefore::Files(_) => None,
            StateBefore::Project { snapshot, .. } => Some(self.0.table(snapshot)?),
        };
        let text = written::before(before, table)?;
        let place = self.0.vault.place();
        let digest = place.keep(text.as_bytes()).ok()?;
        if let StateBefore::Files(_) = before {
            // What these files held outlasts a power cut. Where this does not, only what names it is lost.
            let _ = place.settle(&digest);
        }
        Some(digest)
    }

    /// What became of files since a call that `before` was written of; none where that is not kept any more, or is no
    /// such text. Blocking.
    pub(crate) fn recovered(&self, before: &Digest) -> Vec<FileChange> {
        self.0.read(before).map(|before| self.since(&before)).unwrap_or_default()
    }

    fn since(&self, before: &StateBefore) -> Vec<FileChange> {
        let StateBefore::Project { snapshot, whole } = before else { return self.after(before).files };
        let _alone = self.0.looking.lock().unwrap_or_else(PoisonError::into_inner);
        // What was kept under these digests may be gone: only this once it is taken for granted.
        let mut now = self.0.look_from(&paths(snapshot), snapshot);
        let known = |path: &Path| snapshot.entry(path).is_some();
        now.entries.retain(|entry| entry.path.to_str().is_some() && (*whole || known(&entry.path)));
        changes::between(snapshot, &now, &self.0.workspace, &self.0.vault)
    }

    /// Is everything as at the look before this one? For a command whose processes may still be ending. Blocking.
    pub(crate) fn has_settled(&self, before: &StateBefore) -> bool {
        match before {
            StateBefore::Nothing | StateBefore::Files(_) => true,
            StateBefore::Project { snapshot, .. } => {
                let last = self.0.last().clone();
                self.0.look_after(snapshot).agrees_with(&last)
            }
        }
    }

    /// How much of what a command may do could be brought back. Begins to keep what is not kept yet. Blocking, but not
    /// for long: reads no file.
    pub(crate) fn cover(&self) -> Cover {
        cover::cover(&self.0)
    }

    fn files(&self, before: &[FileBefore]) -> Vec<FileChange> {
        let mut counter = Counter::new();
        let Shared { workspace, vault, .. } = &*self.0;
        let mut changes: Vec<FileChange> = before
            .iter()
            .map(|before| (before, self.look(before.path.clone())))
            .filter(|(before, now)| before.seen != now.seen)
            .map(|(FileBefore { path, kept, .. }, now)| {
                changes::change(path, kept.clone(), now.kept, workspace, vault, &mut counter)
            })
            .collect();
        changes.sort_by(|one, other| one.path.cmp(&other.path));
        changes
    }

    /// What comes in the place of a file is made to last at once, so what it was must last before. (A command's files are
    /// not: that would take longer than most commands.)
    fn settled(&self, look: FileBefore) -> FileBefore {
        match &look.kept {
            FileState::File { content, size, .. } if self.0.vault.place().settle(content).is_err() => {
                let kept = FileState::Unkept { why: Unkept::Unreadable, size: *size };
                FileBefore { kept, ..look }
            }
            FileState::File { .. } | FileState::Missing | FileState::Link { .. } | FileState::Unkept { .. } => look,
        }
    }

    /// Whatever a tool may write is kept, also where it is larger than what is kept around commands.
    fn look(&self, path: PathBuf) -> FileBefore {
        let kept = state::kept(&path, self.0.vault.place(), LARGEST);
        let seen = match &kept {
            FileState::Unkept { .. } => state::seen(&path, LARGEST),
            FileState::Missing | FileState::File { .. } | FileState::Link { .. } => kept.clone(),
        };
        FileBefore { path, kept, seen }
    }

    fn too_many(&self) -> String {
        let most = self.0.max_files;
        format!(
            "the project has more than {most} files now, so undo covers only those read or written since agent was started"
        )
    }
}

impl Shared {
    fn only_seen(&self) -> bool {
        self.only_seen.load(Ordering::Relaxed)
    }

    fn last(&self) -> MutexGuard<'_, Arc<Snapshot>> {
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How everything is now, what was there at `before` included, wherever ignore rules say of it now.
    fn look_after(&self, before: &Snapshot) -> Arc<Snapshot> {
        self.look(&paths(before))
    }

    /// How everything is now, and these paths, which are sorted.
    fn look(&self, also: &[&Path]) -> Arc<Snapshot> {
        let _alone = self.looking.lock().unwrap_or_else(PoisonError::into_inner);
        let last = self.last().clone();
        let now = Arc::new(self.look_from(also, &last));
        *self.last() = now.clone();
        *self.told() = None;
        now
    }

    /// The same for who knows how it was at an earlier look.
    fn look_from(&self, also: &[&Path], earlier: &Snapshot) -> Snapshot {
        let at = Moment::now();
        let seen = self.seen();
        let mut glances = self.glances(&seen);
        self.add(also, &mut glances);
        let first: HashSet<&Path> = seen.iter().map(PathBuf::as_path).collect();
        Snapshot::taken(at, glances, earlier, &self.vault, |path| first.contains(path))
    }

    /// The text with the files of a project, kept; the same one as long as nothing changes.
    fn table(&self, snapshot: &Arc<Snapshot>) -> Option<Digest> {
        let mut last = self.table.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((written, digest)) = &*last
            && written.agrees_with(snapshot)
        {
            return Some(digest.clone());
        }
        let text = written::table(snapshot, self.workspace.root());
        let digest = self.vault.place().keep(text.as_bytes()).ok()?;
        *last = Some((snapshot.clone(), digest.clone()));
        Some(digest)
    }

    /// What was written down under this digest.
    fn read(&self, before: &Digest) -> Option<StateBefore> {
        let text = |digest: &Digest| self.vault.fetch(digest).filter(|text| apply::digest(text) == *digest);
        match written::read(&text(before)?)? {
            Written::Files(looks) => Some(StateBefore::Files(looks)),
            Written::Project { at, whole, table } => {
                let snapshot = written::snapshot(&text(&table)?, at, self.workspace.root())?;
                Some(StateBefore::Project { snapshot: Arc::new(snapshot), whole })
            }
        }
    }

    /// What there is to look at, sorted by path, with what the system says of it.
    fn glances(&self, seen: &[PathBuf]) -> Vec<Glance> {
        let mut glances = self.walked().unwrap_or_default();
        glances.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        let seen: Vec<&Path> = seen.iter().map(PathBuf::as_path).collect();
        self.add(&seen, &mut glances);
        glances
    }

    /// All files of the project; `None` where only those seen are looked at.
    fn walked(&self) -> Option<Vec<Glance>> {
        if self.only_seen() {
            return None;
        }
        let most = usize::try_from(self.max_files).unwrap_or(usize::MAX);
        let glance = |path: &Path, found: &std::fs::Metadata| Some((path.to_owned(), Stat::of(found)));
        let walked = look_at_each(self.workspace.root(), most, glance);
        if walked.is_none() {
            self.only_seen.store(true, Ordering::Relaxed);
        }
        walked
    }

    /// Adds what lies under these paths, which are sorted, to `glances`, which are too.
    fn add(&self, paths: &[&Path], glances: &mut Vec<Glance>) {
        let mut folders = Folders::new();
        let mut more = Vec::new();
        let mut known = glances.iter().map(|(path, _)| path.as_path()).peekable();
        for path in paths {
            while known.next_if(|known| known < path).is_some() {}
            if known.peek() != Some(path)
                && let Some(stat) = folders.stat(path)
            {
                more.push((path.to_path_buf(), stat));
            }
        }
        if !more.is_empty() {
            glances.append(&mut more);
            glances.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        }
    }

    /// Files of the project that were read or written in this session, sorted; git's own are nobody's business.
    fn seen(&self) -> Vec<PathBuf> {
        let root = self.workspace.root();
        let of_project =
            |path: &PathBuf| path.strip_prefix(root).is_ok_and(|below| !below.iter().any(|name| name == ".git"));
        let mut seen: Vec<PathBuf> = self.workspace.seen().paths().into_iter().filter(of_project).collect();
        seen.sort_unstable();
        seen
    }

    fn told(&self) -> MutexGuard<'_, Option<(Instant, Cover)>> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn paths(snapshot: &Snapshot) -> Vec<&Path> {
    snapshot.entries.iter().map(|entry| entry.path.as_path()).collect()
}
