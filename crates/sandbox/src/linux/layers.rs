//! Which layers this kernel has.

#![expect(unsafe_code, reason = "std has no words for Landlock and seccomp")]

use rustix::io::Errno;
use std::ptr;

/// Asks `landlock_create_ruleset` for its version (`LANDLOCK_CREATE_RULESET_VERSION`).
const VERSION: u32 = 1;

/// The layers that a sandbox can be built from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layers {
    pub(super) landlock: Result<u32, Errno>,
    /// Can system calls be filtered?
    pub(super) calls: bool,
}

impl Layers {
    pub(super) fn find() -> Self {
        Layers { landlock: landlock(), calls: calls() }
    }

    /// What is missing to hold a profile up, and what would change that.
    pub(super) fn missing(self) -> Option<String> {
        match (self.landlock, self.calls) {
            (Err(Errno::OPNOTSUPP), _) => {
                Some("Landlock is switched off; add landlock to lsm= on the kernel's command line".into())
            }
            (Err(Errno::NOSYS), _) => {
                Some("the kernel has no Landlock, or a container hides it; it needs Linux 5.13 or newer".into())
            }
            (Err(error), _) => Some(format!("Landlock cannot be used: {error}")),
            (Ok(_), false) => Some("the kernel cannot filter system calls (CONFIG_SECCOMP_FILTER)".into()),
            (Ok(_), true) => None,
        }
    }
}

fn landlock() -> Result<u32, Errno> {
    // SAFETY: with this flag the call takes no attributes and only answers.
    let version = unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, ptr::null::<u8>(), 0_usize, VERSION) };
    u32::try_from(version).map_err(|_| last())
}

fn calls() -> bool {
    let action = libc::SECCOMP_RET_ERRNO;
    // SAFETY: it reads one number, which lives long enough.
    unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_GET_ACTION_AVAIL, 0, ptr::from_ref(&action)) == 0 }
}

/// What went wrong last.
pub(super) fn last() -> Errno {
    let code = std::io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO);
    Errno::from_raw_os_error(code)
}
