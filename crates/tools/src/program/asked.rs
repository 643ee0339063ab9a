//! Is what would be started still what the user was asked about?
//!
//! A question may stand open for long, and whoever may write in the project may put another folder, program or script in
//! the place of one that the question names. So the folder is held from when the command is planned on, and programs and
//! scripts that the command names are compared right before it starts. What they start or load themselves is not known
//! here, nor what happens between that look and the start. Nothing of what is read for this is told to anybody.

use crate::Ground;
use crate::same::{KnownBy, Stamp};
use agent_policy::{Leave, Started, started};
use agent_protocol::{Failure, FailureKind};
use agent_sandbox::{HeldFolder, Surroundings};
use rustix::fs::{Access, Mode, OFlags, access, open};
use rustix::process::geteuid;
use std::collections::HashMap;
use std::fs::{File, Metadata};
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// What ends the name of a script.
const SCRIPTS: &[&str] = &[
    "sh", "bash", "zsh", "fish", "py", "js", "mjs", "cjs", "ts", "mts", "cts", "rb", "pl", "php", "lua", "mk", "cmake",
    "gradle", "kts", "ps1", "r", "tcl", "awk", "rake",
];
/// Bytes that are read for one command; what does not fit is known by its stamp.
const MOST: u64 = 64 << 20;
/// May be run by somebody.
const RUNS: u32 = 0o111;
/// A file that was changed no longer ago than this, in seconds, may change again without another time.
const TOO_YOUNG: i64 = 2;

/// Looks at what commands start. Clones share what they know.
#[derive(Debug, Clone)]
pub(super) struct Looker {
    around: Arc<Surroundings>,
    home: Option<PathBuf>,
    /// Where the user or a command may write, whoever runs this.
    writable: Arc<[PathBuf]>,
    /// What was read, so that a program of many commands is read once.
    read: Arc<Mutex<HashMap<PathBuf, (Stamp, KnownBy)>>>,
}

/// What a command would start, as it was when it was planned.
#[derive(Debug, Clone)]
pub(super) struct AskedCommand {
    cwd: PathBuf,
    /// `None`: there was none.
    folder: Option<HeldFolder>,
    things: Vec<Thing>,
}

#[derive(Debug, Clone)]
struct Thing {
    named: Named,
    /// `None`: there was nothing that could be read.
    known: Option<Known>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Named {
    Program(String),
    File(PathBuf),
}

/// A file, and what tells it from another.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Known {
    real: PathBuf,
    by: KnownBy,
}

/// How thoroughly is it looked?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Care {
    /// What was read before and lies there untouched since need not be read again.
    Once,
    Again,
}

impl Looker {
    pub(super) fn new(ground: &Ground) -> Self {
        let mut writable = vec![ground.root.clone()];
        writable.extend(ground.home.clone());
        writable.extend(ground.surroundings.temporary().canonicalize());
        writable.extend(ground.surroundings.caches().map(|caches| caches.path().to_owned()));
        Looker {
            around: ground.surroundings.clone(),
            home: ground.home.clone(),
            writable: writable.into(),
            read: Arc::default(),
        }
    }

    /// What `command` would start in `cwd`, as it is now. Blocking.
    pub(super) fn look(&self, command: &str, cwd: &Path) -> AskedCommand {
        let mut things: Vec<Thing> = Vec::new();
        let mut left = MOST;
        for one in started(command, cwd, self.home.as_deref()) {
            let named = match one {
                Started::Program(name) => Named::Program(name),
                Started::File(path) => Named::File(path),
                Started::Maybe(path) if is_script(&path) => Named::File(path),
                Started::Maybe(_) => continue,
            };
            if things.iter().all(|thing| thing.named != named) {
                things.push(Thing { known: self.known(&named, Care::Once, &mut left), named });
            }
        }
        AskedCommand { cwd: cwd.to_owned(), folder: HeldFolder::open(cwd).ok(), things }
    }

    /// What it is now. Is it as long as what is `left` at most, its bytes count, and less is left.
    fn known(&self, named: &Named, care: Care, left: &mut u64) -> Option<Known> {
        let path = match named {
            Named::Program(name) => {
                self.around.programs().iter().map(|folder| folder.join(name)).find(|it| it.is_file())?
            }
            Named::File(path) => path.clone(),
        };
        let real = path.canonicalize().ok()?;
        let metadata = real.metadata().ok().filter(Metadata::is_file)?;
        let stamp = Stamp::of(&metadata);
        // What nobody here may write is the system's, and so is the time of its last change.
        let by = if metadata.len() <= *left && self.may_change(&real) {
            *left -= metadata.len();
            self.read(&real, &metadata, stamp, care)
        } else {
            None
        };
        Some(Known { real, by: by.unwrap_or(KnownBy::Stamp(stamp)) })
    }

    fn read(&self, real: &Path, metadata: &Metadata, stamp: Stamp, care: Care) -> Option<KnownBy> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = read.get(real).filter(|(seen, _)| *seen == stamp && care == Care::Once) {
            return Some(known.clone());
        }
        let known = KnownBy::bytes(real, metadata)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        if stamp.changed.0.saturating_add(TOO_YOUNG) < i64::try_from(now).unwrap_or(i64::MAX) {
            read.insert(real.to_owned(), (stamp, known.clone()));
        }
        Some(known)
    }

    fn may_change(&self, real: &Path) -> bool {
        // Nothing is closed to root, who is taken for somebody who leaves the system alone.
        let may_write = |path: &Path| !geteuid().is_root() && access(path, Access::WRITE_OK).is_ok();
        self.writable.iter().any(|place| real.starts_with(place))
            || may_write(real)
            || real.parent().is_some_and(may_write)
    }
}

impl AskedCommand {
    /// The folder that the command starts in.
    pub(super) fn folder(&self) -> Option<HeldFolder> {
        self.folder.clone()
    }

    /// Is all as it was? Programs and scripts are compared where a person was asked: else no time has passed. Blocking.
    ///
    /// # Errors
    /// What changed, in words.
    pub(super) fn still(&self, looker: &Looker, leave: Leave) -> Result<(), Failure> {
        let there = match &self.folder {
            Some(folder) => folder.is_where_it_was(),
            None => !self.cwd.is_dir(),
        };
        let mut changed = Vec::new();
        if !there {
            changed.push(format!("the folder {}", self.cwd.display()));
        }
        if leave == Leave::Person {
            let others = self.things.iter().filter(|thing| !thing.is_the_same(looker));
            changed.extend(others.map(|thing| self.shown(&thing.named)));
        }
        if changed.is_empty() {
            return Ok(());
        }
        let message = format!("{} changed since the question; it was not run", changed.join(", "));
        Err(Failure::new(FailureKind::Replaced, message))
    }

    fn shown(&self, named: &Named) -> String {
        match named {
            Named::Program(name) => name.clone(),
            Named::File(path) => path.strip_prefix(&self.cwd).unwrap_or(path).display().to_string(),
        }
    }
}

impl Thing {
    fn is_the_same(&self, looker: &Looker) -> bool {
        let read = self.known.as_ref().is_some_and(|known| matches!(known.by, KnownBy::Bytes(_)));
        let mut left = if read { u64::MAX } else { 0 };
        looker.known(&self.named, Care::Again, &mut left) == self.known
    }
}

/// Can it be run, or is it a script by its name or its first bytes?
fn is_script(path: &Path) -> bool {
    let Some(metadata) = path.metadata().ok().filter(Metadata::is_file) else { return false };
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    metadata.mode() & RUNS != 0 || ending.is_some_and(|ending| SCRIPTS.contains(&ending.as_str())) || has_mark(path)
}

/// `#!`
fn has_mark(path: &Path) -> bool {
    let mut mark = [0; 2];
    // What came in its place meanwhile may be a pipe that nobody writes to.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let opened = open(path, flags, Mode::empty()).map(File::from);
    opened.is_ok_and(|mut file| file.read_exact(&mut mark).is_ok()) && mark == *b"#!"
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;
    use tempfile::TempDir;

    /// A project, and a folder of programs besides with one in it.
    fn house() -> (TempDir, PathBuf, Ground) {
        let folder = TempDir::new().unwrap();
        let top = folder.path().canonicalize().unwrap();
        let (bin, project) = (top.join("bin"), top.join("project"));
        for made in [&bin, &project] {
            std::fs::create_dir(made).unwrap();
            std::fs::set_permissions(made, PermissionsExt::from_mode(0o755)).unwrap();
        }
        std::fs::write(bin.join("helper"), "#!/bin/sh\necho ours\n").unwrap();
        let path = std::env::join_paths([&bin]).unwrap();
        let surroundings = Arc::new(Surroundings::new([("PATH".into(), path)], &[], &project).unwrap());
        let ground = Ground { home: Some(top), surroundings, ..Ground::of_this_process(project).unwrap() };
        (folder, bin, ground)
    }

    fn changed(looker: &Looker, asked: &AskedCommand) -> Option<String> {
        asked.still(looker, Leave::Person).err().map(|failure| failure.message)
    }

    #[test]
    fn a_program_that_is_found_by_its_name_is_compared_where_it_lies() {
        let (_folder, bin, ground) = house();
        let looker = Looker::new(&ground);
        let asked = looker.look("helper --x && true", &ground.root);
        assert_eq!(changed(&looker, &asked), None);
        std::fs::write(bin.join("helper"), "#!/bin/sh\necho evil\n").unwrap();
        assert_eq!(changed(&looker, &asked).unwrap(), "helper changed since the question; it was not run");
        assert!(asked.still(&looker, Leave::Rule).is_ok(), "nobody was asked, so no time has passed");
        assert_eq!(changed(&looker, &looker.look("helper --x && true", &ground.root)), None);
    }

    #[test]
    fn a_program_that_comes_before_the_one_there_was_is_another() {
        let (_folder, bin, ground) = house();
        let looker = Looker::new(&ground);
        let asked = looker.look("other; helper", &ground.root);
        std::fs::write(bin.join("other"), "#!/bin/sh\n").unwrap();
        assert_eq!(changed(&looker, &asked).unwrap(), "other changed since the question; it was not run");
    }
}
