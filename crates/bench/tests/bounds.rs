//! What a solution or a model's program could do to the machine: fork without end, fill the disk, never end, print for ever.
//! Each is ended in its time, nothing of it is left, and the class says what happened.
//!
//! What is worst runs as a user who may not do everything, with a limit of processes, in namespaces of its own; where these
//! cannot be had the test says so and is left out.
#![expect(clippy::unwrap_used, reason = "a test may stop where it stumbles")]

mod apart;
mod limits;

use agent_bench::task::{Task, Template};
use agent_bench::tree::{self, Files};
use agent_bench::{ChildEnd, Graded, GradedFailure, GradingPlace, TrialSettings, Variant, grade, try_once};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

const SHEET: &str = r#"
kind = "write"
language = "shell"
hidden = "bash unseen.sh"
reader = "tap"
tests = ["says it"]
may_change = ["say.sh"]
"#;
const UNSEEN: &str =
    "if [ \"$(bash say.sh)\" = hello ]; then echo 'ok 1 - says it'; else echo 'not ok 1 - says it'; exit 1; fi\n";

fn task(folder: &Path) -> Task {
    let files = [
        ("task.toml", SHEET),
        ("prompt.md", "Make say.sh say hello."),
        ("start/say.sh", "true\n"),
        ("hidden/unseen.sh", UNSEEN),
    ];
    let files: Files = files.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec())).into();
    tree::lay(folder, &files).unwrap();
    Template::read(folder).unwrap().fill(1).unwrap()
}

/// Grades a `say.sh` of these lines, which may take so many seconds.
fn graded(say: &str, secs: u64) -> Graded {
    let (sheet, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let task = task(sheet.path());
    let root = folder.path().canonicalize().unwrap();
    let place = GradingPlace::new(&root, limits::limits(&root, secs)).unwrap();
    let result = tree::laid_over(&task.start, &Files::from([("say.sh".to_owned(), say.as_bytes().to_vec())]));
    runtime().block_on(grade(&place, &task, &result)).unwrap()
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

#[test]
fn a_fork_bomb_is_ended_and_leaves_nothing() {
    apart::run("a_fork_bomb_is_ended_and_leaves_nothing", || {
        let before = apart::processes();
        let bomb = graded("f() { f | f & }\nf\nwait\nwhile :; do :; done\n", 3);
        assert_eq!(bomb.failure, Some(GradedFailure::Silent), "{bomb:?}");
        assert!(!bomb.output.contains("/bin/sh: 1: Cannot fork"), "it began: {}", bomb.output);
        assert_eq!(apart::processes(), before);
        assert!(graded("echo hello\n", 60).passed(), "there is room for others again");
    });
}

#[test]
fn a_full_disk_fails_the_tests_and_is_empty_again() {
    apart::run("a_full_disk_fails_the_tests_and_is_empty_again", || {
        let before = apart::room();
        let full = graded("yes > filler\necho more > more.txt || exit 1\necho hello\n", 20);
        assert_eq!(full.failure, Some(GradedFailure::Tests), "{full:?}");
        assert!(full.output.contains("space"), "{}", full.output);
        assert_eq!(apart::room(), before);
    });
}

#[test]
fn a_test_that_never_ends_and_will_not_be_ended_is_ended() {
    let stubborn = "trap '' TERM INT HUP\nsetsid sleep 77.875 &\nwhile :; do sleep 77.875; done\n";
    let endless = graded(stubborn, 2);
    assert_eq!(endless.failure, Some(GradedFailure::Silent));
    assert_eq!(survivors("77.875"), 0);
}

/// A trial of a program of these lines, which has half a second.
fn tried(lines: &str) -> (ChildEnd, u64) {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("program");
    fs::write(&program, format!("#!/bin/bash\n{lines}")).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let settings = TrialSettings { program, learned: None, time_factor: 0.002 };
    let arm: Variant = serde_json::from_str(r#"{"name":"m","host":"127.0.0.1:9","kind":"auto","model":"m"}"#).unwrap();
    let kept = folder.path().join("kept");
    let tried = runtime().block_on(try_once(&arm, &task(&folder.path().join("task")), &settings, &kept)).unwrap();
    assert!(tried.told.answer.len() <= 1 << 20, "{} bytes of an answer", tried.told.answer.len());
    (tried.end, fs::metadata(kept.join("stream.jsonl")).unwrap().len())
}

#[test]
fn a_reply_without_end_is_ended_and_not_kept_whole() {
    let piece = "a".repeat(60_000);
    let endless = format!("trap '' TERM\nwhile :; do echo '{{\"type\":\"text\",\"text\":\"{piece}\"}}'; done\n");
    let (end, kept) = tried(&endless);
    assert_eq!(end, ChildEnd::TimeUp);
    assert!(kept <= 32 << 20, "{kept} bytes are kept");
}

#[test]
fn thinking_without_end_and_a_line_without_end_are_ended() {
    let endless = "while :; do echo '{\"type\":\"thinking\",\"text\":\"so then, and then, and so\"}'; done\n";
    assert_eq!(tried(endless).0, ChildEnd::TimeUp);
    let (end, kept) = tried("exec cat /dev/zero\n");
    assert_eq!(end, ChildEnd::TimeUp);
    assert!(kept <= 32 << 20, "{kept} bytes are kept");
}

/// Processes with this among their arguments, those that have ended left out.
fn survivors(argument: &str) -> usize {
    let lines = fs::read_dir("/proc").into_iter().flatten().flatten();
    let lines = lines.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines.filter(|line| line.split(|byte| *byte == 0).any(|part| part == argument.as_bytes())).count()
}
