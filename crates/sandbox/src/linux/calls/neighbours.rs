//! System calls that reach other processes without a file, a signal or a port between: their limits and priorities,
//! memory and messages that are known by a number.

use super::{Result, Rules, number, rule};
use seccompiler::{SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompRule};

/// These take whose turn it is to run, on which processor and from which memory; the first argument says of whom.
/// Zero is oneself.
const OF_WHOM: &[libc::c_long] = &[
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setattr,
    libc::SYS_move_pages,
    libc::SYS_migrate_pages,
];
/// "All processes of a user", for priorities and for input and output (setpriority(2), ioprio_set(2)).
const PRIORITY_OF_USER: i32 = libc::PRIO_USER as i32;
const IO_PRIORITY_OF_USER: i32 = 3;

/// Memory, semaphores and queues that any program of the same user may open by their number or name.
pub(super) const BY_NUMBER: &[libc::c_long] = &[
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
];

/// Changing how another process may run; the kernel asks for no more than the same user. One's own children are
/// "another" too: a filter knows numbers and not whose they are.
pub(super) fn meddling() -> Result<Rules> {
    let other = |argument: u8| (argument, SeccompCmpOp::Ne, 0);
    let mut rules = Rules::new();
    for call in OF_WHOM {
        rules.insert(*call, vec![rule(&[other(0)])?]);
    }
    for (call, user) in [(libc::SYS_setpriority, PRIORITY_OF_USER), (libc::SYS_ioprio_set, IO_PRIORITY_OF_USER)] {
        rules.insert(call, vec![rule(&[other(1)])?, rule(&[(0, SeccompCmpOp::Eq, number(user))])?]);
    }
    rules.insert(libc::SYS_prlimit64, vec![new_limit_of_another()?]);
    Ok(rules)
}

/// Where there is a new limit, which is an address: all of it counts, not only its lower half.
fn new_limit_of_another() -> Result<SeccompRule> {
    let another = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, 0)?;
    let new = SeccompCondition::new(2, SeccompCmpArgLen::Qword, SeccompCmpOp::Ne, 0)?;
    SeccompRule::new(vec![another, new])
}
