//! The folder of the sessions, and how the files in it are opened, locked and made.
//!
//! A lock is held on a journal's own open file description: the system releases it with the process, however that ends.

use crate::place::guard_file;
use crate::{Place, StoreError};
use agent_protocol::SessionId;
use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::io::Errno;
use std::fs::{self, File, OpenOptions, Permissions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Write};
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

const WHAT: &str = "a session";
const JOURNAL: &str = ".jsonl";
const CARD: &str = ".card.json";
const TORN: &str = ".torn-";

/// Who only looks whether a session is open holds its lock for a moment: so often, and so long, that is waited for.
const TRIES: u32 = 10;
const MOMENT: Duration = Duration::from_millis(5);

/// Where the sessions are kept.
#[derive(Debug, Clone)]
pub(super) struct SessionsFolder {
    place: Place,
    inside: Place,
}

impl SessionsFolder {
    pub(super) fn new(place: Place) -> Self {
        let inside = Place::new(place.folder().join("sessions"));
        SessionsFolder { place, inside }
    }

    /// Sees to it that the folder is there and ours alone.
    pub(super) fn prepare(&self) -> Result<(), StoreError> {
        self.place.prepare(WHAT)?;
        self.inside.prepare(WHAT)
    }

    /// Could nobody else have put something there?
    pub(super) fn check(&self) -> Result<(), StoreError> {
        self.place.check()?;
        self.inside.check()
    }

    /// The same for one journal.
    pub(super) fn check_journal(&self, id: &SessionId) -> Result<(), StoreError> {
        self.check()?;
        guard_file(&self.journal(id))
    }

    pub(super) fn journal(&self, id: &SessionId) -> PathBuf {
        self.inside.folder().join(format!("{id}{JOURNAL}"))
    }

    pub(super) fn card(&self, id: &SessionId) -> PathBuf {
        self.inside.folder().join(format!("{id}{CARD}"))
    }

    /// The names of all sessions, the newest first.
    pub(super) fn ids(&self) -> Vec<SessionId> {
        let mut ids: Vec<SessionId> = self
            .names()
            .iter()
            .filter_map(|name| Some(SessionId(name.strip_suffix(JOURNAL)?.to_owned())))
            .filter(is_name)
            .collect();
        ids.sort_unstable_by(|one, other| other.cmp(one));
        ids
    }

    /// The torn tails that were taken from a session.
    pub(super) fn torn(&self, id: &SessionId) -> Vec<PathBuf> {
        let begin = format!("{id}{TORN}");
        let torn = self.names().into_iter().filter(|name| name.starts_with(&begin));
        torn.map(|name| self.inside.folder().join(name)).collect()
    }

    fn names(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.inside.folder()) else { return Vec::new() };
        entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect()
    }

    /// A name that no session has yet, as far as can be seen.
    pub(super) fn new_id(&self) -> SessionId {
        let began = jiff::Zoned::now().strftime("%Y%m%d-%H%M%S").to_string();
        loop {
            let id = SessionId(format!("{began}-{:04x}", RandomState::new().build_hasher().finish() >> 48));
            if fs::symlink_metadata(self.journal(&id)).is_err() {
                return id;
            }
        }
    }

    /// A new journal, locked and on disk, that holds `text`: it is there with all of that or not at all.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] when the name is taken.
    pub(super) fn make(&self, id: &SessionId, text: &[u8]) -> io::Result<File> {
        let path = self.journal(id);
        let file = match nameless(self.inside.folder()).and_then(|file| named(file, &path, text)) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => plain(&path, text)?,
            made => made?,
        };
        self.sync()?;
        File::open(self.place.folder())?.sync_all()?;
        Ok(file)
    }

    /// What was made, renamed or removed in the folder is so on disk too.
    pub(super) fn sync(&self) -> io::Result<()> {
        File::open(self.inside.folder())?.sync_all()
    }

    /// Moves what stands in `file` from the byte `from` on to a file of its own; says which.
    pub(super) fn set_aside(&self, id: &SessionId, file: &File, from: u64) -> io::Result<PathBuf> {
        let mut tail = vec![0; usize::try_from(file.metadata()?.len().saturating_sub(from)).unwrap_or(0)];
        file.read_exact_at(&mut tail, from)?;
        let (path, mut aside) = self.new_torn(id)?;
        let kept = aside.write_all(&tail).and_then(|()| aside.sync_all()).and_then(|()| self.sync());
        if let Err(error) = kept {
            let _ = fs::remove_file(&path);
            return Err(error);
        }
        file.set_len(from)?;
        file.sync_data()?;
        Ok(path)
    }

    fn new_torn(&self, id: &SessionId) -> io::Result<(PathBuf, File)> {
        let time = super::line::now() / 1_000;
        let mut name = format!("{id}{TORN}{time}");
        for again in 1.. {
            let path = self.inside.folder().join(&name);
            match OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    name = format!("{id}{TORN}{time}-{again}")
                }
                made => return Ok((path, made?)),
            }
        }
        unreachable!("a name is free sooner or later")
    }
}

/// Could it be the name of a session? Others would lead elsewhere.
pub(super) fn is_name(id: &SessionId) -> bool {
    !id.0.is_empty() && id.0.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

pub(super) fn open_to_read(path: &Path) -> io::Result<File> {
    // A pipe of that name would wait for somebody to write.
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    plain_file(OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path)?)
}

pub(super) fn open_to_write(path: &Path) -> io::Result<File> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    plain_file(OpenOptions::new().read(true).append(true).custom_flags(flags.bits().cast_signed()).open(path)?)
}

fn plain_file(file: File) -> io::Result<File> {
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("it is no plain file")) }
}

/// Makes it ours alone to write, until it is closed. Says no where somebody else has it.
pub(super) fn lock(file: &File) -> bool {
    for _ in 0..TRIES {
        match flock(file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return true,
            Err(Errno::WOULDBLOCK) => thread::sleep(MOMENT),
            Err(error) => {
                tracing::warn!("no locks are to be had for sessions: {error}");
                return true;
            }
        }
    }
    false
}

/// Gives the lock back. Closing alone would not do it at once: a child that is being started at this moment has the file,
/// too, until it becomes another program.
pub(super) fn let_go(file: &File) {
    // Where there are no locks there is none to give back.
    let _ = flock(file, FlockOperation::Unlock);
}

/// Does somebody hold the lock? `file` is opened for this question alone.
pub(super) fn is_held(file: &File) -> bool {
    let held = flock(file, FlockOperation::NonBlockingLockShared) == Err(Errno::WOULDBLOCK);
    let_go(file);
    held
}

/// Nobody finds it by its name any more.
pub(super) fn is_gone(file: &File) -> bool {
    file.metadata().is_ok_and(|found| found.nlink() == 0)
}

/// Takes away what others may do with it.
pub(super) fn close_to_others(file: &File) -> io::Result<()> {
    if file.metadata()?.mode() & 0o777 == 0o600 { Ok(()) } else { file.set_permissions(Permissions::from_mode(0o600)) }
}

#[cfg(target_os = "linux")]
fn nameless(folder: &Path) -> io::Result<File> {
    let flags = OFlags::RDWR | OFlags::APPEND | OFlags::TMPFILE | OFlags::CLOEXEC;
    Ok(rustix::fs::open(folder, flags, rustix::fs::Mode::from_raw_mode(0o600))?.into())
}

#[cfg(not(target_os = "linux"))]
fn nameless(_folder: &Path) -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Gives a file without a name this one, once it holds `text`.
fn named(mut file: File, path: &Path, text: &[u8]) -> io::Result<File> {
    use rustix::fd::AsRawFd;
    fill(&mut file, text)?;
    let way = format!("/proc/self/fd/{}", file.as_raw_fd());
    rustix::fs::linkat(rustix::fs::CWD, way, rustix::fs::CWD, path, rustix::fs::AtFlags::SYMLINK_FOLLOW)?;
    Ok(file)
}

/// Where files without names are not to be had.
fn plain(path: &Path, text: &[u8]) -> io::Result<File> {
    let mut file = OpenOptions::new().read(true).append(true).create_new(true).mode(0o600).open(path)?;
    fill(&mut file, text).inspect_err(|_| drop(fs::remove_file(path)))?;
    Ok(file)
}

fn fill(file: &mut File, text: &[u8]) -> io::Result<()> {
    close_to_others(file)?;
    lock(file);
    file.write_all(text)?;
    file.sync_data()
}
