//! The wall around system calls: seccomp. What Landlock does not govern, and what leads around it.

mod neighbours;

use agent_protocol::Profile;
use libc::c_long;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen::Dword, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    sock_filter,
};
use std::collections::BTreeMap;

type Rules = BTreeMap<i64, Vec<SeccompRule>>;
type Result<T> = std::result::Result<T, seccompiler::BackendError>;

/// Nobody within a sandbox needs these, and each has led out of one: sockets through a ring, other processes' memory,
/// other mounts and namespaces, keys, code in the kernel. By number where `libc` has no name yet.
const NEVER: &[c_long] = &[
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    OPEN_TREE_ATTR,
    FILE_SETATTR,
    libc::SYS_setns,
    libc::SYS_open_by_handle_at,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    KEXEC_FILE_LOAD,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_adjtimex,
    libc::SYS_clock_adjtime,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_vhangup,
];
#[cfg(target_arch = "x86_64")]
const KEXEC_FILE_LOAD: c_long = 320;
#[cfg(not(target_arch = "x86_64"))]
const KEXEC_FILE_LOAD: c_long = 294;
const OPEN_TREE_ATTR: c_long = 467;
const FILE_SETATTR: c_long = 469;

/// Modes, owners and times of files, which Landlock lets anybody change: not for who only reads.
const METADATA: &[c_long] =
    &[libc::SYS_fchmod, libc::SYS_fchmodat, FCHMODAT2, libc::SYS_fchown, libc::SYS_fchownat, libc::SYS_utimensat];
const FCHMODAT2: c_long = 452;

/// Attributes of files, which Landlock lets anybody change: for nobody within a sandbox. Which file it is cannot be seen
/// here, so the answer is that of a file system that has none, with which programs that copy files go on.
const ATTRIBUTES: &[c_long] = &[
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    SETXATTRAT,
    REMOVEXATTRAT,
];
const SETXATTRAT: c_long = 463;
const REMOVEXATTRAT: c_long = 466;

/// The same under names that only this architecture has.
#[cfg(target_arch = "x86_64")]
const OLD_METADATA: &[c_long] =
    &[libc::SYS_chmod, libc::SYS_chown, libc::SYS_lchown, libc::SYS_utime, libc::SYS_utimes, libc::SYS_futimesat];
#[cfg(not(target_arch = "x86_64"))]
const OLD_METADATA: &[c_long] = &[];

/// Requests to a terminal that type into it (`TIOCSTI`, `TIOCLINUX`), to a file or folder that is open for reading only
/// that make it immutable, sealed or another (`FS_IOC_SETFLAGS`, `FS_IOC_FSSETXATTR`, `FS_IOC_ENABLE_VERITY`,
/// `FS_IOC_SETVERSION`, `FS_IOC_SET_ENCRYPTION_POLICY`, `FAT_IOCTL_SET_ATTRIBUTES`), and to a folder on btrfs that make or
/// remove one in it (`BTRFS_IOC_SNAP_CREATE`, `SUBVOL_CREATE`, `SNAP_DESTROY`, and the second version of each).
const REQUESTS: &[u32] = &[
    0x5412,
    0x541c,
    0x4008_6602,
    0x401c_5820,
    0x4080_6685,
    0x4008_7602,
    0x800c_6613,
    0x4004_7211,
    0x5000_9401,
    0x5000_940e,
    0x5000_940f,
    0x5000_9417,
    0x5000_9418,
    0x5000_943f,
];

/// Sending with this flag connects on the way (`MSG_FASTOPEN`), which Landlock's rules for ports do not see.
const CONNECTING: i32 = libc::MSG_FASTOPEN;
/// Sending, and which argument has the flags.
const SENDING: &[(c_long, u8)] = &[(libc::SYS_sendto, 3), (libc::SYS_sendmsg, 2), (libc::SYS_sendmmsg, 3)];
/// After this option a connection is made by the first that is sent.
const CONNECT_LATER: i32 = libc::TCP_FASTOPEN_CONNECT;

/// Flags that would make a new namespace, in which one is root.
const NAMESPACES: &[i32] = &[
    libc::CLONE_NEWNS,
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWCGROUP,
];

/// The first version of Landlock that governs truncation.
const TRUNCATION: u32 = 3;
/// System calls of the 32-bit world have numbers from here on, under the same architecture.
#[cfg(target_arch = "x86_64")]
const X32: u32 = 0x4000_0000;

/// Which sockets there are for a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sockets {
    None,
    Network,
    /// Those, and such as have a path.
    NetworkAndPaths,
}

/// The programs for `profile` where Landlock has this version, to be put in force one after the other.
pub(super) fn programs(profile: Profile, sockets: Sockets, landlock: u32) -> Result<Vec<BpfProgram>> {
    let mut absent = vec![libc::SYS_clone3];
    if landlock < TRUNCATION {
        absent.push(libc::SYS_openat2);
    }
    // What takes its flags from memory cannot be looked into; programs fall back when it is not there.
    let always = |calls: &[c_long]| calls.iter().map(|call| (*call, Vec::new())).collect();
    Ok(vec![
        compiled(always(&absent), libc::ENOSYS)?,
        compiled(always(ATTRIBUTES), libc::EOPNOTSUPP)?,
        compiled(refused(profile, sockets, landlock)?, libc::EPERM)?,
    ])
}

fn compiled(rules: Rules, error: i32) -> Result<BpfProgram> {
    let refuse = SeccompAction::Errno(error.unsigned_abs());
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, std::env::consts::ARCH.try_into()?)?;
    let program: BpfProgram = filter.try_into()?;
    Ok([only_this_world(), program].concat())
}

/// Kills whoever makes a call of the 32-bit world that has the same architecture; others are killed by the program.
#[cfg(target_arch = "x86_64")]
fn only_this_world() -> BpfProgram {
    let statement = |code: u32, jt: u8, jf: u8, k: u32| sock_filter { code: code as u16, jt, jf, k };
    vec![
        statement(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, 0),
        statement(libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K, 0, 1, X32),
        statement(libc::BPF_RET | libc::BPF_K, 0, 0, libc::SECCOMP_RET_KILL_PROCESS),
    ]
}
#[cfg(not(target_arch = "x86_64"))]
fn only_this_world() -> BpfProgram {
    Vec::new()
}

fn refused(profile: Profile, sockets: Sockets, landlock: u32) -> Result<Rules> {
    let mut rules: Rules = NEVER.iter().map(|call| (*call, Vec::new())).collect();
    if profile == Profile::ReadOnly {
        let more = METADATA.iter().chain(OLD_METADATA).chain(neighbours::BY_NUMBER);
        rules.extend(more.map(|call| (*call, Vec::new())));
    }
    let requests = REQUESTS.iter().map(|request| rule(&[(1, SeccompCmpOp::Eq, *request)]));
    rules.insert(libc::SYS_ioctl, requests.collect::<Result<_>>()?);
    rules.insert(libc::SYS_socketpair, odd_pairs(sockets)?);
    rules.extend(early_connections()?);
    rules.extend(neighbours::meddling()?);
    rules.insert(libc::SYS_socket, odd_sockets(sockets)?);
    for call in [libc::SYS_clone, libc::SYS_unshare] {
        rules.insert(call, NAMESPACES.iter().map(|flag| rule(&[has(0, *flag)])).collect::<Result<_>>()?);
    }
    if landlock < TRUNCATION {
        rules.extend(truncations()?);
    }
    Ok(rules)
}

/// All sockets but TCP and UDP, and such as have a path where they may be had. Among the odd ones are some that reach a
/// TCP port and that Landlock does not know. No rule at all refuses each.
fn odd_sockets(sockets: Sockets) -> Result<Vec<SeccompRule>> {
    let families: &[i32] = match sockets {
        Sockets::None => return Ok(Vec::new()),
        Sockets::Network => &[libc::AF_INET, libc::AF_INET6],
        Sockets::NetworkAndPaths => &[libc::AF_INET, libc::AF_INET6, libc::AF_UNIX],
    };
    let other = |argument: u8, allowed: &[i32]| {
        rule(&allowed.iter().map(|one| (argument, SeccompCmpOp::Ne, number(*one))).collect::<Vec<_>>())
    };
    let mut rules = vec![other(0, families)?, other(2, &[0, libc::IPPROTO_TCP, libc::IPPROTO_UDP])?];
    let [packets, paths] = [libc::SOCK_SEQPACKET, libc::AF_UNIX].map(number);
    // In other families packets in sequence are another protocol.
    rules.push(rule(&[(1, SeccompCmpOp::MaskedEq(0xf), packets), (0, SeccompCmpOp::Ne, paths)])?);
    rules.extend(kinds_but(&[libc::SOCK_STREAM, libc::SOCK_DGRAM, libc::SOCK_SEQPACKET])?);
    Ok(rules)
}

/// All pairs but those whose ends stay with each other: one of datagrams (in this family a raw one is one too) also
/// sends to any path where a socket is, and is had only where sockets with a path are.
fn odd_pairs(sockets: Sockets) -> Result<Vec<SeccompRule>> {
    let mut rules = vec![rule(&[(0, SeccompCmpOp::Ne, number(libc::AF_UNIX))])?];
    rules.extend(match sockets {
        Sockets::None | Sockets::Network => kinds_but(&[libc::SOCK_STREAM, libc::SOCK_SEQPACKET])?,
        Sockets::NetworkAndPaths => kinds_but(&[libc::SOCK_STREAM, libc::SOCK_SEQPACKET, libc::SOCK_DGRAM])?,
    });
    Ok(rules)
}

/// Every kind of socket (the second argument, without its flags) but these.
fn kinds_but(these: &[i32]) -> Result<Vec<SeccompRule>> {
    let kinds = (0..16).filter(|kind| !these.contains(kind));
    kinds.map(|kind| rule(&[(1, SeccompCmpOp::MaskedEq(0xf), number(kind))])).collect()
}

/// Connecting without a call that says so.
fn early_connections() -> Result<Rules> {
    let mut rules = Rules::new();
    for (call, flags) in SENDING {
        rules.insert(*call, vec![rule(&[has(*flags, CONNECTING)])?]);
    }
    let [level, option] = [libc::IPPROTO_TCP, CONNECT_LATER].map(number);
    let later = rule(&[(1, SeccompCmpOp::Eq, level), (2, SeccompCmpOp::Eq, option)])?;
    rules.insert(libc::SYS_setsockopt, vec![later]);
    Ok(rules)
}

/// Shortening a file without opening it for writing.
fn truncations() -> Result<Rules> {
    let reading = SeccompCmpOp::MaskedEq((libc::O_TRUNC | libc::O_ACCMODE).unsigned_abs().into());
    let opening = |flags: u8| rule(&[(flags, reading.clone(), number(libc::O_TRUNC | libc::O_RDONLY))]);
    let mut rules = Rules::from([(libc::SYS_truncate, Vec::new()), (libc::SYS_openat, vec![opening(2)?])]);
    #[cfg(target_arch = "x86_64")]
    rules.insert(libc::SYS_open, vec![opening(1)?]);
    Ok(std::mem::take(&mut rules))
}

fn has(argument: u8, flag: i32) -> (u8, SeccompCmpOp, u32) {
    (argument, SeccompCmpOp::MaskedEq(number(flag).into()), number(flag))
}

/// All of the conditions at once. Only the low half of an argument counts, as for the kernel.
fn rule(conditions: &[(u8, SeccompCmpOp, u32)]) -> Result<SeccompRule> {
    let conditions = conditions
        .iter()
        .map(|(argument, compare, value)| SeccompCondition::new(*argument, Dword, compare.clone(), (*value).into()));
    SeccompRule::new(conditions.collect::<Result<_>>()?)
}

fn number(value: i32) -> u32 {
    value.cast_unsigned()
}
