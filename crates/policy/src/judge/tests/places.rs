//! One line a path: what is refused, asked and let happen for its name and its place.

use super::*;

fn setup(mode: Mode) -> Setup {
    let own = ["/home/ann/.config/agent", "/home/ann/project/.agent"].map(PathBuf::from).to_vec();
    Setup { own, home: Some("/home/ann".into()), ..Setup::new(ROOT.into(), mode) }
}

/// With what is remembered, and skills of the user and the project.
fn remembering(mode: Mode) -> Setup {
    let paths = |names: [&str; 2]| names.map(PathBuf::from).to_vec();
    Setup {
        memories: paths(["/home/ann/.config/agent/memory.md", "/home/ann/project/.agent/memory.md"]),
        readable: paths(["/home/ann/.config/agent/skills", "/home/ann/project/.agent/skills"]),
        trusted: true,
        ..setup(mode)
    }
}

/// The first word of the verdicts in safe and in unsafe mode.
fn verdicts(action: &Action) -> (String, String) {
    verdicts_by(setup, action)
}

fn verdicts_by(setup: fn(Mode) -> Setup, action: &Action) -> (String, String) {
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

#[test]
fn what_is_remembered_is_written_after_a_question_whatever_was_allowed() {
    let lenient = |mode| Setup { allow_write: true, ..remembering(mode) };
    for path in ["/home/ann/.config/agent/memory.md", "/home/ann/project/.agent/memory.md"] {
        assert_eq!(verdicts_by(lenient, &write(path)), ("ask".into(), "ask".into()), "{path}");
        assert_eq!(verdicts_by(remembering, &read(path)), ("allow".into(), "allow".into()), "{path}");
        assert!(verdict(&Policy::new(remembering(Mode::Plan)), write(path)).starts_with("deny: this is plan mode"));
        let gone = Change { path: path.into(), before: Some(Digest("00".into())), after: None };
        let delete = Action::Write { changes: Changes(vec![gone]) };
        assert_eq!(verdicts_by(lenient, &delete), ("deny".into(), "deny".into()), "{path} is not deleted");
    }
    let mut policy = Policy::new(lenient(Mode::Unsafe));
    let held = ask(&policy, write("/home/ann/project/.agent/memory.md"));
    assert!(held.offers().is_empty() && held.warnings().is_empty(), "no rule lets it happen unasked: {held:?}");
    let rule = Rule::File { path: "/home/ann/project/.agent/memory.md".into() };
    assert!(policy.answer(held, Some(rule)).is_err());
}

#[test]
fn what_is_written_beside_a_memory_keeps_its_warnings() {
    let (Action::Write { changes: one }, Action::Write { changes: other }) =
        (write("/home/ann/.config/agent/memory.md"), write("/etc/hosts"))
    else {
        unreachable!()
    };
    let both = Action::Write { changes: Changes([one.0, other.0].concat()) };
    let held = ask(&Policy::new(remembering(Mode::Unsafe)), both);
    assert_eq!(held.warnings()[0], "outside the project: /etc/hosts");
}

#[test]
fn skills_are_looked_at_without_a_question_and_nothing_beside_them() {
    let rows = [
        ("/home/ann/.config/agent/skills/pdf/SKILL.md", "allow", "allow"),
        ("/home/ann/.config/agent/skills", "allow", "allow"),
        ("/home/ann/.config/agent/skills/pdf/.env", "ask", "ask"),
        ("/home/ann/.config/agent/skillset/SKILL.md", "deny", "deny"),
        ("/home/ann/.config/agent/config.toml", "deny", "deny"),
        ("/home/ann/project/.agent/skills/pdf/SKILL.md", "allow", "allow"),
        ("/home/ann/project/.agent/config.toml", "deny", "deny"),
        // Where a link in the folder leads that leads out of it.
        ("/home/ann/dotfiles/skills/pdf/SKILL.md", "ask", "ask"),
    ];
    for (path, safe, unsafe_) in rows {
        assert_eq!(verdicts_by(remembering, &read(path)), (safe.into(), unsafe_.into()), "{path}");
        let (safe, unsafe_) = verdicts_by(remembering, &write(path));
        assert!(safe != "allow" && unsafe_ != "allow", "{path} is not written unasked");
    }
    assert_eq!(verdicts_by(remembering, &write("/home/ann/.config/agent/skills/pdf/SKILL.md")).0, "deny");
}

#[test]
fn skills_of_a_project_count_once_it_is_trusted() {
    let unknown = |mode| Setup { trusted: false, ..remembering(mode) };
    let theirs = read("/home/ann/project/.agent/skills/pdf/SKILL.md");
    assert_eq!(verdicts_by(unknown, &theirs), ("deny".into(), "deny".into()));
    assert_eq!(verdicts_by(unknown, &read("/home/ann/.config/agent/skills/pdf/SKILL.md")).0, "allow");
    let mut policy = Policy::new(unknown(Mode::Safe));
    policy.trust();
    assert_eq!(verdict(&policy, theirs), "allow");
}

#[test]
fn what_was_remembered_can_be_taken_back() {
    let restore = |path: &str| {
        let (from, to) = (agent_protocol::FileState::Missing, agent_protocol::FileState::Missing);
        let file = agent_protocol::Restoring { path: path.into(), from, to };
        verdicts_by(remembering, &Action::Restore { files: vec![file] })
    };
    assert_eq!(restore("/home/ann/.config/agent/memory.md"), ("ask".into(), "ask".into()));
    assert_eq!(restore("/home/ann/.config/agent/config.toml"), ("deny".into(), "deny".into()));
}
