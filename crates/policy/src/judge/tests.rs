//! One line a case: mode, action, verdict.

use super::*;
use agent_protocol::{Change, Digest};

const ROOT: &str = "/home/ann/project";

fn policy(mode: Mode) -> Policy {
    Policy::new(Setup { root: ROOT.into(), mode, allow_write: false, allow_run: false })
}

fn read(path: &str) -> Action {
    Action::Read { paths: vec![path.into()] }
}

fn write(path: &str) -> Action {
    let change = Change { path: path.into(), before: Some(Digest("00".into())), after: Some("new".into()) };
    Action::Write { changes: Changes(vec![change]) }
}

fn run(command: &str, cwd: &str) -> Action {
    Action::Run { command: command.into(), cwd: cwd.into(), timeout_secs: 120 }
}

/// What the paths of the cases are: `…/pipe` is special, folders end in `/`-less known names, the rest are files.
fn facts(action: &Action) -> Facts {
    let mut facts = Facts::default();
    for crate::Query::Kind(path) in crate::queries(action) {
        let kind = match path.file_name().and_then(|name| name.to_str()) {
            Some("pipe") => PathKind::Special,
            Some("project" | "sub" | "tmp" | "ann") => PathKind::Folder,
            Some("linked") => PathKind::File { names: 2 },
            Some("missing") => PathKind::Missing,
            _ => PathKind::File { names: 1 },
        };
        facts.set_kind(path, kind);
    }
    facts
}

fn verdict(policy: &Policy, action: Action) -> String {
    let facts = facts(&action);
    match policy.judge(action, &facts) {
        Verdict::Allow(_) => "allow".into(),
        Verdict::Ask(held) => format!("ask: {}", held.why),
        Verdict::Deny(why) => format!("deny: {why}"),
    }
}

fn ask(policy: &Policy, action: Action) -> Held {
    let facts = facts(&action);
    match policy.judge(action, &facts) {
        Verdict::Ask(held) => held,
        other => panic!("expected a question, got {other:?}"),
    }
}

#[test]
fn verdicts_in_both_modes() {
    let look = "ask: that is outside the project; to change something there would be asked again";
    let cases: Vec<(Action, String, String)> = vec![
        (read("/home/ann/project/a.rs"), "allow".into(), "allow".into()),
        (read(ROOT), "allow".into(), "allow".into()),
        (read("/home/ann/project/missing"), "allow".into(), "allow".into()),
        (read("/home/ann/projector/a.rs"), look.into(), "same".into()),
        (read("/etc/passwd"), look.into(), "same".into()),
        (
            read("/home/ann/project/pipe"),
            "deny: /home/ann/project/pipe is a pipe, socket or device, not a file".into(),
            "same".into(),
        ),
        (write("/home/ann/project/a.rs"), "ask: safe mode asks before every write".into(), "allow".into()),
        (write("/etc/hosts"), "ask: that is outside the project".into(), "same".into()),
        (write("/home/ann/project/sub"), "deny: /home/ann/project/sub is a folder".into(), "same".into()),
        (
            write("/home/ann/project/linked"),
            "ask: safe mode asks before every write; the file has other names (hard links), which keep the old text"
                .into(),
            "allow".into(),
        ),
        (run("ls", ROOT), "ask: safe mode asks before every command".into(), "allow".into()),
        (run("ls", "/tmp"), "ask: it runs outside the project".into(), "same".into()),
        (run("ls", "/home/ann/project/a.rs"), "deny: /home/ann/project/a.rs is not a folder".into(), "same".into()),
        (
            run("a\0b", ROOT),
            "deny: the command holds a NUL character, which no shell can be given".into(),
            "same".into(),
        ),
    ];
    for (action, safe, unsafe_) in cases {
        let unsafe_ = if unsafe_ == "same" { safe.clone() } else { unsafe_ };
        assert_eq!(verdict(&policy(Mode::Safe), action.clone()), safe, "{action:?} in safe mode");
        assert_eq!(verdict(&policy(Mode::Unsafe), action.clone()), unsafe_, "{action:?} in unsafe mode");
    }
}

#[test]
fn what_is_not_known_is_denied() {
    for action in [read("/home/ann/project/a.rs"), write("/home/ann/project/a.rs"), run("ls", ROOT)] {
        let verdict = policy(Mode::Unsafe).judge(action.clone(), &Facts::default());
        assert!(matches!(verdict, Verdict::Deny(_)), "{action:?}: {verdict:?}");
    }
}

#[test]
fn a_remembered_command_is_that_command_in_that_folder_only() {
    let mut policy = policy(Mode::Safe);
    let held = ask(&policy, run("make test", ROOT));
    let rule = held.offers()[0].rule.clone();
    policy.answer(held, Some(rule)).expect("an offered rule is taken");
    assert_eq!(verdict(&policy, run("make test", ROOT)), "allow");
    for other in [run("make test ", ROOT), run("make", ROOT), run("make test", "/home/ann/project/sub")] {
        assert!(verdict(&policy, other.clone()).starts_with("ask"), "{other:?}");
    }
}

#[test]
fn a_remembered_file_is_that_file_only() {
    let mut policy = policy(Mode::Safe);
    let held = ask(&policy, write("/home/ann/project/a.rs"));
    let rule = held.offers()[0].rule.clone();
    policy.answer(held, Some(rule)).expect("an offered rule is taken");
    assert_eq!(verdict(&policy, write("/home/ann/project/a.rs")), "allow");
    assert!(verdict(&policy, write("/home/ann/project/b.rs")).starts_with("ask"));
}

#[test]
fn a_rule_that_was_not_offered_permits_nothing() {
    let mut policy = policy(Mode::Safe);
    let held = ask(&policy, write("/home/ann/project/a.rs"));
    let wider = Rule::File { path: "/home/ann/project/b.rs".into() };
    assert_eq!(policy.answer(held, Some(wider)), Err(Refused));
    assert!(verdict(&policy, write("/home/ann/project/b.rs")).starts_with("ask"));
}

#[test]
fn an_approved_look_is_not_asked_twice_for_the_same_call() {
    let mut policy = policy(Mode::Safe);
    let held = ask(&policy, read("/etc/passwd"));
    let permit = policy.answer(held, None).expect("a plain yes is taken");
    let looked = Looked::from(&permit);
    let again = read("/etc/passwd");
    let verdict = policy.judge_planned(again.clone(), &facts(&again), &looked);
    assert!(matches!(verdict, Verdict::Allow(_)), "{verdict:?}");
    let other = read("/etc/shadow");
    let verdict = policy.judge_planned(other.clone(), &facts(&other), &looked);
    assert!(matches!(verdict, Verdict::Ask(_)), "{verdict:?}");
}

#[test]
fn headless_allowances_stay_inside_the_project() {
    let setup = Setup { root: ROOT.into(), mode: Mode::Safe, allow_write: true, allow_run: true };
    let policy = Policy::new(setup);
    assert_eq!(verdict(&policy, write("/home/ann/project/a.rs")), "allow");
    assert_eq!(verdict(&policy, run("ls", ROOT)), "allow");
    assert!(verdict(&policy, write("/etc/hosts")).starts_with("ask"));
    assert!(verdict(&policy, run("ls", "/tmp")).starts_with("ask"));
}

#[test]
fn a_fence_never_lasts_longer_than_ten_minutes() {
    let action = Action::Run { command: "sleep 9999".into(), cwd: ROOT.into(), timeout_secs: 9999 };
    let facts = facts(&action);
    let Verdict::Allow(permit) = policy(Mode::Unsafe).judge(action, &facts) else { panic!("expected a permit") };
    assert_eq!(permit.fence().time(), std::time::Duration::from_secs(600));
}
