//! Terminals that a command makes for itself (pty(7)): a file system of its own for them, in which none of the machine's is.
//!
//! Typing into one for another program (`TIOCSTI`) stays refused, as everywhere.
//!
//! **Invariant.** Nothing here allocates; it runs between clone and exec.

#![expect(unsafe_code, reason = "between clone and exec there are only system calls")]

use super::overlay::{READ_FILE, REQUESTS, WRITE_FILE, add_rule};
use super::raw::{call, plain, read};

/// Where they are.
pub(super) const PLACE: &str = "/dev/pts";
/// Opening it makes one, in the file system that is beside it.
pub(super) const MAKER: &std::ffi::CStr = c"/dev/ptmx";
/// Of fsopen(2), fsmount(2), and fsconfig(2).
const CLOEXEC: usize = 1;
const SET_STRING: usize = 1;
const CREATE: usize = 6;
/// No rights by file modes, no programs.
const TERMINALS_ONLY: usize = 2 | 8;

/// A new one, which is mounted nowhere yet.
pub(super) fn of_its_own() -> Result<usize, i32> {
    // SAFETY: the name ends in a NUL.
    let context = read(unsafe { call(libc::SYS_fsopen, [c"devpts".as_ptr() as usize, CLOEXEC, 0, 0, 0]) })?;
    let made = set_up(context).and_then(|()| plain(libc::SYS_fsmount, [context, CLOEXEC, TERMINALS_ONLY]));
    let _ = plain(libc::SYS_close, [context]);
    made
}

fn set_up(context: usize) -> Result<(), i32> {
    // Where `/dev/ptmx` is a link, it leads to a file in there, which nobody may open unless that is said.
    let (name, value) = (c"ptmxmode".as_ptr() as usize, c"0666".as_ptr() as usize);
    // SAFETY: both are texts that end in a NUL.
    read(unsafe { call(libc::SYS_fsconfig, [context, SET_STRING, name, value, 0]) })?;
    // SAFETY: nothing is read.
    read(unsafe { call(libc::SYS_fsconfig, [context, CREATE, 0, 0, 0]) }).map(drop)
}

/// What may be done with what is `opened`, or lies beneath it, is added to the rules for files: reading, writing and what is
/// asked of a terminal, as far as there are rules for these.
pub(super) fn let_use(rules: usize, opened: usize) {
    for right in [WRITE_FILE, READ_FILE, REQUESTS] {
        add_rule(rules, opened, right);
    }
}
