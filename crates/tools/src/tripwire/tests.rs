//! What springs the wire, and what does not.

mod repositories;

use super::*;
use std::process::Command;
use tempfile::TempDir;

struct Project {
    folder: TempDir,
}

impl Project {
    fn new() -> Self {
        let project = Project { folder: TempDir::new().unwrap() };
        project.sh(
            "git init -q; git config user.email a@b; git config user.name x; mkdir -p src .github/workflows .vscode; \
            echo a > src/a.rs; echo b > .github/workflows/ci.yml; echo {} > .vscode/tasks.json; echo c > AGENTS.md; \
            git add .; git commit -qm 1",
        );
        project
    }

    fn root(&self) -> &Path {
        self.folder.path()
    }

    fn sh(&self, line: &str) {
        let mut shell = Command::new("sh");
        shell.args(["-ec", line]).current_dir(self.root()).env("HOME", self.root());
        let ended = shell.env("GIT_CONFIG_NOSYSTEM", "1").output().unwrap();
        assert!(ended.status.success(), "{line}: {}", String::from_utf8_lossy(&ended.stderr));
    }

    /// What is told when `line` runs.
    fn told(&self, line: &str) -> Vec<String> {
        self.noticed(line).tampered
    }

    fn noticed(&self, line: &str) -> Noticed {
        let wire = Tripwire::set(self.root(), &Protected::default());
        self.sh(line);
        wire.sprung().0
    }
}

#[test]
fn each_way_to_change_what_others_obey_is_told() {
    for (line, told) in [
        ("echo x >> AGENTS.md", vec!["AGENTS.md (changed)"]),
        ("rm AGENTS.md", vec!["AGENTS.md (gone)"]),
        ("mkdir -p a/b; echo x > a/b/.envrc", vec!["a/b/.envrc (new)"]),
        ("echo x > .git/hooks/pre-commit", vec![".git/hooks/pre-commit (new)"]),
        ("chmod +x .vscode/tasks.json", vec![".vscode/tasks.json (other permissions)"]),
        ("git config core.fsmonitor /bin/x", vec![".git/config (changed)"]),
        ("git config alias.st '!x'", vec![".git/config (changed)"]),
        ("git remote add evil 'ext::sh -c x'", vec![".git/config (changed)"]),
        ("git remote add origin https://example.org/x.git", vec![".git/config (changed)"]),
        ("git config remote.origin.pushurl https://example.org/x.git", vec![".git/config (changed)"]),
        ("git config url.https://a.example/.insteadOf https://b.example/", vec![".git/config (changed)"]),
        ("git config http.sslVerify false", vec![".git/config (changed)"]),
        ("git config http.proxy http://127.0.0.1:1", vec![".git/config (changed)"]),
        ("git config user.email other@example.org", vec![".git/config (changed)"]),
        ("git config branch.master.remote https://example.org/x.git", vec![".git/config (changed)"]),
        ("git config --worktree core.pager x", vec![".git/config (changed)"]),
        ("echo '*.rs filter=x' > .git/info/attributes", vec![".git/info/attributes (new)"]),
        ("cp AGENTS.md kept; rm AGENTS.md; ln -s kept AGENTS.md", vec!["AGENTS.md (changed)"]),
        ("mv .git kept; echo 'gitdir: kept' > .git", vec![".git (changed)", ".git/config (gone)"]),
        ("mkdir -p .yarn/releases; echo x > .yarn/releases/yarn.cjs", vec![".yarn/releases/yarn.cjs (new)"]),
        ("mkdir .agent; echo x > .agent/memory.md", vec![".agent/memory.md (new)"]),
        ("mkdir -p .agent/tools; echo x > .agent/tools/evil", vec![".agent/tools/evil (new)"]),
        ("mkdir .cargo; echo x > .cargo/config.toml", vec![".cargo/config.toml (new)"]),
        (
            "echo x > .github/workflows/more.yml; rm .github/workflows/ci.yml",
            vec![".github/workflows/ci.yml (gone)", ".github/workflows/more.yml (new)"],
        ),
        (
            "git init -q sub; echo x > sub/.git/hooks/post-checkout; chmod +x sub/.git/hooks/post-checkout",
            vec!["sub/.git/hooks/post-checkout (new)"],
        ),
    ] {
        let found = Project::new().told(line);
        for told in told {
            assert!(found.iter().any(|found| found == told), "{line}: {told} is not in {found:?}");
        }
    }
}

#[test]
fn everyday_work_springs_nothing() {
    let project = Project::new();
    project.sh("git remote add origin ./other; git remote add second ./other");
    for line in [
        "echo b >> src/a.rs; git commit -qam 2",
        "git checkout -q -b work; echo c >> src/a.rs; git commit -qam 3; git checkout -q -",
        "git branch -q kept; git clone -q --no-checkout . other; git -C other branch -q kept origin/kept",
        "git fetch -q origin; git remote set-branches --add origin more",
        "git checkout -q -b followed --track origin/kept; git branch -q here --track kept",
        "git config branch.followed.remote second; git branch --unset-upstream; git branch -m followed renamed",
        "git config core.repositoryFormatVersion 0; git config core.fileMode false",
        "git branch -q -D work; git gc -q; git stash list; git tag one",
        "git init -q new; touch new/a; mkdir -p target; echo x > target/.envrc; rm -rf new",
        "mkdir -p .yarn/cache; echo x > .yarn/cache/a.zip; echo x > .yarn/install-state.gz",
        "mkdir node_modules; echo x > node_modules/.npmrc; touch AGENTS.md",
    ] {
        assert_eq!(project.told(line), Vec::<String>::new(), "{line}");
    }
}

/// Every name of a place of the system, as a folder of a project at several depths, and wherever that lies.
#[test]
fn a_folder_that_is_called_like_a_place_of_the_system_is_a_folder_like_any_other() {
    let places = "etc boot var/spool/cron var/spool/at usr bin sbin lib lib64 proc sys system library usr/lib System";
    let project = Project::new();
    for above in ["", "coverage/lcov-report/", "usr/local/", "packages/core/src/"] {
        for place in places.split(' ') {
            let folder = format!("{above}{place}");
            project.sh(&format!("mkdir -p {folder}/old; echo a > {folder}/old/a.js; echo a > {folder}/b.js"));
            let everyday = format!(
                "cd {folder}; echo x > new.js; echo x >> b.js; rm -r old; mkdir more; echo x > more/x; chmod +x b.js"
            );
            assert_eq!(project.told(&everyday), Vec::<String>::new(), "{folder}");
            for name in [".envrc", ".vscode/tasks.json", "AGENTS.md"] {
                let plant = format!("mkdir -p {folder}/.vscode; echo x > {folder}/{name}");
                assert_eq!(project.told(&plant), [format!("{folder}/{name} (new)")], "{folder}");
            }
            project.sh(&format!("rm -rf {folder}"));
        }
    }
}

#[test]
fn a_project_may_lie_in_folders_of_any_name() {
    for place in ["usr/src", "etc", "lib/node_modules", ".config/nvim", "home/.ssh"] {
        let top = TempDir::new().unwrap();
        let root = top.path().join(place).join("app");
        std::fs::create_dir_all(root.join("bin")).unwrap();
        let wire = Tripwire::set(&root, &Protected::default());
        std::fs::write(root.join("bin/run"), "x").unwrap();
        std::fs::write(root.join("a.rs"), "x").unwrap();
        let (noticed, now) = wire.sprung();
        assert_eq!(noticed, Noticed::default(), "{place}");
        std::fs::write(root.join("bin/.envrc"), "x").unwrap();
        assert_eq!(now.sprung().0.tampered, ["bin/.envrc (new)"], "{place}");
    }
}

#[test]
fn a_branch_with_other_instructions_is_told() {
    let project = Project::new();
    project.sh("git checkout -q -b other; echo other > AGENTS.md; git commit -qam 2; git checkout -q -");
    assert_eq!(project.told("git checkout -q other"), ["AGENTS.md (changed)"]);
}

#[test]
fn many_changes_are_counted() {
    let project = Project::new();
    let told = project.told("for n in $(seq 30); do echo x > .vscode/$n; done");
    assert_eq!((told.len(), told.last().map(String::as_str)), (TOLD + 1, Some("and 18 more")));
}

#[test]
fn a_file_too_long_to_read_is_watched_as_well() {
    let project = Project::new();
    project.sh("head -c 2000000 /dev/zero > .npmrc");
    assert_eq!(project.told("true"), Vec::<String>::new());
    assert_eq!(project.told("printf x | dd of=.npmrc conv=notrunc status=none"), [".npmrc (changed)"]);
}

#[test]
fn a_pipe_in_place_of_a_file_does_not_hang() {
    assert_eq!(Project::new().told("rm AGENTS.md; mkfifo AGENTS.md"), ["AGENTS.md (changed)"]);
}

/// Names that only take room hide nothing of the repositories.
#[test]
fn a_flood_of_protected_names_does_not_blind_the_wire() {
    let project = Project::new();
    project.sh("git init -q src/sub; for n in $(seq 0 600); do : > .env.$n; done");
    let change = "git config core.fsmonitor /bin/x; git -C src/sub config core.fsmonitor /bin/x; \
        echo x > .git/hooks/pre-commit; echo x > src/sub/.git/hooks/of-no-name";
    assert_eq!(
        project.told(change),
        [
            ".git/config (changed)",
            ".git/hooks/pre-commit (new)",
            "src/sub/.git/config (changed)",
            "src/sub/.git/hooks/of-no-name (new)"
        ]
    );
    let wire = Tripwire::set(project.root(), &Protected::default());
    let (noticed, now) = wire.sprung();
    let told = noticed.tampered;
    assert!(told.is_empty() && now.is_incomplete(), "it is no alarm, and it is known: {told:?}");
    assert!(!Tripwire::set(Project::new().root(), &Protected::default()).sprung().1.is_incomplete());
}

#[test]
fn a_flood_of_files_among_the_hooks_hides_no_hook() {
    let project = Project::new();
    project.sh("git init -q src/sub; cd .git/hooks; seq -f x%g 2100 | xargs touch");
    assert_eq!(project.told("true"), Vec::<String>::new());
    let told = project.told("echo x > .git/hooks/pre-push; echo x > src/sub/.git/hooks/pre-push");
    assert_eq!(told, [".git/hooks/pre-push (new)", "src/sub/.git/hooks/pre-push (new)"]);
}

#[test]
fn a_folder_with_very_many_names_hides_no_repository() {
    let project = Project::new();
    project.sh("git init -q src/sub; cd src/sub; seq -f x%g 20100 | xargs touch");
    assert_eq!(project.told("true"), Vec::<String>::new());
    assert_eq!(project.told("git -C src/sub config core.pager x"), ["src/sub/.git/config (changed)"]);
    assert!(Tripwire::set(project.root(), &Protected::default()).sprung().1.is_incomplete());
}

/// What is known of earlier saves work and hides nothing, however fast one change follows the other.
#[test]
fn what_is_known_of_earlier_hides_nothing() {
    let project = Project::new();
    let mut known = Protected::default();
    for round in 0..200 {
        let wire = Tripwire::set(project.root(), &known);
        let folder = project.root().join(format!("src/{}", round % 3));
        std::fs::create_dir_all(&folder).unwrap();
        let name = folder.join(if round % 2 == 0 { ".envrc" } else { ".npmrc" });
        let expected = if name.exists() { "gone" } else { "new" };
        if name.exists() {
            std::fs::remove_file(&name).unwrap()
        } else {
            std::fs::write(&name, "x").unwrap()
        }
        let (noticed, now) = wire.sprung();
        let told = noticed.tampered;
        let below = name.strip_prefix(project.root()).unwrap().display();
        assert_eq!(told, [format!("{below} ({expected})")], "{round}");
        known = now.found;
    }
}
