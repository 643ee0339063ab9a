//! The mounts of one command: written down beforehand, made by the command's own process just before it runs.
//!
//! First what is to be seen somewhere is picked up from where it is, then everything is made read-only, then what was
//! picked up is put down. What may be written was picked up before, so it stays as it is.
//!
//! **Invariant.** [`Mounts::make`] allocates nothing. No link is followed on the way, to what is picked up or to where it
//! is put; what was held open beforehand is compared.

#![expect(unsafe_code, reason = "between clone and exec there are only system calls")]

use super::overlay::{self, Programs};
use super::raw::{call, number, open, plain, read};
use super::terminals;
use rustix::fs::{StatVfsMountFlags, statvfs};
use std::ffi::{CStr, CString};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::RawFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};

/// Device and number of a file.
pub(super) type Id = (u64, u64);

/// Follow no link (openat2(2)).
const NO_LINKS: u64 = 0x04 | 0x02;
/// Of open_tree(2), move_mount(2) and mount_setattr(2), by number where `libc` has no name.
const CLONE: usize = 1;
const CLOEXEC: usize = libc::O_CLOEXEC as usize;
const EMPTY_PATH: usize = libc::AT_EMPTY_PATH as usize;
const RECURSIVE: usize = 0x8000;
const BOTH_EMPTY: usize = 0x04 | 0x40;
/// `struct mount_attr`: set, clear, propagation, users.
const READ_ONLY: [u64; 4] = [1, 0, 0, 0];

/// Where a command takes a copy of a mount from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SharedMount {
    /// The mount namespace it is in.
    pub(super) space: RawFd,
    pub(super) mount: RawFd,
}

/// What may be missing without harm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Absent {
    /// Nothing: then no command is started.
    Refused,
    /// What is picked up, also where another is in its place: then the command does not see it.
    SourceMayBe,
    /// Where it is put: where nothing is, nothing is to be covered.
    TargetMayBe,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MountKind {
    /// As it is outside.
    Writable,
    Readable,
    /// To be read, through an overlay: what is at the target, with the source beneath it.
    Overlay(Programs),
    /// What is at the target, with the source laid over it, to be written; nothing where that cannot be had.
    WrittenOver,
    /// A copy of such a mount, taken from where it was made.
    Taken(SharedMount),
    /// Terminals of its own, where there can be any; else nothing is put there.
    Terminals,
}

/// Something that is seen at a place.
#[derive(Debug)]
pub(super) struct Mount {
    source: CString,
    target: CString,
    /// What the kernel needs beside the source.
    work: Option<CString>,
    kind: MountKind,
    /// What may be written in there, where that is not all, and which of the rights to write that are to have.
    written: Vec<(CString, u64)>,
    known: Option<Id>,
    absent: Absent,
    /// While it is picked up; in memory that is shared with us, so by number.
    carried: AtomicI32,
}

impl Mount {
    /// `source` seen at `target`. It must be the `known` one, where that is told.
    pub(super) fn new(
        source: &Path,
        target: &Path,
        writable: bool,
        known: Option<Id>,
        absent: Absent,
    ) -> io::Result<Self> {
        let (source, target) = (string(source)?, string(target)?);
        let kind = if writable { MountKind::Writable } else { MountKind::Readable };
        Ok(Mount { source, target, work: None, kind, written: Vec::new(), known, absent, carried: AtomicI32::new(-1) })
    }

    /// What is at `place`, seen there through an overlay over `nothing`, an empty folder that lies elsewhere.
    pub(super) fn overlay(place: &Path, nothing: &Path) -> io::Result<Self> {
        let programs = match statvfs(place)?.f_flag.contains(StatVfsMountFlags::NOEXEC) {
            true => Programs::DoNot,
            false => Programs::Run,
        };
        let mount = Mount::new(nothing, place, false, None, Absent::Refused)?;
        Ok(Mount { kind: MountKind::Overlay(programs), ..mount })
    }

    /// What is at `place`, with what is written laid `over` it; `work` is an empty folder beside that.
    pub(super) fn written_over(place: &Path, over: &Path, work: &Path) -> io::Result<Self> {
        let mount = Mount::new(over, place, true, None, Absent::Refused)?;
        Ok(Mount { kind: MountKind::WrittenOver, work: Some(string(work)?), ..mount })
    }

    /// What is at `place` with what commands wrote laid over it, taken `from` where that was made. Only these folders and
    /// files in it may be written; with neither, all.
    pub(super) fn taken(place: &Path, from: SharedMount, folders: &[&str], files: &[&str]) -> io::Result<Self> {
        let mount = Mount::new(place, place, true, None, Absent::Refused)?;
        let folders = folders.iter().map(|name| (name, u64::MAX));
        let all = folders.chain(files.iter().map(|name| (name, overlay::RIGHTS_OF_FILES)));
        let written = all.map(|(name, rights)| Ok((string(&place.join(name))?, rights)));
        Ok(Mount { kind: MountKind::Taken(from), written: written.collect::<io::Result<_>>()?, ..mount })
    }

    /// Terminals of the command's own.
    pub(super) fn terminals() -> io::Result<Self> {
        let place = Path::new(terminals::PLACE);
        let mount = Mount::new(place, place, true, None, Absent::TargetMayBe)?;
        Ok(Mount { kind: MountKind::Terminals, ..mount })
    }

    pub(super) fn take_from(&mut self, source: &Path) -> io::Result<()> {
        self.source = string(source)?;
        Ok(())
    }

    /// The mount namespace that it is taken from, if it is taken from one.
    fn shared_in(&self) -> Option<i32> {
        match self.kind {
            MountKind::Taken(from) => Some(from.space),
            MountKind::Writable
            | MountKind::Readable
            | MountKind::Overlay(_)
            | MountKind::WrittenOver
            | MountKind::Terminals => None,
        }
    }

    fn pick_up(&self) -> Result<(), i32> {
        self.carried.store(-1, Ordering::Relaxed);
        match self.picked_up() {
            Ok(tree) => self.carried.store(i32::try_from(tree).map_err(|_| libc::EMFILE)?, Ordering::Relaxed),
            Err(error) if self.absent == Absent::SourceMayBe && is_absent(error) => {}
            Err(_) if matches!(self.kind, MountKind::Terminals | MountKind::WrittenOver) => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    fn picked_up(&self) -> Result<usize, i32> {
        match self.kind {
            MountKind::Terminals => return terminals::of_its_own(),
            MountKind::Taken(from) => return copy(number(from.mount), 0),
            MountKind::Writable | MountKind::Readable | MountKind::Overlay(_) | MountKind::WrittenOver => {}
        }
        let place = opened(&self.source)?;
        let tree = match self.kind {
            MountKind::Writable | MountKind::Readable | MountKind::Terminals | MountKind::Taken(_) => {
                self.cloned(place)
            }
            MountKind::Overlay(programs) => self.overlaid(place, programs),
            MountKind::WrittenOver => self.written(place),
        };
        let _ = plain(libc::SYS_close, [place]);
        tree
    }

    fn cloned(&self, place: usize) -> Result<usize, i32> {
        if self.known.is_some_and(|known| id(place) != Ok(known)) {
            return Err(libc::ESTALE);
        }
        // What is mounted beneath comes along where it may be written or is read as it is outside.
        let tree = copy(place, RECURSIVE)?;
        if self.kind != MountKind::Writable {
            make_read_only(tree, c"")?;
        }
        Ok(tree)
    }

    fn overlaid(&self, nothing: usize, programs: Programs) -> Result<usize, i32> {
        let place = opened(&self.target)?;
        let tree = overlay::of(place, nothing, programs);
        let _ = plain(libc::SYS_close, [place]);
        tree
    }

    fn written(&self, over: usize) -> Result<usize, i32> {
        let work = opened(self.work.as_deref().ok_or(libc::EINVAL)?)?;
        let tree = opened(&self.target).and_then(|place| {
            let tree = overlay::written_over(place, over, work);
            let _ = plain(libc::SYS_close, [place]);
            tree
        });
        let _ = plain(libc::SYS_close, [work]);
        tree
    }

    /// Adds to the `rules` for files what may be done there, where no rule that was made before can say so.
    fn allow(&self, rules: usize, writing: u64) {
        let allow = |path: &CStr, add: &dyn Fn(usize, usize)| {
            if let Ok(place) = opened(path) {
                add(rules, place);
                let _ = plain(libc::SYS_close, [place]);
            }
        };
        match self.kind {
            MountKind::Overlay(_) => allow(&self.target, &overlay::let_read),
            MountKind::Taken(_) if self.written.is_empty() => {
                allow(&self.target, &|rules, place| overlay::add_rule(rules, place, writing));
            }
            MountKind::Taken(_) => {
                allow(&self.target, &overlay::let_read);
                for (path, rights) in &self.written {
                    allow(path, &|rules, place| overlay::add_rule(rules, place, writing & rights));
                }
            }
            MountKind::Terminals if self.carried.load(Ordering::Relaxed) >= 0 => {
                allow(&self.target, &terminals::let_use);
                allow(terminals::MAKER, &terminals::let_use);
            }
            MountKind::Writable | MountKind::Readable | MountKind::WrittenOver | MountKind::Terminals => {}
        }
    }

    fn put_down(&self) -> Result<(), i32> {
        let Ok(tree) = usize::try_from(self.carried.load(Ordering::Relaxed)) else { return Ok(()) };
        let put = opened(&self.target).and_then(|place| {
            let empty = c"".as_ptr() as usize;
            // SAFETY: the paths end in a NUL.
            let moved = unsafe { call(libc::SYS_move_mount, [tree, empty, place, empty, BOTH_EMPTY]) };
            let _ = plain(libc::SYS_close, [place]);
            read(moved).map(drop)
        });
        let _ = plain(libc::SYS_close, [tree]);
        match put {
            Err(error) if self.absent == Absent::TargetMayBe && is_absent(error) => Ok(()),
            put => put,
        }
    }
}

/// All mounts of a command.
#[derive(Debug)]
pub(super) struct Mounts {
    all: Vec<Mount>,
    /// The one that is being made.
    at: AtomicUsize,
}

impl Mounts {
    /// In this order: what lies around a place comes before it.
    pub(super) fn new(all: Vec<Mount>) -> Self {
        Mounts { all, at: AtomicUsize::new(usize::MAX) }
    }

    /// Makes them, in a mount namespace that it makes for the calling process.
    pub(super) fn make(&self) -> Result<(), i32> {
        self.at.store(usize::MAX, Ordering::Relaxed);
        plain(libc::SYS_unshare, [number(libc::CLONE_NEWNS)])?;
        let_nothing_out()?;
        self.take_shared()?;
        for (at, mount) in self.all.iter().enumerate().filter(|(_, mount)| mount.shared_in().is_none()) {
            self.at.store(at, Ordering::Relaxed);
            mount.pick_up()?;
        }
        self.at.store(usize::MAX, Ordering::Relaxed);
        make_read_only(number(libc::AT_FDCWD), c"/")?;
        for (at, mount) in self.all.iter().enumerate() {
            self.at.store(at, Ordering::Relaxed);
            mount.put_down()?;
        }
        Ok(())
    }

    /// Picks up what is taken from another mount namespace, in there: nowhere else the kernel lets it be copied.
    fn take_shared(&self) -> Result<(), i32> {
        let Some(space) = self.all.iter().find_map(Mount::shared_in) else { return Ok(()) };
        let own = open(c"/proc/self/ns/mnt")?;
        let go = |space| plain(libc::SYS_setns, [space, number(libc::CLONE_NEWNS)]);
        go(number(space))?;
        for (at, mount) in self.all.iter().enumerate().filter(|(_, mount)| mount.shared_in().is_some()) {
            self.at.store(at, Ordering::Relaxed);
            mount.pick_up()?;
        }
        go(own)?;
        plain(libc::SYS_close, [own]).map(drop)
    }

    /// Opens each that was made, at the same place in `to`.
    pub(super) fn open_each(&self, to: &[AtomicI32]) {
        for (mount, to) in self.all.iter().zip(to).filter(|(mount, _)| mount.carried.load(Ordering::Relaxed) >= 0) {
            to.store(opened(&mount.target).map_or(-1, |opened| opened as i32), Ordering::Relaxed);
        }
    }

    /// Adds to the `rules` for files what may be done in what was made; `writing` is all that may be done where a command
    /// writes.
    pub(super) fn allow(&self, rules: usize, writing: u64) {
        for mount in &self.all {
            mount.allow(rules, writing);
        }
    }

    /// Tries whether all of them could be made, and makes none; in a mount namespace of the caller's own.
    pub(super) fn could_be_made(&self) -> Result<(), i32> {
        for (at, mount) in self.all.iter().enumerate() {
            self.at.store(at, Ordering::Relaxed);
            mount.pick_up()?;
            let _ = plain(libc::SYS_close, [number(mount.carried.load(Ordering::Relaxed))]);
        }
        Ok(())
    }

    /// Where it stopped when it failed.
    pub(super) fn stopped_at(&self) -> Option<String> {
        let mount = self.all.get(self.at.load(Ordering::Relaxed))?;
        Some(mount.target.to_string_lossy().into_owned())
    }
}

/// What is unmounted outside is unmounted here too, and nothing goes the other way.
fn let_nothing_out() -> Result<(), i32> {
    let flow = (libc::MS_REC | libc::MS_SLAVE) as usize;
    // SAFETY: the path ends in a NUL, and the kernel looks at no other for this.
    read(unsafe { call(libc::SYS_mount, [0, c"/".as_ptr() as usize, 0, flow, 0]) }).map(drop)
}

/// In a mount namespace of its own: everything can only be read. For who tries whether that can be had.
pub(super) fn view_only() -> Result<(), i32> {
    let_nothing_out()?;
    make_read_only(number(libc::AT_FDCWD), c"/")
}

fn string(path: &Path) -> io::Result<CString> {
    Ok(CString::new(path.as_os_str().as_bytes())?)
}

/// Nothing is there, nobody may go there, or another is there by now.
fn is_absent(error: i32) -> bool {
    matches!(error, libc::ENOENT | libc::ENOTDIR | libc::EACCES | libc::ESTALE)
}

/// A copy of the mount that is open as `place`, mounted nowhere yet.
fn copy(place: usize, more: usize) -> Result<usize, i32> {
    let how = CLONE | CLOEXEC | EMPTY_PATH | more;
    // SAFETY: the path ends in a NUL.
    read(unsafe { call(libc::SYS_open_tree, [place, c"".as_ptr() as usize, how, 0, 0]) })
}

fn opened(path: &CStr) -> Result<usize, i32> {
    let how = [(libc::O_PATH | libc::O_CLOEXEC | libc::O_NOFOLLOW) as u64, 0, NO_LINKS];
    let (path, size) = (path.as_ptr() as usize, size_of_val(&how));
    // SAFETY: the path ends in a NUL, and `struct open_how` is three such numbers.
    read(unsafe { call(libc::SYS_openat2, [number(libc::AT_FDCWD), path, how.as_ptr() as usize, size, 0]) })
}

/// With all that is mounted beneath.
fn make_read_only(at: usize, path: &CStr) -> Result<(), i32> {
    let (path, attributes) = (path.as_ptr() as usize, READ_ONLY.as_ptr() as usize);
    let how = EMPTY_PATH | RECURSIVE;
    // SAFETY: the path ends in a NUL, and the attributes are as long as is said.
    read(unsafe { call(libc::SYS_mount_setattr, [at, path, how, attributes, size_of_val(&READ_ONLY)]) }).map(drop)
}

/// Which file an open one is. Allocates nothing.
pub(super) fn id(opened: usize) -> Result<Id, i32> {
    let mut found = MaybeUninit::<libc::stat>::uninit();
    let (path, how) = (c"".as_ptr() as usize, EMPTY_PATH);
    // SAFETY: the path ends in a NUL, and there is room for what the kernel says.
    read(unsafe { call(libc::SYS_newfstatat, [opened, path, found.as_mut_ptr() as usize, how, 0]) })?;
    // SAFETY: the kernel has filled it.
    let found = unsafe { found.assume_init() };
    Ok((found.st_dev, found.st_ino))
}
