//! The namespaces that all commands of a session share: users, network, and memory that is known by a number.
//!
//! A child makes them, hands them over as open files, and ends. No process stays; they are there for as long as we or a
//! command hold them. In the network there is a loopback and nothing else.
//!
//! **Invariant.** A [`Session`] is there only where it was tried: its loopback works, and that of the machine is out of
//! reach.

#![expect(unsafe_code, reason = "what a child opened becomes ours by its number")]

mod cache_mounts;
pub(super) mod trial;

pub(super) use cache_mounts::CacheMounts;

use super::private::Private;
use super::raw::{self, call, number, open, plain};
use super::small::Small;
use super::{trees, without};
use cache_mounts::SharedCaches;
use rustix::process::{getegid, geteuid};
use std::ffi::{CStr, c_int, c_void};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Which they are: the name of each in `/proc/self/ns`, and its flag.
const SPACES: [(&CStr, c_int); 3] = [
    (c"/proc/self/ns/user", libc::CLONE_NEWUSER),
    (c"/proc/self/ns/net", libc::CLONE_NEWNET),
    (c"/proc/self/ns/ipc", libc::CLONE_NEWIPC),
];
/// Exit codes of the child that makes them.
const STOPPED: c_int = 1;
const NO_LOOPBACK: c_int = 2;
const NO_FILES: c_int = 3;

/// Trees that were tried, and what came of it.
type Tried = (Vec<PathBuf>, Result<(), String>);

#[derive(Debug)]
pub(crate) struct Session {
    spaces: [OwnedFd; 3],
    pub(super) private: Private,
    /// Whether its commands see files of their own making, or why not.
    covers: Result<(), String>,
    home: Option<PathBuf>,
    project: PathBuf,
    /// What the kernel counts in their network, opened once.
    pub(super) counters: OnceLock<Option<(File, Option<File>)>>,
    /// The trees that were last tried to be seen through overlays, and whether that held.
    tried: Mutex<Option<Tried>>,
    caches: SharedCaches,
}

impl Session {
    /// Makes them, and tries them. What is private to the session lies in `place`. Takes some milliseconds.
    ///
    /// # Errors
    /// Why none can be had here, and what would change that.
    pub(crate) fn make(place: Option<&Path>, home: Option<&Path>, project: &Path) -> Result<Self, String> {
        let spaces = spaces()?;
        let private = Private::new(place).map_err(|error| format!("a private /tmp could not be made: {error}"))?;
        let (home, project, tried) = (home.map(Path::to_owned), project.to_owned(), Mutex::default());
        let mut session = Session {
            spaces,
            private,
            covers: Ok(()),
            home,
            project,
            counters: OnceLock::new(),
            tried,
            caches: SharedCaches::default(),
        };
        trial::of_loopback(&session)?;
        session.covers = trial::of_covers(&session);
        Ok(session)
    }

    /// Do its commands see files of their own making: a private `/tmp`, covers over what is not theirs?
    ///
    /// # Errors
    /// Why not.
    pub(crate) fn covers(&self) -> Result<(), &str> {
        self.covers.as_ref().copied().map_err(String::as_str)
    }

    /// What its commands see through overlays, so that no socket in there can be connected to that another program makes
    /// while they run. Tried anew when something was mounted or unmounted; blocks for some milliseconds then.
    ///
    /// # Errors
    /// Why that cannot be had.
    pub(crate) fn overlays(&self) -> Result<Vec<PathBuf>, String> {
        self.covers()?;
        let trees = trees::find(self.home.as_deref(), Some(&self.project))?;
        let mut tried = self.tried.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((same, held)) = tried.as_ref().filter(|(same, _)| *same == trees) {
            return held.clone().map(|()| same.clone());
        }
        let held = trial::of_overlays(self, &trees);
        *tried = Some((trees.clone(), held.clone()));
        held.map(|()| trees)
    }

    /// The number of its network, by which a process in it is known.
    pub(super) fn network(&self) -> io::Result<u64> {
        Ok(rustix::fs::fstat(&self.spaces[1])?.st_ino)
    }

    /// The calling process joins them. Allocates nothing.
    pub(super) fn join(&self) -> Result<(), i32> {
        for (space, (_, flag)) in self.spaces.iter().zip(SPACES) {
            plain(libc::SYS_setns, [number(space.as_raw_fd()), number(flag)])?;
        }
        Ok(())
    }

    /// A file of `/proc` that tells of that network.
    pub(super) fn open(&self, path: &'static CStr) -> io::Result<OwnedFd> {
        self.fetch(ToOpen::File(path))
    }

    /// A TCP socket in that network.
    pub(crate) fn socket(&self, version_6: bool) -> io::Result<OwnedFd> {
        let family = if version_6 { libc::AF_INET6 } else { libc::AF_INET };
        self.fetch(ToOpen::Socket(family))
    }

    /// The list of its sockets.
    pub(crate) fn list(&self, version_6: bool) -> io::Result<OwnedFd> {
        self.open(if version_6 { c"/proc/self/net/tcp6" } else { c"/proc/self/net/tcp" })
    }

    fn fetch(&self, wanted: ToOpen) -> io::Result<OwnedFd> {
        let errand = Errand { session: self, wanted, got: AtomicI32::new(-libc::EIO) };
        Small::run(libc::CLONE_FILES, fetch, &errand)?;
        let got = errand.got.into_inner();
        if got < 0 {
            return Err(io::Error::from_raw_os_error(-got));
        }
        // SAFETY: the child opened it for us, and has ended.
        Ok(unsafe { OwnedFd::from_raw_fd(got) })
    }
}

/// What a child is to open in the network.
#[derive(Debug)]
enum ToOpen {
    Socket(c_int),
    File(&'static CStr),
}

#[derive(Debug)]
struct Errand<'a> {
    session: &'a Session,
    wanted: ToOpen,
    /// A descriptor, or an error as a negative number.
    got: AtomicI32,
}

/// The child that opens something in the network.
extern "C" fn fetch(errand: *mut c_void) -> c_int {
    // SAFETY: it is an errand, and stays one for as long as we run.
    let errand = unsafe { &*errand.cast::<Errand<'_>>() };
    let got = errand.session.join().and_then(|()| match errand.wanted {
        ToOpen::Socket(family) => {
            plain(libc::SYS_socket, [number(family), number(libc::SOCK_STREAM | libc::SOCK_CLOEXEC), 0])
        }
        ToOpen::File(path) => open(path),
    });
    errand.got.store(got.map_or_else(|error| -error, |fd| fd as i32), Ordering::Relaxed);
    0
}

/// What the child that makes them is given, and what it hands over.
#[derive(Debug)]
struct Making {
    /// It waits here until it may go on.
    gate: RawFd,
    made: [AtomicI32; 3],
    error: AtomicI32,
}

fn spaces() -> Result<[OwnedFd; 3], String> {
    let (gate, opener) = io::pipe().map_err(|error| error.to_string())?;
    let made = [const { AtomicI32::new(-1) }; 3];
    let making = Making { gate: gate.as_raw_fd(), made, error: AtomicI32::new(0) };
    let flags = SPACES.iter().fold(libc::CLONE_FILES, |flags, (_, flag)| flags | flag);
    let mut child = Small::begin(flags, make, &making)
        .map_err(|error| without::words("user and network namespaces cannot be made", &error))?;
    let mapped = map_ids(child.id().as_raw_nonzero().get());
    let word: &[u8] = if mapped.is_ok() { b"y" } else { b"n" };
    // It always waits there, and one byte always fits.
    let _ = (&opener).write_all(word);
    let code = child.ended();
    drop(child);
    // SAFETY: the child opened them for us, and has ended.
    let ours = making.made.each_ref().map(|fd| match fd.load(Ordering::Relaxed) {
        fd @ 0.. => Some(unsafe { OwnedFd::from_raw_fd(fd) }),
        _ => None,
    });
    let error = io::Error::from_raw_os_error(making.error.load(Ordering::Relaxed));
    match (mapped, code, ours) {
        (Ok(()), Some(0), [Some(user), Some(net), Some(ipc)]) => Ok([user, net, ipc]),
        (Err(error), ..) => Err(without::words("users of a namespace cannot be named", &error)),
        (Ok(()), Some(NO_LOOPBACK), _) => Err(without::words("a loopback of its own cannot be switched on", &error)),
        (Ok(()), Some(NO_FILES), _) => Err(without::words("namespaces cannot be kept", &error)),
        (Ok(()), ..) => Err("the child that makes namespaces was ended".into()),
    }
}

/// The child that makes the namespaces, by having been made in them.
extern "C" fn make(making: *mut c_void) -> c_int {
    // SAFETY: it is one, and stays one for as long as we run.
    let making = unsafe { &*making.cast::<Making>() };
    // Whoever made us has to say who is who in here.
    let _ = plain(libc::SYS_prctl, [number(libc::PR_SET_PDEATHSIG), number(libc::SIGKILL)]);
    let mut word = [0_u8; 1];
    // SAFETY: there is room for one byte.
    let read = unsafe { call(libc::SYS_read, [number(making.gate), word.as_mut_ptr() as usize, 1, 0, 0]) };
    if read != 1 || word != *b"y" {
        return STOPPED;
    }
    if let Err(error) = bring_up() {
        making.error.store(error, Ordering::Relaxed);
        return NO_LOOPBACK;
    }
    for (made, (path, _)) in making.made.iter().zip(SPACES) {
        match open(path) {
            Ok(fd) => made.store(fd as i32, Ordering::Relaxed),
            Err(error) => {
                making.error.store(error, Ordering::Relaxed);
                return NO_FILES;
            }
        }
    }
    0
}

/// Switches the loopback on of the network that the caller is in. Allocates nothing.
pub(super) fn bring_up() -> Result<(), i32> {
    let socket = plain(libc::SYS_socket, [number(libc::AF_INET), number(libc::SOCK_DGRAM | libc::SOCK_CLOEXEC), 0])?;
    // `struct ifreq` (netdevice(7)): a name of 16 bytes, then the flags.
    let mut request = [0_u8; 40];
    request[..2].copy_from_slice(b"lo");
    let [low, high] = ((libc::IFF_UP | libc::IFF_RUNNING) as u16).to_ne_bytes();
    [request[16], request[17]] = [low, high];
    // SAFETY: the request is as long as the kernel's.
    let answer =
        unsafe { call(libc::SYS_ioctl, [socket, libc::SIOCSIFFLAGS as usize, request.as_ptr() as usize, 0, 0]) };
    let _ = plain(libc::SYS_close, [socket]);
    raw::read(answer).map(drop)
}

/// Says who is who in the namespace of `child`: everybody is who they are outside. Who is not root may say so of
/// themselves only.
fn map_ids(child: i32) -> io::Result<()> {
    if geteuid().is_root() && map_all(child).is_ok() {
        return Ok(());
    }
    let (user, group) = (geteuid().as_raw(), getegid().as_raw());
    // Without the one the kernel allows no more than the other.
    tell(child, "setgroups", "deny")?;
    tell(child, "uid_map", &format!("{user} {user} 1"))?;
    tell(child, "gid_map", &format!("{group} {group} 1"))
}

fn map_all(child: i32) -> io::Result<()> {
    for map in ["uid_map", "gid_map"] {
        let all = identical(&std::fs::read_to_string(format!("/proc/self/{map}"))?);
        tell(child, map, &all)?;
    }
    Ok(())
}

fn tell(child: i32, file: &str, what: &str) -> io::Result<()> {
    OpenOptions::new().write(true).open(format!("/proc/{child}/{file}"))?.write_all(what.as_bytes())
}

/// All that a map of ours has, each as itself (user_namespaces(7): inside, outside, how many).
fn identical(map: &str) -> String {
    let ranges = map.lines().filter_map(|line| {
        let mut fields = line.split_whitespace();
        let (first, count) = (fields.next()?, fields.nth(1)?);
        Some(format!("{first} {first} {count}\n"))
    });
    ranges.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_range_of_ids_is_mapped_to_itself() {
        assert_eq!(identical("         0          0 4294967295\n"), "0 0 4294967295\n");
        assert_eq!(identical("0 100000 1000\n1000 1000 1\n"), "0 0 1000\n1000 1000 1\n");
    }
}
