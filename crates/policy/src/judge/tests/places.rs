//! One line a path: what is refused, asked and let happen for its name and its place.

use super::*;

fn setup(mode: Mode) -> Setup {
    let own = ["/home/ann/.config/agent", "/home/ann/project/.agent"].map(PathBuf::from).to_vec();
    Setup { own, home: Some("/home/ann".into()), ..Setup::new(ROOT.into(), mode) }
}

/// The first word of the verdicts in safe and in unsafe mode.
fn verdicts(action: &Action) -> (String, String) {
    let first = |mode| {
        let verdict = verdict(&Policy::new(setup(mode)), action.clone());
        verdict.split(':').next().unwrap().to_owned()
    };
    (first(Mode::Safe), first(Mode::Unsafe))
}

#[test]
fn writes() {
    let rows = [
        ("/home/ann/project/src/main.rs", "ask", "allow"),
        ("/home/ann/project/missing", "ask", "allow"),
        ("/home/ann/project/.git/config", "ask", "ask"),
        ("/home/ann/project/.GIT./config", "ask", "ask"),
        ("/home/ann/project/sub/.g\u{200c}it/hooks/pre-push", "ask", "ask"),
        ("/home/ann/project/.envrc", "ask", "ask"),
        ("/home/ann/project/.github/workflows/ci.yml", "ask", "ask"),
        ("/home/ann/project/AGENTS.md", "ask", "ask"),
        ("/home/ann/project/Makefile", "ask", "allow"),
        ("/home/ann/.bashrc", "ask", "ask"),
        ("/home/ann/notes.txt", "ask", "ask"),
        ("/etc/hosts", "ask", "ask"),
        ("/home/ann/.config/agent/config.toml", "deny", "deny"),
        ("/home/ann/project/.agent/policy.toml", "deny", "deny"),
        ("/home/ann/project/sub", "impossible", "impossible"),
        ("/home/ann/project/pipe", "impossible", "impossible"),
    ];
    for (path, safe, unsafe_) in rows {
        assert_eq!(verdicts(&write(path)), (safe.into(), unsafe_.into()), "{path}");
    }
}

#[test]
fn looks() {
    let rows = [
        ("/home/ann/project/src/main.rs", "allow", "allow"),
        ("/home/ann/project/.git/config", "allow", "allow"),
        ("/home/ann/project/.env", "ask", "allow"),
        ("/home/ann/project/sub/server.pem", "ask", "allow"),
        ("/home/ann/project/.env.example", "allow", "allow"),
        ("/home/ann/.ssh/id_rsa", "ask", "ask"),
        ("/etc/passwd", "ask", "ask"),
        ("/home/ann/.config/agent/config.toml", "deny", "deny"),
        ("/home/ann/project/.agent/policy.toml", "deny", "deny"),
    ];
    for (path, safe, unsafe_) in rows {
        assert_eq!(verdicts(&read(path)), (safe.into(), unsafe_.into()), "{path}");
    }
}

#[test]
fn a_secret_read_by_rule_is_told_from_one_the_person_was_asked_about() {
    let look = read("/home/ann/project/.env");
    let mut policy = Policy::new(setup(Mode::Unsafe));
    let Verdict::Allow(permit) = policy.judge(look.clone(), &facts(&look)) else { panic!("the mode lets it happen") };
    assert_eq!(permit.leave(), Leave::Rule);
    policy.set_mode(Mode::Safe);
    let held = ask(&policy, look);
    assert_eq!(policy.answer(held, None).unwrap().leave(), Leave::Person);
}

#[test]
fn a_protected_file_is_named_in_red_and_never_allowed_beforehand() {
    for mode in [Mode::Safe, Mode::Unsafe] {
        let held = ask(&Policy::new(setup(mode)), write("/home/ann/project/.git/hooks/pre-commit"));
        assert_eq!(held.warnings(), ["protected: .git/hooks/pre-commit decides what git does and runs"]);
        assert!(held.offers().is_empty());
    }
}
