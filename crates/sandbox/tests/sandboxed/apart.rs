//! A network of the session's own, and files of its own: what works in it unasked, and what is out of its reach.

use crate::ground::{Ground, LONG};
use agent_policy::{GuardedFile, Setup};
use agent_protocol::Profile::{Network, Project, Unfenced};
use agent_protocol::{Blocked, Mode};
use agent_sandbox::{Ended, Ending, More, run_with, serve};
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, UdpSocket};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};

pub(crate) fn good(ended: &Ended) -> bool {
    ended.ending == Ending::Exited(0)
}

pub(crate) async fn works(ground: &Ground, line: &str) {
    let ended = ground.run(Project, line).await;
    assert!(good(&ended), "{line}\n{ended:?}");
}

pub(crate) async fn is_refused(ground: &Ground, line: &str) {
    let ended = ground.run(Project, line).await;
    assert!(!good(&ended), "{line}\n{ended:?}");
}

/// The C compiler makes `source` into `name` in the project.
pub(crate) async fn compiled(ground: &Ground, name: &str, source: &str) {
    fs::write(ground.project().join(format!("{name}.c")), source).unwrap();
    let made = ground.run(Unfenced, &format!("cc -o {name} {name}.c")).await;
    assert!(good(&made), "{made:?}");
}

/// `talk listen|connect|datagram|packets PATH`, `talk serve|reach PORT`, `talk name NAME` (an abstract one): what it came
/// to, as an exit code. It serves once, and says so first.
pub(crate) const TALK: &str = r#"
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
int main(int count, char **words) {
    if (count < 3) return 9;
    const char *what = words[1], *whom = words[2];
    char text[16] = {0};
    struct sockaddr_un un = {.sun_family = AF_UNIX};
    struct sockaddr_in in = {.sin_family = AF_INET, .sin_port = htons(atoi(whom)), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int name = !strcmp(what, "name"), net = !strcmp(what, "serve") || !strcmp(what, "reach");
    strncpy(un.sun_path + name, whom, sizeof un.sun_path - 2);
    int kind = !strcmp(what, "datagram") ? SOCK_DGRAM : !strcmp(what, "packets") ? SOCK_SEQPACKET : SOCK_STREAM;
    int s = socket(net ? AF_INET : AF_UNIX, kind, 0);
    struct sockaddr *to = net ? (struct sockaddr *)&in : (struct sockaddr *)&un;
    socklen_t length = net ? sizeof in : name ? offsetof(struct sockaddr_un, sun_path) + 1 + strlen(whom) : sizeof un;
    if (s < 0) { perror("socket"); return 2; }
    if (!strcmp(what, "listen") || !strcmp(what, "serve")) {
        if (bind(s, to, length) || listen(s, 1)) { perror("bind"); return 3; }
        puts("ready"); fflush(stdout);
        int other = accept(s, 0, 0);
        return write(other, "hello", 5) == 5 ? 0 : 4;
    }
    if (connect(s, to, length)) { perror("connect"); return 5; }
    if (kind == SOCK_STREAM && read(s, text, 5) == 5) puts(text);
    return 0;
}
"#;

#[tokio::test]
async fn commands_listen_and_connect_on_a_loopback_of_their_own() {
    let ground = Ground::new();
    compiled(&ground, "talk", TALK).await;
    works(&ground, "./talk serve 8123 > said & until grep -q ready said; do :; done; ./talk reach 8123").await;
    works(&ground, "bash -c 'echo x > /dev/udp/127.0.0.1/9'").await;
}

#[tokio::test]
async fn a_server_that_goes_on_is_reached_by_the_next_command_and_by_whoever_forwards_to_it() {
    let ground = Ground::new();
    compiled(&ground, "talk", TALK).await;
    for port in [8124, 8125] {
        let serving =
            serve(&ground.shell(&format!("exec ./talk serve {port}")), &ground.sandbox(Project, LONG), &ground.around);
        let mut serving = serving.unwrap();
        let mut said = BufReader::new(&mut serving.output).lines();
        assert_eq!(said.next_line().await.unwrap().as_deref(), Some("ready"));
        let inside = ground.around.inside().unwrap();
        let cards = inside.ports();
        let told: Vec<(u16, &str)> = cards.iter().map(|card| (card.port, card.command.as_str())).collect();
        assert_eq!(told, [(port, format!("./talk serve {port}").as_str())]);
        if port == 8124 {
            let ended = ground.run(Project, "./talk reach 8124").await;
            assert_eq!(ended.output.head, "hello\n", "{ended:?}");
        } else {
            let mut text = String::new();
            inside.connect(port).unwrap().read_to_string(&mut text).unwrap();
            assert_eq!(text, "hello");
        }
        serving.family.finished().await;
        assert_eq!(inside.ports(), []);
        assert!(inside.connect(port).is_err(), "nobody listens any more");
    }
}

#[tokio::test]
async fn a_socket_that_is_handed_out_is_reached_from_within_only_and_is_no_port_of_theirs() {
    let ground = Ground::new();
    compiled(&ground, "talk", TALK).await;
    let inside = ground.around.inside().unwrap();
    let listener = inside.listen().unwrap();
    let at = listener.local_addr().unwrap();
    assert!(at.ip().is_loopback());
    assert_eq!(inside.ports(), []);
    // By its number, for others listen at such ports of the machine at the same time.
    let number = rustix::fs::fstat(&listener).unwrap().st_ino.to_string();
    let outside = fs::read_to_string("/proc/self/net/tcp").unwrap();
    assert!(!outside.split_whitespace().any(|field| field == number), "not from outside");
    let answering = std::thread::spawn(move || listener.accept().unwrap().0.write_all(b"hello").unwrap());
    let ended = ground.run(Project, &format!("./talk reach {}", at.port())).await;
    assert_eq!(ended.output.head, "hello\n", "{ended:?}");
    answering.join().unwrap();
}

#[tokio::test]
async fn the_loopback_of_the_machine_and_the_net_are_out_of_reach() {
    let ground = Ground::new();
    compiled(&ground, "talk", TALK).await;
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let datagrams = UdpSocket::bind("127.0.0.1:0").unwrap();
    datagrams.set_nonblocking(true).unwrap();
    is_refused(&ground, &format!("./talk reach {port}")).await;
    is_refused(&ground, "bash -c ': > /dev/tcp/192.0.2.1/80'").await;
    is_refused(&ground, "bash -c ': > /dev/tcp/::ffff:192.0.2.1/80'").await;
    is_refused(&ground, "bash -c 'echo x > /dev/udp/192.0.2.1/53'").await;
    let at = datagrams.local_addr().unwrap().port();
    ground.run(Project, &format!("bash -c 'echo x > /dev/udp/127.0.0.1/{at}'")).await;
    assert!(datagrams.recv(&mut [0; 4]).is_err());
    listener.set_nonblocking(true).unwrap();
    assert!(listener.accept().is_err(), "nobody came");
    assert!(good(&ground.run(Unfenced, &format!("bash -c ': > /dev/tcp/127.0.0.1/{port}'")).await));
}

#[tokio::test]
async fn sockets_with_a_path_work_where_the_command_works() {
    for ground in [Ground::new(), Ground::in_tmp()] {
        compiled(&ground, "talk", TALK).await;
        for place in ["socket", "$TMPDIR/socket", "/tmp/agent-test-socket", "/var/tmp/agent-test-socket"] {
            works(
                &ground,
                &format!("./talk listen \"{place}\" > said & until test -S \"{place}\" && grep -q ready said; do :; done; ./talk connect \"{place}\""),
            )
            .await;
        }
        // One of the user's own, in the project.
        let path = ground.project().join("theirs");
        let _listener = UnixListener::bind(&path).unwrap();
        assert_eq!(ground.run(Project, "./talk packets theirs").await.ending, Ending::Exited(5));
        std::thread::spawn({
            let listener = _listener.try_clone().unwrap();
            move || listener.accept().unwrap().0.write_all(b"hello").unwrap()
        });
        works(&ground, "./talk connect theirs").await;
    }
}

#[tokio::test]
async fn sockets_of_other_programs_are_out_of_reach() {
    let ground = Ground::new();
    compiled(&ground, "talk", TALK).await;
    let elsewhere = TempDir::new_in("/tmp").unwrap();
    let listed = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    for place in [ground.outside(), elsewhere.path().to_owned(), listed.path().to_owned()] {
        let path = place.join("socket");
        let listener = UnixListener::bind(&path).unwrap();
        listener.set_nonblocking(true).unwrap();
        let datagrams = std::os::unix::net::UnixDatagram::bind(place.join("datagrams")).unwrap();
        datagrams.set_nonblocking(true).unwrap();
        std::os::unix::fs::symlink(&path, ground.project().join("link")).unwrap();
        for line in ["./talk connect link".to_owned(), format!("./talk connect '{}'", path.display())] {
            is_refused(&ground, &line).await;
        }
        is_refused(&ground, &format!("./talk datagram '{}/datagrams'", place.display())).await;
        assert!(listener.accept().is_err() && datagrams.recv(&mut [0; 4]).is_err(), "nobody came to {place:?}");
        let free = ground.run(Unfenced, &format!("timeout 1 ./talk connect '{}'", path.display())).await;
        assert!(listener.accept().is_ok(), "without the sandbox it is reached: {free:?}");
        fs::remove_file(ground.project().join("link")).unwrap();
    }
}

#[tokio::test]
async fn a_socket_in_a_folder_that_the_person_listed_is_out_of_reach_too() {
    let mut ground = Ground::new();
    compiled(&ground, "talk", TALK).await;
    let listener = UnixListener::bind(ground.outside().join("socket")).unwrap();
    ground.writable = vec![ground.outside()];
    works(&ground, "echo x > ../outside/file").await;
    is_refused(&ground, "./talk connect ../outside/socket").await;
    listener.set_nonblocking(true).unwrap();
    assert!(listener.accept().is_err());
}

#[tokio::test]
async fn sockets_known_by_a_mere_name_are_out_of_reach() {
    use std::os::linux::net::SocketAddrExt;
    let ground = Ground::new();
    compiled(&ground, "talk", TALK).await;
    let name = format!("agent-{}", ground.marker);
    let address = std::os::unix::net::SocketAddr::from_abstract_name(&name).unwrap();
    let listener = UnixListener::bind_addr(&address).unwrap();
    is_refused(&ground, &format!("./talk name {name}")).await;
    listener.set_nonblocking(true).unwrap();
    assert!(listener.accept().is_err());
}

#[tokio::test]
async fn only_three_families_of_sockets_are_there() {
    let ground = Ground::new();
    compiled(&ground, "probe", SOCKETS).await;
    let ended = ground.run(Project, "./probe").await;
    assert_eq!(ended.output.head, "tcp\ntcp6\nudp\nstream\ndatagram\npackets\npair\ndatagram pair\n", "{ended:?}");
}

/// Prints the name of each socket that can be made.
const SOCKETS: &str = r#"
#include <stdio.h>
#include <sys/socket.h>
#include <netinet/in.h>
int main(void) {
    int pair[2];
    struct { const char *name; int domain, type, protocol; } all[] = {
        {"tcp", AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0}, {"tcp6", AF_INET6, SOCK_STREAM, IPPROTO_TCP},
        {"udp", AF_INET, SOCK_DGRAM, IPPROTO_UDP}, {"stream", AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0},
        {"datagram", AF_UNIX, SOCK_DGRAM, 0}, {"packets", AF_UNIX, SOCK_SEQPACKET, 0}, {"raw unix", AF_UNIX, SOCK_RAW, 0},
        {"netlink", AF_NETLINK, SOCK_RAW, 0}, {"packet", AF_PACKET, SOCK_RAW, 0}, {"vsock", 40, SOCK_STREAM, 0},
        {"raw", AF_INET, SOCK_RAW, IPPROTO_TCP}, {"icmp", AF_INET, SOCK_DGRAM, IPPROTO_ICMP},
        {"mptcp", AF_INET, SOCK_STREAM, 262}, {"sctp", AF_INET, SOCK_SEQPACKET, 0}, {"sctp6", AF_INET6, SOCK_SEQPACKET, 0},
        {"sctp2", AF_INET, SOCK_STREAM, IPPROTO_SCTP}, {"alg", 38, SOCK_SEQPACKET, 0}, {"bluetooth", 31, SOCK_SEQPACKET, 0},
    };
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        if (socket(all[i].domain, all[i].type, all[i].protocol) >= 0) puts(all[i].name);
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0) puts("pair");
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0) puts("datagram pair");
    return 0;
}
"#;

#[tokio::test]
async fn tmp_is_the_sessions_own_and_commands_share_it() {
    for ground in [Ground::new(), Ground::in_tmp()] {
        let theirs = TempDir::new_in("/tmp").unwrap();
        for place in ["/tmp", "/var/tmp", "/dev/shm"] {
            let name = format!("{place}/agent-test-{}", ground.marker);
            works(&ground, &format!("echo one > {name} && test \"$(cat {name})\" = one")).await;
            works(&ground, &format!("test \"$(cat {name})\" = one && rm {name}")).await;
            works(&ground, &format!("echo two > {name}")).await;
            assert!(!Path::new(&name).exists(), "it is not the machine's");
        }
        works(&ground, &format!("! test -e {}", theirs.path().display())).await;
        works(&ground, "test \"$(stat -c %a /tmp)\" = 1777 && mktemp -d && mkdir -p /tmp/a/b && mv /tmp/a /tmp/c")
            .await;
        let next = Ground::new();
        works(&next, &format!("! test -e /tmp/agent-test-{}", ground.marker)).await;
    }
}

#[tokio::test]
async fn around_a_project_in_tmp_what_is_the_users_is_seen_and_not_written() {
    let ground = Ground::in_tmp();
    fs::write(ground.outside().join("file"), "x").unwrap();
    let strangers = TempDir::new_in("/tmp").unwrap();
    works(&ground, "echo x > a && test \"$(pwd -P)\" = \"$PWD\" && test -w \"$TMPDIR\" && echo x > \"$TMPDIR/b\"")
        .await;
    assert_eq!(fs::read(ground.project().join("a")).unwrap(), b"x\n");
    works(&ground, "test \"$(cat ../outside/file)\" = x && ls .. | grep -q outside").await;
    works(&ground, &format!("! test -e {}", strangers.path().display())).await;
    for line in ["echo x > ../beside", "echo x > ../outside/file", "echo x > ../outside/new"] {
        let ended = ground.run(Project, line).await;
        assert_eq!((ended.ending, ended.blocked), (Ending::Exited(2), Some(Blocked::Writing)), "{line}: {ended:?}");
    }
    for line in ["chmod 600 ../outside/file", "mv ../outside ../moved", "rm ../outside/file"] {
        is_refused(&ground, line).await;
    }
    assert_eq!(fs::read(ground.outside().join("file")).unwrap(), b"x");
    is_refused(&ground, "around=\"${PWD%/project}\" && cd / && mv \"$around\" /tmp/moved").await;
    works(&ground, "echo x > /tmp/beside").await;
    assert!(!ground.project().join("../beside").exists());
}

#[tokio::test]
async fn everything_else_can_only_be_read() {
    let ground = Ground::new();
    let file = ground.outside().join("file");
    fs::write(&file, "x").unwrap();
    let before = fs::metadata(&file).unwrap();
    for line in ["chmod 600 ../outside/file", "touch -d 2001-01-01 ../outside/file", "chown 0:12345 ../outside/file"] {
        is_refused(&ground, line).await;
    }
    let after = fs::metadata(&file).unwrap();
    assert_eq!((after.permissions(), after.modified().unwrap()), (before.permissions(), before.modified().unwrap()));
    works(&ground, "cat ../outside/file && cat /proc/self/status /sys/kernel/mm/transparent_hugepage/enabled").await;
}

#[tokio::test]
async fn a_home_in_tmp_is_there_and_cannot_be_written() {
    let home = TempDir::new_in("/tmp").unwrap();
    fs::write(home.path().join(".profile"), "mine").unwrap();
    fs::create_dir_all(home.path().join(".docker")).unwrap();
    fs::write(home.path().join(".docker/config.json"), "secret").unwrap();
    let ground = Ground::with_home(home.path());
    works(&ground, "test \"$(cat ~/.profile)\" = mine").await;
    for line in ["echo x > ~/.profile", "echo x > ~/new", "chmod 600 ~/.profile", "cat ~/.docker/config.json"] {
        is_refused(&ground, line).await;
    }
    assert_eq!(fs::read(home.path().join(".profile")).unwrap(), b"mine");
    let _listener = UnixListener::bind(home.path().join("agent.sock")).unwrap();
    compiled(&ground, "talk", TALK).await;
    assert_eq!(ground.run(Project, "./talk connect ~/agent.sock").await.ending, Ending::Exited(5));
}

#[tokio::test]
async fn where_the_project_is_the_home_no_socket_has_a_path() {
    let ground = Ground::at_home();
    compiled(&ground, "talk", TALK).await;
    assert_eq!(ground.run(Project, "./talk connect x").await.ending, Ending::Exited(2));
    works(&ground, "./talk serve 8126 > said & until grep -q ready said; do :; done; ./talk reach 8126").await;
}

async fn run_hiding(ground: &Ground, hidden: Vec<PathBuf>, line: &str) -> Ended {
    let more = More { hidden, ..More::default() };
    run_with(&ground.shell(line), &ground.sandbox(Project, LONG), &ground.around, more, |_| ()).await.unwrap()
}

#[tokio::test]
async fn a_file_that_a_hook_runs_can_be_read_and_not_changed() {
    let ground = Ground::new();
    let guard = ground.project().join("hooks/guard.sh");
    fs::create_dir(ground.project().join("hooks")).unwrap();
    fs::write(&guard, "exit 2\n").unwrap();
    let (link, gone) = (ground.project().join("link.sh"), ground.project().join("gone.sh"));
    std::os::unix::fs::symlink("hooks/guard.sh", &link).unwrap();
    let guarded = [guard.clone(), link, gone].map(|path| GuardedFile { path, why: "is run by your hook".into() });
    let setup = Setup { guarded: guarded.into(), ..Setup::new(ground.project(), Mode::Safe) };
    let sandbox = Ground::sandbox_of(setup, &ground.project(), Project, LONG);
    let run = async |line: &str| {
        run_with(&ground.shell(line), &sandbox, &ground.around, More::default(), |_| ()).await.unwrap()
    };
    for line in [
        "echo > hooks/guard.sh",
        "echo >> hooks/guard.sh",
        "echo > link.sh",
        "rm -f hooks/guard.sh",
        "mv hooks/guard.sh away",
        "echo > x; mv x hooks/guard.sh",
        "ln -sf /bin/true hooks/guard.sh",
        "cp -f /bin/true hooks/guard.sh",
        "chmod 777 hooks/guard.sh",
        "truncate -s 0 hooks/guard.sh",
        "ln hooks/guard.sh other && echo > other",
        "touch -d yesterday hooks/guard.sh",
        "python3 -c 'open(\"hooks/guard.sh\", \"w\")'",
    ] {
        assert!(!good(&run(line).await), "{line}");
        assert_eq!(fs::read_to_string(&guard).unwrap(), "exit 2\n", "{line}");
    }
    assert!(good(&run("cat hooks/guard.sh && echo x > hooks/other.sh && mv hooks/other.sh .").await));
}

#[tokio::test]
async fn a_folder_that_git_runs_from_is_kept_whole_and_never_the_project() {
    let ground = Ground::new();
    fs::create_dir_all(ground.project().join("dev/hooks")).unwrap();
    let file = |path| GuardedFile { path, why: "holds hooks".into() };
    let guarded = vec![file(ground.project().join("dev/hooks")), file(ground.project())];
    let setup = Setup { guarded, ..Setup::new(ground.project(), Mode::Safe) };
    let sandbox = Ground::sandbox_of(setup, &ground.project(), Project, LONG);
    let run = async |line: &str| {
        run_with(&ground.shell(line), &sandbox, &ground.around, More::default(), |_| ()).await.unwrap()
    };
    for line in ["echo > dev/hooks/pre-commit", "mkdir dev/hooks/lib", "rmdir dev/hooks", "mv dev/hooks away"] {
        assert!(!good(&run(line).await), "{line}");
    }
    assert!(good(&run("echo x > dev/other && ls dev/hooks && echo x > top").await));
}

#[tokio::test]
async fn what_is_hidden_is_empty_for_that_command_alone() {
    let ground = Ground::new();
    let (file, folder, own) =
        (ground.outside().join("file"), ground.outside().join("keys"), ground.project().join(".env"));
    fs::create_dir(&folder).unwrap();
    for path in [&file, &folder.join("id"), &own] {
        fs::write(path, "secret\n").unwrap();
    }
    let missing = ground.outside().join("missing");
    let ended = run_hiding(
        &ground,
        vec![file.clone(), folder.clone(), own.clone(), missing],
        "cat ../outside/file .env; ls ../outside/keys; cat ../outside/keys/id 2>/dev/null; \
         (echo x > .env) 2>/dev/null; (mv .env b) 2>/dev/null; (rm .env) 2>/dev/null; echo over",
    )
    .await;
    assert_eq!(ended.output.head, "over\n", "{ended:?}");
    let ended = ground.run(Project, "cat ../outside/file .env ../outside/keys/id").await;
    assert_eq!(ended.output.head, "secret\nsecret\nsecret\n");
}

#[tokio::test]
async fn nobody_gets_out_of_what_is_his_own() {
    let ground = Ground::new();
    let ended = ground.run(Project, "grep -E '^Cap(Prm|Eff|Bnd|Amb)' /proc/self/status").await;
    for line in ended.output.head.lines() {
        let (_, powers) = line.split_once('\t').unwrap();
        let powers = u64::from_str_radix(powers, 16).unwrap();
        assert_eq!(powers & !0x4fb, 0, "{line}");
    }
    assert_eq!(ended.output.head.lines().count(), 4);
    for line in [
        "unshare -Ur true",
        "unshare -n true",
        "nsenter -t 1 -n true",
        "mount -t tmpfs none /tmp",
        "mount -o remount,rw /",
        "umount -l /tmp",
        "chroot / true",
        "cd /proc/1/root",
        "cd /proc/$PPID/root",
    ] {
        is_refused(&ground, line).await;
    }
    let outside = fs::read_link("/proc/self/ns/net").unwrap();
    let lines = |ended: Ended| ended.output.head.lines().map(str::to_owned).collect::<Vec<_>>();
    let named = "readlink /proc/self/ns/user /proc/self/ns/net /proc/self/ns/ipc";
    let (one, two) = (lines(ground.run(Project, named).await), lines(ground.run(Project, named).await));
    assert_eq!((one.len(), &one), (3, &two), "they share them");
    assert!(!one.contains(&outside.to_string_lossy().into_owned()));
    let wider = lines(ground.run(Network, named).await);
    assert_eq!(wider[1], outside.to_str().unwrap(), "with network it is the machine's");
}

#[tokio::test]
async fn python_shares_objects_between_processes() {
    let ground = Ground::new();
    if !good(&ground.run(Unfenced, "python3 --version").await) {
        return;
    }
    let line = "import multiprocessing as m, socket\n\
        if __name__ == '__main__':\n\
        \x20   d = m.Manager().dict(); d['a'] = 1; assert dict(d) == {'a': 1}\n\
        \x20   with m.Pool(2) as p: assert p.map(abs, [-1, 2]) == [1, 2]\n\
        \x20   a, b = socket.socketpair(); s = socket.create_server(('localhost', 0)); socket.create_connection(s.getsockname())\n";
    fs::write(ground.project().join("share.py"), line).unwrap();
    works(&ground, "python3 share.py").await;
}

#[tokio::test]
async fn memory_by_number_is_the_sessions_own() {
    let ground = Ground::new();
    compiled(&ground, "shared", SHARED).await;
    let key = 0x4147_0000_u32 | (std::process::id() & 0xffff);
    let made = ground.run(Unfenced, &format!("./shared {key}")).await;
    assert_eq!(made.output.head, "made\n", "{made:?}");
    let ended = ground.run(Project, &format!("./shared {key}")).await;
    assert_eq!(ended.output.head, "made\n", "it is not the one outside: {ended:?}");
    let ended = ground.run(Unfenced, &format!("./shared {key} remove")).await;
    assert_eq!(ended.output.head, "there\n", "{ended:?}");
}

/// Makes memory of this number, or says that it is there, and removes it where that is asked for.
const SHARED: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/shm.h>
int main(int count, char **words) {
    key_t key = strtoul(words[1], 0, 10);
    int id = shmget(key, 1, IPC_CREAT | IPC_EXCL | 0600);
    puts(id >= 0 ? "made" : "there");
    if (count > 2) shmctl(shmget(key, 1, 0600), IPC_RMID, 0);
    return 0;
}
"#;
