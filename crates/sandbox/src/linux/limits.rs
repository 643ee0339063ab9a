//! What one command may take of the machine: no core files, no endless file, no endless forking; and where memory runs
//! out, it is the first to go.
//!
//! No limit on memory itself: programs that watch their own memory (sanitisers, race detectors) reserve terabytes they
//! never use, and any limit would stop them at their start.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::fs;

/// The longest file.
const FILE: u64 = 8 << 30;
/// Open files of one process.
const OPEN: u64 = 65_536;
/// Tasks beyond those that run already.
const TASKS: u64 = 4_096;
/// Tasks there are, where that cannot be found out.
const SOME: u64 = 60_000;
/// Added to how readily the kernel ends a process when memory runs out; the most is 1000.
const READINESS: &[u8] = b"500";

/// The limits, worked out beforehand.
#[derive(Debug, Clone, Copy)]
pub(super) struct TaskLimits {
    tasks: u64,
}

impl TaskLimits {
    /// The kernel counts the tasks of a user, whatever started them, so the limit is relative to what is there.
    pub(super) fn now() -> Self {
        let loads = fs::read_to_string("/proc/loadavg").unwrap_or_default();
        TaskLimits { tasks: tasks(&loads).unwrap_or(SOME) + TASKS }
    }

    /// Puts them in force for the calling process. A limit that is lower already stays. Allocates nothing.
    pub(super) fn set(self) {
        for (resource, most) in
            [(Resource::Core, 0), (Resource::Fsize, FILE), (Resource::Nofile, OPEN), (Resource::Nproc, self.tasks)]
        {
            let now = getrlimit(resource);
            let lower = |limit: Option<u64>| Some(limit.map_or(most, |limit| limit.min(most)));
            // Lowering a limit is always allowed.
            let _ = setrlimit(resource, Rlimit { current: lower(now.current), maximum: lower(now.maximum) });
        }
        be_first_to_go();
    }
}

/// Where it cannot be said, the kernel weighs the command like any other program.
fn be_first_to_go() {
    use rustix::fs::{Mode, OFlags, open};
    if let Ok(file) = open(c"/proc/self/oom_score_adj", OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty()) {
        let _ = rustix::io::write(file, READINESS);
    }
}

/// Reads `/proc/loadavg`: `0.20 0.18 0.12 running/all last` (proc_loadavg(5)).
fn tasks(loads: &str) -> Option<u64> {
    loads.split_whitespace().nth(3)?.split_once('/')?.1.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tasks_that_run_are_read() {
        assert_eq!(tasks("0.20 0.18 0.12 3/811 11206\n"), Some(811));
        assert_eq!(tasks(""), None);
    }
}
