//! Every kind of action past every flag: the table that `--help` shows says what happens.

use super::*;
use crate::Network;
use crate::flags::{Flag, Kind, TABLE, disposable_only, never};
use agent_protocol::{Profile, SandboxKind};

/// A session in safe mode with these flags.
fn flagged(flags: &[Flag]) -> Policy {
    let memories = vec!["/home/ann/.config/agent/memory.md".into()];
    let home = Some("/home/ann".into());
    let mut setup = Setup { home, memories, ..Setup::new(ROOT.into(), Mode::Safe) };
    for flag in flags {
        match flag {
            Flag::Write => setup.allow_write = true,
            Flag::Run => setup.allow_run = true,
            Flag::Commit => setup.allow_commit = true,
            Flag::Net => setup.allow_net = true,
            Flag::Mcp => setup.allow_call = true,
            Flag::Unsafe => setup.mode = Mode::Unsafe,
            Flag::Trust => setup.trusted = true,
            Flag::WriteIn => {
                setup.allow_write_in = vec!["/mnt/data".into()];
                setup.writable = vec!["/mnt/data".into()];
            }
            Flag::Hosts => setup.network = Network::Allow,
            Flag::Disposable => (setup.disposable, setup.sandbox) = (true, SandboxKind::Disposable),
        }
    }
    Policy::new(setup)
}

fn with(command: &str, profile: Profile) -> Action {
    reaching(run(command, ROOT), profile)
}

fn reaching(action: Action, reach: Profile) -> Action {
    match action {
        Action::Run { command, argv, cwd, timeout_secs, background, input, .. } => {
            Action::Run { command, argv, cwd, timeout_secs, profile: reach, background, input }
        }
        other => other,
    }
}

fn direct(words: &[&str]) -> Action {
    let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    match run(&crate::spelled(&words), ROOT) {
        Action::Run { command, cwd, timeout_secs, profile, background, input, .. } => {
            Action::Run { command, argv: words, cwd, timeout_secs, profile, background, input }
        }
        other => other,
    }
}

fn in_background(command: &str) -> Action {
    match run(command, ROOT) {
        Action::Run { command, argv, cwd, timeout_secs, profile, input, .. } => {
            Action::Run { command, argv, cwd, timeout_secs, profile, background: true, input }
        }
        other => other,
    }
}

fn fetch(url: &str, sends: &str) -> Action {
    Action::Fetch { url: url.into(), sends: sends.into() }
}

/// Actions of this kind; each is judged.
fn samples(kind: Kind) -> Vec<Action> {
    let lines = |all: &[&str]| all.iter().map(|line| run(line, ROOT)).collect();
    match kind {
        Kind::Write => vec![write("/home/ann/project/src/a.rs")],
        Kind::Run => {
            [lines(&["make test", "git add .", "git stash"]), vec![direct(&["git", "add", "--", "a"])]].concat()
        }
        Kind::Background => vec![in_background("make watch")],
        Kind::Commit => vec![direct(&["git", "commit", "--message=x"])],
        Kind::CommitLine => lines(&[
            "git commit -m x",
            "git add . && git commit -m x",
            "make test && git commit -am x",
            "git merge x",
            "git rebase main",
            "git cherry-pick x",
            "git revert HEAD",
            "git am x",
            "sh -c 'git commit -m x'",
            "git ci -m x",
            "git -c alias.x=commit x",
        ]),
        Kind::ReadSecret => vec![read("/home/ann/project/.env")],
        Kind::Fetch => vec![fetch("https://docs.rs/a", ""), fetch("http://docs.rs/a", "")],
        Kind::Search => vec![fetch("http://127.0.0.1:8888/search", "rust")],
        Kind::Call => vec![Action::Call { server: "notes".into(), tool: "add".into(), arguments: "{}".into() }],
        Kind::ReadOutside => vec![read("/srv/a"), read("/home/ann/.ssh/id_rsa")],
        Kind::WriteFolder => vec![write("/mnt/data/a")],
        Kind::WriteOutside => vec![write("/srv/a"), write("/mnt/database")],
        Kind::WriteProtected => vec![write("/home/ann/project/.git/config"), write("/home/ann/project/.envrc")],
        Kind::WriteMemory => vec![write("/home/ann/.config/agent/memory.md")],
        Kind::RunDangerous => lines(&["echo x > .git/config", "cp a /srv/b", "sudo make install", "npm publish"]),
        Kind::RunOutside => vec![run("make", "/tmp")],
        Kind::Push => {
            let line = lines(&["git push", "git push origin main", "make && git push"]);
            [line, vec![reaching(direct(&["git", "push"]), Profile::Network)]].concat()
        }
        Kind::RunNetwork => vec![with("make fetch", Profile::Network), with("git fetch", Profile::Network)],
        Kind::RunUnfenced => vec![with("make", Profile::Unfenced)],
        Kind::FetchOdd => vec![fetch("https://docs.rs:8443/", ""), fetch("https://xn--e1afmkfd.org/", "")],
        Kind::Restore => vec![Action::Restore { files: Vec::new() }],
        Kind::Session => vec![Action::Session { act: SessionAct::Propose { plan: "plan".into() } }],
    }
}

/// Compares what is judged of every kind with what `covers` says.
fn check(flags: &[Flag], covers: &[Kind]) {
    let policy = flagged(flags);
    for kind in Kind::ALL {
        for action in samples(kind) {
            let verdict = verdict(&policy, action.clone());
            let expected = if covers.contains(&kind) { "allow" } else { "ask" };
            assert!(verdict.starts_with(expected), "{flags:?}, {kind:?}: {verdict}, not {expected}: {action:?}");
        }
    }
}

#[test]
fn without_a_flag_each_of_them_asks() {
    check(&[], &[]);
}

#[test]
fn a_flag_lets_happen_what_the_table_says_and_nothing_else() {
    for row in TABLE {
        check(row.flags, row.covers);
    }
    let alone = |flag: &Flag| TABLE.iter().any(|row| row.flags == [*flag]);
    assert!(Flag::ALL.iter().all(alone), "every flag has a row of its own");
}

#[test]
fn all_flags_together_let_nothing_happen_that_no_row_names() {
    let covered: Vec<Kind> = Kind::ALL.into_iter().filter(|kind| !never().any(|never| never == *kind)).collect();
    check(&Flag::ALL, &covered);
    assert_eq!(never().collect::<Vec<_>>(), [Kind::WriteMemory, Kind::Session]);
    let others: Vec<Flag> = Flag::ALL.into_iter().filter(|flag| *flag != Flag::Disposable).collect();
    let rows = || TABLE.iter().filter(|row| !row.flags.contains(&Flag::Disposable));
    let covered: Vec<Kind> = Kind::ALL.into_iter().filter(|kind| rows().any(|row| row.covers.contains(kind))).collect();
    check(&others, &covered);
    assert!(disposable_only().all(|kind| !covered.contains(&kind)) && disposable_only().any(|kind| kind == Kind::Push));
    assert!(!covered.contains(&Kind::Push) && covered.contains(&Kind::CommitLine));
}

#[test]
fn flags_and_unsafe_mode_change_nothing_in_plan_mode() {
    let mut policy = flagged(&Flag::ALL);
    policy.set_mode(Mode::Plan);
    for kind in [Kind::Write, Kind::Run, Kind::Commit, Kind::CommitLine, Kind::Call] {
        for action in samples(kind) {
            assert!(verdict(&policy, action.clone()).starts_with("deny"), "{action:?}");
        }
    }
}

#[test]
fn after_tampering_no_flag_covers_a_commit() {
    let mut policy = flagged(&[Flag::Run, Flag::Commit]);
    policy.suspend();
    for kind in [Kind::Run, Kind::Commit, Kind::CommitLine] {
        for action in samples(kind) {
            assert!(verdict(&policy, action.clone()).starts_with("ask"), "{action:?}");
        }
    }
}
