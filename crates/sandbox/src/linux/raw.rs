//! System calls and nothing else: no `errno`, so nothing that belongs to a thread is touched.

#![expect(unsafe_code, reason = "a system call is made in assembler")]

use std::arch::asm;
use std::ffi::{CStr, c_long};

/// Makes a system call; a negative answer is the number of an error.
///
/// # Safety
/// What the arguments point to must be what this call expects.
#[cfg(target_arch = "x86_64")]
pub(super) unsafe fn call(number: c_long, arguments: [usize; 5]) -> isize {
    let [a, b, c, d, e] = arguments;
    let mut answer = number as isize;
    // SAFETY: the kernel keeps all registers but these.
    unsafe {
        asm!("syscall", inlateout("rax") answer, in("rdi") a, in("rsi") b, in("rdx") c, in("r10") d, in("r8") e,
            lateout("rcx") _, lateout("r11") _, options(nostack));
    }
    answer
}

/// Makes a system call; a negative answer is the number of an error.
///
/// # Safety
/// What the arguments point to must be what this call expects.
#[cfg(target_arch = "aarch64")]
pub(super) unsafe fn call(number: c_long, arguments: [usize; 5]) -> isize {
    let [a, b, c, d, e] = arguments;
    let mut answer = a as isize;
    // SAFETY: the kernel keeps all registers but the one with the answer.
    unsafe {
        asm!("svc 0", in("x8") number, inlateout("x0") answer, in("x1") b, in("x2") c, in("x3") d, in("x4") e,
            options(nostack));
    }
    answer
}

/// Opens the file at `path` to be read.
pub(super) fn open(path: &CStr) -> Result<usize, i32> {
    let flags = number(libc::O_RDONLY | libc::O_CLOEXEC);
    // SAFETY: the path ends in a NUL.
    read(unsafe { call(libc::SYS_openat, [number(libc::AT_FDCWD), path.as_ptr() as usize, flags, 0, 0]) })
}

/// A number as an argument; a negative one keeps its sign.
pub(super) fn number(value: i32) -> usize {
    value as isize as usize
}

/// Makes a system call that looks at no memory: what it answers, or the number of an error.
pub(super) fn plain<const N: usize>(which: c_long, given: [usize; N]) -> Result<usize, i32> {
    let mut arguments = [0; 5];
    arguments[..N].copy_from_slice(&given);
    // SAFETY: numbers are passed, no addresses.
    read(unsafe { call(which, arguments) })
}

/// What a system call answered, or the number of its error.
pub(super) fn read(answer: isize) -> Result<usize, i32> {
    usize::try_from(answer).map_err(|_| i32::try_from(answer.unsigned_abs()).unwrap_or(i32::MAX))
}
