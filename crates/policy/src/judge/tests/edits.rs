//! Accept-edits mode: edits of the project's files happen, all else is as in safe mode.

use super::commands::setup;
use super::*;
use agent_protocol::Cause;

fn mode_of(rule: Option<Rule>) -> Mode {
    let mut policy = Policy::new(setup(Mode::Safe));
    let held = ask(&policy, write("/home/ann/project/src/a.rs"));
    policy.answer(held, rule).unwrap();
    policy.mode()
}

#[test]
fn a_yes_to_all_edits_puts_the_mode_in_force_and_a_plain_one_does_not() {
    assert_eq!((mode_of(Some(Rule::Edits)), mode_of(None)), (Mode::AcceptEdits, Mode::Safe));
}

#[test]
fn edits_inside_the_project_happen_and_nothing_else_does() {
    let rows = [
        ("src/main.rs", "allow"),
        ("missing", "allow"),
        ("Makefile", "allow"),
        ("package.json", "allow"),
        ("linked", "ask: accept-edits mode asks: the file has hard links"),
        ("server.pem", "ask: accept-edits mode asks: its name says that it holds secrets"),
        ("id_rsa", "ask: accept-edits mode asks: its name says that it holds secrets"),
        (".git/config", "ask: its name is protected"),
        (".envrc", "ask: its name is protected"),
        (".github/workflows/ci.yml", "ask: its name is protected"),
        ("AGENTS.md", "ask: its name is protected"),
        ("../notes.txt", "ask: that is outside the project"),
        ("../../../etc/hosts", "ask: its name is protected"),
    ];
    let policy = Policy::new(setup(Mode::AcceptEdits));
    for (path, expected) in rows {
        let path = super::super::running::lexically(&Path::new(ROOT).join(path));
        assert_eq!(verdict(&policy, write(path.to_str().unwrap())), expected, "{}", path.display());
    }
    let own = verdict(&policy, write("/home/ann/.config/agent/config.toml"));
    assert!(own.starts_with("deny"), "{own}");
}

#[test]
fn a_file_that_goes_is_asked_about_and_so_is_what_is_changed_with_it() {
    let change = |path: &str, after: Option<&str>| Change {
        path: Path::new(ROOT).join(path),
        before: Some(Digest("00".into())),
        after: after.map(Into::into),
    };
    let policy = Policy::new(setup(Mode::AcceptEdits));
    let all = |changes: Vec<Change>| verdict(&policy, Action::Write { changes: Changes(changes) });
    assert_eq!(all(vec![change("a.rs", Some("x")), change("b.rs", Some("y"))]), "allow");
    let goes = "ask: accept-edits mode asks: a file goes";
    assert_eq!(all(vec![change("a.rs", None)]), goes);
    assert_eq!(all(vec![change("a.rs", Some("x")), change("b.rs", None)]), goes);
    assert_eq!(all(vec![change("a.rs", Some("x")), change(".envrc", Some("y"))]), "ask: its name is protected");
}

#[test]
fn what_is_remembered_for_later_sessions_is_asked_about() {
    let memory = PathBuf::from("/home/ann/project/.agent/memory.md");
    let setup = Setup { memories: vec![memory.clone()], ..setup(Mode::AcceptEdits) };
    let held = ask(&Policy::new(setup), write(memory.to_str().unwrap()));
    assert_eq!((held.cause(), held.offers().len()), (Cause::Never, 0));
}

#[test]
fn commands_and_commits_ask_as_in_safe_mode_and_say_which_mode_asks() {
    let policy = Policy::new(setup(Mode::AcceptEdits));
    for (command, expected) in [
        ("make", "ask: accept-edits mode asks before every command"),
        ("ls", "ask: accept-edits mode asks before every command"),
        ("git commit -m x", "ask: accept-edits mode asks before every commit and push"),
        ("echo x > src/a.rs", "ask: accept-edits mode asks before every command"),
        ("sudo ls", "ask: it asks in every mode"),
        ("rm -rf ~", "deny"),
    ] {
        let found = verdict(&policy, run(command, ROOT));
        assert!(found.starts_with(expected), "{command}: {found}");
    }
    let secret = ask(&policy, read("/home/ann/project/.env"));
    assert_eq!(secret.cause(), Cause::NotAllowed);
}

#[test]
fn no_question_names_a_mode_that_is_not_in_force() {
    let modes = [Mode::Safe, Mode::AcceptEdits, Mode::Plan, Mode::Unsafe];
    let actions =
        [write("/home/ann/project/a.rs"), write("/home/ann/project/.env"), run("make", ROOT), run("ls", ROOT)];
    let actions = actions.into_iter().chain([run("git commit -m x", ROOT), run("sudo ls", ROOT), read("/etc/passwd")]);
    for action in actions {
        for mode in modes {
            for suspended in [false, true] {
                let mut policy = Policy::new(setup(mode));
                if suspended {
                    policy.suspend();
                }
                let said = verdict(&policy, action.clone());
                let others = modes.into_iter().filter(|other| *other != mode);
                for other in others.filter(|_| said.starts_with("ask")) {
                    assert!(!said.contains(&format!("{} asks", other.words())), "{mode:?}: {said}");
                }
            }
        }
    }
}

#[test]
fn tampering_suspends_it_and_a_session_that_is_held_back_refuses_it() {
    let mut policy = Policy::new(setup(Mode::AcceptEdits));
    policy.suspend();
    let held = ask(&policy, write("/home/ann/project/a.rs"));
    assert_eq!((held.why(), held.cause()), (SUSPENDED, Cause::Suspended));
    assert!(!held.offers().iter().any(|offer| offer.rule == Rule::Edits));
    let held_back = Setup { held_back: Some("x".into()), ..setup(Mode::AcceptEdits) };
    let mut policy = Policy::new(held_back);
    assert_eq!((policy.mode(), policy.set_mode(Mode::AcceptEdits)), (Mode::Safe, Mode::Safe));
    let held = ask(&policy, write("/home/ann/project/a.rs"));
    assert!(!held.offers().iter().any(|offer| offer.rule == Rule::Edits));
    assert_eq!(policy.answer(held, Some(Rule::Edits)).unwrap_err(), Refused);
    assert_eq!(policy.mode(), Mode::Safe);
}

#[test]
fn all_edits_are_offered_only_where_a_yes_to_them_would_have_covered_this_one() {
    let offered = |path: &str| {
        let held = ask(&Policy::new(setup(Mode::Safe)), write(path));
        held.offers().iter().any(|offer| offer.rule == Rule::Edits)
    };
    assert!(offered("/home/ann/project/a.rs"));
    for path in [".env", ".envrc", "linked", "../a.rs"] {
        assert!(!offered(&format!("{ROOT}/{path}")), "{path}");
    }
    assert!(!offered("/home/ann/notes.txt"));
}

#[test]
fn taking_the_yes_back_is_safe_mode_again() {
    let mut policy = Policy::new(setup(Mode::AcceptEdits));
    policy.revoke(&Rule::Edits);
    assert_eq!(policy.mode(), Mode::Safe);
    policy.set_mode(Mode::Plan);
    policy.revoke(&Rule::Edits);
    assert_eq!(policy.mode(), Mode::Plan);
}
