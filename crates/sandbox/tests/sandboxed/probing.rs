//! What the probe finds, and what questions of fact may do.

use crate::ground::Ground;
use agent_protocol::SandboxKind;
use std::path::Path;
use std::time::{Duration, Instant};

#[test]
fn this_kernel_has_a_sandbox_and_the_probe_says_what_it_holds_and_what_not() {
    let sandbox = agent_sandbox::probe();
    assert_eq!(sandbox.kind, SandboxKind::Kernel, "{sandbox:?}");
    assert!(sandbox.words.starts_with("Landlock ") && sandbox.words.ends_with(" + seccomp"), "{sandbox:?}");
    assert!(sandbox.details.iter().any(|line| line.contains("a network of their own")), "{sandbox:?}");
    for beginning in ["held: ", "not held: "] {
        assert!(sandbox.details.iter().any(|line| line.starts_with(beginning)), "{sandbox:?}");
    }
}

fn ask(ground: &Ground, line: &str) -> Option<String> {
    let env = [("ASKED", "yes")];
    let answer = agent_sandbox::ask(Path::new("/bin/sh"), &["-c", line], &ground.project(), &env, &ground.around);
    answer.map(|answer| String::from_utf8(answer).unwrap())
}

#[test]
fn a_question_is_answered_on_standard_output_alone() {
    let ground = Ground::new();
    assert_eq!(ask(&ground, "echo $ASKED $TERM; echo noise >&2").as_deref(), Some("yes dumb\n"));
    assert_eq!(ask(&ground, "printf 'a\\0b\\n'").as_deref(), Some("a\0b\n"));
    assert_eq!(ask(&ground, "pwd -P").unwrap().trim_end(), ground.project().to_str().unwrap());
}

#[test]
fn who_fails_to_answer_has_not_answered() {
    let ground = Ground::new();
    assert_eq!(ask(&ground, "echo half; exit 1"), None);
    assert_eq!(ask(&ground, "echo half; kill -9 $$"), None);
    let missing = agent_sandbox::ask(&ground.project().join("none"), &[], &ground.project(), &[], &ground.around);
    assert_eq!(missing, None);
}

#[test]
fn whoever_answers_writes_nothing() {
    let ground = Ground::new();
    for place in [ground.project(), ground.outside(), ground.around.temporary().to_owned()] {
        assert_eq!(ask(&ground, &format!("echo x > '{}/planted'", place.display())), None);
        assert!(!place.join("planted").exists());
    }
    assert_eq!(ask(&ground, "echo x > /dev/null && echo fine").as_deref(), Some("fine\n"));
}

#[test]
fn an_endless_answer_is_none_and_so_is_one_that_does_not_come() {
    let ground = Ground::new();
    assert_eq!(ask(&ground, "yes"), None);
    assert_eq!(ground.survivors(), Vec::<String>::new());
    let long = ask(&ground, "yes | head -c 1000000").unwrap();
    assert_eq!(long.len(), 1_000_000);
    let before = Instant::now();
    assert_eq!(ask(&ground, "exec >/dev/null; sleep 1000"), None);
    assert!(before.elapsed() >= Duration::from_secs(10));
    assert_eq!(ground.survivors(), Vec::<String>::new());
}

#[test]
fn nothing_survives_an_answer() {
    let ground = Ground::new();
    assert_eq!(ask(&ground, "setsid sleep 1000 & echo done").as_deref(), Some("done\n"));
    assert_eq!(ground.survivors(), Vec::<String>::new());
}

fn make(ground: &Ground, line: &str, text: &str) -> Option<(Option<i32>, String, String)> {
    let arguments = ["-c", line];
    let made =
        agent_sandbox::make("/bin/sh".as_ref(), &arguments, &ground.project(), &[], text.as_bytes(), &ground.around);
    let words = |bytes| String::from_utf8(bytes).unwrap();
    made.map(|made| (made.code, words(made.output), words(made.errors)))
}

#[test]
fn what_is_made_of_a_text_comes_with_the_code_and_the_complaint() {
    let ground = Ground::new();
    let long = "a line of text\n".repeat(50_000);
    assert_eq!(make(&ground, "cat", &long), Some((Some(0), long.clone(), String::new())));
    assert_eq!(make(&ground, "tr a-z A-Z; echo no >&2; exit 3", "ab"), Some((Some(3), "AB".into(), "no\n".into())));
    assert_eq!(make(&ground, "kill -9 $$", "x"), Some((None, String::new(), String::new())));
    let (code, output, errors) = make(&ground, "yes | head -c 1000000 >&2; echo done", "").unwrap();
    assert_eq!((code, output.as_str(), errors.len() <= 65_536 && !errors.is_empty()), (Some(0), "done\n", true));
}

#[test]
fn whoever_makes_something_writes_nothing_else_and_may_not_go_on_for_ever() {
    let ground = Ground::new();
    for place in [ground.project(), ground.around.temporary().to_owned()] {
        let made = make(&ground, &format!("echo x > '{}/planted'", place.display()), "x").unwrap();
        assert_ne!(made.0, Some(0));
        assert!(!place.join("planted").exists());
    }
    assert_eq!(make(&ground, "yes", ""), None);
    assert_eq!(make(&ground, "setsid sleep 1000 & cat", "x"), Some((Some(0), "x".into(), String::new())));
    assert_eq!(ground.survivors(), Vec::<String>::new());
}
