//! Words of real programs, run within the sandbox and written down.

use super::*;
use agent_protocol::Profile::{Network, Project, ReadOnly, Unfenced};

/// As if run in `/p`, by somebody who may write anywhere but in `/etc`; `attempted` as the kernel counted it.
fn denied(profile: Profile, attempted: Option<bool>, ending: Ending, text: &str) -> Option<Denied> {
    let writable: &[&Path] = if profile == ReadOnly { &[] } else { &[Path::new("/p"), Path::new("/tmp/agent-1")] };
    let person_may = |place: &Path| !place.starts_with("/etc");
    let attempts = Attempts { attempted, alone: true };
    let site = Site { profile, cwd: Path::new("/p/sub"), writable, person_may: &person_may, attempts };
    guess(ending, &[text, ""], &site)
}

const NO_ATTEMPT: Attempts = Attempts { attempted: Some(false), alone: true };

/// Where commands have no network of their own.
fn guessed(profile: Profile, ending: Ending, text: &str) -> Option<Blocked> {
    denied(profile, None, ending, text).map(|denied| denied.blocked)
}

#[track_caller]
fn all(profile: Profile, expected: Option<Blocked>, texts: &[&str]) {
    for text in texts {
        assert_eq!(guessed(profile, Ending::Exited(1), text), expected, "{profile:?}: {text}");
    }
}

const WITHOUT_NETWORK: &[&str] = &[
    "curl: (6) Could not resolve host: example.com",
    "curl: (7) Failed to connect to 127.0.0.1 port 80 after 0 ms: Couldn't connect to server",
    "Resolving example.com (example.com)... failed: Temporary failure in name resolution.\n\
     wget: unable to resolve host address ‘example.com’",
    "fatal: unable to access 'https://example.com/a/b/': Could not resolve host: example.com",
    "ssh: Could not resolve hostname example.com: Temporary failure in name resolution\n\
     fatal: Could not read from remote repository.",
    "warning: spurious network error (1 try remaining): [6] Could not resolve hostname (Could not resolve host: x)",
    "npm error code EAI_AGAIN\nnpm error syscall getaddrinfo\nnpm error errno EAI_AGAIN",
    "WARNING: Retrying (Retry(total=4)) after connection broken by 'NewConnectionError('<HTTPSConnection object>: \
     Failed to establish a new connection: [Errno -2] Name or service not known')'",
    "  File \"/usr/lib/python3.11/socket.py\", line 232, in __init__\n    _socket.socket.__init__(self, family)\n\
     PermissionError: [Errno 1] Operation not permitted",
    "socket.gaierror: [Errno -3] Temporary failure in name resolution",
    "Error: listen EPERM: operation not permitted 0.0.0.0\n    at Server.setupListenHandle",
    "Error: connect EPERM 127.0.0.1:80 - Local (undefined:undefined)",
    "  [cause]: Error: getaddrinfo EAI_AGAIN example.com",
    "bash: socket: Operation not permitted\nbash: line 1: /dev/tcp/127.0.0.1/80: Operation not permitted",
    "W: Failed to fetch http://deb.example.com/dists/a/InRelease  Temporary failure resolving 'deb.example.com'",
    "go: example.com/m: Get \"https://proxy.example.com/m/@v/list\": dial tcp: lookup proxy.example.com on \
     127.0.0.53:53: dial udp 127.0.0.53:53: socket: operation not permitted",
    "permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock: \
     dial unix /var/run/docker.sock: socket: operation not permitted",
    "IO::Socket::INET: Operation not permitted Operation not permitted at -e line 1.",
    "java.net.UnknownHostException: repo.example.com: Temporary failure in name resolution",
];

#[test]
fn who_was_kept_from_the_network_is_recognised() {
    all(Project, Some(Blocked::Network), WITHOUT_NETWORK);
    all(ReadOnly, Some(Blocked::Network), WITHOUT_NETWORK);
    all(Unfenced, None, WITHOUT_NETWORK);
}

#[test]
fn in_a_network_of_its_own_it_is_what_the_kernel_counted() {
    let failed = Ending::Exited(1);
    let known = |attempted, text| denied(Project, Some(attempted), failed, text).map(|denied| denied.unsure);
    for text in ["curl: (6) Could not resolve host: example.com", "OSError: [Errno 101] Network is unreachable"] {
        assert_eq!((known(true, text), known(false, text)), (Some(false), None), "{text}");
    }
    // Odd sockets are refused where they are made, and nobody counts them.
    let odd = "dial unix /var/run/docker.sock: socket: operation not permitted";
    assert_eq!((known(true, odd), known(false, odd)), (Some(true), Some(true)));
    assert_eq!(denied(Project, Some(true), Ending::Exited(0), odd), None);
    assert_eq!(known(true, "11 passed"), None, "it tried, and went on without");
}

#[test]
fn words_that_are_part_of_others_say_nothing() {
    let texts = &[
        "ModuleNotFoundError: No module named 'numpy'",
        "FileNotFoundError: [Errno 2] No such file or directory: 'a'",
        "DatabaseNotFoundError: users\nPageNotFound\nDatabaseNotFound",
        "tests/test_net.py::test_getaddrinfo FAILED",
        "error: unknown function `superofs` in `/opt/x`",
        "SUPEREPERMIT /opt/x",
    ];
    for attempted in [None, Some(true), Some(false)] {
        for text in texts {
            for profile in [ReadOnly, Project, Network] {
                assert_eq!(denied(profile, attempted, Ending::Exited(1), text), None, "{profile:?} {text}");
            }
        }
    }
}

#[test]
fn without_anything_known_words_are_a_possibility_of_one_that_failed() {
    for text in WITHOUT_NETWORK {
        let told = |ending| denied(Project, None, ending, text).map(|denied| denied.unsure);
        assert_eq!((told(Ending::Exited(1)), told(Ending::Exited(0))), (Some(true), None), "{text}");
    }
    let bare = denied(ReadOnly, None, Ending::Exited(1), "touch: cannot touch 'a': Permission denied");
    assert!(bare.is_some_and(|denied| denied.unsure));
    let told = |words| denied(Project, None, Ending::Exited(1), &format!("touch: cannot touch '/opt/x': {words}"));
    let unsure = |words| told(words).map(|denied| denied.unsure);
    assert_eq!(
        (unsure("Permission denied"), unsure("Read-only file system")),
        (Some(true), Some(false)),
        "a file system that is only read is the sandbox's"
    );
}

#[test]
fn who_has_the_network_is_kept_only_from_ports_and_odd_sockets() {
    all(
        Network,
        Some(Blocked::Network),
        &[
            "Connecting to 127.0.0.1:11434... failed: Permission denied.\nRetrying.",
            "Error: connect EACCES 127.0.0.1:11434 - Local (0.0.0.0:0)",
            "    sock.connect(sa)\nPermissionError: [Errno 13] Permission denied",
            "dial tcp 127.0.0.1:11434: connect: permission denied",
            "dial unix /var/run/docker.sock: socket: operation not permitted",
            "OSError: [Errno 101] Network is unreachable",
            "Error: connect ENETUNREACH 192.0.2.7:443",
            "SystemError [ERR_SYSTEM_ERROR]: uv_interface_addresses returned Unknown system error 1",
        ],
    );
    // These have other reasons there.
    all(
        Network,
        None,
        &[
            "curl: (6) Could not resolve host: example.com",
            "curl: (7) Failed to connect to 127.0.0.1 port 80 after 0 ms: Couldn't connect to server",
            "Error: connect ECONNREFUSED 127.0.0.1:80",
            "error: could not connect to the database",
        ],
    );
}

#[test]
fn who_was_kept_from_writing_outside_is_recognised() {
    let texts = &[
        "/bin/sh: 1: cannot create /opt/x: Permission denied",
        "touch: cannot touch '/opt/x': Permission denied",
        "sh: can't create /opt/x: Permission denied",
        "mkdir: cannot create directory ‘/opt/x’: Permission denied",
        "cp: cannot create regular file '../../x': Permission denied",
        "error: could not lock config file /home/me/.gitconfig: Permission denied",
        "fatal: cannot mkdir /opt/x: Permission denied",
        "E: Could not open lock file /var/lib/apt/lists/lock - open (13: Permission denied)",
        "PermissionError: [Errno 13] Permission denied: '/home/me/.config/pip'",
        "Error: EACCES: permission denied, open '/home/me/x'",
        "npm error Error: EACCES: permission denied, mkdir '/usr/local/lib/node_modules/left-pad'",
        "error: could not create temp file /home/me/.rustup/tmp/x_file",
        "/usr/bin/ld: cannot open output file /opt/x: Permission denied",
        "mktemp: failed to create file via template ‘/home/me/.pyenv/shims/tmp.XXXXXXXXXX’: Permission denied",
        "open /home/me/.cache/go-build/0a/x-a: permission denied",
        "gpg: Fatal: can't create directory '/home/me/.gnupg': Permission denied",
        "ln: failed to create hard link 'stolen' => '/home/me/x': Invalid cross-device link",
        "failed to open `/home/me/.cargo/registry/x`: Permission denied (os error 13)",
    ];
    all(Project, Some(Blocked::Writing), texts);
    all(Network, Some(Blocked::Writing), texts);
    all(ReadOnly, Some(Blocked::Writing), texts);
    all(Unfenced, None, texts);
}

#[test]
fn for_who_only_reads_the_project_is_outside_too() {
    let texts = &[
        "/bin/sh: 1: cannot create a: Permission denied",
        "touch: cannot touch 'a': Permission denied",
        "fatal: cannot mkdir x: Permission denied",
        "chmod: changing permissions of './a': Operation not permitted",
        "sort: open failed: out: Permission denied",
        "PermissionError: [Errno 13] Permission denied: 'out/x'",
    ];
    all(ReadOnly, Some(Blocked::Writing), texts);
    all(Project, None, texts);
}

#[test]
fn what_has_other_reasons_is_not_laid_at_the_door_of_the_sandbox() {
    let texts = &[
        "error[E0308]: mismatched types",
        "cat: /etc/shadow: Permission denied",
        "rm: cannot remove '/etc/hostname': Permission denied",
        "/bin/sh: 1: ./run.sh: Permission denied",
        "bash: ./run.sh: Permission denied",
        "chown: changing ownership of '/p/a': Operation not permitted",
        "strace: ptrace(PTRACE_TRACEME, ...): Operation not permitted",
        "mv: cannot move 'a' to '/tmp/agent-1/a': Permission denied",
        "npm error Log files were not written due to an error writing to the directory: /home/me/.npm/_logs",
        "assertion failed: permission denied",
        "",
    ];
    all(Project, None, texts);
    let denied = "/bin/sh: 1: /opt/x: Permission denied";
    assert_eq!(guessed(Project, Ending::Exited(NO_PROGRAM), denied), None);
    assert_eq!(guessed(Project, Ending::Exited(0), denied), Some(Blocked::Writing), "a pipe hides its failure");
    let far = format!("{denied}\n{}", "a line of a log\n".repeat(LAST_LINES));
    assert_eq!(guessed(Project, Ending::Exited(0), &far), None, "what it met stands at the end");
    assert_eq!(guessed(Project, Ending::TimedOut, denied), Some(Blocked::Writing));
}

#[test]
fn a_path_may_have_blanks() {
    let (home, person_may) = (Path::new("/home/me/a b"), &|_: &Path| true);
    let site = Site { profile: Project, cwd: home, writable: &[home], person_may, attempts: NO_ATTEMPT };
    let place = |text| guess(Ending::Exited(1), &[text], &site).map(|denied| denied.place);
    let outside = place("touch: cannot touch '/home/me/c d/x': Permission denied");
    assert_eq!(outside, Some(Some("/home/me/c d/x".into())));
    let longer = place("touch: cannot touch '/home/me/a b2/x': Permission denied");
    assert_eq!(longer, Some(Some("/home/me/a b2/x".into())));
    for own in [
        "touch: cannot touch '/home/me/a b/x': Permission denied",
        "touch: cannot touch '/home/me/a b': Permission denied",
        "sh: 1: cannot create /home/me/a b/x: Permission denied",
    ] {
        assert_eq!(place(own), None, "{own}");
    }
}

#[test]
fn the_place_is_told_that_the_command_wanted() {
    let writable: &[&Path] = &[Path::new("/p")];
    let (cwd, person_may) = (Path::new("/p/sub"), &|_: &Path| true);
    let site = Site {
        profile: Project,
        cwd,
        writable,
        person_may,
        attempts: Attempts { attempted: Some(true), ..NO_ATTEMPT },
    };
    let place = |text| guess(Ending::Exited(1), &[text], &site).and_then(|denied| denied.place);
    assert_eq!(place("touch: cannot touch '/opt/x/y': Permission denied").as_deref(), Some("/opt/x/y"));
    assert_eq!(place("touch: cannot touch '../../other/y': Permission denied").as_deref(), Some("/other/y"));
    assert_eq!(place("curl: (6) Could not resolve host: example.com").as_deref(), Some("example.com"));
}
