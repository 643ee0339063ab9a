//! A process group of our own making: waiting for its leader, and ending all of it.
//!
//! **Invariant.** When a [`Group`] is gone, so is every process of the group.

#![expect(unsafe_code, reason = "a new session can only be made between fork and exec, and std offers no safe way")]

use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use std::io;
use std::process::ExitStatus;
use std::time::{Duration, Instant};
use tokio::process::{Child, Command};

/// How often it is looked whether the group has gone.
const GLANCE: Duration = Duration::from_millis(10);
/// How long a dropped group may tidy up (git removes its lock files, say) before it is killed.
const LAST_GRACE: Duration = Duration::from_millis(100);

/// A running group.
#[derive(Debug)]
pub(crate) struct Group {
    leader: Child,
    id: Pid,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Running,
    Gone,
}

impl Group {
    /// Starts `command` as the leader of a session and group of its own: it has no terminal and can get none.
    pub(crate) fn start(mut command: Command) -> io::Result<Self> {
        // SAFETY: between fork and exec only one system call is made, which is async-signal-safe and allocates nothing.
        unsafe {
            command.pre_exec(|| Ok(rustix::process::setsid().map(drop)?));
        }
        let leader = command.spawn()?;
        let id = leader.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        let id = id.expect("a child that was never waited for has a process id");
        Ok(Group { leader, id, state: State::Running })
    }

    /// Waits for the leader alone.
    pub(crate) async fn leader(&mut self) -> io::Result<ExitStatus> {
        self.leader.wait().await
    }

    /// Waits until nobody of the group is left.
    pub(crate) async fn gone(&mut self) {
        while self.alive() {
            tokio::time::sleep(GLANCE).await;
        }
        self.state = State::Gone;
    }

    /// Asks everybody in the group to leave, those that are stopped too.
    pub(crate) fn ask_to_leave(&self) {
        self.signal(Signal::TERM);
        self.signal(Signal::CONT);
    }

    /// Leaves nobody a choice.
    pub(crate) fn kill(&self) {
        self.signal(Signal::KILL);
    }

    fn signal(&self, signal: Signal) {
        if self.state == State::Running {
            // The group may be gone already, which is what is wanted.
            let _ = kill_process_group(self.id, signal);
        }
    }

    fn alive(&mut self) -> bool {
        // A leader that nobody waits for stays in the group.
        let _ = self.leader.try_wait();
        self.state == State::Running && anyone_in(self.id)
    }
}

impl Drop for Group {
    /// Blocks for a moment, at most [`LAST_GRACE`], so that nothing is left even when the program ends right after.
    fn drop(&mut self) {
        if !self.alive() {
            return;
        }
        self.ask_to_leave();
        let deadline = Instant::now() + LAST_GRACE;
        while self.alive() {
            if Instant::now() >= deadline {
                self.kill();
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Does anybody of `group` still run?
pub(crate) fn anyone_in(group: Pid) -> bool {
    test_kill_process_group(group) != Err(Errno::SRCH) && !only_zombies(group)
}

/// Orphans that ended stay as zombies until the first process of the machine (or container) collects them, which some
/// never do. Where that cannot be seen, the group counts as alive.
fn only_zombies(group: Pid) -> bool {
    let Ok(processes) = std::fs::read_dir("/proc") else { return false };
    let mut seen = false;
    for process in processes.flatten() {
        let Ok(stat) = std::fs::read_to_string(process.path().join("stat")) else { continue };
        let Some((state, of)) = state_and_group(&stat) else { continue };
        if of == group.as_raw_nonzero().get() {
            seen = true;
            if !matches!(state, "Z" | "X") {
                return false;
            }
        }
    }
    seen
}

/// Reads `/proc/PID/stat`: `id (name) state parent group …`, where the name may hold anything (proc_pid_stat(5)).
fn state_and_group(stat: &str) -> Option<(&str, i32)> {
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?;
    let group = fields.nth(1)?.parse().ok()?;
    Some((state, group))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_brackets_and_blanks_does_not_mislead() {
        assert_eq!(state_and_group("12 (a) Z 1 (b) S 4 77 77 0 -1"), Some(("S", 77)));
        assert_eq!(state_and_group("12 (cut off"), None);
    }
}
