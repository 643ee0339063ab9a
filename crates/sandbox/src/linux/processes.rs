//! Who descends from whom, read from `/proc`.
//!
//! **Invariant.** Nothing here allocates or touches what belongs to a thread: it runs in the supervisor.

#![expect(unsafe_code, reason = "only bare system calls are left to a supervisor")]

use super::raw::{call, number};
use std::ffi::CStr;

/// So many processes are looked at.
const MOST: usize = 1 << 15;
/// Room for names that are read at once, in units of eight bytes: entries are aligned so.
const NAMES: usize = 2 * 1024;
/// Where in an entry its length and its name stand (getdents64(2)).
const LENGTH: usize = 16;
const NAME: usize = 19;

/// Room for a look at all processes, made beforehand.
#[derive(Debug)]
pub(super) struct Processes {
    seen: Vec<Process>,
    names: Box<[u64]>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Process {
    pub(super) id: i32,
    pub(super) group: i32,
    /// How it stands still, if it does.
    pub(super) still: Option<Still>,
    parent: i32,
    ours: bool,
}

/// How a process stands still.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Still {
    Stopped,
    /// It waits in the kernel, for a child that is about to run a program, say. If it is to be stopped it will be before it
    /// does anything else.
    Waiting,
}

impl Still {
    /// By the letter that the kernel has for a state.
    fn of(state: u8) -> Option<Self> {
        match state {
            b'T' | b't' => Some(Still::Stopped),
            b'D' => Some(Still::Waiting),
            _ => None,
        }
    }
}

impl Processes {
    pub(super) fn room() -> Self {
        Processes { seen: Vec::with_capacity(MOST), names: vec![0; NAMES].into_boxed_slice() }
    }

    /// Those that run and descend from `ancestor`; without `/proc` nobody is seen.
    pub(super) fn descend_from(&mut self, ancestor: i32) -> impl Iterator<Item = Process> {
        self.look();
        self.seen.sort_unstable_by_key(|process| process.id);
        while self.spread(ancestor) {}
        self.seen.iter().copied().filter(|process| process.ours)
    }

    fn look(&mut self) {
        self.seen.clear();
        let Some(folder) = Open::at(number(libc::AT_FDCWD), c"/proc", libc::O_DIRECTORY) else { return };
        loop {
            let (room, length) = (self.names.as_mut_ptr().cast::<u8>(), self.names.len() * size_of::<u64>());
            // SAFETY: the room is as long as is said.
            let filled = unsafe { call(libc::SYS_getdents64, [folder.0, room as usize, length, 0, 0]) };
            let Ok(filled @ 1..) = usize::try_from(filled) else { return };
            // SAFETY: so much of it was just filled.
            let entries = unsafe { std::slice::from_raw_parts(room, filled.min(length)) };
            take_in(&folder, entries, &mut self.seen);
        }
    }

    /// Children of those that are ours are ours. Did any come to it?
    fn spread(&mut self, ancestor: i32) -> bool {
        let mut more = false;
        for at in 0..self.seen.len() {
            let Process { parent, ours, .. } = self.seen[at];
            if !ours && (parent == ancestor || self.is_ours(parent)) {
                self.seen[at].ours = true;
                more = true;
            }
        }
        more
    }

    fn is_ours(&self, id: i32) -> bool {
        self.seen.binary_search_by_key(&id, |process| process.id).is_ok_and(|at| self.seen[at].ours)
    }
}

/// Tells of each child of the calling process, also of those that ended and that nobody took note of, in a fraction of
/// the time that a look at all processes takes. Of none where the kernel does not say (CONFIG_PROC_CHILDREN).
pub(super) fn children(mut tell: impl FnMut(i32)) {
    let Some(file) = Open::at(number(libc::AT_FDCWD), c"/proc/thread-self/children", 0) else { return };
    let (mut buffer, mut id) = ([0_u8; 4096], 0_i32);
    loop {
        // SAFETY: the buffer is as long as is said.
        let length = unsafe { call(libc::SYS_read, [file.0, buffer.as_mut_ptr() as usize, buffer.len(), 0, 0]) };
        let Some(read @ [_, ..]) = usize::try_from(length).ok().and_then(|length| buffer.get(..length)) else { return };
        // Each number is followed by a blank, so none is told before it is whole.
        for byte in read {
            match byte {
                b'0'..=b'9' => id = id.saturating_mul(10).saturating_add(i32::from(byte - b'0')),
                _ if id > 1 => tell(std::mem::take(&mut id)),
                _ => id = 0,
            }
        }
    }
}

fn take_in(folder: &Open, mut entries: &[u8], seen: &mut Vec<Process>) {
    while let Some(length) = entries.get(LENGTH..LENGTH + 2) {
        let length = usize::from(u16::from_ne_bytes([length[0], length[1]])).clamp(1, entries.len());
        let (entry, rest) = entries.split_at(length);
        entries = rest;
        let name = entry.get(NAME..).and_then(|name| CStr::from_bytes_until_nul(name).ok());
        if seen.len() < seen.capacity() {
            seen.extend(name.and_then(|name| process(folder, name)));
        }
    }
}

/// Reads the `stat` of the process that this entry of `/proc` is; `None` for other entries and for processes that
/// ended.
fn process(folder: &Open, name: &CStr) -> Option<Process> {
    let digits = name.to_bytes();
    let mut path = [0_u8; 24];
    if !digits.iter().all(u8::is_ascii_digit) || digits.len() + b"/stat\0".len() > path.len() {
        return None;
    }
    let (front, back) = path.split_at_mut(digits.len());
    front.copy_from_slice(digits);
    back[..5].copy_from_slice(b"/stat");
    let file = Open::at(folder.0, CStr::from_bytes_until_nul(&path).ok()?, 0)?;
    let mut buffer = [0_u8; 512];
    // SAFETY: the buffer is as long as is said.
    let length = unsafe { call(libc::SYS_read, [file.0, buffer.as_mut_ptr() as usize, buffer.len(), 0, 0]) };
    let (state, parent, group) = state_parent_group(buffer.get(..usize::try_from(length).ok()?)?)?;
    let running = !matches!(state, b'Z' | b'X');
    let still = Still::of(state);
    running.then_some(Process { id: decimal(digits)?, group, still, parent, ours: false })
}

/// An open descriptor, closed when it goes.
struct Open(usize);

impl Open {
    fn at(folder: usize, path: &CStr, flags: i32) -> Option<Self> {
        let flags = number(libc::O_RDONLY | libc::O_CLOEXEC | flags);
        // SAFETY: the path ends in a NUL.
        let opened = unsafe { call(libc::SYS_openat, [folder, path.as_ptr() as usize, flags, 0, 0]) };
        usize::try_from(opened).ok().map(Open)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        // SAFETY: nobody else has it.
        unsafe { call(libc::SYS_close, [self.0, 0, 0, 0, 0]) };
    }
}

/// Reads `id (name) state parent group …`, where the name may hold anything (proc_pid_stat(5)).
fn state_parent_group(stat: &[u8]) -> Option<(u8, i32, i32)> {
    let end = stat.iter().rposition(|byte| *byte == b')')?;
    let mut fields = stat[end + 1..].split(|byte| *byte == b' ').filter(|field| !field.is_empty());
    let state = *fields.next()?.first()?;
    Some((state, decimal(fields.next()?)?, decimal(fields.next()?)?))
}

fn decimal(digits: &[u8]) -> Option<i32> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_brackets_and_blanks_does_not_mislead() {
        assert_eq!(state_parent_group(b"12 (a) Z 1 (b) S 4 77 77 0 -1"), Some((b'S', 4, 77)));
        assert_eq!(state_parent_group(b"12 (cut off"), None);
    }

    #[test]
    fn children_of_children_descend_from_us_and_strangers_do_not() {
        let mut child = std::process::Command::new("/bin/sh")
            .args(["-c", "sleep 1000 & echo $!; wait"])
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        std::io::BufRead::read_line(&mut std::io::BufReader::new(child.stdout.as_mut().unwrap()), &mut line).unwrap();
        let grandchild: i32 = line.trim().parse().unwrap();
        let of = |id: u32| i32::try_from(id).unwrap();
        let mut room = Processes::room();
        let found: Vec<i32> = room.descend_from(of(std::process::id())).map(|process| process.id).collect();
        assert!(found.contains(&grandchild) && found.contains(&of(child.id())), "{found:?} lacks {grandchild}");
        let below: Vec<i32> = room.descend_from(of(child.id())).map(|process| process.id).collect();
        assert_eq!(below, [grandchild]);
        rustix::process::kill_process(
            rustix::process::Pid::from_raw(grandchild).unwrap(),
            rustix::process::Signal::KILL,
        )
        .unwrap();
        child.wait().unwrap();
    }
}
