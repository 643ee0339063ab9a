//! The process between us and a command: it waits for whatever the command starts, and ends what remains of it.
//!
//! It runs no other program: it shares our memory, as a thread would, so that starting it costs nothing however much of
//! that we have; everything else (descriptors, signals, session) it has for itself. Orphans come to it instead of to the
//! first process of the machine (`PR_SET_CHILD_SUBREAPER`), those too that made a session of their own; so it knows when
//! really nobody is left. It holds one end of a pipe whose other end only we hold: when we are gone, however that came,
//! it ends everything.
//!
//! **Invariant.** Nothing here allocates, locks, panics or touches what belongs to a thread (`errno` does).

#![expect(unsafe_code, reason = "only bare system calls are left to a supervisor")]

use super::launch::Launch;
use super::processes::{Processes, Still as Pause, children};
use super::raw::{call, number};
use super::word::{GO_ON, Rest, STAND_STILL, TIME_IS_UP, Word};
use std::ffi::{c_int, c_long, c_void};
use std::os::fd::RawFd;
use std::ptr;
use std::sync::atomic::{AtomicI32, AtomicU8, Ordering};

/// How long others may outlast the leader before they are asked to leave, and how long they may take to do so.
const LINGER: i64 = 200;
/// The same when the time is up.
const GRACE: i64 = 2_000;
/// The same when nobody waits any more: enough to remove a lock file.
const LAST_GRACE: i64 = 60;
/// How long it is tried to end what cannot be ended: a program of another user, one that hangs in the kernel.
const STUBBORN: i64 = 5_000;
const AGAIN: i64 = 2;
/// Between two looks at who has to stand still, while some do not yet.
const GLANCE: i64 = 20;
/// How often in a row it is looked whether all stand still.
const LOOKS: usize = 8;
/// How often children are looked for before all processes are.
const ROUNDS: usize = 32;
/// So many ends are taken note of in between.
const SOME: usize = 64;
/// Bytes of a set of signals, in the kernel's eyes.
const SET: usize = 8;
/// The last real-time signal.
const LAST_SIGNAL: c_int = 64;
/// Descriptors that are closed one by one where the kernel cannot close them all.
const OPEN: u32 = 65_536;

/// Its ends of the two pipes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ends {
    /// We tell it here; when it closes, we are gone.
    pub(super) reins: RawFd,
    pub(super) words: RawFd,
}

/// What a supervisor starts from, in memory that stays where it is until it has ended.
#[derive(Debug)]
pub(super) struct Post {
    pub(super) ends: Ends,
    /// Gone when the command has begun: from then on it may not be looked at.
    pub(super) launch: *const Launch,
    /// The top of the stack that the command's process has until it runs its program.
    pub(super) stack: *mut c_void,
    pub(super) room: Processes,
    /// The command's process, told by itself.
    pub(super) leader: AtomicI32,
    fault: Fault,
}

/// Why the command's process did not come to run its program. It shares our memory until then, so it says it here.
#[derive(Debug, Default)]
struct Fault {
    step: AtomicU8,
    error: AtomicI32,
}

impl Post {
    pub(super) fn new(ends: Ends, launch: *const Launch, stack: *mut c_void) -> Self {
        Post { ends, launch, stack, room: Processes::room(), leader: AtomicI32::new(0), fault: Fault::default() }
    }
}

/// The first function of a supervisor. `post` is a [`Post`].
pub(super) extern "C" fn supervise(post: *mut c_void) -> c_int {
    // SAFETY: we keep it, untouched, until this process has ended.
    let post = unsafe { &mut *post.cast::<Post>() };
    let first = plain(libc::SYS_setsid, []);
    let second = plain(libc::SYS_prctl, [number(libc::PR_SET_CHILD_SUBREAPER), 1]);
    forget_handlers();
    // SAFETY: this process does not run on before the new one has begun its program or has ended, so the stack and all
    // that the launch holds are its own for as long as it needs them.
    let leader = unsafe {
        libc::clone(lead, post.stack, libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD, (&raw mut *post).cast())
    };
    let error = post.fault.error.load(Ordering::Relaxed);
    if leader < 0 || error != 0 || first < 0 || second < 0 {
        let error = if error == 0 { libc::EAGAIN } else { error };
        if leader > 0 {
            // It has ended, and nobody else would take note.
            plain(libc::SYS_wait4, [number(leader), 0, 0, 0]);
        }
        Word::Failed(post.fault.step.load(Ordering::Relaxed), error).send(post.ends.words);
        return 0;
    }
    Watch::over(leader, post.ends).go_on(&mut post.room)
}

/// The first function of the command's process, which ends with running its program.
extern "C" fn lead(post: *mut c_void) -> c_int {
    // SAFETY: the supervisor waits, and we wait for the supervisor.
    let (post, launch) = unsafe {
        let post = &*post.cast::<Post>();
        (post, &*post.launch)
    };
    post.leader.store(own_id(), Ordering::Relaxed);
    let (step, error) = launch.begin(|| mask(0));
    post.fault.step.store(step, Ordering::Relaxed);
    post.fault.error.store(error, Ordering::Relaxed);
    0
}

/// A system call that looks at no memory.
fn plain<const N: usize>(which: c_long, given: [usize; N]) -> isize {
    let mut arguments = [0; 5];
    arguments[..N].copy_from_slice(&given);
    // SAFETY: numbers are passed, no addresses.
    unsafe { call(which, arguments) }
}

/// Every signal does what it does at first, also those we ignore.
///
/// By bare system calls: the C library keeps two signals to itself.
fn forget_handlers() {
    // The kernel's `sigaction` with the default action, no flags and an empty mask is all zeroes everywhere.
    let default = [0_u64; 4];
    for signal in 1..=LAST_SIGNAL {
        // SAFETY: no handler is set, only the default; for the two that cannot be set it is refused.
        unsafe { call(libc::SYS_rt_sigaction, [number(signal), default.as_ptr() as usize, 0, SET, 0]) };
    }
}

/// Blocks these signals, and no others.
fn mask(signals: u64) {
    let signals = ptr::from_ref(&signals) as usize;
    // SAFETY: the set lives through the call, and is as long as is said.
    unsafe { call(libc::SYS_rt_sigprocmask, [number(libc::SIG_SETMASK), signals, 0, SET, 0]) };
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Running,
    /// It has ended; others have until then.
    Lingering(i64),
    /// All were asked to leave, and have until then.
    Asked(i64),
    /// Nobody has a choice; if that does not help until then, we give up.
    Killing(i64),
}

#[derive(Debug, Clone, Copy)]
enum Order {
    /// All should leave, and have so long.
    Leave(i64),
    /// We are gone: the command ends at once.
    End,
    /// All stand still, and so does time.
    StandStill,
    GoOn,
}

/// An order that ends something.
#[derive(Debug, Clone, Copy)]
enum Ending {
    Leave(i64),
    End,
}

struct Watch {
    leader: i32,
    ends: Ends,
    signals: RawFd,
    phase: Phase,
    status: Option<c_int>,
    rest: Rest,
    still: Option<Still>,
}

/// All stand still, or are about to.
#[derive(Debug, Clone, Copy)]
struct Still {
    since: i64,
    all: bool,
}

impl Watch {
    fn over(leader: i32, ends: Ends) -> Self {
        Watch { leader, ends, signals: -1, phase: Phase::Running, status: None, rest: Rest::default(), still: None }
    }

    fn go_on(mut self, room: &mut Processes) -> c_int {
        self.let_go();
        Word::Leader(self.leader).send(self.ends.words);
        while self.anyone_left() && !self.rest.escaped {
            let order = self.listen();
            self.stand_still(order, room);
            let next = self.next(order);
            self.enter(next, room);
            self.wait();
        }
        Word::Over(self.status.unwrap_or(libc::SIGKILL), self.rest).send(self.ends.words);
        0
    }

    /// Lets go of everything that we have open: the command's output, the terminal, sockets.
    fn let_go(&mut self) {
        let name = c"agent-fence".as_ptr() as usize;
        let heard = [1_u64 << (libc::SIGCHLD - 1) | 1 << (libc::SIGTERM - 1)];
        let flags = number(libc::SFD_CLOEXEC | libc::SFD_NONBLOCK);
        // SAFETY: the name and the paths end in a NUL, the set is as long as is said.
        let signals = unsafe {
            call(libc::SYS_prctl, [number(libc::PR_SET_NAME), name, 0, 0, 0]);
            call(libc::SYS_chdir, [c"/".as_ptr() as usize, 0, 0, 0, 0]);
            call(libc::SYS_signalfd4, [number(-1), heard.as_ptr() as usize, SET, flags, 0])
        };
        self.signals = RawFd::try_from(signals).unwrap_or(-1);
        close_but([self.ends.reins, self.ends.words, self.signals]);
    }

    /// Takes in who ended. Is anybody left?
    fn anyone_left(&mut self) -> bool {
        self.anyone_left_after(usize::MAX)
    }

    /// The same, taking in no more than `most`: they may end as fast as they are taken in.
    fn anyone_left_after(&mut self, most: usize) -> bool {
        for _ in 0..most {
            let mut status: c_int = 0;
            let (to, how) = (ptr::from_mut(&mut status) as usize, number(libc::WNOHANG | libc::__WALL));
            // SAFETY: the status lives through the call.
            let id = unsafe { call(libc::SYS_wait4, [number(-1), to, how, 0, 0]) };
            match c_int::try_from(id) {
                Ok(0) => return true,
                Ok(id) if id == self.leader => self.status = Some(status),
                Ok(1..) => {}
                Ok(_) | Err(_) => return false,
            }
        }
        true
    }

    fn listen(&mut self) -> Option<Order> {
        let mut order = [0_u8; 1];
        match read(self.ends.reins, &mut order) {
            0 => {
                // From now on there is nothing to hear, which is not worth waking up for.
                self.ends.reins = -1;
                return Some(Order::End);
            }
            1 => {
                return Some(match order {
                    [TIME_IS_UP] => Order::Leave(GRACE),
                    [STAND_STILL] => Order::StandStill,
                    [GO_ON] => Order::GoOn,
                    // Nobody waits any more.
                    _ => Order::Leave(LAST_GRACE),
                });
            }
            _ => {}
        }
        let mut signal = [0_u8; size_of::<libc::signalfd_siginfo>()];
        let asked = read(self.signals, &mut signal) > 0 && signal.starts_with(&libc::SIGTERM.to_ne_bytes());
        asked.then_some(Order::Leave(GRACE))
    }

    /// Has all stand still who have to, for as long as they have to. Whoever has to leave has not.
    fn stand_still(&mut self, order: Option<Order>, room: &mut Processes) {
        match (order, self.phase) {
            (Some(Order::StandStill), Phase::Running | Phase::Lingering(_)) => {
                self.still = self.still.or(Some(Still { since: now(), all: false }));
            }
            (Some(Order::GoOn), _) => self.go_on_again(room),
            (Some(Order::Leave(_) | Order::End), _) => self.still = None,
            (Some(Order::StandStill), Phase::Asked(_) | Phase::Killing(_)) | (None, _) => {}
        }
        if let Some(still @ Still { all: false, .. }) = self.still {
            self.still = Some(Still { all: stopped(room), ..still });
        }
    }

    fn go_on_again(&mut self, room: &mut Processes) {
        let Some(Still { since, .. }) = self.still.take() else { return };
        if let Phase::Lingering(until) = self.phase {
            self.phase = Phase::Lingering(until + now() - since);
        }
        for process in room.descend_from(own_id()) {
            signal(process.id, libc::SIGCONT);
        }
    }

    /// What is to be done next: an order counts, unless more is being done already.
    fn next(&self, order: Option<Order>) -> Phase {
        let now = now();
        let order = match order {
            None | Some(Order::StandStill | Order::GoOn) if self.still.is_some() => return self.phase,
            None | Some(Order::StandStill | Order::GoOn) => None,
            Some(Order::Leave(grace)) => Some(Ending::Leave(grace)),
            Some(Order::End) => Some(Ending::End),
        };
        match (self.phase, order) {
            (Phase::Killing(until), _) => Phase::Killing(until),
            (Phase::Running | Phase::Lingering(_) | Phase::Asked(_), Some(Ending::End)) => {
                Phase::Killing(now + STUBBORN)
            }
            (Phase::Asked(until), Some(Ending::Leave(grace))) => Phase::Asked(until.min(now + grace)),
            (Phase::Running | Phase::Lingering(_), Some(Ending::Leave(grace))) => Phase::Asked(now + grace),
            (Phase::Running, None) if self.status.is_some() => Phase::Lingering(now + LINGER),
            (Phase::Lingering(until), None) if now >= until => Phase::Asked(now + LINGER),
            (Phase::Asked(until), None) if now >= until => Phase::Killing(now + STUBBORN),
            (phase @ (Phase::Running | Phase::Lingering(_) | Phase::Asked(_)), None) => phase,
        }
    }

    fn enter(&mut self, next: Phase, room: &mut Processes) {
        match (self.phase, next) {
            (_, Phase::Killing(until)) => {
                self.kill(room);
                self.rest.escaped = now() >= until;
            }
            (Phase::Running | Phase::Lingering(_), Phase::Asked(_)) => {
                self.rest.asked |= self.status.is_none();
                self.rest.remained |= self.status.is_some();
                self.ask_to_leave(room);
            }
            (_, Phase::Running | Phase::Lingering(_) | Phase::Asked(_)) => {}
        }
        self.phase = next;
    }

    fn ask_to_leave(&self, room: &mut Processes) {
        for process in room.descend_from(own_id()) {
            signal(process.id, libc::SIGTERM);
            signal(process.id, libc::SIGCONT);
        }
    }

    /// Who starts another and ends at once is gone before a look at all processes is over; but whoever does so leaves
    /// orphans, and these are children of ours. Is anybody left?
    fn kill_children(&mut self) -> bool {
        for _ in 0..ROUNDS {
            // An id is not given to another process before we have taken note of its end.
            children(|id| signal(id, libc::SIGKILL));
            if !self.anyone_left_after(SOME) {
                return false;
            }
        }
        true
    }

    /// By groups: while one is ended nobody in it can start another. Only descendants are in groups of descendants.
    ///
    /// **Invariant.** Never a signal to everybody (`kill(-1)`): where the scope of signals did not hold, that would end all
    /// that the user has running.
    fn kill(&mut self, room: &mut Processes) {
        if !self.kill_children() {
            return;
        }
        let own = own_id();
        let mut seen = 0;
        for process in room.descend_from(own) {
            if process.group > 1 && process.group != own {
                signal(-process.group, libc::SIGKILL);
            }
            signal(process.id, libc::SIGKILL);
            seen += 1;
        }
        if seen == 0 {
            // There is no `/proc`, or they have all just ended.
            signal(-self.leader, libc::SIGKILL);
        }
    }

    /// Until something happens, or it is time for what comes next.
    fn wait(&self) {
        let rest = match self.phase {
            Phase::Running | Phase::Lingering(_) if self.still.is_some() => {
                if self.still.is_some_and(|still| still.all) { -1 } else { GLANCE }
            }
            Phase::Running if self.signals < 0 => AGAIN,
            Phase::Running => -1,
            Phase::Lingering(until) | Phase::Asked(until) => (until - now()).max(0),
            Phase::Killing(_) => AGAIN,
        };
        let watched = |fd: RawFd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 };
        let both = [watched(self.ends.reins), watched(self.signals)];
        let time = [rest / 1_000, rest % 1_000 * 1_000_000];
        let time = if rest < 0 { 0 } else { time.as_ptr() as usize };
        // SAFETY: there are two of them, and a time of seconds and nanoseconds.
        unsafe { call(libc::SYS_ppoll, [both.as_ptr() as usize, both.len(), time, 0, SET]) };
    }
}

/// Stops all that descend from us. Whoever has a signal to come starts no other process (fork(2) begins anew after it), so
/// when a look finds nobody who runs, and all that it found have been told, that stays so. Is nobody running?
fn stopped(room: &mut Processes) -> bool {
    for round in 0..LOOKS {
        let mut all = true;
        for process in room.descend_from(own_id()) {
            match process.still {
                Some(Pause::Stopped) => continue,
                Some(Pause::Waiting) => all &= round > 0,
                None => all = false,
            }
            signal(process.id, libc::SIGSTOP);
        }
        if all {
            return true;
        }
    }
    false
}

fn read(from: RawFd, to: &mut [u8]) -> isize {
    // SAFETY: the buffer is as long as is said.
    unsafe { call(libc::SYS_read, [number(from), to.as_mut_ptr() as usize, to.len(), 0, 0]) }
}

fn own_id() -> i32 {
    i32::try_from(plain(libc::SYS_getpid, [])).unwrap_or_default()
}

/// Milliseconds since some moment.
fn now() -> i64 {
    let mut time = [0_i64; 2];
    // SAFETY: the time is seconds and nanoseconds, and lives through the call.
    unsafe { call(libc::SYS_clock_gettime, [number(libc::CLOCK_MONOTONIC), time.as_mut_ptr() as usize, 0, 0, 0]) };
    time[0] * 1_000 + time[1] / 1_000_000
}

/// Goes to processes that descend from us, which is looked at just before.
fn signal(id: i32, signal: c_int) {
    plain(libc::SYS_kill, [number(id), number(signal)]);
}

/// Closes everything but these, the standard streams too.
fn close_but(mut kept: [RawFd; 3]) {
    kept.sort_unstable();
    let mut from: u32 = 0;
    for fd in kept {
        let Ok(fd) = u32::try_from(fd) else { continue };
        if fd > from {
            close_all(from, fd - 1);
        }
        from = from.max(fd + 1);
    }
    close_all(from, u32::MAX);
}

fn close_all(from: u32, to: u32) {
    let closed = plain(libc::SYS_close_range, [from as usize, to as usize]);
    if closed != 0 {
        // A kernel before 5.9.
        for fd in from..=to.min(OPEN) {
            plain(libc::SYS_close, [fd as usize]);
        }
    }
}
