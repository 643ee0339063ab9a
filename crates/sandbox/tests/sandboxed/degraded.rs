//! Boxes in which the kernel has less to offer, made with a filter of our own around a copy of this program: a
//! container without namespaces, a kernel without Landlock, a kernel without filters.
#![expect(unsafe_code, reason = "the filter is put in force between fork and exec")]

use crate::ground::{Ground, LONG};
use agent_protocol::Profile::{Network, Project, ReadOnly, Unfenced};
use agent_protocol::{Blocked, SandboxKind};
use agent_sandbox::{Ending, More, Remains, SandboxError, run_with};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
};
use std::collections::BTreeMap;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// Set in the copy.
const INSIDE: &str = "FENCED_INSIDE";
/// What a container does not let anybody do in its default filter.
const CONTAINED: &[i64] =
    &[libc::SYS_unshare, libc::SYS_setns, libc::SYS_mount, libc::SYS_umount2, libc::SYS_pivot_root];
const LANDLOCK: &[i64] =
    &[libc::SYS_landlock_create_ruleset, libc::SYS_landlock_add_rule, libc::SYS_landlock_restrict_self];

fn filter(calls: &[i64], extra: Vec<(i64, Vec<SeccompRule>)>, error: i32) -> BpfProgram {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = calls.iter().map(|call| (*call, Vec::new())).collect();
    rules.extend(extra);
    let refuse = SeccompAction::Errno(error.unsigned_abs());
    let arch = env::consts::ARCH.try_into().unwrap();
    SeccompFilter::new(rules, SeccompAction::Allow, refuse, arch).unwrap().try_into().unwrap()
}

/// Runs `test` of this program again, inside a box of these filters.
pub(crate) fn inside(filters: Vec<BpfProgram>, test: &str) {
    let mut copy = Command::new(env::current_exe().unwrap());
    copy.args([&format!("degraded::{test}"), "--exact", "--nocapture"]).env(INSIDE, test);
    let raise =
        move || filters.iter().try_for_each(|filter| seccompiler::apply_filter(filter).map_err(|_| raise_failed()));
    // SAFETY: between fork and exec it makes system calls only, on what was made before.
    unsafe { copy.pre_exec(raise) };
    let output = copy.output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

fn raise_failed() -> std::io::Error {
    std::io::Error::from_raw_os_error(libc::EINVAL)
}

pub(crate) fn is_inside(test: &str) -> bool {
    env::var(INSIDE).is_ok_and(|inside| inside == test)
}

#[test]
fn in_a_container_without_namespaces_the_sandbox_holds_in_full() {
    let new = SeccompCmpOp::MaskedEq(libc::CLONE_NEWUSER.unsigned_abs().into());
    let new = SeccompCondition::new(0, SeccompCmpArgLen::Dword, new, libc::CLONE_NEWUSER.unsigned_abs().into());
    let clone = (libc::SYS_clone, vec![SeccompRule::new(vec![new.unwrap()]).unwrap()]);
    let absent = filter(&[libc::SYS_clone3], Vec::new(), libc::ENOSYS);
    inside(vec![filter(CONTAINED, vec![clone], libc::EPERM), absent], "contained");
}

/// Runs in the copy only.
#[tokio::test]
async fn contained() {
    if !is_inside("contained") {
        return;
    }
    assert_eq!(agent_sandbox::probe().kind, SandboxKind::Kernel);
    let ground = Ground::new();
    for profile in [ReadOnly, Project, Network] {
        assert_ne!(ground.run(profile, "echo x > ../outside/x").await.ending, Ending::Exited(0), "{profile:?}");
    }
    assert_eq!(ground.run(Project, "echo x > x").await.ending, Ending::Exited(0));
    is_as_without_namespaces(&ground).await;
    nothing_survives(&ground).await;
}

/// No sockets, the machine's own `/tmp`, and a line that says what is missing.
async fn is_as_without_namespaces(ground: &Ground) {
    let why = ground.around.try_inside().unwrap_err();
    assert!(why.contains("cannot be made"), "{why}");
    let details = agent_sandbox::probe().details;
    let missing: Vec<&String> = details.iter().filter(|line| line.starts_with("missing: ")).collect();
    assert_eq!(missing.len(), 1, "{details:?}");
    let ended = ground.run(Project, "bash -c ': > /dev/tcp/127.0.0.1/9'").await;
    assert!(ended.output.head.contains("socket: Operation not permitted"), "{ended:?}");
    assert_eq!(ended.blocked, Some(Blocked::Network));
    let ended = ground.run(Project, "echo x > /tmp/agent-sandbox-new").await;
    assert_eq!((ended.ending, ended.blocked), (Ending::Exited(2), Some(Blocked::Writing)), "{ended:?}");
    let more = More { hidden: vec![ground.outside()], ..More::default() };
    let shell = ground.shell("ls -d ../outside");
    let ended = run_with(&shell, &ground.sandbox(Project, LONG), &ground.around, more, |_| ()).await.unwrap();
    assert_eq!(ended.ending, Ending::Exited(0), "nothing is hidden where nothing can be: {ended:?}");
}

#[test]
fn where_mounts_cannot_be_had_commands_have_a_network_and_no_sockets_with_a_path() {
    let new = [libc::SYS_move_mount, libc::SYS_open_tree, libc::SYS_mount_setattr];
    inside(vec![filter(&new, Vec::new(), libc::EPERM)], "unmounted");
}

/// Runs in the copy only.
#[tokio::test]
async fn unmounted() {
    if !is_inside("unmounted") {
        return;
    }
    let ground = Ground::new();
    let why = ground.around.inside().unwrap().covers().unwrap_err().to_owned();
    assert!(why.contains("mounts of its own cannot be made"), "{why}");
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let line = format!("bash -c ': > /dev/tcp/127.0.0.1/{}'", listener.local_addr().unwrap().port());
    let ended = ground.run(Project, &line).await;
    assert!(ended.output.head.contains("Connection refused"), "a loopback of its own: {ended:?}");
    let ended = ground.run(Project, "test -d /tmp && echo x > /tmp/agent-sandbox-new").await;
    assert_eq!(ended.ending, Ending::Exited(2), "{ended:?}");
    fs::write(ground.project().join("paths.c"), PATHS).unwrap();
    let made = ground.run(Unfenced, "cc -o paths paths.c").await;
    assert_eq!(made.ending, Ending::Exited(0), "{made:?}");
    assert_eq!(ground.run(Project, "./paths").await.output.head, "pair\n");
    nothing_survives(&ground).await;
}

/// Prints the name of each that has or may have a path.
const PATHS: &str = r#"
#include <stdio.h>
#include <sys/socket.h>
int main(void) {
    int pair[2];
    if (socket(AF_UNIX, SOCK_STREAM, 0) >= 0) puts("stream");
    if (socket(AF_UNIX, SOCK_DGRAM, 0) >= 0) puts("datagram");
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0) puts("datagram pair");
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0) puts("pair");
    return 0;
}
"#;

#[test]
fn where_overlays_cannot_be_had_commands_have_files_of_their_own_and_no_sockets_with_a_path() {
    inside(vec![filter(&[libc::SYS_fsopen], Vec::new(), libc::EPERM)], "unlaid");
}

/// Runs in the copy only.
#[tokio::test]
async fn unlaid() {
    if !is_inside("unlaid") {
        return;
    }
    let ground = Ground::new();
    let inside = ground.around.inside().unwrap();
    assert_eq!(inside.covers(), Ok(()));
    let why = inside.path_sockets().unwrap_err();
    assert!(why.starts_with("no overlay of /") && why.contains("Linux 5.11"), "{why}");
    let details = agent_sandbox::probe().details;
    let missing: Vec<&String> = details.iter().filter(|line| line.starts_with("missing: ")).collect();
    assert!(matches!(&missing[..], [line] if line.contains("no overlay of /")), "{details:?}");
    fs::write(ground.project().join("paths.c"), PATHS).unwrap();
    let made = ground.run(Unfenced, "cc -o paths paths.c").await;
    assert_eq!(made.ending, Ending::Exited(0), "{made:?}");
    assert_eq!(ground.run(Project, "./paths").await.output.head, "pair\n");
    let more = More { hidden: vec![ground.outside()], ..More::default() };
    fs::write(ground.outside().join("secret"), "x").unwrap();
    let shell = ground.shell("test -d ../outside && ! test -e ../outside/secret && echo x > /tmp/own");
    let ended = run_with(&shell, &ground.sandbox(Project, LONG), &ground.around, more, |_| ()).await.unwrap();
    assert_eq!(ended.ending, Ending::Exited(0), "{ended:?}");
    nothing_survives(&ground).await;
}

#[test]
fn without_landlock_the_sandbox_is_weaker_and_says_so() {
    inside(vec![filter(LANDLOCK, Vec::new(), libc::ENOSYS)], "landless");
}

/// Runs in the copy only.
#[tokio::test]
async fn landless() {
    if !is_inside("landless") {
        return;
    }
    let sandbox = agent_sandbox::probe();
    assert_eq!(sandbox.kind, SandboxKind::None);
    assert!(sandbox.words.contains("no Landlock") && sandbox.words.contains("5.13"), "{sandbox:?}");
    let ground = Ground::new();
    is_not_run_unfenced(&ground).await;
    let ended = ground.run(Project, "echo x > ../outside/x").await;
    assert_eq!(ended.ending, Ending::Exited(0), "nothing keeps it from that, as the probe said");
    let ended = ground.run(Project, "bash -c ': > /dev/tcp/127.0.0.1/9'").await;
    assert!(ended.output.head.contains("socket: Operation not permitted"), "filters are there: {ended:?}");
    assert_eq!(ended.blocked, None, "without a whole sandbox nothing is laid at its door");
    nothing_survives(&ground).await;
}

#[test]
fn without_filters_the_sandbox_is_weaker_and_says_so() {
    inside(vec![filter(&[libc::SYS_seccomp], Vec::new(), libc::ENOSYS)], "unfiltered");
}

/// Runs in the copy only.
#[tokio::test]
async fn unfiltered() {
    if !is_inside("unfiltered") {
        return;
    }
    let sandbox = agent_sandbox::probe();
    assert_eq!(sandbox.kind, SandboxKind::None);
    assert!(sandbox.words.contains("filter"), "{sandbox:?}");
    let ground = Ground::new();
    is_not_run_unfenced(&ground).await;
    let ended = ground.run(Project, "echo x > ../outside/x").await;
    assert_eq!((ended.ending, ended.blocked), (Ending::Exited(2), None), "Landlock is there: {ended:?}");
    nothing_survives(&ground).await;
}

async fn is_not_run_unfenced(ground: &Ground) {
    let refused = ground.try_run(ReadOnly, 10, "echo x > x").await;
    assert!(matches!(refused, Err(SandboxError::NoSandbox { .. })), "{refused:?}");
    assert!(!ground.project().join("x").exists());
    assert_eq!(agent_sandbox::ask(Path::new("/bin/true"), &[], &ground.project(), &[], &ground.around), None);
    assert_eq!(ground.run(Unfenced, "echo x > x").await.ending, Ending::Exited(0));
}

async fn nothing_survives(ground: &Ground) {
    let ended = ground.run(Project, "setsid sleep 1000 & echo on").await;
    assert_eq!((ended.ending, ended.remains), (Ending::Exited(0), Remains::Ended));
    assert_eq!(ground.survivors(), Vec::<String>::new());
}
