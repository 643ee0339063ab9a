//! Terminals that a command makes for itself.

use crate::apart::{compiled, good, works};
use crate::ground::Ground;
use agent_protocol::Profile::{Network, Project, ReadOnly, Unfenced};
use agent_sandbox::Ending;

/// Makes a terminal, talks through it, and types into it as another program would: what it came to, as an exit code.
const PAIR: &str = r#"
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
int main(void) {
    char text[8] = {0};
    int ours = posix_openpt(O_RDWR | O_NOCTTY);
    if (ours < 0 || grantpt(ours) || unlockpt(ours)) return 2;
    int theirs = open(ptsname(ours), O_RDWR | O_NOCTTY);
    struct winsize size = {24, 80, 0, 0}, told = {0};
    if (theirs < 0 || !isatty(theirs) || ioctl(theirs, TIOCSWINSZ, &size) || ioctl(ours, TIOCGWINSZ, &told)) return 3;
    if (told.ws_col != 80 || write(theirs, "hello", 5) != 5 || read(ours, text, 5) != 5 || strcmp(text, "hello")) return 4;
    setsid();
    if (ioctl(theirs, TIOCSCTTY, 0)) return 5;
    if (ioctl(theirs, TIOCSTI, "x") == 0 || errno != EPERM) return 6;
    return 0;
}
"#;

#[tokio::test]
async fn a_command_makes_terminals_of_its_own_and_nobody_types_into_them() {
    let ground = Ground::new();
    compiled(&ground, "pair", PAIR).await;
    let ended = ground.run(Project, "./pair").await;
    assert!(good(&ended), "{ended:?}");
    for profile in [ReadOnly, Network] {
        assert_eq!(ground.run(profile, "./pair").await.ending, Ending::Exited(2), "{profile:?}");
    }
}

#[tokio::test]
async fn those_of_the_machine_are_not_among_them() {
    let ground = Ground::new();
    works(&ground, "test \"$(ls /dev/pts)\" = ptmx").await;
}

#[tokio::test]
async fn programs_that_want_a_terminal_get_one() {
    let ground = Ground::new();
    if good(&ground.run(Unfenced, "python3 --version").await) {
        let line = "python3 -c 'import os, pty; a, b = pty.openpty(); assert os.isatty(b); pty.spawn([\"tty\"])'";
        works(&ground, line).await;
    }
    if good(&ground.run(Unfenced, "script --version").await) {
        let ended = ground.run(Project, "script -qec 'test -t 0 && test -t 1 && tty' /dev/null").await;
        assert!(good(&ended) && ended.output.head.starts_with("/dev/pts/"), "{ended:?}");
    }
}
