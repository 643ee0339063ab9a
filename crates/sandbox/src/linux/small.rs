//! Small children that share our memory: they make a few system calls where none of our threads can go, and end.
//!
//! A thread of ours cannot join another user namespace, and must not change its network. A process of its own can do
//! both; as long as it shares our memory it costs next to nothing, and what it opens can come to us.

#![expect(unsafe_code, reason = "a process that shares our memory is made by hand")]

use rustix::io::Errno;
use rustix::process::{Pid, WaitOptions, waitpid};
use std::ffi::{c_int, c_void};
use std::io;
use std::mem::MaybeUninit;
use std::ptr;

/// Bytes of a stack; of most only the addresses are used.
const STACK: usize = 128 * 1024;

/// What a child does. It gets the address of what it was given, and its answer is its exit code.
///
/// It makes bare system calls only (`raw::call`): its thread's own memory is that of the thread that made it.
pub(super) type ChildWork = extern "C" fn(*mut c_void) -> c_int;

/// A child that runs on by itself. Dropping it waits for its end.
#[derive(Debug)]
pub(super) struct Small<'a, T> {
    id: Pid,
    code: Option<Option<i32>>,
    _stack: Box<[MaybeUninit<u8>]>,
    _given: &'a T,
}

impl<'a, T: Sync> Small<'a, T> {
    /// Makes it, with these flags of `clone` besides.
    pub(super) fn begin(flags: c_int, work: ChildWork, given: &'a T) -> io::Result<Self> {
        let mut stack = Box::<[u8]>::new_uninit_slice(STACK);
        let top = stack.as_mut_ptr_range().end;
        let top = top.wrapping_sub(top as usize % 16).cast();
        // No handler of ours may run in it: it would run in our memory.
        // SAFETY: the sets are filled before they are used; the stack and what the child is given are kept until it has
        // ended, which the drop waits for; what it is given may be looked at by several at once.
        let id = unsafe {
            let (mut all, mut before) = (MaybeUninit::uninit(), MaybeUninit::uninit());
            libc::sigfillset(all.as_mut_ptr());
            libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr());
            let given = ptr::from_ref(given).cast_mut().cast();
            let id = libc::clone(work, top, libc::CLONE_VM | libc::SIGCHLD | flags, given);
            let error = io::Error::last_os_error();
            libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), ptr::null_mut());
            if id < 0 {
                return Err(error);
            }
            id
        };
        let id = Pid::from_raw(id).expect("a process that was made has an id");
        Ok(Small { id, code: None, _stack: stack, _given: given })
    }

    /// Makes it and waits for its end: its exit code, `None` where a signal ended it. The caller's thread stands still
    /// meanwhile.
    pub(super) fn run(flags: c_int, work: ChildWork, given: &'a T) -> io::Result<Option<i32>> {
        Ok(Small::begin(libc::CLONE_VFORK | flags, work, given)?.ended())
    }
}

impl<'a, T: Sync> Small<'a, T> {
    /// Makes it and waits until it has nothing more to do with our memory. What it leaves behind in the kernel (mounts of
    /// its own) may take it milliseconds to clear away, which another thread waits for. It has to tell in what it was
    /// given what it came to.
    pub(super) fn run_and_leave(flags: c_int, work: ChildWork, given: &'a T) -> io::Result<()> {
        let mut child = Small::begin(libc::CLONE_VFORK | flags, work, given)?;
        let id = child.id;
        let waiting = std::thread::Builder::new().spawn(move || wait(id));
        if waiting.is_ok() {
            child.code = Some(None);
        }
        Ok(())
    }
}

impl<T> Small<'_, T> {
    pub(super) fn id(&self) -> Pid {
        self.id
    }

    /// Waits for its end: its exit code, `None` where a signal ended it.
    pub(super) fn ended(&mut self) -> Option<i32> {
        if let Some(code) = self.code {
            return code;
        }
        let code = wait(self.id);
        self.code = Some(code);
        code
    }
}

fn wait(id: Pid) -> Option<i32> {
    loop {
        match waitpid(Some(id), WaitOptions::empty()) {
            Err(Errno::INTR) => {}
            status => return status.ok().flatten().and_then(|(_, status)| status.exit_status()),
        }
    }
}

impl<T> Drop for Small<'_, T> {
    fn drop(&mut self) {
        self.ended();
    }
}
