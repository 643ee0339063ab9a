//! Every kind of question about a place, answered: what the yes gives is enough for what was asked about.

use super::*;
use agent_protocol::{Profile, SandboxKind};

fn setup(mode: Mode) -> Setup {
    let own = ["/home/ann/.config/agent", "/home/ann/project/.agent"].map(PathBuf::from).to_vec();
    Setup { own, home: Some("/home/ann".into()), ..Setup::new(ROOT.into(), mode) }
}

/// A command, and where it writes. Empty: it needs what no sandbox gives.
const ASKED: &[(&str, &str)] = &[
    ("cp a ../other/b", "/home/ann/other/b"),
    ("mkdir -p /home/ann/.cache/tool/x", "/home/ann/.cache/tool/x"),
    ("cargo test > /home/ann/logs/log.txt", "/home/ann/logs/log.txt"),
    ("git worktree add /home/ann/trees/x", "/home/ann/trees/x"),
    ("rm -rf /home/ann/other/build", "/home/ann/other/build"),
    ("mv a /mnt/data/b", "/mnt/data/b"),
    ("touch /srv/data/a && touch /mnt/b/c", "/srv/data/a"),
    ("touch /home/ann/notes.txt", "/home/ann/notes.txt"),
    ("git worktree add ../x", "/home/ann/x"),
    ("echo x >> /home/ann/.bashrc", "/home/ann/.bashrc"),
    ("cp a /etc/hosts", "/etc/hosts"),
    ("cp a /home/ann/.ssh/config", "/home/ann/.ssh/config"),
    ("cp a .git/hooks/pre-commit", "/home/ann/project/.git/hooks/pre-commit"),
    ("cp a .envrc", "/home/ann/project/.envrc"),
    ("sudo make install", ""),
    ("docker ps", ""),
    ("docker run x", ""),
    ("systemctl --user enable x", ""),
    ("crontab -r", ""),
];

/// Would the sandbox let a command write there?
fn can_write(permit: &Permit, path: &str) -> bool {
    let fence = permit.sandbox();
    let within = |folder: &Path| Path::new(path).starts_with(folder);
    match fence.profile() {
        Profile::Unfenced => true,
        Profile::Project | Profile::Network => {
            within(fence.root()) || fence.writable().iter().any(|place| within(place))
        }
        Profile::ReadOnly => false,
    }
}

#[test]
fn no_question_about_a_place_is_asked_whose_yes_cannot_work() {
    for mode in [Mode::Safe, Mode::AcceptEdits, Mode::Unsafe] {
        for (line, path) in ASKED {
            let mut policy = Policy::new(setup(mode));
            let action = run(line, ROOT);
            let held = match policy.judge(action.clone(), &facts(&action)) {
                Verdict::Ask(held) => held,
                // So ordinary that unsafe mode asks nothing.
                Verdict::Allow(permit) if mode == Mode::Unsafe && line.contains("worktree") => {
                    assert!(can_write(&permit, path), "{line}: {:?}", permit.sandbox());
                    continue;
                }
                other => panic!("{line} in {mode:?}: {other:?}"),
            };
            let (why, least) = (held.why().to_owned(), held.least());
            let permit = policy.answer(held, None).unwrap();
            match *path {
                "" => assert_eq!(permit.sandbox().profile(), Profile::Unfenced, "{line}"),
                path => assert!(can_write(&permit, path), "{line} in {mode:?}: {:?}", permit.sandbox()),
            }
            // It is said beforehand what the yes gives.
            assert_eq!(permit.sandbox().profile() == Profile::Unfenced, least == Profile::Unfenced, "{line}");
            assert_eq!(why.contains("without the sandbox"), least == Profile::Unfenced, "{line}: {why}");
        }
    }
}

#[test]
fn git_writes_in_a_repository_outside_where_commits_are_allowed_or_after_a_yes() {
    let folder = PathBuf::from("/home/ann/main/.git");
    let policy = |mode, allow_run, allow_commit| {
        Policy::new(Setup { git_folder: Some(folder.clone()), allow_run, allow_commit, ..setup(mode) })
    };
    let mut safe = policy(Mode::Safe, false, false);
    for line in ["git commit -m x", "git stash", "make && git add ."] {
        let held = ask(&safe, run(line, ROOT));
        assert!(held.why().contains("; a yes lets it write in /home/ann/main/.git, this once"), "{}", held.why());
        assert_eq!(safe.answer(held, None).unwrap().sandbox().writable(), std::slice::from_ref(&folder), "{line}");
    }
    for (policy, line, opened) in [
        (policy(Mode::Unsafe, false, false), "git commit -m x", true),
        (policy(Mode::Safe, true, true), "git commit -m x", true),
        (policy(Mode::Safe, true, false), "git stash", false),
        (policy(Mode::Unsafe, false, false), "make", false),
    ] {
        let action = run(line, ROOT);
        let Verdict::Allow(permit) = policy.judge(action.clone(), &facts(&action)) else { panic!("{line}") };
        assert_eq!(permit.sandbox().writable().contains(&folder), opened, "{line}");
    }
}

#[test]
fn what_a_yes_opens_is_the_folder_it_names_and_for_that_run_alone() {
    let mut policy = Policy::new(setup(Mode::Unsafe));
    let held = ask(&policy, run("cp a ../other/b", ROOT));
    assert_eq!(held.why(), "it asks in every mode; a yes lets it write in /home/ann/other, this once");
    assert_eq!(held.cause(), Cause::FolderNotAllowed);
    assert_eq!(policy.answer(held, None).unwrap().sandbox().writable(), [PathBuf::from("/home/ann/other")]);
    let action = run("make", ROOT);
    let Verdict::Allow(permit) = policy.judge(action.clone(), &facts(&action)) else { panic!("it runs") };
    assert!(permit.sandbox().writable().is_empty());
}

#[test]
fn the_home_the_system_and_what_holds_our_own_files_is_never_opened() {
    for line in ["touch ~/x", "cp a ../x", "cp a /etc/x", "cp a /usr/local/bin/x", "cp a ~/.config/x", "cp a /x"] {
        let mut policy = Policy::new(setup(Mode::Safe));
        let held = ask(&policy, run(line, ROOT));
        let permit = policy.answer(held, None).unwrap();
        assert!(permit.sandbox().writable().is_empty(), "{line}: {:?}", permit.sandbox());
        assert_eq!(permit.sandbox().profile(), Profile::Unfenced, "{line}");
    }
}

#[test]
fn where_the_sandbox_is_required_what_needs_none_is_refused_before_a_question() {
    let policy = Policy::new(Setup { require_sandbox: true, ..setup(Mode::Safe) });
    for line in ["docker ps", "sudo ls", "cp a /etc/hosts"] {
        let verdict = verdict(&policy, run(line, ROOT));
        assert!(verdict.starts_with("deny: ") && verdict.contains("sandbox.require"), "{line}: {verdict}");
    }
    assert!(verdict(&policy, run("cp a ../other/b", ROOT)).starts_with("ask"), "that works within it");
}

#[test]
fn the_shared_tmp_is_answered_with_the_one_of_the_session_before_a_question() {
    let temporary = Some(PathBuf::from("/tmp/agent-1"));
    for mode in [Mode::Safe, Mode::Unsafe] {
        let shared = Policy::new(Setup { temporary: temporary.clone(), ..setup(mode) });
        let private = Policy::new(Setup { private_tmp: true, ..setup(mode) });
        for line in ["echo x > /tmp/x", "cat > /var/tmp/a.py <<'E'\nx\nE", "python3 /tmp/x.py", "make && cp a /tmp/b"] {
            let said = verdict(&shared, run(line, ROOT));
            assert!(said.starts_with("deny: ") && said.contains("use $TMPDIR instead"), "{line}: {said}");
            let said = verdict(&private, run(line, ROOT));
            let expected = if mode == Mode::Unsafe { "allow" } else { "ask: safe mode asks before every command" };
            assert!(said.starts_with(expected), "{line}: {said}");
        }
        for line in ["echo x > $TMPDIR/x", "echo x > /tmp/agent-1/x", "diff a /tmp/b"] {
            assert!(!verdict(&shared, run(line, ROOT)).starts_with("deny"), "{line}");
        }
    }
    let off = Policy::new(Setup { sandbox: SandboxKind::Off, ..setup(Mode::Safe) });
    assert!(verdict(&off, run("echo x > /tmp/x", ROOT)).starts_with("ask"), "nothing holds it off there");
    let unfenced = match run("echo x > /tmp/x", ROOT) {
        Action::Run { command, argv, cwd, timeout_secs, background, input, .. } => {
            Action::Run { command, argv, cwd, timeout_secs, profile: Profile::Unfenced, background, input }
        }
        other => other,
    };
    let shared = Policy::new(setup(Mode::Safe));
    assert!(verdict(&shared, unfenced).starts_with("ask"), "nor where the user lets it out");
}

/// The sandbox shows what lies around a project in there, to be read.
#[test]
fn what_lies_beside_a_project_in_tmp_is_outside_and_the_rest_of_tmp_is_not() {
    let root = "/tmp/ann/code/project";
    let policy = Policy::new(Setup { private_tmp: true, root: root.into(), ..setup(Mode::Unsafe) });
    let action = run("git worktree add ../beside -b beside", root);
    let Verdict::Allow(permit) = policy.judge(action.clone(), &facts(&action)) else { panic!("it is allowed") };
    assert!(can_write(&permit, "/tmp/ann/code/beside"), "{:?}", permit.sandbox());
    assert!(verdict(&policy, run("cp a ../other", root)).starts_with("ask"));
    for line in ["echo x > /tmp/x", "cp a /tmp/other/b", "echo x > a"] {
        assert_eq!(verdict(&policy, run(line, root)), "allow", "{line}");
    }
    let top = Policy::new(Setup { private_tmp: true, root: "/tmp/project".into(), ..setup(Mode::Unsafe) });
    assert_eq!(verdict(&top, run("cp a ../other", "/tmp/project")), "allow", "its own /tmp lies there");
}

#[test]
fn a_folder_of_the_persons_list_is_not_outside() {
    let writable = vec![PathBuf::from("/home/ann/.cache")];
    let listed = |mode| Setup { writable: writable.clone(), ..setup(mode) };
    let unsafe_one = Policy::new(listed(Mode::Unsafe));
    for action in [
        write("/home/ann/.cache/a"),
        read("/home/ann/.cache/a"),
        run("mkdir -p ~/.cache/pylint2", ROOT),
        run("make", "/home/ann/.cache/tmp"),
    ] {
        assert_eq!(verdict(&unsafe_one, action.clone()), "allow", "{action:?}");
    }
    // What is asked about for its name is asked about there, too.
    for action in [
        write("/home/ann/.cache/.git/config"),
        write("/home/ann/.cachet"),
        read("/home/ann/.cache/.env"),
        run("echo x > ~/.cache/.git/hooks/pre-commit", ROOT),
    ] {
        assert!(verdict(&unsafe_one, action.clone()).starts_with("ask"), "{action:?}");
    }
    let safe = Policy::new(listed(Mode::Safe));
    assert_eq!(verdict(&safe, write("/home/ann/.cache/a")), "ask: safe mode asks before every write");
    let flagged = Setup { allow_write_in: writable.clone(), ..listed(Mode::Safe) };
    let mut flagged = Policy::new(flagged);
    assert_eq!(verdict(&flagged, write("/home/ann/.cache/a")), "allow");
    assert!(verdict(&flagged, write("/home/ann/project/a")).starts_with("ask"));
    assert!(verdict(&flagged, write("/home/ann/.cache/.git/config")).starts_with("ask"));
    flagged.suspend();
    assert!(verdict(&flagged, write("/home/ann/.cache/a")).starts_with("ask"));
}

#[test]
fn a_yes_lets_no_command_run_further_out_than_it_asked_to() {
    for profile in [Profile::ReadOnly, Profile::Project, Profile::Network, Profile::Unfenced] {
        let mut policy = Policy::new(setup(Mode::Safe));
        let mut action = run("make", ROOT);
        if let Action::Run { profile: asked, .. } = &mut action {
            *asked = profile;
        }
        let held = ask(&policy, action);
        assert_eq!(policy.answer(held, None).unwrap().sandbox().profile(), profile);
    }
}
