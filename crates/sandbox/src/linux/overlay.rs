//! Makes an overlay of one folder: what is there can be read, and a socket in it is no longer the one that somebody
//! listens at.
//!
//! Not `which`: see `trees`. Needs Linux 5.11, the first that lets a namespace of one's own have overlays.
//!
//! **Invariant.** Nothing here allocates; it runs between clone and exec.

#![expect(unsafe_code, reason = "between clone and exec there are only system calls")]

use super::raw::{call, number, plain, read};
use std::ffi::CStr;

/// Of fsopen(2), fsmount(2): close it when a program is run. It has the same number for both.
const CLOEXEC: usize = 1;
/// Of fsconfig(2).
const SET_FLAG: usize = 0;
const SET_STRING: usize = 1;
const CREATE: usize = 6;
/// Of fsmount(2): read only, no rights by file modes, no devices; no programs.
const READ_ONLY: usize = 1 | 2 | 4;
const NO_PROGRAMS: usize = 8;

/// Of Landlock: what may be done with a file, and all of these that a rule for a file, not a folder, may name.
pub(super) const WRITE_FILE: u64 = 1 << 1;
pub(super) const READ_FILE: u64 = 1 << 2;
pub(super) const REQUESTS: u64 = 1 << 15;
pub(super) const RIGHTS_OF_FILES: u64 = WRITE_FILE | READ_FILE | TRUNCATE;
const TRUNCATE: u64 = 1 << 14;

/// May programs in it be run?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Programs {
    Run,
    DoNot,
}

/// What is in `place`, with what is in `nothing` beneath it, for an overlay has two folders at least. It is mounted nowhere
/// yet. Both are open.
pub(super) fn of(place: usize, nothing: usize, programs: Programs) -> Result<usize, i32> {
    // SAFETY: the name ends in a NUL.
    let context = read(unsafe { call(libc::SYS_fsopen, [c"overlay".as_ptr() as usize, CLOEXEC, 0, 0, 0]) })?;
    let how = match programs {
        Programs::Run => READ_ONLY,
        Programs::DoNot => READ_ONLY | NO_PROGRAMS,
    };
    let made = set_up(context, place, nothing).and_then(|()| plain(libc::SYS_fsmount, [context, CLOEXEC, how]));
    let _ = plain(libc::SYS_close, [context]);
    made
}

/// What is in `place`, with what is written laid `over` it; in `work` the kernel keeps what it needs meanwhile. All are open.
pub(super) fn written_over(place: usize, over: usize, work: usize) -> Result<usize, i32> {
    // SAFETY: the name ends in a NUL.
    let context = read(unsafe { call(libc::SYS_fsopen, [c"overlay".as_ptr() as usize, CLOEXEC, 0, 0, 0]) })?;
    let made = configure_written(context, [place, over, work]);
    // No rights by file modes, no devices.
    let made = made.and_then(|()| plain(libc::SYS_fsmount, [context, CLOEXEC, 2 | 4]));
    let _ = plain(libc::SYS_close, [context]);
    made
}

fn configure_written(context: usize, opened: [usize; 3]) -> Result<(), i32> {
    for (name, opened) in [c"lowerdir", c"upperdir", c"workdir"].into_iter().zip(opened) {
        let mut layer = Layers::default();
        layer.add(opened);
        configure(context, SET_STRING, Some((name, &layer)))?;
    }
    // Marks of its own that need no rights of the machine; and no waiting for the disk at its end, for all of it can be
    // made again.
    for name in [c"userxattr", c"volatile"] {
        // SAFETY: the name ends in a NUL, and nothing else is read.
        read(unsafe { call(libc::SYS_fsconfig, [context, SET_FLAG, name.as_ptr() as usize, 0, 0]) })?;
    }
    let mut off = Layers::default();
    off.put(b"off");
    // The one before it, which nobody uses, may not be gone yet.
    configure(context, SET_STRING, Some((c"index", &off)))?;
    configure(context, CREATE, None)
}

fn set_up(context: usize, place: usize, nothing: usize) -> Result<(), i32> {
    let mut layers = Layers::default();
    // By number, for in a path some letters would have to be marked, and it might lead elsewhere by now.
    for opened in [place, nothing] {
        layers.add(opened);
    }
    configure(context, SET_STRING, Some((c"lowerdir", &layers)))?;
    configure(context, CREATE, None)
}

fn configure(context: usize, what: usize, option: Option<(&CStr, &Layers)>) -> Result<(), i32> {
    let (name, value) = option.map_or((0, 0), |(name, layers)| (name.as_ptr() as usize, layers.text.as_ptr() as usize));
    // SAFETY: both are texts that end in a NUL, or are not there.
    read(unsafe { call(libc::SYS_fsconfig, [context, what, name, value, 0]) }).map(drop)
}

/// Where the layers are, as the kernel reads it; ends in a NUL.
#[derive(Debug)]
struct Layers {
    text: [u8; 80],
    length: usize,
}

impl Default for Layers {
    fn default() -> Self {
        Layers { text: [0; 80], length: 0 }
    }
}

impl Layers {
    /// One more, which is open. There is room for two.
    fn add(&mut self, opened: usize) {
        if self.length > 0 {
            self.put(b":");
        }
        self.put(b"/proc/self/fd/");
        let (mut digits, mut rest) = ([0_u8; 20], opened);
        let mut from = digits.len();
        loop {
            from -= 1;
            digits[from] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        self.put(&digits[from..]);
    }

    fn put(&mut self, bytes: &[u8]) {
        for (to, byte) in self.text[self.length..].iter_mut().zip(bytes) {
            *to = *byte;
            self.length += 1;
        }
    }
}

/// What may be read beneath the `opened` folder: it is added to the rules for files that are being made, for which there
/// was no overlay when they were begun. Where it cannot be added, less can be read.
pub(super) fn let_read(rules: usize, opened: usize) {
    add_rule(rules, opened, READ_FILE);
}

/// These `rights` to what is `opened`, or lies beneath it, are added to the rules for files, without those that the kernel
/// does not know or the rules are not about. Where they cannot be added, less is allowed.
pub(super) fn add_rule(rules: usize, opened: usize, mut rights: u64) {
    const BENEATH: usize = 1;
    // The kernel refuses a right that it does not know, and the newer ones come last.
    while rights != 0 {
        // `struct landlock_path_beneath_attr` is packed.
        let mut rule = [0_u8; 12];
        let (access, folder) = rule.split_at_mut(8);
        access.copy_from_slice(&rights.to_ne_bytes());
        folder.copy_from_slice(&(opened as i32).to_ne_bytes());
        // SAFETY: the rule is as long as the kernel's.
        let added =
            unsafe { call(libc::SYS_landlock_add_rule, [rules, BENEATH, rule.as_ptr() as usize, number(0), 0]) };
        if read(added).is_ok() {
            return;
        }
        rights &= !(1 << rights.ilog2());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_named_by_what_is_open() {
        for (pair, text) in [
            ([0, 7], "/proc/self/fd/0:/proc/self/fd/7"),
            ([10, 1_048_576], "/proc/self/fd/10:/proc/self/fd/1048576"),
            ([usize::MAX, 3], "/proc/self/fd/18446744073709551615:/proc/self/fd/3"),
        ] {
            let mut layers = Layers::default();
            for opened in pair {
                layers.add(opened);
            }
            let read = CStr::from_bytes_until_nul(&layers.text).unwrap();
            assert_eq!(read.to_str(), Ok(text));
        }
    }
}
