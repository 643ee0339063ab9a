//! One line a case: mode, action, verdict.

use super::*;
use crate::{GitFacts, Led, Query, Secrets};
use agent_protocol::{Change, Changes, Digest};

mod beyond;
mod causes;
mod commands;
mod disposable;
mod edits;
mod flags;
mod git;
mod guarded;
mod held_back;
mod lasting;
mod linked;
mod places;
mod printed;
mod reaching;
mod recorded;
mod starters;

const ROOT: &str = "/home/ann/project";

fn policy(mode: Mode) -> Policy {
    Policy::new(Setup::new(ROOT.into(), mode))
}

fn read(path: &str) -> Action {
    Action::Read { paths: vec![path.into()] }
}

fn write(path: &str) -> Action {
    let change = Change { path: path.into(), before: Some(Digest("00".into())), after: Some("new".into()) };
    Action::Write { changes: Changes(vec![change]) }
}

fn run(command: &str, cwd: &str) -> Action {
    Action::Run {
        command: command.into(),
        argv: Vec::new(),
        cwd: cwd.into(),
        timeout_secs: 120,
        profile: agent_protocol::Profile::Project,
        background: false,
        input: None,
    }
}

fn kind(path: &Path) -> PathKind {
    match path.file_name().and_then(|name| name.to_str()) {
        Some("pipe") => PathKind::Special,
        Some("project" | "sub" | "src" | "tmp" | "ann") => PathKind::Folder,
        Some("linked") => PathKind::File { names: 2 },
        Some("missing") => PathKind::Missing,
        _ => PathKind::File { names: 1 },
    }
}

/// What the world of the cases is like: `kind` tells what is at a path, every path leads to itself, nothing matches a
/// pattern, no folder holds secrets, programs lie in `/usr/bin`, and git obeys nothing.
fn facts(action: &Action) -> Facts {
    let mut facts = Facts::default();
    for query in crate::queries(action) {
        match query {
            Query::Kind(path) => facts.set_kind(path.clone(), kind(&path)),
            Query::Leads(path) => facts.set_led(path.clone(), Led { kind: kind(&path), real: path }),
            Query::Matches { folder, pattern } => facts.set_matches(folder, pattern, Vec::new()),
            Query::Secrets(folder) => facts.set_secrets(folder, Secrets::None),
            Query::Program(name) => facts.set_program(name.clone(), Path::new("/usr/bin").join(name)),
            Query::Git(folder) => facts.set_git(folder, GitFacts { tree: Some(ROOT.into()), ..GitFacts::default() }),
            Query::RunByGit => {}
        }
    }
    facts
}

fn verdict(policy: &Policy, action: Action) -> String {
    let facts = facts(&action);
    match policy.judge(action, &facts) {
        Verdict::Allow(_) => "allow".into(),
        Verdict::Ask(held) => format!("ask: {}", held.why()),
        Verdict::Deny(why) => format!("deny: {why}"),
        Verdict::Impossible(why) => format!("impossible: {why}"),
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
            "impossible: /home/ann/project/pipe is a pipe, socket or device, not a file".into(),
            "same".into(),
        ),
        (write("/home/ann/project/a.rs"), "ask: safe mode asks before every write".into(), "allow".into()),
        (write("/srv/hosts"), "ask: that is outside the project".into(), "same".into()),
        (write("/etc/hosts"), "ask: its name is protected".into(), "same".into()),
        (write("/home/ann/project/.git/config"), "ask: its name is protected".into(), "same".into()),
        (write("/home/ann/project/sub"), "impossible: /home/ann/project/sub is a folder".into(), "same".into()),
        (write("/home/ann/project/linked"), "ask: safe mode asks before every write".into(), "allow".into()),
        (run("ls", ROOT), "ask: safe mode asks before every command".into(), "allow".into()),
        (run("ls", "/tmp"), "ask: it asks in every mode".into(), "same".into()),
        (
            run("ls", "/home/ann/project/a.rs"),
            "impossible: /home/ann/project/a.rs is not a folder".into(),
            "same".into(),
        ),
    ];
    for (action, safe, unsafe_) in cases {
        let unsafe_ = if unsafe_ == "same" { safe.clone() } else { unsafe_ };
        for (mode, expected) in [(Mode::Safe, safe), (Mode::Unsafe, unsafe_)] {
            let verdict = verdict(&policy(mode), action.clone());
            assert!(verdict.starts_with(&expected), "{action:?} in {mode:?}: {verdict}, not {expected}");
        }
    }
}

#[test]
fn what_is_not_known_cannot_be_done() {
    for action in [read("/home/ann/project/a.rs"), write("/home/ann/project/a.rs"), run("ls", ROOT)] {
        let verdict = policy(Mode::Unsafe).judge(action.clone(), &Facts::default());
        assert!(matches!(verdict, Verdict::Impossible(_)), "{action:?}: {verdict:?}");
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
fn a_remembered_file_is_not_deleted_or_moved_away_unasked() {
    let (kept, other) = ("/home/ann/project/a.rs", "/home/ann/project/b.rs");
    let mut policy = policy(Mode::Safe);
    let gone = |path: &str| Change { path: path.into(), before: Some(Digest("00".into())), after: None };
    let all = |changes: &[Change]| Action::Write { changes: Changes(changes.to_vec()) };
    assert_eq!(
        ask(&policy, all(&[gone(kept)])).offers(),
        [],
        "a yes to this would be one to all that is written there"
    );
    for path in [kept, other] {
        let held = ask(&policy, write(path));
        let rule = held.offers()[0].rule.clone();
        policy.answer(held, Some(rule)).expect("an offered rule is taken");
    }
    let arrives = Change { path: other.into(), before: None, after: Some("new".into()) };
    assert_eq!(verdict(&policy, all(std::slice::from_ref(&arrives))), "allow");
    for changes in [&[gone(kept)][..], &[arrives, gone(kept)]] {
        assert_eq!(verdict(&policy, all(changes)), "ask: safe mode asks before every write");
    }
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
    let setup = Setup { allow_write: true, allow_run: true, ..Setup::new(ROOT.into(), Mode::Safe) };
    let policy = Policy::new(setup);
    assert_eq!(verdict(&policy, write("/home/ann/project/a.rs")), "allow");
    assert_eq!(verdict(&policy, run("ls", ROOT)), "allow");
    assert!(verdict(&policy, write("/etc/hosts")).starts_with("ask"));
    assert!(verdict(&policy, run("ls", "/tmp")).starts_with("ask"));
}

#[test]
fn after_tampering_nothing_is_written_by_the_leave_of_a_mode() {
    let why = "ask: what you allowed beforehand is suspended, for a command changed protected files";
    let allowed = Setup { allow_write: true, ..Setup::new(ROOT.into(), Mode::Safe) };
    for setup in [Setup::new(ROOT.into(), Mode::Unsafe), allowed] {
        let mut policy = Policy::new(setup);
        assert_eq!(verdict(&policy, write("/home/ann/project/a.rs")), "allow");
        policy.suspend();
        assert_eq!(verdict(&policy, write("/home/ann/project/a.rs")), why);
        assert_eq!(verdict(&policy, write("/srv/hosts")), "ask: that is outside the project");
    }
}

#[test]
fn a_sandbox_never_lasts_longer_than_ten_minutes() {
    let action = Action::Run {
        command: "sleep 9999".into(),
        argv: Vec::new(),
        cwd: ROOT.into(),
        timeout_secs: 9999,
        profile: agent_protocol::Profile::Project,
        background: false,
        input: None,
    };
    let facts = facts(&action);
    let Verdict::Allow(permit) = policy(Mode::Unsafe).judge(action, &facts) else { panic!("expected a permit") };
    assert_eq!(permit.sandbox().time(), std::time::Duration::from_secs(600));
}

#[test]
fn what_holds_secrets_asks_in_safe_mode_where_there_is_such_a_file() {
    let safe = policy(Mode::Safe);
    let why = "ask: its name says that it holds secrets; the model would read them";
    assert_eq!(verdict(&safe, read("/home/ann/project/.env")), why);
    let action = read("/home/ann/project/.env");
    let mut nothing = Facts::default();
    nothing.set_kind("/home/ann/project/.env".into(), PathKind::Missing);
    assert!(matches!(safe.judge(action, &nothing), Verdict::Allow(_)));
}

#[test]
fn a_look_outside_says_that_the_name_is_protected() {
    let setup = Setup { home: Some("/home/ann".into()), ..Setup::new(ROOT.into(), Mode::Unsafe) };
    let held = ask(&Policy::new(setup), read("/home/ann/.bashrc"));
    let kinds: Vec<&str> = held.warnings().iter().filter_map(|warning| warning.split(':').next()).collect();
    assert_eq!(kinds, ["outside the project", "protected"]);
}
