//! What must not reach the user's other programs although no file, port or signal is in between, and what a program
//! may still do to itself.

use crate::ground::Ground;
use agent_protocol::Profile::{self, Network, Project, ReadOnly, Unfenced};
use agent_sandbox::{Ended, Ending};
use std::fs;
use std::process::{Child, Command};

/// The C compiler makes `source` into a program that is then run with `arguments`.
async fn compiled(ground: &Ground, profile: Profile, source: &str, arguments: &str) -> Ended {
    fs::write(ground.project().join("probe.c"), source).unwrap();
    let made = ground.run(Unfenced, "cc -o probe probe.c").await;
    assert_eq!(made.ending, Ending::Exited(0), "{made:?}");
    ground.run(profile, &format!("./probe {arguments}")).await
}

/// A program of the user's that is ended with the test.
struct Neighbour(Child);

impl Neighbour {
    fn new() -> Self {
        Neighbour(Command::new("sleep").arg("1000").spawn().unwrap())
    }
}

impl Drop for Neighbour {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

#[tokio::test]
async fn nobody_meddles_with_how_our_programs_run() {
    for profile in [ReadOnly, Project, Network] {
        let (ground, neighbour) = (Ground::new(), Neighbour::new());
        let ended = compiled(&ground, profile, MEDDLING, &neighbour.0.id().to_string()).await;
        assert_eq!((ended.ending, ended.output.head.as_str()), (Ending::Exited(0), ""), "{profile:?}");
        let limits = fs::read_to_string(format!("/proc/{}/limits", neighbour.0.id())).unwrap();
        let own = fs::read_to_string("/proc/self/limits").unwrap();
        assert_eq!(limits, own, "{profile:?}");
    }
    let (ground, neighbour) = (Ground::new(), Neighbour::new());
    let ended = compiled(&ground, Unfenced, MEDDLING, &neighbour.0.id().to_string()).await;
    assert!(ended.output.head.contains("prlimit: 0"), "the same is possible without a sandbox: {ended:?}");
}

/// Prints the name of each call on another process that is not refused for being what it is.
const MEDDLING: &str = r#"
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
static void refused(const char *name, long result) {
    if (result != -1 || errno != EPERM) printf("%s: %ld %s\n", name, result, strerror(errno));
}
int main(int count, char **arguments) {
    long other = count > 1 ? atol(arguments[1]) : 0;
    unsigned long one = 1, zero[16] = {0};
    struct rlimit none = {64, 64};
    refused("prlimit", syscall(SYS_prlimit64, other, RLIMIT_NOFILE, &none, 0));
    refused("setpriority", syscall(SYS_setpriority, PRIO_PROCESS, other, 1));
    refused("setpriority of a group", syscall(SYS_setpriority, PRIO_PGRP, other, 1));
    refused("sched_setaffinity", syscall(SYS_sched_setaffinity, other, sizeof one, &one));
    refused("sched_setscheduler", syscall(SYS_sched_setscheduler, other, 0, zero));
    refused("sched_setparam", syscall(SYS_sched_setparam, other, zero));
    refused("sched_setattr", syscall(SYS_sched_setattr, other, zero, 0));
    refused("ioprio_set", syscall(SYS_ioprio_set, 1, other, 3 << 13));
    refused("move_pages", syscall(SYS_move_pages, other, 0UL, 0, 0, 0, 0));
    refused("migrate_pages", syscall(SYS_migrate_pages, other, 1UL, zero, zero));
    if (count > 2) refused("setpriority of all", syscall(SYS_setpriority, PRIO_USER, 0, 1));
    return 0;
}
"#;

#[tokio::test]
async fn nobody_meddles_with_all_programs_of_the_person_at_once() {
    let (ground, neighbour) = (Ground::new(), Neighbour::new());
    let arguments = format!("{} all", neighbour.0.id());
    let ended = compiled(&ground, Project, MEDDLING, &arguments).await;
    assert_eq!((ended.ending, ended.output.head.as_str()), (Ending::Exited(0), ""));
}

#[tokio::test]
async fn a_program_still_sets_its_own_limits_and_priorities() {
    let ground = Ground::new();
    for line in [
        "ulimit -n 64 && test \"$(ulimit -n)\" = 64",
        "test \"$(nice -n 5 nice)\" = \"$(($(nice) + 5))\"",
        "! command -v taskset || taskset 1 true",
        "! command -v ionice || ionice -c 3 true",
        "! command -v chrt || chrt --batch 0 true",
        "! command -v prlimit || prlimit --nofile=64 true",
        "! command -v prlimit || prlimit --pid $$",
    ] {
        let ended = ground.run(Project, line).await;
        assert_eq!(ended.ending, Ending::Exited(0), "{line}: {ended:?}");
    }
}

#[tokio::test]
async fn who_only_reads_reaches_no_memory_by_its_number() {
    let ended = compiled(&Ground::new(), ReadOnly, BY_NUMBER, "").await;
    assert_eq!((ended.ending, ended.output.head.as_str()), (Ending::Exited(0), ""));
    let ended = compiled(&Ground::new(), Project, BY_NUMBER, "").await;
    assert!(ended.output.head.contains("shmget"), "databases in the project need it: {ended:?}");
    let said = agent_sandbox::probe().details;
    assert!(said.iter().any(|line| line.starts_with("not held: System V")), "and it is said: {said:?}");
}

/// Prints the name of each call that is not refused; what it makes is removed at once.
const BY_NUMBER: &str = r#"
#include <fcntl.h>
#include <stdio.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void) {
    int memory = shmget(IPC_PRIVATE, 1, 0600), semaphore = semget(IPC_PRIVATE, 1, 0600), queue = msgget(IPC_PRIVATE, 0600);
    if (memory >= 0) { puts("shmget"); shmctl(memory, IPC_RMID, 0); }
    if (semaphore >= 0) { puts("semget"); semctl(semaphore, 0, IPC_RMID); }
    if (queue >= 0) { puts("msgget"); msgctl(queue, IPC_RMID, 0); }
    if (syscall(SYS_mq_open, "agent-none", O_RDONLY, 0, 0) >= 0) puts("mq_open");
    return 0;
}
"#;

#[tokio::test]
async fn a_pair_of_datagrams_does_not_lead_to_a_socket_in_a_folder() {
    for (profile, kinds) in [
        (ReadOnly, "stream\nseqpacket\n"),
        (Project, "stream\nseqpacket\ndatagram\n"),
        (Network, "stream\nseqpacket\n"),
    ] {
        let ground = Ground::new();
        let path = ground.outside().join("socket");
        let socket = std::os::unix::net::UnixDatagram::bind(&path).unwrap();
        socket.set_nonblocking(true).unwrap();
        let ended = compiled(&ground, profile, PAIRS, path.to_str().unwrap()).await;
        assert_eq!(ended.output.head, kinds, "{profile:?}: {ended:?}");
        assert!(socket.recv(&mut [0; 8]).is_err(), "{profile:?}");
    }
}

/// Prints the name of each kind of pair there is, and sends to a path through those of datagrams.
const PAIRS: &str = r#"
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
int main(int count, char **arguments) {
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    if (count > 1) strncpy(to.sun_path, arguments[1], sizeof to.sun_path - 1);
    struct { const char *name; int type; } all[] = {{"stream", SOCK_STREAM}, {"seqpacket", SOCK_SEQPACKET},
        {"datagram", SOCK_DGRAM}, {"raw", SOCK_RAW}};
    for (int i = 0; i < 4; i++) {
        int pair[2];
        if (socketpair(AF_UNIX, all[i].type, 0, pair) != 0) continue;
        puts(all[i].name);
        if (i > 1) sendto(pair[0], "x", 1, 0, (struct sockaddr *)&to, sizeof to);
    }
    return 0;
}
"#;

#[tokio::test]
async fn nothing_is_handed_down_beside_what_root_keeps() {
    let ended = Ground::new().run(Project, "grep -E '^Cap(Inh|Amb)' /proc/self/status").await;
    assert_eq!(ended.output.head, "CapInh:\t0000000000000000\nCapAmb:\t0000000000000000\n");
}

#[test]
fn it_is_said_that_root_has_no_limit_on_processes() {
    let said = agent_sandbox::probe().details.iter().any(|line| line.contains("how many processes"));
    assert_eq!(said, rustix::process::geteuid().is_root());
}
