//! Puts a supervisor at its post, and keeps the memory that it stands on until it has left.

#![expect(unsafe_code, reason = "a process that shares our memory is made by hand")]

use super::launch::{Launch, StartStep};
use super::supervisor::{Ends, Post, supervise};
use super::walls::{Wall, Walls};
use super::word::{WORD, Word};
use crate::finish::NotStarted;
use crate::program::Program;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};
use std::ffi::c_void;
use std::io;
use std::mem::{ManuallyDrop, MaybeUninit};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::ptr;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Bytes of a stack; of most only the addresses are used. There are two: the supervisor's and, until it runs its
/// program, the command's.
const STACK: usize = 256 * 1024;

/// How long a command may take to begin; far more than it takes on the slowest machine.
const PATIENCE: Duration = Duration::from_secs(10);

/// A supervisor at its post.
#[derive(Debug)]
pub(super) struct Supervisor {
    id: Pid,
    reins: OwnedFd,
    memory: Option<Memory>,
    /// How it left, once it has.
    left: Option<i32>,
}

/// What a supervisor stands on. On our side it is only kept, and let go when the supervisor has left.
#[derive(Debug)]
struct Memory {
    post: *mut Post,
    stacks: *mut [MaybeUninit<u8>],
}

// SAFETY: it is not looked at from any thread before it is let go.
unsafe impl Send for Memory {}
// SAFETY: as above.
unsafe impl Sync for Memory {}

impl Memory {
    fn new(ends: Ends, launch: &Launch) -> Self {
        let stacks = Box::into_raw(Box::new_uninit_slice(2 * STACK));
        let half = aligned(stacks.cast::<u8>().wrapping_add(STACK));
        let post = Box::into_raw(Box::new(Post::new(ends, launch, half)));
        Memory { post, stacks }
    }

    /// The command's process, if there is one already; 0 if not.
    fn leader(&self) -> i32 {
        // SAFETY: it is there, and only ever looked at together.
        unsafe { (*self.post).leader.load(Ordering::Relaxed) }
    }

    /// Where the supervisor's stack begins: at its end.
    fn stack(&self) -> *mut c_void {
        aligned(self.stacks.cast::<u8>().wrapping_add(2 * STACK))
    }
}

fn aligned(end: *mut u8) -> *mut c_void {
    end.wrapping_sub(end as usize % 16).cast()
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: both come from boxes, and nobody stands on them any more.
        unsafe {
            drop(Box::from_raw(self.post));
            drop(Box::from_raw(self.stacks));
        }
    }
}

impl Supervisor {
    /// Starts `program` within `walls` under a supervisor, which speaks through the pipe that comes with it; the
    /// number is the command's.
    pub(super) fn station(program: Program<'_>, walls: Walls) -> Result<(Self, i32, OwnedFd), NotStarted> {
        let flags = PipeFlags::CLOEXEC | PipeFlags::NONBLOCK;
        let (their_reins, reins) = pipe_with(flags).map_err(io::Error::from)?;
        let (words, their_words) = pipe_with(flags).map_err(io::Error::from)?;
        let launch = Box::new(Launch::new(program, walls)?);
        let ends = Ends { reins: their_reins.as_raw_fd(), words: their_words.as_raw_fd() };
        let memory = Memory::new(ends, &launch);
        let id = make(&memory)?;
        let mut supervisor = Supervisor { id, reins, memory: Some(memory), left: None };
        // From here on these ends are only the supervisor's, so that its silence means its end.
        drop((their_reins, their_words));
        match first_word(&words, PATIENCE) {
            First::Said(Word::Leader(leader)) => Ok((supervisor, leader, words)),
            First::Said(Word::Failed(step, error)) => {
                supervisor.wait();
                Err(failure(StartStep::read(step), error, &launch))
            }
            First::Silence => {
                // Whoever hangs in the kernel ends when it lets go, and until then still stands on all this.
                let leader = supervisor.memory.as_ref().map_or(0, Memory::leader);
                for id in [Some(supervisor.id), Pid::from_raw(leader)].into_iter().flatten() {
                    // It may have ended by itself just now.
                    let _ = kill_process(id, Signal::KILL);
                }
                std::mem::forget((supervisor.memory.take(), launch));
                Err(NotStarted::System(io::Error::new(
                    io::ErrorKind::TimedOut,
                    "its folder or its shell does not answer",
                )))
            }
            First::Said(Word::Over(..)) | First::Nothing => {
                // Somebody killed it meanwhile, and the command's process may still stand on all this.
                let leader = supervisor.memory.as_ref().map_or(0, Memory::leader);
                std::mem::forget((supervisor.memory.take(), launch));
                match leader {
                    0 => Err(io::Error::from(io::ErrorKind::Interrupted).into()),
                    leader => Ok((supervisor, leader, words)),
                }
            }
        }
    }

    pub(super) fn say(&self, order: u8) {
        // Where nobody listens, all is over.
        let _ = rustix::io::write(&self.reins, &[order]);
    }

    /// Waits until it has left. How it did.
    pub(super) fn wait(&mut self) -> i32 {
        let left = self.left.unwrap_or_else(|| ended(self.id));
        self.left = Some(left);
        self.memory = None;
        left
    }
}

impl Drop for Supervisor {
    /// The memory stays until the supervisor has left; somebody else waits for that.
    fn drop(&mut self) {
        if self.left.is_some() {
            return;
        }
        let id = self.id;
        // Where there can be no thread the memory is leaked.
        let memory = ManuallyDrop::new(self.memory.take());
        let wait = move || {
            ended(id);
            drop(ManuallyDrop::into_inner(memory));
        };
        let _ = std::thread::Builder::new().spawn(wait);
    }
}

fn ended(supervisor: Pid) -> i32 {
    loop {
        match waitpid(Some(supervisor), WaitOptions::empty()) {
            Ok(Some((_, status))) => return status.as_raw(),
            Ok(None) | Err(Errno::INTR) => {}
            Err(_) => return 0,
        }
    }
}

/// Makes a process that shares our memory and has everything else for itself. No signal comes through to it.
///
/// It also shares what belongs to the calling thread (its `errno`, to begin with), for nothing else was set. That is
/// safe, because only one of the two uses it at a time:
/// - the supervisor makes bare system calls, which leave it alone, but for the one `clone`;
/// - the command's process writes `errno` until it runs its program, and reads it right after a call that failed. All
///   that while the calling thread waits in [`first_word`], where nothing that fails looks at it either. It leaves there
///   only when the program runs, when the process has ended, or after both were killed, and who is killed does not come
///   back from the kernel;
/// - when the thread ends later, only the supervisor is left, which does not look there.
fn make(memory: &Memory) -> io::Result<Pid> {
    // SAFETY: the sets are filled before they are used; the stack and what the process is given are kept until it has
    // left; nothing that it does needs a thread of its own.
    let id = unsafe {
        let (mut all, mut before) = (MaybeUninit::uninit(), MaybeUninit::uninit());
        libc::sigfillset(all.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr());
        let id = libc::clone(supervise, memory.stack(), libc::CLONE_VM | libc::SIGCHLD, memory.post.cast());
        let error = io::Error::last_os_error();
        libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), ptr::null_mut());
        if id < 0 {
            return Err(error);
        }
        id
    };
    Ok(Pid::from_raw(id).expect("a process that was made has an id"))
}

/// What comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum First {
    Said(Word),
    /// It ended without a word.
    Nothing,
    /// It is there and says nothing: the command's folder is on a server that is gone, say.
    Silence,
}

/// Waits for it no longer than `patience`. This blocks the caller's thread, in general for less than a millisecond.
fn first_word(words: &OwnedFd, patience: Duration) -> First {
    let deadline = Instant::now() + patience;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let left = Timespec::try_from(left).unwrap_or(Timespec { tv_sec: 1, tv_nsec: 0 });
        let mut ready = [PollFd::new(words, PollFlags::IN)];
        match poll(&mut ready, Some(&left)) {
            Ok(0) => return First::Silence,
            Ok(_) => return read_word(words).map_or(First::Nothing, First::Said),
            Err(Errno::INTR) => {}
            Err(_) => return First::Nothing,
        }
    }
}

/// The next word, if there is one. It is so short that it comes whole.
pub(super) fn read_word(words: impl AsFd) -> Option<Word> {
    let mut bytes = [0; WORD];
    let length = rustix::io::read(words, &mut bytes).ok()?;
    if length == WORD { Word::read(bytes) } else { None }
}

/// Waits until the one who writes there is gone, or until `deadline`.
pub(super) fn hung_up(words: impl AsFd, deadline: Instant) -> bool {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let left = Timespec::try_from(left).unwrap_or(Timespec { tv_sec: 1, tv_nsec: 0 });
        // Asked for nothing, it tells only of the end.
        let mut ends = [PollFd::new(&words, PollFlags::empty())];
        match poll(&mut ends, Some(&left)) {
            Ok(0) => return false,
            Ok(_) => return true,
            Err(Errno::INTR) => {}
            Err(_) => return false,
        }
    }
}

fn failure(step: StartStep, error: i32, launch: &Launch) -> NotStarted {
    let source = io::Error::from_raw_os_error(error);
    match step {
        StartStep::Wall(wall @ Wall::Apart) => {
            let place = launch.stopped_at().map_or_else(String::new, |place| format!(", at {place}"));
            NotStarted::NoSandbox(format!("{}{place}: {source}", wall.words()))
        }
        StartStep::Wall(wall @ (Wall::Rights | Wall::Files | Wall::Calls)) => {
            NotStarted::NoSandbox(format!("{}: {source}", wall.words()))
        }
        StartStep::Folder => NotStarted::NoFolder,
        StartStep::Program if error == libc::E2BIG => NotStarted::TooLong,
        StartStep::Process | StartStep::Program => NotStarted::System(source),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_supervisor_that_says_nothing_is_told_from_one_that_is_gone() {
        let (words, theirs) = pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK).unwrap();
        let soon = Duration::from_millis(1);
        assert_eq!(first_word(&words, soon), First::Silence);
        rustix::io::write(&theirs, &Word::Leader(7).bytes()).unwrap();
        assert_eq!(first_word(&words, soon), First::Said(Word::Leader(7)));
        drop(theirs);
        assert_eq!(first_word(&words, soon), First::Nothing);
    }
}
