//! A command with all it starts, seen from our side: waiting for its end, and having it ended.
//!
//! **Invariant.** When a [`Family`] is gone, so is every process of it, or is about to be.

use super::post::{Supervisor, hung_up, read_word};
use super::session::CacheMounts;
use super::walls::Walls;
use super::word::{GO_ON, NOBODY_WAITS, Rest, STAND_STILL, TIME_IS_UP, Word};
use crate::finish::{Finish, NotStarted};
use crate::program::Program;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process_group};
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::AsyncReadExt;
use tokio::net::unix::pipe::Receiver;

/// How long a drop waits for the supervisor, which goes on also when nobody looks.
const LAST_WAIT: Duration = Duration::from_millis(100);

/// A running command with all it starts.
#[derive(Debug)]
pub(crate) struct Family {
    supervisor: Supervisor,
    words: Receiver,
    leader: Option<Pid>,
    said: Vec<u8>,
    _caches: Option<Arc<CacheMounts>>,
}

impl Family {
    /// Starts `program` within `walls`.
    pub(crate) fn start(program: Program<'_>, walls: Walls) -> Result<Self, NotStarted> {
        let caches = walls.caches();
        let (supervisor, leader, words) = Supervisor::station(program, walls)?;
        let words = Receiver::from_owned_fd(words)?;
        Ok(Family { supervisor, words, leader: Pid::from_raw(leader), said: Vec::new(), _caches: caches })
    }

    /// Waits until nobody of it is left.
    pub(crate) async fn finished(&mut self) -> io::Result<Finish> {
        while self.words.read_buf(&mut self.said).await? > 0 {}
        let supervisor = self.supervisor.wait();
        let last = self.said.as_chunks().0.last().and_then(|word| Word::read(*word));
        Ok(finish(last, supervisor, self.leader))
    }

    /// Asks everybody to leave, for the time is up; who does not is killed after a while.
    pub(crate) fn ask_to_leave(&mut self) {
        self.supervisor.say(TIME_IS_UP);
    }

    /// Ends everybody, as a drop does; they have a moment.
    pub(crate) fn end_now(&mut self) {
        self.supervisor.say(NOBODY_WAITS);
    }

    /// Has everybody stand still.
    pub(crate) fn hold(&self) {
        self.supervisor.say(STAND_STILL);
    }

    pub(crate) fn go_on(&self) {
        self.supervisor.say(GO_ON);
    }
}

impl Drop for Family {
    /// Blocks for a moment, so that in general nothing is left when the drop returns.
    fn drop(&mut self) {
        self.supervisor.say(NOBODY_WAITS);
        if hung_up(&self.words, Instant::now() + LAST_WAIT) {
            self.supervisor.wait();
        }
    }
}

fn finish(last: Option<Word>, supervisor: i32, leader: Option<Pid>) -> Finish {
    match last {
        Some(Word::Over(status, Rest { asked, remained, escaped })) => {
            Finish { status: ExitStatus::from_raw(status), asked, remained, escaped }
        }
        Some(Word::Leader(_) | Word::Failed(..)) | None => {
            // Somebody ended the supervisor, who could tell nobody. What is left is in the leader's group mostly.
            if let Some(leader) = leader {
                // Nobody may be in it any more.
                let _ = kill_process_group(leader, Signal::KILL);
            }
            Finish { status: ExitStatus::from_raw(supervisor), asked: false, remained: true, escaped: true }
        }
    }
}

/// How `program` ends within `walls` and what it puts out to `pipe`, if it ends before `deadline` with all it started and
/// says no more than `most` bytes.
pub(crate) fn answer(
    program: Program<'_>,
    walls: Walls,
    pipe: &io::PipeReader,
    deadline: Instant,
    most: usize,
) -> Option<(ExitStatus, Vec<u8>)> {
    let _caches = walls.caches();
    let (mut supervisor, _, words) = Supervisor::station(program, walls).ok()?;
    let answer = read(pipe, deadline, most);
    if answer.is_none() || !hung_up(&words, deadline) {
        supervisor.say(NOBODY_WAITS);
        supervisor.wait();
        return None;
    }
    let status = supervisor.wait();
    let finish = finish(read_word(&words), status, None);
    answer.filter(|_| !finish.escaped).map(|answer| (finish.status, answer))
}

fn read(pipe: &io::PipeReader, deadline: Instant, most: usize) -> Option<Vec<u8>> {
    let mut all = Vec::new();
    let mut buffer = [0; 16 * 1024];
    loop {
        let left = Timespec::try_from(deadline.checked_duration_since(Instant::now())?).ok()?;
        let mut ready = [PollFd::new(pipe, PollFlags::IN)];
        match poll(&mut ready, Some(&left)) {
            Ok(0) => return None,
            Err(Errno::INTR) => continue,
            Err(_) => return None,
            Ok(_) => {}
        }
        match rustix::io::read(pipe, &mut buffer) {
            Ok(0) => return Some(all),
            Ok(length) if all.len() + length <= most => all.extend_from_slice(&buffer[..length]),
            Err(Errno::INTR) => {}
            Ok(_) | Err(_) => return None,
        }
    }
}
