//! What must be refused inside each sandbox, and what must still work. The list is kept in step with what programs of
//! all kinds try.

use crate::ground::{Ground, LONG};
use agent_protocol::Profile::{self, Network, Project, ReadOnly, Unfenced};
use agent_sandbox::{Ended, Ending};
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;

fn failed(ended: &Ended) -> bool {
    ended.ending != Ending::Exited(0)
}

async fn works(ground: &Ground, profile: Profile, line: &str) {
    let ended = ground.run(profile, line).await;
    assert!(!failed(&ended), "{profile:?}: {line}\n{ended:?}");
}

async fn is_refused(ground: &Ground, profile: Profile, line: &str) {
    let ended = ground.run(profile, line).await;
    assert!(failed(&ended), "{profile:?}: {line}\n{ended:?}");
}

/// The C compiler makes `source` into a program that the sandbox then holds; what it prints comes back.
async fn compiled(profile: Profile, source: &str) -> Ended {
    let ground = Ground::new();
    fs::write(ground.project().join("probe.c"), source).unwrap();
    works(&ground, Unfenced, "cc -o probe probe.c").await;
    ground.run(profile, "./probe").await
}

#[tokio::test]
async fn who_only_reads_reads() {
    let ground = Ground::new();
    fs::write(ground.project().join("a.txt"), "here\n").unwrap();
    fs::write(ground.outside().join("b.txt"), "there\n").unwrap();
    let ended = ground.run(ReadOnly, "cat a.txt ../outside/b.txt /dev/null; head -c1 /dev/urandom >/dev/null").await;
    assert_eq!((ended.ending, ended.output.head.as_str()), (Ending::Exited(0), "here\nthere\n"));
}

#[tokio::test]
async fn who_only_reads_changes_nothing_anywhere() {
    let ground = Ground::new();
    let file = ground.project().join("a.txt");
    fs::write(&file, "here\n").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    let before = fs::metadata(&file).unwrap();
    for line in [
        "echo x > a.txt",
        "echo x >> a.txt",
        "echo x > new",
        "echo x > ../outside/new",
        "echo x > \"$TMPDIR/new\"",
        "echo x > /dev/shm/agent-new",
        "mkdir new",
        "ln -s a.txt new",
        "ln a.txt new",
        "mkfifo new",
        "mv a.txt b.txt",
        "rm a.txt",
        "truncate -s 0 a.txt",
        "chmod 600 a.txt",
        "touch -d 2001-01-01 a.txt",
        "chown 0:12345 a.txt",
        "dd if=/dev/null of=a.txt",
    ] {
        is_refused(&ground, ReadOnly, line).await;
    }
    let after = fs::metadata(&file).unwrap();
    assert_eq!(fs::read(&file).unwrap(), b"here\n");
    assert_eq!(after.permissions(), before.permissions());
    assert_eq!(after.modified().unwrap(), before.modified().unwrap());
    assert_eq!(fs::read_dir(ground.project()).unwrap().count(), 1);
    works(&ground, ReadOnly, "echo x > /dev/null").await;
}

#[tokio::test]
async fn a_command_writes_in_the_project_and_in_its_temporary_folder() {
    for profile in [Project, Network] {
        let ground = Ground::new();
        for line in [
            "echo x > b.txt && mkdir -p a/b && mv b.txt a/b/c && ln -s a/b/c d && ln a/b/c e && rm -r a d e",
            "test \"$(stat -c %a \"$TMPDIR\")\" = 700 && echo x > \"$(mktemp)\"",
            "echo x > /dev/null && echo x > /dev/zero",
            "echo x > /dev/stdout && echo x > /dev/stderr && cat /dev/stdin",
            "chmod 700 . && touch f && chmod +x f",
        ] {
            works(&ground, profile, line).await;
        }
    }
}

#[tokio::test]
async fn a_command_writes_nowhere_else() {
    for profile in [Project, Network] {
        let ground = Ground::new();
        let precious = ground.outside().join("precious");
        fs::write(&precious, "precious").unwrap();
        std::os::unix::fs::symlink(&precious, ground.project().join("link")).unwrap();
        std::os::unix::fs::symlink(ground.outside(), ground.project().join("folder")).unwrap();
        for line in [
            "echo x > ../outside/precious",
            "echo x > ../outside/new",
            "echo x > link",
            "echo x > folder/new",
            "echo x > /proc/self/cwd/../outside/new",
            "echo x > \"$TMPDIR/../new\"",
            "truncate -s 0 ../outside/precious",
            "rm ../outside/precious",
            "mv ../outside/precious .",
            "ln ../outside/precious stolen && echo x > stolen",
            "touch f && mv f ../outside/f",
            "touch f && ln f ../outside/f",
            "mkdir ../outside/new",
            "mkfifo ../outside/new",
            "ln -s f ../outside/new",
            "mkdir /dev/shm/agent-new",
            "rmdir ../outside",
            "sed -i s/p/q/ ../outside/precious",
            "mknod disk b 8 0",
            "mknod zero c 1 5",
        ] {
            is_refused(&ground, profile, line).await;
        }
        assert_eq!(fs::read(&precious).unwrap(), b"precious");
        assert_eq!(fs::read_dir(ground.outside()).unwrap().count(), 1);
    }
}

#[tokio::test]
async fn folders_the_person_listed_are_written_too_but_not_by_who_only_reads() {
    let mut ground = Ground::new();
    let file = ground.outside().join("single");
    fs::write(&file, "").unwrap();
    ground.writable = vec![file, ground.outside().join("missing")];
    works(&ground, Project, "echo x > ../outside/single").await;
    is_refused(&ground, Project, "echo x > ../outside/other").await;
    ground.writable = vec![ground.outside()];
    works(&ground, Project, "echo x > ../outside/new && rm ../outside/new").await;
    is_refused(&ground, ReadOnly, "echo x > ../outside/new").await;
}

#[tokio::test]
async fn without_a_sandbox_a_command_can_do_what_the_person_can() {
    let ground = Ground::new();
    works(&ground, Unfenced, "echo x > ../outside/new && chmod 600 ../outside/new").await;
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    works(&ground, Unfenced, &format!("bash -c ': > /dev/tcp/127.0.0.1/{port}'")).await;
}

#[tokio::test]
async fn nobody_talks_who_was_not_given_the_network() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let ground = Ground::new();
    is_refused(&ground, ReadOnly, &format!("bash -c ': > /dev/tcp/127.0.0.1/{port}'")).await;
    is_refused(&ground, ReadOnly, "bash -c ': > /dev/udp/127.0.0.1/9'").await;
    let ended = compiled(ReadOnly, SOCKETS).await;
    assert_eq!(ended.output.head, "pair\n", "{ended:?}");
}

#[tokio::test]
async fn the_network_reaches_the_listed_ports_only() {
    let (open, shut) = (TcpListener::bind("127.0.0.1:0").unwrap(), TcpListener::bind("127.0.0.1:0").unwrap());
    let [open, shut] = [open, shut].map(|listener| (listener.local_addr().unwrap().port(), listener));
    let mut ground = Ground::new();
    ground.ports = vec![open.0];
    works(&ground, Network, &format!("bash -c ': > /dev/tcp/127.0.0.1/{}'", open.0)).await;
    is_refused(&ground, Network, &format!("bash -c ': > /dev/tcp/127.0.0.1/{}'", shut.0)).await;
    works(&ground, Network, "bash -c 'echo x > /dev/udp/127.0.0.1/9'").await;
    let ended = compiled(Network, SOCKETS).await;
    assert_eq!(ended.output.head, "pair\ntcp\ntcp6\nudp\n", "{ended:?}");
}

/// Prints the name of each socket that can be made. Some machines have no IPv6, but a socket can be made all the same.
const SOCKETS: &str = r#"
#include <stdio.h>
#include <sys/socket.h>
#include <netinet/in.h>
int main(void) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0) puts("pair");
    struct { const char *name; int domain, type, protocol; } all[] = {
        {"tcp", AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0}, {"tcp6", AF_INET6, SOCK_STREAM, IPPROTO_TCP},
        {"udp", AF_INET, SOCK_DGRAM, IPPROTO_UDP}, {"unix", AF_UNIX, SOCK_STREAM, 0},
        {"netlink", AF_NETLINK, SOCK_RAW, 0}, {"packet", AF_PACKET, SOCK_RAW, 0}, {"vsock", 40, SOCK_STREAM, 0},
        {"raw", AF_INET, SOCK_RAW, IPPROTO_TCP}, {"icmp", AF_INET, SOCK_DGRAM, IPPROTO_ICMP},
        {"mptcp", AF_INET, SOCK_STREAM, 262}, {"sctp", AF_INET, SOCK_SEQPACKET, 0},
        {"sctp2", AF_INET, SOCK_STREAM, IPPROTO_SCTP}, {"udplite", AF_INET, SOCK_DGRAM, 136},
        {"high", (int)(AF_UNIX), SOCK_DGRAM, 0},
    };
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        if (socket(all[i].domain, all[i].type, all[i].protocol) >= 0) puts(all[i].name);
    return 0;
}
"#;

#[tokio::test]
async fn no_system_call_leads_around_the_walls() {
    for profile in [ReadOnly, Project, Network] {
        let ended = compiled(profile, CALLS).await;
        assert_eq!((ended.ending, ended.output.head.as_str()), (Ending::Exited(0), ""), "{profile:?}");
    }
    let ended = compiled(Unfenced, CALLS).await;
    assert!(ended.output.head.contains("io_uring"), "the same calls are possible without a sandbox: {ended:?}");
}

/// Prints the name of each call that is not refused for being what it is (EPERM or, where programs should fall back,
/// ENOSYS). The upper half of a request does not count for the kernel, so it must not for the sandbox.
const CALLS: &str = r#"
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
static void must(const char *name, long result, int error) {
    if (result != -1 || errno != error) printf("%s: %ld %s\n", name, result, strerror(errno));
}
int main(void) {
    char zero[256] = {0};
    int pty = 0;
    must("io_uring", syscall(SYS_io_uring_setup, 4, zero), EPERM);
    must("ptrace", syscall(SYS_ptrace, PTRACE_TRACEME, 0, 0, 0), EPERM);
    must("process_vm_readv", syscall(SYS_process_vm_readv, getppid(), 0, 0, 0, 0, 0), EPERM);
    must("bpf", syscall(SYS_bpf, 0, zero, 64), EPERM);
    must("perf_event_open", syscall(SYS_perf_event_open, zero, 0, -1, -1, 0), EPERM);
    must("userfaultfd", syscall(SYS_userfaultfd, 1), EPERM);
    must("keyctl", syscall(SYS_keyctl, 0, -3, 0, 0, 0), EPERM);
    must("mount", syscall(SYS_mount, "none", "/mnt", "tmpfs", 0, 0), EPERM);
    must("setns", syscall(SYS_setns, 0, 0), EPERM);
    must("pivot_root", syscall(SYS_pivot_root, "/", "/"), EPERM);
    must("open_by_handle_at", syscall(SYS_open_by_handle_at, 0, zero, 0), EPERM);
    must("unshare", unshare(CLONE_NEWUSER), EPERM);
    must("clone", syscall(SYS_clone, CLONE_NEWUSER | 17, 0, 0, 0, 0), EPERM);
    must("clone3", syscall(SYS_clone3, zero, 88), ENOSYS);
    must("TIOCSTI", ioctl(pty, TIOCSTI, "x"), EPERM);
    must("TIOCSTI, disguised", syscall(SYS_ioctl, pty, TIOCSTI | 1UL << 32, "x"), EPERM);
    must("TIOCLINUX", ioctl(pty, TIOCLINUX, "x"), EPERM);
    must("chattr", ioctl(pty, 0x40086602, zero), EPERM);
    must("generation", ioctl(pty, 0x40087602, zero), EPERM);
    must("encryption", ioctl(pty, 0x800c6613, zero), EPERM);
    must("attributes of FAT", ioctl(pty, 0x40047211, zero), EPERM);
    must("file_setattr", syscall(469, -1, zero, zero, 24, 0), EPERM);
    must("btrfs subvolume", ioctl(pty, 0x5000940e, zero), EPERM);
    must("btrfs snapshot", ioctl(pty, 0x50009417, zero), EPERM);
    must("sendto", syscall(SYS_sendto, -1, zero, 1, MSG_FASTOPEN | MSG_NOSIGNAL, zero, 16), EPERM);
    must("sendmsg", syscall(SYS_sendmsg, -1, zero, MSG_FASTOPEN), EPERM);
    must("sendmmsg", syscall(SYS_sendmmsg, -1, zero, 1, MSG_FASTOPEN), EPERM);
    must("connect later", setsockopt(-1, IPPROTO_TCP, TCP_FASTOPEN_CONNECT, zero, 4), EPERM);
    int pair[2];
    must("raw pair", socketpair(AF_UNIX, SOCK_RAW, 0, pair), EPERM);
    return 0;
}
"#;

#[tokio::test]
async fn sending_does_not_connect_to_a_port_that_is_not_listed() {
    let shut = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = shut.local_addr().unwrap().port();
    let source = EARLY.replace("PORT", &port.to_string());
    assert_eq!(compiled(Unfenced, &source).await.output.head, "sent\nsent later\n");
    assert_eq!(compiled(Network, &source).await.output.head, "");
}

/// Prints in which way something came to the port by TCP Fast Open.
const EARLY: &str = r#"
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <sys/socket.h>
int main(void) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(PORT), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int one = 1, first = socket(AF_INET, SOCK_STREAM, 0), second = socket(AF_INET, SOCK_STREAM, 0);
    if (sendto(first, "x", 1, MSG_FASTOPEN, (struct sockaddr *)&to, sizeof to) == 1) puts("sent");
    setsockopt(second, IPPROTO_TCP, TCP_FASTOPEN_CONNECT, &one, sizeof one);
    if (connect(second, (struct sockaddr *)&to, sizeof to) == 0 && send(second, "x", 1, 0) == 1) puts("sent later");
    return 0;
}
"#;

#[cfg(target_arch = "x86_64")]
#[tokio::test]
async fn who_speaks_for_another_architecture_is_killed() {
    let old =
        "#include <unistd.h>\nint main(void) { long r = 20; __asm__ volatile(\"int $0x80\" : \"+a\"(r)); return 0; }";
    let x32 = "#include <unistd.h>\nint main(void) { syscall(0x40000000 + 39); return 0; }";
    for (name, source) in [("int 0x80", old), ("x32", x32)] {
        let ended = compiled(Project, source).await;
        assert_eq!(ended.ending, Ending::Exited(128 + 31), "{name}: {ended:?}");
    }
}

#[tokio::test]
async fn nobody_looks_into_our_programs_or_signals_them() {
    for profile in [ReadOnly, Project, Network] {
        let ground = Ground::new();
        let own = std::process::id();
        for line in [
            format!("cat /proc/{own}/environ"),
            format!("head -c 1 /proc/{own}/mem"),
            format!("readlink /proc/{own}/fd/0"),
            format!("cat /proc/{own}/maps"),
            "cat /proc/$PPID/environ".into(),
            format!("kill -0 {own}"),
            "kill -0 $PPID".into(),
            "kill -0 1".into(),
        ] {
            is_refused(&ground, profile, &line).await;
        }
    }
}

#[tokio::test]
async fn nobody_reads_what_is_typed_elsewhere_or_writes_to_another_terminal() {
    let ground = Ground::new();
    let pty = rustix::pty::openpt(rustix::pty::OpenptFlags::RDWR | rustix::pty::OpenptFlags::NOCTTY).unwrap();
    rustix::pty::grantpt(&pty).unwrap();
    rustix::pty::unlockpt(&pty).unwrap();
    let name = rustix::pty::ptsname(&pty, Vec::new()).unwrap().into_string().unwrap();
    for profile in [ReadOnly, Project, Network] {
        for line in [format!(": < {name}"), format!(": > {name}"), format!("stty -F {name} -echo")] {
            is_refused(&ground, profile, &line).await;
        }
    }
    for profile in [ReadOnly, Network] {
        is_refused(&ground, profile, ": < /dev/ptmx").await;
    }
    works(&ground, Unfenced, &format!(": < {name}")).await;
}

#[tokio::test]
async fn nobody_gains_rights_or_takes_all_of_the_machine() {
    let ground = Ground::new();
    let ended = ground.run(Project, "grep NoNewPrivs /proc/self/status; ulimit -c; cat /proc/self/oom_score_adj").await;
    assert_eq!(ended.output.head, "NoNewPrivs:\t1\n0\n500\n");
    for profile in [Project, Unfenced] {
        let ended = ground.run(profile, "ulimit -f; ulimit -n; ulimit -u").await;
        assert!(!ended.output.head.contains("unlimited"), "{profile:?}: {}", ended.output.head);
    }
}

#[tokio::test]
async fn nothing_but_the_standard_streams_is_handed_down() {
    let ground = Ground::new();
    let (kept, _other) = std::io::pipe().unwrap();
    rustix::io::fcntl_setfd(&kept, rustix::io::FdFlags::empty()).unwrap();
    for profile in [ReadOnly, Unfenced] {
        let ended = ground.run(profile, "for fd in /proc/self/fd/*; do echo ${fd##*/}; done").await;
        // The shell has opened the folder itself while it looks.
        assert_eq!(ended.output.head, "0\n1\n2\n3\n", "{profile:?}");
    }
}

#[tokio::test]
async fn signals_do_what_they_do_at_first() {
    let ground = Ground::new();
    let ended = ground.run(Project, "cat /proc/self/status").await;
    let sets: Vec<&str> =
        ended.output.head.lines().filter(|line| ["SigB", "SigI", "SigC"].contains(&&line[..4])).collect();
    assert_eq!(sets, ["SigBlk", "SigIgn", "SigCgt"].map(|set| format!("{set}:\t0000000000000000")));
}

#[tokio::test]
async fn everyday_programs_work() {
    let ground = Ground::new();
    works(&ground, Unfenced, "git init -q . && echo a > a.txt && git add a.txt").await;
    works(&ground, ReadOnly, "git status --short && git diff --stat && ls -la && find . -name '*.txt' | sort | head")
        .await;
    for line in [
        "git -c user.email=a@b -c user.name=x commit -qm one",
        "echo 'int main(void){return 0;}' > m.c && cc m.c -o m && ./m",
        "printf 'all:\\n\\t@echo made\\n' > Makefile && if command -v make; then make -s; fi",
        "yes | head -n 100000 | sort | uniq -c",
    ] {
        works(&ground, Project, line).await;
    }
}

/// Where they are installed: their event loops, thread pools and semaphores.
#[tokio::test]
async fn interpreters_work() {
    let ground = Ground::new();
    for (program, line) in [
        ("node", "node -e 'require(\"fs\").readFile(\"/etc/passwd\",(e,d)=>{if(e)throw e;console.log(d.length)})'"),
        ("node", "node -e 'require(\"child_process\").execSync(\"true\")'"),
        ("python3", "python3 -c 'import asyncio; asyncio.run(asyncio.sleep(0))'"),
        ("python3", "python3 -c 'import multiprocessing as m; print(m.Pool(2).map(abs, [-1, 2]))'"),
        ("python3", "python3 -c 'import subprocess; subprocess.check_call([\"true\"])'"),
    ] {
        let there = ground.run(Unfenced, &format!("{program} --version")).await;
        if there.ending == Ending::Exited(0) {
            works(&ground, Project, line).await;
        }
    }
}

#[tokio::test]
async fn a_listed_folder_does_not_make_a_sandbox_longer_than_its_time() {
    let ground = Ground::new();
    assert_eq!(ground.sandbox(Project, LONG).time().as_secs(), LONG);
    let ended = ground.try_run(ReadOnly, 1, "sleep 1000").await.unwrap();
    assert_eq!(ended.ending, Ending::TimedOut);
}
