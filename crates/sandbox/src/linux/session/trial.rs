//! Tries what a session's namespaces hold before any command relies on it: by doing what a command would do.

#![expect(unsafe_code, reason = "the child shares our memory and makes system calls only")]

use crate::linux::mounts::{Mount, Mounts, view_only};
use crate::linux::raw::{call, number, plain, read};
use crate::linux::session::{Session, bring_up};
use crate::linux::small::Small;
use crate::linux::view::{self, Needs, View};
use crate::linux::{private::Private, trees};
use crate::linux::{tcp, without};
use crate::temporary::Temporary;
use rustix::process::geteuid;
use std::ffi::{c_int, c_void};
use std::fs::File;
use std::io;
use std::mem::zeroed;
use std::net::TcpListener;
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicI32, Ordering};

/// What a child came to.
const UNTOLD: c_int = -1;
const HOLDS: c_int = 0;
const NOT_JOINED: c_int = 1;
const NOT_MADE: c_int = 2;
const NOT_WITHIN: c_int = 3;
const BEYOND: c_int = 4;
const NOT_LISTENING: c_int = 5;
const LATER: c_int = 6;

/// What a child came to, told by itself: one of the above, and the number of an error.
struct Came {
    code: AtomicI32,
    error: AtomicI32,
}

impl Default for Came {
    fn default() -> Self {
        Came { code: AtomicI32::new(UNTOLD), error: AtomicI32::new(0) }
    }
}

impl Came {
    fn to(&self, code: c_int, error: i32) -> c_int {
        self.error.store(error, Ordering::Relaxed);
        self.code.store(code, Ordering::Release);
        0
    }

    fn told(&self) -> (c_int, io::Error) {
        (self.code.load(Ordering::Acquire), io::Error::from_raw_os_error(self.error.load(Ordering::Relaxed)))
    }
}

/// Its loopback works, and is not the machine's.
///
/// # Errors
/// What does not hold, and what would help.
pub(super) fn of_loopback(session: &Session) -> Result<(), String> {
    let within = || {
        let listener = session.listen()?;
        session.connect(listener.local_addr()?.port()).map(drop)
    };
    within().map_err(|error| without::words("a loopback of its own does not work", &error))?;
    let outside = || {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let at = listener.local_addr()?;
        io::Result::Ok(tcp::connect(session.socket(false)?, at).is_ok())
    };
    match outside() {
        Ok(false) => Ok(()),
        Ok(true) => Err("the loopback of this machine was reached from a network of its own".into()),
        Err(error) => Err(format!("a loopback of its own could not be tried: {error}")),
    }
}

/// A command sees a socket of its own, and not one of another program beside it.
///
/// # Errors
/// What does not hold, and what would help.
pub(super) fn of_covers(session: &Session) -> Result<(), String> {
    let untried = |error: io::Error| format!("mounts of its own could not be tried: {error}");
    // Paths of sockets must be short.
    let place = Temporary::new(None).map_err(untried)?;
    let trial = Trial::prepare(session, place.path(), None).map_err(untried)?;
    Small::run_and_leave(0, go, &trial.given).map_err(untried)?;
    match trial.given.came.told() {
        (HOLDS, _) => Ok(()),
        (NOT_JOINED | NOT_MADE, error) => Err(without::words("mounts of its own cannot be made", &error)),
        (NOT_WITHIN, error) => Err(format!("a socket of its own was not reached ({error})")),
        (BEYOND, _) => Err("a socket of another program was reached".into()),
        (_, _) => Err("the child that tried mounts of its own was ended".into()),
    }
}

/// A command that sees these `trees` through overlays does not reach a socket that is made in such a place while it runs.
///
/// # Errors
/// What does not hold.
pub(super) fn of_overlays(session: &Session, trees: &[PathBuf]) -> Result<(), String> {
    let untried = |error: io::Error| format!("overlays could not be tried: {error}");
    let place = Temporary::new(None).map_err(untried)?;
    let trial = Trial::prepare(session, place.path(), Some(trees)).map_err(untried)?;
    Small::run_and_leave(0, go, &trial.given).map_err(untried)?;
    let at = trial.given.view.mounts.stopped_at().unwrap_or_default();
    match trial.given.came.told() {
        (HOLDS, _) => Ok(()),
        (NOT_JOINED | NOT_MADE, error) => Err(no_overlay(&at, &error)),
        (NOT_WITHIN | NOT_LISTENING, error) => {
            Err(format!("beside overlays a socket of its own was not reached ({error})"))
        }
        (BEYOND | LATER, _) => Err("a socket of another program was reached through an overlay".into()),
        (_, _) => Err("the child that tried overlays was ended".into()),
    }
}

/// Can a command have these mounts, which are taken from where they were made?
pub(in crate::linux) fn of_taken(session: &Session, mounts: Mounts) -> bool {
    let taken = Taken { session, mounts, came: Came::default() };
    Small::run_and_leave(0, take, &taken).is_ok() && taken.came.told().0 == HOLDS
}

struct Taken<'a> {
    session: &'a Session,
    mounts: Mounts,
    came: Came,
}

/// The child that tries it.
extern "C" fn take(taken: *mut c_void) -> c_int {
    // SAFETY: it is one, and stays one for as long as we run.
    let taken = unsafe { &*taken.cast::<Taken<'_>>() };
    match taken.session.join().and_then(|()| taken.mounts.make()) {
        Ok(()) => taken.came.to(HOLDS, 0),
        Err(error) => taken.came.to(NOT_MADE, error),
    }
}

/// Whose home is among the others as a rule.
const HOME_OF_ROOT: &str = "/root";

/// Overlays of all trees of this machine could be made, as far as that can be tried without a session.
///
/// # Errors
/// What does not hold.
pub(in crate::linux) fn of_trees() -> Result<(), String> {
    let untried = |error: io::Error| format!("overlays could not be tried: {error}");
    let private = Private::new(None).map_err(untried)?;
    let trees = trees::find(geteuid().is_root().then_some(Path::new(HOME_OF_ROOT)), None)?;
    let made = trees.iter().map(|tree| Mount::overlay(tree, private.beneath_overlays()));
    let mounts = Mounts::new(made.collect::<io::Result<_>>().map_err(untried)?);
    let looked = Looked { mounts, came: Came::default() };
    Small::run_and_leave(libc::CLONE_NEWUSER | libc::CLONE_NEWNS, look_through, &looked).map_err(untried)?;
    match looked.came.told() {
        (HOLDS, _) => Ok(()),
        (NOT_MADE, error) => Err(no_overlay(&looked.mounts.stopped_at().unwrap_or_default(), &error)),
        (_, _) => Err("the child that tried overlays was ended".into()),
    }
}

fn no_overlay(place: &str, error: &io::Error) -> String {
    format!("no overlay of {place} can be made ({error}); that takes Linux 5.11, and a file system that allows it")
}

struct Looked {
    mounts: Mounts,
    came: Came,
}

/// The child that tries overlays in namespaces of its own.
extern "C" fn look_through(looked: *mut c_void) -> c_int {
    // SAFETY: it is one, and stays one for as long as we run.
    let looked = unsafe { &*looked.cast::<Looked>() };
    match looked.mounts.could_be_made() {
        Ok(()) => looked.came.to(HOLDS, 0),
        Err(error) => looked.came.to(NOT_MADE, error),
    }
}

/// Namespaces can be made, with a loopback and read-only mounts in them: what can be tried without keeping any.
///
/// # Errors
/// What does not hold, and what would help.
pub(in crate::linux) fn of_namespaces() -> Result<(), String> {
    let flags = libc::CLONE_NEWUSER | libc::CLONE_NEWNET | libc::CLONE_NEWIPC | libc::CLONE_NEWNS;
    let came = Came::default();
    Small::run_and_leave(flags, look, &came)
        .map_err(|error| without::words("user and network namespaces cannot be made", &error))?;
    match came.told() {
        (HOLDS, _) => Ok(()),
        (NOT_JOINED, error) => Err(without::words("a loopback of its own cannot be switched on", &error)),
        (NOT_MADE, error) => Err(without::words("mounts of its own cannot be made", &error)),
        (_, _) => Err("the child that tried namespaces was ended".into()),
    }
}

/// The child that is in namespaces of its own from the start.
extern "C" fn look(came: *mut c_void) -> c_int {
    // SAFETY: it is one, and stays one for as long as we run.
    let came = unsafe { &*came.cast::<Came>() };
    match (bring_up(), view_only()) {
        (Err(error), _) => came.to(NOT_JOINED, error),
        (Ok(()), Err(error)) => came.to(NOT_MADE, error),
        (Ok(()), Ok(())) => came.to(HOLDS, 0),
    }
}

/// A trial, and what has to be there meanwhile.
struct Trial<'a> {
    given: Given<'a>,
    _listeners: [UnixListener; 2],
    _held: File,
}

/// What the child is given.
struct Given<'a> {
    session: &'a Session,
    view: View,
    within: libc::sockaddr_un,
    beyond: libc::sockaddr_un,
    /// One that is made only then, as it is outside and as it is seen.
    later: Option<[libc::sockaddr_un; 2]>,
    came: Came,
}

impl<'a> Trial<'a> {
    /// In `place`; with these trees seen through overlays, and a folder of the trial like them.
    fn prepare(session: &'a Session, place: &Path, trees: Option<&[PathBuf]>) -> io::Result<Self> {
        let [within, beyond] = ["within", "beyond"].map(|name| place.join(name));
        for folder in [&within, &beyond] {
            std::fs::create_dir(folder)?;
        }
        let listeners = [UnixListener::bind(within.join("s"))?, UnixListener::bind(beyond.join("s"))?];
        let (opened, held) = (File::open(&within)?, File::open(&beyond)?);
        let overlays: Option<Vec<PathBuf>> = trees.map(|trees| trees.iter().chain([&beyond]).cloned().collect());
        let later = [Path::new("/proc/self/fd").join(held.as_raw_fd().to_string()), beyond.clone()];
        let later = later.map(|folder| address(&folder.join("later")));
        let needs = Needs {
            writable: &[(within.clone(), opened.as_fd())],
            project: Some(&within),
            temporary: (&within, opened.as_fd()),
            readable: std::slice::from_ref(&beyond),
            cwd: &within,
            hidden: &[],
            kept: &[],
            home: None,
            overlays: overlays.as_deref(),
            usual: &[],
        };
        let view = view::of(&session.private, &needs)?;
        let given = Given {
            session,
            view,
            within: address(&within.join("s")),
            beyond: address(&beyond.join("s")),
            later: overlays.map(|_| later),
            came: Came::default(),
        };
        Ok(Trial { given, _listeners: listeners, _held: held })
    }
}

/// Of a path so short that somebody listens there.
fn address(path: &Path) -> libc::sockaddr_un {
    // SAFETY: all zeroes are an address.
    let mut address: libc::sockaddr_un = unsafe { zeroed() };
    address.sun_family = libc::AF_UNIX as libc::sa_family_t;
    for (to, byte) in address.sun_path.iter_mut().zip(path.as_os_str().as_bytes()) {
        *to = *byte as libc::c_char;
    }
    address
}

extern "C" fn go(given: *mut c_void) -> c_int {
    // SAFETY: it is what it was given, and stays that for as long as we run.
    let given = unsafe { &*given.cast::<Given<'_>>() };
    if let Err(error) = given.session.join() {
        return given.came.to(NOT_JOINED, error);
    }
    if let Err(error) = given.view.mounts.make() {
        return given.came.to(NOT_MADE, error);
    }
    match (reaches(&given.within), reaches(&given.beyond)) {
        (Err(error), _) => given.came.to(NOT_WITHIN, error),
        (Ok(()), Ok(())) => given.came.to(BEYOND, 0),
        (Ok(()), Err(_)) => match &given.later {
            Some([outside, seen]) => later(given, outside, seen),
            None => given.came.to(HOLDS, 0),
        },
    }
}

/// Listens where the trial's folder is outside, as another program would, and connects to it where it is seen.
fn later(given: &Given<'_>, outside: &libc::sockaddr_un, seen: &libc::sockaddr_un) -> c_int {
    match (listens(outside).and_then(|()| reaches(outside)), reaches(seen)) {
        (Err(error), _) => given.came.to(NOT_LISTENING, error),
        (Ok(()), Ok(())) => given.came.to(LATER, 0),
        (Ok(()), Err(_)) => given.came.to(HOLDS, 0),
    }
}

/// For as long as the child is there.
fn listens(address: &libc::sockaddr_un) -> Result<(), i32> {
    let socket = plain(libc::SYS_socket, [number(libc::AF_UNIX), number(libc::SOCK_STREAM), 0])?;
    let at = std::ptr::from_ref(address) as usize;
    // SAFETY: the address is as long as is said.
    read(unsafe { call(libc::SYS_bind, [socket, at, size_of_val(address), 0, 0]) })?;
    plain(libc::SYS_listen, [socket, 1]).map(drop)
}

fn reaches(address: &libc::sockaddr_un) -> Result<(), i32> {
    let socket = plain(libc::SYS_socket, [number(libc::AF_UNIX), number(libc::SOCK_STREAM), 0])?;
    let to = std::ptr::from_ref(address) as usize;
    // SAFETY: the address is as long as is said.
    read(unsafe { call(libc::SYS_connect, [socket, to, size_of_val(address), 0, 0]) }).map(drop)
}
