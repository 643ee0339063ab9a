//! What git runs is protected wherever its settings put it, and no link leads around a protected name.

use super::*;
use crate::GuardedFile;
use agent_protocol::SandboxKind;

/// Links in the project, and where they lead.
const LINKS: &[(&str, &str)] = &[
    ("hk", ".git/hooks"),
    ("deep/hk", ".git/hooks"),
    ("notes.md", "AGENTS.md"),
    ("all", "."),
    ("home", "/home/ann"),
    ("scripts", "dev/hooks"),
    ("plain", "src"),
];

fn led(path: &Path) -> PathBuf {
    for (link, to) in LINKS {
        if let Ok(rest) = path.strip_prefix(Path::new(ROOT).join(link)) {
            let to = if *to == "." { ROOT.into() } else { Path::new(ROOT).join(to) };
            return if rest.as_os_str().is_empty() { to } else { to.join(rest) };
        }
    }
    path.to_owned()
}

/// What is found out for `action` where these links are, and git runs what lies in `dev/hooks` and a filter.
fn found(action: &Action) -> Facts {
    let mut facts = facts(action);
    let file = |name: &str, why: &str| GuardedFile { path: Path::new(ROOT).join(name), why: why.to_owned() };
    for query in crate::queries(action) {
        match query {
            Query::Leads(path) => facts.set_led(path.clone(), Led { kind: kind(&path), real: led(&path) }),
            Query::Matches { folder, pattern } => {
                let names = LINKS.iter().map(|(link, _)| Path::new(ROOT).join(link).join("pre-commit"));
                let paths: Vec<PathBuf> = if folder == Path::new(ROOT) { names.collect() } else { Vec::new() };
                for path in &paths {
                    facts.set_led(path.clone(), Led { kind: kind(path), real: led(path) });
                }
                facts.set_matches(folder, pattern, paths);
            }
            Query::RunByGit => facts.set_run_by_git(
                [
                    file("dev/hooks", "holds hooks that git runs (core.hooksPath)"),
                    file("tools/clean.sh", "is run by git (filter.x.clean)"),
                ]
                .into(),
            ),
            Query::Kind(_) | Query::Secrets(_) | Query::Program(_) | Query::Git(_) => {}
        }
    }
    facts
}

fn lenient(mode: Mode) -> Policy {
    Policy::new(Setup {
        home: Some("/home/ann".into()),
        allow_write: true,
        allow_run: true,
        ..Setup::new(ROOT.into(), mode)
    })
}

fn warnings(mode: Mode, action: Action) -> Vec<String> {
    let facts = found(&action);
    match lenient(mode).judge(action, &facts) {
        Verdict::Ask(held) => held.warnings().to_vec(),
        Verdict::Allow(_) => Vec::new(),
        Verdict::Deny(why) | Verdict::Impossible(why) => vec![why],
    }
}

#[test]
fn what_git_runs_is_written_by_no_tool_unasked_in_any_mode() {
    for mode in [Mode::Safe, Mode::AcceptEdits, Mode::Unsafe] {
        for (name, why) in [
            ("dev/hooks/pre-commit", "holds hooks that git runs (core.hooksPath)"),
            ("dev/hooks/lib/deep/helper.sh", "holds hooks that git runs (core.hooksPath)"),
            ("dev/hooks", "holds hooks that git runs (core.hooksPath)"),
            ("dev/Hooks/commit-msg", "holds hooks that git runs (core.hooksPath)"),
            ("tools/clean.sh", "is run by git (filter.x.clean)"),
            ("tools", "is run by git (filter.x.clean)"),
        ] {
            let told = warnings(mode, write(&format!("{ROOT}/{name}")));
            assert_eq!(told, [format!("protected: {name} {why}")], "{mode:?}");
        }
        for beside in ["tools/other.sh", "hooks/pre-commit", "src/tools/clean.sh"] {
            assert_eq!(warnings(mode, write(&format!("{ROOT}/{beside}"))), [""; 0], "{mode:?}: {beside}");
        }
    }
}

#[test]
fn no_command_that_names_what_git_runs_changes_it_unasked() {
    for line in [
        "cp a dev/hooks/pre-commit",
        "cp pre-commit dev/hooks",
        "echo x > dev/hooks/commit-msg",
        "cd dev/hooks && echo x > pre-push",
        "rm -r dev/hooks",
        "mv dev/hooks old",
        "sed -i s/a/b/ tools/clean.sh",
        "chmod +x dev/hooks/new",
        "tee tools/clean.sh < a",
        "ln -s dev/hooks other",
        "install -m755 a dev/hooks/x/y",
        "bash -c 'cat a > tools/clean.sh'",
        "black tools/clean.sh",
        "rm -rf tools",
    ] {
        let told = warnings(Mode::Unsafe, run(line, ROOT));
        assert!(told.iter().any(|warning| warning.contains("git")), "{line}: {told:?}");
    }
    for line in ["cat dev/hooks/pre-commit", "sh tools/clean.sh", "ls dev/hooks", "echo x > tools/new.sh", "make"] {
        assert_eq!(warnings(Mode::Unsafe, run(line, ROOT)), [""; 0], "{line}");
    }
    let policy = Policy::new(Setup { sandbox: SandboxKind::Kernel, ..lenient(Mode::Unsafe).setup });
    let Verdict::Allow(permit) = policy.judge(run("make", ROOT), &found(&run("make", ROOT))) else { panic!() };
    assert_eq!(permit.sandbox().kept(), ["dev/hooks", "tools/clean.sh"].map(|name| Path::new(ROOT).join(name)));
}

#[test]
fn no_link_leads_around_a_protected_name() {
    for (line, warning) in [
        ("cp a hk/pre-commit", "protected: hk/pre-commit (.git/hooks/pre-commit) "),
        ("cp pre-commit hk", "protected: hk (.git/hooks) "),
        ("echo x > hk/pre-push", "protected: hk/pre-push (.git/hooks/pre-push) "),
        ("tee -a deep/hk/x < a", "protected: deep/hk/x (.git/hooks/x) "),
        ("cd hk && cp ../../a pre-commit", "protected: .git/hooks/pre-commit "),
        ("cd deep && cp ../a hk/x", "protected: deep/hk/x (.git/hooks/x) "),
        ("cd hk; cp /a ../config", "protected: .git/config "),
        ("echo x >> notes.md", "protected: notes.md (AGENTS.md) "),
        ("sed -i s/a/b/ notes.md", "protected: notes.md (AGENTS.md) "),
        ("truncate -s0 all/AGENTS.md", "protected: all/AGENTS.md "),
        ("mv a hk/post-merge", "protected: hk/post-merge (.git/hooks/post-merge) "),
        ("rm hk/pre-commit", "protected: hk/pre-commit (.git/hooks/pre-commit) "),
        ("install a home/.bashrc", "protected: home/.bashrc "),
        ("dd if=a of=hk/x", "protected: hk/x (.git/hooks/x) "),
        ("ln -s .git/hooks new", "protected: .git/hooks "),
        ("ln -s ../.git/hooks deep/new && cp a deep/new/x", "protected: .git/hooks "),
        ("ln AGENTS.md other.md", "protected: AGENTS.md "),
        ("cp a h?/pre-commit", "protected: h?/pre-commit (.git/hooks/pre-commit) "),
        ("black hk/x.py", "protected: hk/x.py (.git/hooks/x.py) "),
        ("cp a scripts/pre-commit", "protected: dev/hooks holds hooks that git runs"),
        ("sh -c 'cp a hk/x'", "protected: hk/x (.git/hooks/x) "),
        ("rm -rf home/*", "it would remove the user's home"),
        ("rm -rf all/.*", "it would remove "),
        ("find home/ -delete", "it would remove the user's home"),
    ] {
        let told = warnings(Mode::Unsafe, run(line, ROOT));
        assert!(told.iter().any(|told| told.starts_with(warning)), "{line}: {told:?}");
    }
    for line in [
        "cp a plain/b",
        "rm hk",
        "rm notes.md",
        "mv hk old",
        "cat hk/pre-commit",
        "cd plain && touch x",
        "rm -rf plain/*",
        "rm -rf all/target",
        "ln -s ../src deep/new",
        "ln -sf /usr/bin/python3 python",
        "cp hk/pre-commit.sample copy",
    ] {
        assert_eq!(warnings(Mode::Unsafe, run(line, ROOT)), [""; 0], "{line}");
    }
}
