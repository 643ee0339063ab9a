//! What would have spared a question: true in every mode, with every flag.

use super::*;
use crate::Network;
use agent_protocol::{Cause, Profile, SandboxKind};

/// One of each that a flag may be about, and of each that none is about.
fn actions() -> Vec<Action> {
    let fetch = |url: &str, sends: &str| Action::Fetch { url: url.into(), sends: sends.into() };
    let reaching = |profile| {
        let Action::Run { command, argv, cwd, timeout_secs, background, input, .. } = run("make", ROOT) else {
            panic!()
        };
        Action::Run { command, argv, cwd, timeout_secs, profile, background, input }
    };
    vec![
        write("/home/ann/project/lib/a.rs"),
        write("/home/ann/project/lib/.envrc"),
        write("/home/ann/project/.agent/memory.md"),
        write("/srv/hosts"),
        write("/hosts"),
        write("/home/ann/a.rs"),
        run("cp lib/a /srv/b", ROOT),
        run("cp lib/a /b", ROOT),
        run("make", ROOT),
        run("ls", ROOT),
        run("git commit -m x", ROOT),
        direct_commit(),
        run("git push", ROOT),
        run("rm .envrc", ROOT),
        run("make", "/tmp"),
        reaching(Profile::Network),
        reaching(Profile::Unfenced),
        fetch("https://docs.rs/", ""),
        fetch("https://docs.rs:8443/", ""),
        fetch("http://127.0.0.1:8888/search", "rust"),
        Action::Call { server: "notes".into(), tool: "add".into(), arguments: "{}".into() },
        read("/home/ann/project/.env"),
        read("/srv/hosts"),
    ]
}

fn direct_commit() -> Action {
    match run("git commit -m x", ROOT) {
        Action::Run { command, cwd, timeout_secs, profile, background, input, .. } => {
            let argv = ["git", "commit", "-m", "x"].map(str::to_owned).to_vec();
            Action::Run { command, argv, cwd, timeout_secs, profile, background, input }
        }
        other => other,
    }
}

fn all_setups() -> Vec<Setup> {
    let safe = || Setup {
        memories: vec!["/home/ann/project/.agent/memory.md".into()],
        home: Some("/home/ann".into()),
        own: vec!["/home/ann/project/.agent".into()],
        ..Setup::new(ROOT.into(), Mode::Safe)
    };
    let flagged = vec![
        safe(),
        Setup { allow_write: true, ..safe() },
        Setup { allow_run: true, ..safe() },
        Setup { allow_commit: true, ..safe() },
        Setup { allow_run: true, allow_commit: true, ..safe() },
        Setup { allow_net: true, ..safe() },
        Setup { allow_call: true, ..safe() },
        Setup { allow_write: true, allow_run: true, allow_net: true, allow_call: true, ..safe() },
        Setup { mode: Mode::Unsafe, ..safe() },
        Setup { mode: Mode::Plan, ..safe() },
    ];
    let open = |setup: &Setup| Setup { sandbox: SandboxKind::None, ..setup.clone() };
    let without: Vec<Setup> = flagged.iter().map(open).collect();
    [flagged, without].concat()
}

/// The same with what a front end would advise for `action`.
fn advised(setup: &Setup, action: &Action, cause: Option<Cause>) -> Setup {
    let setup = setup.clone();
    match action {
        _ if cause == Some(Cause::CommitNotAllowed) => Setup { allow_commit: true, ..setup },
        _ if cause == Some(Cause::CommandAndCommitNotAllowed) => {
            assert!(!setup.allow_run && !setup.allow_commit, "neither flag is in force yet");
            Setup { allow_run: true, allow_commit: true, ..setup }
        }
        _ if cause == Some(Cause::HostNotAllowed) => Setup { allow_run: true, network: Network::Allow, ..setup },
        _ if cause == Some(Cause::FolderNotAllowed) => {
            let folders: Vec<PathBuf> = ["/srv", "/tmp"].map(PathBuf::from).to_vec();
            Setup { allow_run: true, allow_write_in: folders.clone(), writable: folders, ..setup }
        }
        _ if cause == Some(Cause::Always) => {
            // It is no plan mode then: the two flags do not go together.
            let mode = if setup.mode == Mode::Plan { Mode::Safe } else { setup.mode };
            Setup { disposable: true, sandbox: SandboxKind::Disposable, mode, ..setup }
        }
        Action::Write { .. } => Setup { allow_write: true, ..setup },
        Action::Run { .. } => Setup { allow_run: true, ..setup },
        Action::Fetch { .. } => Setup { allow_net: true, ..setup },
        Action::Call { .. } => Setup { allow_call: true, ..setup },
        // In plan mode there is no such flag.
        Action::Read { .. } if setup.mode == Mode::Plan => setup,
        Action::Read { .. } => Setup { mode: Mode::Unsafe, ..setup },
        Action::Restore { .. } | Action::Session { .. } => setup,
    }
}

fn cause(policy: &Policy, action: &Action) -> Option<Cause> {
    match policy.judge(action.clone(), &facts(action)) {
        Verdict::Ask(held) => Some(held.cause()),
        Verdict::Allow(_) => None,
        Verdict::Deny(why) | Verdict::Impossible(why) => {
            assert_eq!(policy.mode(), Mode::Plan, "{action:?}: {why}");
            None
        }
    }
}

#[test]
fn a_flag_is_wanted_only_where_it_is_missing_and_would_have_helped() {
    let (mut wanted, mut last_resort) = (0, 0);
    for setup in all_setups() {
        let policy = Policy::new(setup.clone());
        for action in actions() {
            let found = cause(&policy, &action);
            let with = cause(&Policy::new(advised(&setup, &action, found)), &action);
            let expected = if setup.sandbox == SandboxKind::None { Some(Cause::NoSandbox) } else { None };
            match found {
                Some(
                    Cause::NotAllowed
                    | Cause::CommitNotAllowed
                    | Cause::CommandAndCommitNotAllowed
                    | Cause::HostNotAllowed
                    | Cause::FolderNotAllowed,
                ) => {
                    wanted += 1;
                    let is_run = matches!(action, Action::Run { .. });
                    assert_eq!(with, if is_run { expected } else { None }, "{action:?} in {setup:?}");
                }
                // Then only the last resort is advised, and it helps.
                Some(Cause::Always) => {
                    last_resort += 1;
                    assert_eq!(with, None, "{action:?} in {setup:?}");
                }
                // Nothing is advised then, and nothing would help.
                Some(Cause::Never) => {
                    let disposable = Setup { disposable: true, sandbox: SandboxKind::Disposable, ..setup.clone() };
                    assert_eq!(cause(&Policy::new(disposable), &action), found, "{action:?} in {setup:?}");
                }
                Some(Cause::NoSandbox) => assert_eq!(setup.sandbox, SandboxKind::None, "{action:?}"),
                Some(Cause::Suspended) => panic!("nothing is: {action:?}"),
                None => {}
            }
        }
    }
    assert!(wanted > 20 && last_resort > 20, "{wanted}, {last_resort}");
}

#[test]
fn no_flag_is_wanted_where_all_of_them_are_suspended() {
    for setup in all_setups() {
        let mut policy = Policy::new(setup.clone());
        policy.suspend();
        for action in actions().iter().filter(|action| !matches!(action, Action::Read { .. })) {
            let found = cause(&policy, action);
            let told = matches!(found, None | Some(Cause::Always | Cause::Never | Cause::Suspended));
            assert!(told, "{found:?}: {action:?} in {setup:?}");
        }
    }
}

#[test]
fn the_mode_in_force_is_the_one_that_is_named() {
    let why = |policy: &Policy| verdict(policy, run("make", ROOT));
    let suspended = "what you allowed beforehand is suspended, for a command changed protected files";
    let flagged = Setup { allow_run: true, ..Setup::new(ROOT.into(), Mode::Safe) };
    for (setup, expected) in [
        (Setup::new(ROOT.into(), Mode::Unsafe), suspended.to_owned()),
        (flagged, suspended.to_owned()),
        (Setup::new(ROOT.into(), Mode::Safe), format!("safe mode asks before every command; {suspended}")),
    ] {
        let mut policy = Policy::new(setup);
        policy.suspend();
        let found = why(&policy);
        assert!(found.starts_with(&format!("ask: {expected};")), "{found}");
    }
    let plan = Policy::new(Setup::new(ROOT.into(), Mode::Plan));
    assert_eq!(verdict(&plan, run("ls", ROOT)), "ask: plan mode asks before every command; this one only reads");
}
