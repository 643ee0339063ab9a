//! A write where there is no room left: the old file stands, nothing else is left, and the message says which and why.

use crate::hands::Hands;
use crate::tree::names;
use crate::unprivileged;
use agent_protocol::{FailureKind, Status};
use std::fs::{create_dir, read_to_string, write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Set where there is hardly any room; names the project there.
const SMALL: &str = "AGENT_PATHS_SMALL";

#[test]
fn a_full_disk_leaves_the_old_file_and_says_so() {
    unprivileged::run("full::a_full_disk_leaves_the_old_file_and_says_so", || {
        let project = unprivileged::folder().join("small");
        create_dir(&project).unwrap();
        if !name_spaces() {
            return say("skipped: this system gives ordinary users no name spaces, so no disk can be made small here");
        }
        let writer = unprivileged::again(&unprivileged::folder(), "full::writes_where_there_is_no_room");
        let output = inside_a_small_disk(&project, &writer).env(SMALL, &project).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.contains("1 passed"), "{said}");
    });
}

/// Does nothing unless it is in a small disk.
#[test]
fn writes_where_there_is_no_room() {
    let Some(project) = std::env::var_os(SMALL).map(PathBuf::from) else { return };
    let old = "old\n".repeat(1000);
    write(project.join("a.txt"), &old).unwrap();
    let hands = Hands::new(&project);
    for file in ["a.txt", "b.txt"] {
        let outcome = hands.perform(hands.approved(file, &"new\n".repeat(100_000)));
        assert_eq!(outcome.status, Status::Failed { kind: FailureKind::Io }, "{}", outcome.told);
        assert!(outcome.told.contains(file) && outcome.told.contains("the disk is full"), "{}", outcome.told);
    }
    assert_eq!(read_to_string(project.join("a.txt")).unwrap(), old);
    assert_eq!(names(&project), ["a.txt"]);
}

fn name_spaces() -> bool {
    let tried = Command::new("unshare").args(["-Urm", "true"]).stderr(Stdio::null()).status();
    tried.is_ok_and(|status| status.success())
}

/// `command` with a disk of 64 KiB over `project`, which only it can see.
fn inside_a_small_disk(project: &Path, command: &Command) -> Command {
    let mut small = Command::new("unshare");
    small.args(["-Urm", "sh", "-ec", "mount -t tmpfs -o size=64k small \"$0\"; exec \"$@\""]).arg(project);
    small.arg(command.get_program()).args(command.get_args()).stdin(Stdio::null());
    for (name, value) in command.get_envs().filter_map(|(name, value)| Some((name, value?))) {
        small.env(name, value);
    }
    small
}

#[expect(clippy::print_stdout, reason = "a test that cannot run says so")]
fn say(words: &str) {
    println!("{words}");
}
