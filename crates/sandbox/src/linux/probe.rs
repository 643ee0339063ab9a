//! What holds commands in here, found by sending a small child into the sandbox and looking how far it comes.

#![expect(unsafe_code, reason = "the child shares our memory and makes system calls only")]

use super::layers::Layers;
use super::session::trial;
use super::told;
use super::walls::{Plot, Walls};
use crate::temporary::Temporary;
use agent_protocol::{Profile, SandboxKind, SandboxSupport};
use rustix::io::Errno;
use rustix::process::{Pid, WaitOptions, geteuid, waitpid};
use std::ffi::{CString, c_int, c_void};
use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Bytes of a child's stack; of most only the addresses are used.
const STACK: usize = 256 * 1024;
/// The code of a child that has no walls around it.
const NO_WALLS: c_int = 255;

/// How far a child came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Reached {
    /// It wrote in the project.
    within: bool,
    beyond: bool,
    socket: bool,
    /// It got a ring, which makes sockets too.
    ring: bool,
}

const NOWHERE: Reached = Reached { within: false, beyond: false, socket: false, ring: false };
/// What a child of each profile should reach, and no more.
const EXPECTED: &[(Profile, Reached)] =
    &[(Profile::ReadOnly, NOWHERE), (Profile::Project, Reached { within: true, ..NOWHERE })];

/// What holds commands in here. A few milliseconds.
pub(crate) fn probe() -> SandboxSupport {
    let layers = Layers::find();
    if let Some(why) = layers.missing() {
        return SandboxSupport { details: without(layers), ..SandboxSupport::none(why) };
    }
    let reached = EXPECTED.iter().map(|(profile, _)| send_a_child(*profile));
    match reached.collect::<Result<Vec<_>, _>>() {
        Ok(reached) => {
            verdict(layers.landlock.unwrap_or_default(), &reached, (trial::of_namespaces(), trial::of_trees()))
        }
        Err(error) => SandboxSupport::none(format!("the sandbox could not be tried: {error}")),
    }
}

fn verdict(
    landlock: u32,
    reached: &[Reached],
    (namespaces, overlays): (Result<(), String>, Result<(), String>),
) -> SandboxSupport {
    let faults: Vec<String> = EXPECTED
        .iter()
        .zip(reached)
        .filter(|((_, expected), reached)| expected != *reached)
        .map(|((profile, expected), reached)| format!("{}: {}", profile.words(), difference(*expected, *reached)))
        .collect();
    if !faults.is_empty() {
        return SandboxSupport { details: faults, ..SandboxSupport::none("the sandbox was tried and does not hold") };
    }
    SandboxSupport {
        apart: namespaces.is_ok(),
        kind: SandboxKind::Kernel,
        words: format!("Landlock {landlock} + seccomp"),
        details: told::details(landlock, namespaces, overlays, geteuid().is_root()),
    }
}

fn difference(expected: Reached, reached: Reached) -> String {
    let could = [
        (reached.beyond && !expected.beyond, "a command could write outside the project"),
        (reached.within && !expected.within, "a command could write in the project"),
        (!reached.within && expected.within, "a command could not write in the project"),
        (reached.socket && !expected.socket, "a command could open a socket"),
        (reached.ring && !expected.ring, "a command could open an io_uring"),
    ];
    could.iter().filter(|(so, _)| *so).map(|(_, words)| *words).collect::<Vec<_>>().join(", ")
}

/// What is so where a layer is missing.
fn without(layers: Layers) -> Vec<String> {
    let network = if layers.calls { "held all the same: no network, unless you give it" } else { "not held: network" };
    [network, "not held: files; commands can write wherever you can", told::ENDS].map(String::from).into()
}

fn send_a_child(profile: Profile) -> io::Result<Reached> {
    let place = Temporary::new(None)?;
    let [within, beyond, temporary] = ["within", "beyond", "temporary"].map(|name| place.path().join(name));
    for folder in [&within, &beyond, &temporary] {
        std::fs::create_dir(folder)?;
    }
    let [opened, temporary] = [File::open(&within)?, File::open(&temporary)?];
    let plot = Plot { profile, writable: &[opened.as_fd(), temporary.as_fd()], ports: &[], apart: None };
    let walls = Walls::on(&plot).map_err(io::Error::other)?;
    let trial = Trial { walls, within: file_in(&within)?, beyond: file_in(&beyond)? };
    let mut stack = Box::<[u8]>::new_uninit_slice(STACK);
    let top = stack.as_mut_ptr_range().end;
    let top = top.wrapping_sub(top as usize % 16).cast();
    let trial = (&raw const trial).cast_mut().cast();
    // SAFETY: we wait until the child has ended, so the stack and the trial are its own for as long as it runs.
    let child = unsafe { libc::clone(go, top, libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD, trial) };
    let child = Pid::from_raw(child).filter(|_| child > 0).ok_or_else(io::Error::last_os_error)?;
    let code = loop {
        match waitpid(Some(child), WaitOptions::empty()) {
            Err(Errno::INTR) => {}
            status => break status?.and_then(|(_, status)| status.exit_status()),
        }
    };
    let code = code.ok_or_else(|| io::Error::other("the child was killed"))?;
    if code == NO_WALLS {
        return Err(io::Error::other("the walls could not be raised"));
    }
    let came = |bit: c_int| code & 1 << bit != 0;
    Ok(Reached { within: came(0), beyond: came(1), socket: came(2), ring: came(3) })
}

/// What a child is given.
struct Trial {
    walls: Walls,
    within: CString,
    beyond: CString,
}

/// The child: what it came to, as bits. It shares our memory, so it makes system calls only.
extern "C" fn go(trial: *mut c_void) -> c_int {
    // SAFETY: it is a trial, and stays one for as long as we run.
    let trial = unsafe { &*trial.cast::<Trial>() };
    if trial.walls.raise().is_err() {
        return NO_WALLS;
    }
    let came = [writes(&trial.within), writes(&trial.beyond), opens_socket(), opens_ring()];
    came.iter().rev().fold(0, |code, came| code << 1 | c_int::from(*came))
}

fn file_in(folder: &Path) -> io::Result<CString> {
    Ok(CString::new(folder.join("file").as_os_str().as_bytes())?)
}

fn writes(path: &CString) -> bool {
    // SAFETY: the path ends in a NUL.
    unsafe { libc::open(path.as_ptr(), libc::O_WRONLY | libc::O_CREAT | libc::O_CLOEXEC, 0o600) >= 0 }
}

fn opens_socket() -> bool {
    // SAFETY: it only makes a descriptor.
    unsafe { libc::socket(libc::AF_INET, libc::SOCK_STREAM, 0) >= 0 }
}

fn opens_ring() -> bool {
    let mut parameters = [0_u8; 256];
    // SAFETY: the parameters are zero, and longer than any kernel's.
    unsafe { libc::syscall(libc::SYS_io_uring_setup, 1, parameters.as_mut_ptr()) >= 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOLDS: [Reached; 2] = [NOWHERE, Reached { within: true, ..NOWHERE }];

    #[test]
    fn a_sandbox_that_lets_a_child_through_is_none() {
        for (hole, words) in [
            ([NOWHERE, Reached { within: true, beyond: true, ..NOWHERE }], "could write outside the project"),
            ([NOWHERE, Reached { within: true, socket: true, ..NOWHERE }], "could open a socket"),
            ([NOWHERE, Reached { within: true, ring: true, ..NOWHERE }], "could open an io_uring"),
            ([NOWHERE, NOWHERE], "could not write in the project"),
            ([HOLDS[1], HOLDS[1]], "could write in the project"),
        ] {
            let sandbox = verdict(7, &hole, (Ok(()), Ok(())));
            assert_eq!(sandbox.kind, SandboxKind::None, "{hole:?}");
            assert!(sandbox.details.concat().contains(words), "{sandbox:?}");
        }
    }
}
