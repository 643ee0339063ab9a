//! What a hook runs is changed by nobody who is not asked about just that: by file tools, by commands, in every mode.

use super::*;
use crate::GuardedFile;
use agent_protocol::SandboxKind;

const GUARD: &str = "/home/ann/project/hooks/guard.sh";
const OWN: &str = "/home/ann/scripts/own.py";

/// All that can be allowed beforehand is.
fn lenient(mode: Mode) -> Policy {
    let file = |path: &str, whose: &str| GuardedFile { path: path.into(), why: format!("is run by {whose}") };
    Policy::new(Setup {
        home: Some("/home/ann".into()),
        allow_write: true,
        allow_run: true,
        allow_commit: true,
        allow_write_in: vec!["/home/ann/scripts".into()],
        writable: vec!["/home/ann/scripts".into()],
        guarded: vec![file(GUARD, "the project's hook guard.sh"), file(OWN, "your hook own.py")],
        ..Setup::new(ROOT.into(), mode)
    })
}

fn asks_about(policy: &Policy, action: Action, path: &str) -> bool {
    let facts = facts(&action);
    match policy.judge(action, &facts) {
        Verdict::Ask(held) => held
            .warnings()
            .iter()
            .any(|warning| warning.contains(&format!("protected: {path} is run by")) && held.cause() == Cause::Always),
        Verdict::Allow(_) | Verdict::Deny(_) | Verdict::Impossible(_) => false,
    }
}

#[test]
fn no_file_of_a_hook_is_written_unasked_in_any_mode() {
    for mode in [Mode::Safe, Mode::AcceptEdits, Mode::Unsafe] {
        let mut policy = lenient(mode);
        for (path, shown) in [
            (GUARD, "hooks/guard.sh"),
            ("/home/ann/project/hooks/Guard.sh", "hooks/Guard.sh"),
            ("/home/ann/project/hooks", "hooks"),
            (OWN, OWN),
        ] {
            assert!(asks_about(&policy, write(path), shown), "{mode:?}: {path}");
        }
        let held = ask(&policy, write(GUARD));
        assert!(held.offers().is_empty(), "no lasting yes is offered");
        assert!(policy.answer(held, Some(Rule::File { path: GUARD.into() })).is_err());
        for beside in ["hooks/other.sh", "hooks/guard.sh.bak", "guard.sh", "src/hooks/guard.sh"] {
            let verdict = verdict(&policy, write(&format!("{ROOT}/{beside}")));
            assert_eq!(verdict, "allow", "{mode:?}: {beside}");
        }
    }
}

#[test]
fn no_command_that_names_a_file_of_a_hook_to_change_it_runs_unasked() {
    for line in [
        "echo 'exit 0' > hooks/guard.sh",
        "echo 'exit 0' >> ./hooks/../hooks/guard.sh",
        "cd hooks && echo > guard.sh",
        "(cd hooks; : > guard.sh)",
        "cp /tmp/x hooks/guard.sh",
        "cp /tmp/guard.sh hooks",
        "cp -t hooks /tmp/guard.sh",
        "cp /tmp/evil/* hooks/",
        "mv hooks/guard.sh old",
        "mv hooks old",
        "git mv hooks old",
        "rm -rf hooks",
        "rm hooks/*",
        "rm hooks/guard.{sh,py}",
        "rm -r h*",
        "ln -sf /bin/true hooks/guard.sh",
        "install -m755 /tmp/x hooks/guard.sh",
        "sed -i 's/2/0/' hooks/guard.sh",
        "perl -pi -e 's/2/0/' hooks/guard.sh",
        "chmod -x hooks/guard.sh",
        "truncate -s0 hooks/guard.sh",
        "tee hooks/guard.sh < /dev/null",
        "dd if=/dev/null of=hooks/guard.sh",
        "git checkout HEAD~1 -- hooks/guard.sh",
        "git restore hooks",
        "find hooks -name '*.sh' -delete",
        "curl -o hooks/guard.sh http://x",
        "bash -c 'echo > hooks/guard.sh'",
        "env X=1 sh -c \"cd hooks; cp /tmp/x guard.sh\"",
        "xargs rm < list hooks/guard.sh",
        "black hooks/guard.sh",
        "d=hooks; rm $d/guard.sh",
    ] {
        for mode in [Mode::Safe, Mode::Unsafe] {
            assert!(asks_about(&lenient(mode), run(line, ROOT), "hooks/guard.sh"), "{mode:?}: {line}");
        }
    }
    assert!(asks_about(&lenient(Mode::Unsafe), run("rm /home/ann/scripts/own.py", ROOT), OWN));
    assert!(asks_about(&lenient(Mode::Unsafe), run("rm ~/scripts/*.py", ROOT), OWN));
}

#[test]
fn whoever_looks_at_a_hook_or_runs_it_is_asked_nothing_new() {
    for line in [
        "cat hooks/guard.sh",
        "sh hooks/guard.sh",
        "./hooks/guard.sh",
        "python3 hooks/guard.sh",
        "grep -r exit hooks",
        "cp hooks/guard.sh /home/ann/project/copy.sh",
        "echo x > hooks/other.sh",
        "cp a.sh src/",
        "pytest hooks",
        "rm -rf target",
        "git add hooks/guard.sh",
        "cargo test",
    ] {
        assert_eq!(verdict(&lenient(Mode::Unsafe), run(line, ROOT)), "allow", "{line}");
    }
}

#[test]
fn a_yes_to_exactly_a_command_is_for_no_file_of_a_hook() {
    let mut policy = lenient(Mode::Unsafe);
    policy.remembered.insert(Rule::Command { command: "rm hooks/guard.sh".into(), cwd: ROOT.into() });
    policy.remembered.insert(Rule::File { path: GUARD.into() });
    assert!(asks_about(&policy, run("rm hooks/guard.sh", ROOT), "hooks/guard.sh"));
    assert!(asks_about(&policy, write(GUARD), "hooks/guard.sh"));
}

/// What a yes was for can happen, and nothing else of a hook.
#[test]
fn a_command_is_kept_from_the_files_of_hooks_that_it_does_not_name() {
    let policy = Policy::new(Setup { sandbox: SandboxKind::Kernel, ..lenient(Mode::Unsafe).setup });
    let Verdict::Allow(permit) = policy.judge(run("make", ROOT), &facts(&run("make", ROOT))) else { panic!() };
    assert_eq!(permit.sandbox().kept(), [PathBuf::from(GUARD), PathBuf::from(OWN)]);
    let mut policy = policy;
    let held = ask(&policy, run("rm hooks/guard.sh", ROOT));
    assert_eq!(policy.answer(held, None).unwrap().sandbox().kept(), [PathBuf::from(OWN)]);
    let Verdict::Allow(permit) = policy.judge(run("git pull", ROOT), &facts(&run("git pull", ROOT))) else { return };
    assert!(permit.sandbox().kept().is_empty(), "git checks out what it finds");
}
