//! What git does every day and what somebody may plant, with the git that is installed.

use super::*;

/// A project with all kinds of repositories: its own, one in a folder, a work tree, a submodule, one with no files.
fn all_kinds() -> Project {
    let project = Project::new();
    project.sh("git init -q sub; cd sub; git config user.email a@b; git config user.name x; echo a > a; git add a; \
         git commit -qm 1; git branch other; cd ..; git worktree add -q wt 2>&1; \
         git clone -q --bare sub bare.git; \
         git -c protocol.file.allow=always submodule add -q ./bare.git mod 2>&1; git commit -qm mod");
    project
}

/// The same again, which costs less than to make it anew.
fn copy_of(kinds: &Project) -> Project {
    let copy = Project { folder: TempDir::new().unwrap() };
    let from = kinds.root().display();
    copy.sh(&format!(
        "cp -a {from}/. .; echo \"gitdir: $PWD/.git/worktrees/wt\" > wt/.git; echo \"$PWD/wt/.git\" > \
         .git/worktrees/wt/gitdir; sed -i \"s#{from}#$PWD#\" .git/modules/mod/config .git/config"
    ));
    copy
}

#[test]
fn work_with_repositories_that_are_there_springs_nothing() {
    let project = all_kinds();
    for line in [
        "git -C sub checkout -q other; echo b >> sub/a; git -C sub commit -qam 2",
        "git -C sub checkout -q --detach; git -C sub checkout -q -; git -C sub stash list; git -C sub gc -q",
        "cd wt; git checkout -q -b work; echo b > b; git add b; git commit -qm 2; git rebase -q HEAD~1",
        "cd mod; git checkout -q -b work; git fetch -q; git branch -q --track here origin/other; git pack-refs --all",
        "git -c protocol.file.allow=always submodule update -q; git submodule status; git submodule -q sync",
        "git fetch -q bare.git; git -C bare.git branch more; git push -q bare.git HEAD:pushed",
        "umask 077; git -C sub checkout -q other; umask 002; git -C sub checkout -q -",
        "git sparse-checkout set src 2>/dev/null; git sparse-checkout disable",
        "echo x >> src/a.rs; git stash -q; git stash pop -q; git checkout -q src; git reset -q --hard",
        "git submodule -q deinit -f mod; git worktree remove --force wt; git worktree prune; rm -rf sub",
    ] {
        assert_eq!(project.noticed(line), Noticed::default(), "{line}");
    }
}

#[test]
fn a_submodule_that_was_taken_away_and_comes_back_springs_nothing() {
    let project = all_kinds();
    project.sh("git submodule -q deinit -f mod");
    let again = project.noticed("git -c protocol.file.allow=always submodule -q update --init 2>&1");
    assert_eq!(again, Noticed { tampered: Vec::new(), made: vec!["mod/".into()] });
}

#[test]
fn a_repository_that_was_made_is_told_and_no_alarm() {
    let kept = "git config protocol.file.allow always";
    for (line, made) in [
        ("git clone -q . other", &["other/ with .github/workflows/ci.yml, .vscode/tasks.json, AGENTS.md"][..]),
        ("git clone -q --no-checkout --shared . other", &["other/"]),
        ("mkdir other; git clone -q --no-checkout . other; git -C other branch x", &["other/"]),
        ("git clone -q --bare . lib/b.git", &["lib/b.git/"]),
        (
            "git worktree add -q -b w deep/wt 2>&1",
            &["deep/wt/ with .github/workflows/ci.yml, .vscode/tasks.json, AGENTS.md"],
        ),
        ("git -c protocol.file.allow=always submodule add -q ./src/kept.git mod 2>&1", &["mod/"]),
        (
            "git init -q a/b; cd a/b; git config user.name x; git config core.hooksPath /dev/null; touch c; git add c; \
          git -c user.email=a commit -qm 1; git remote add o https://example.org/x.git",
            &["a/b/"],
        ),
        ("for n in 1 2; do git init -q t$n; rm -rf t$n; done; git init -q t3", &["t3/"]),
        ("git clone -q --recurse-submodules . other 2>&1; rm -rf other", &[]),
    ] {
        let project = Project::new();
        project.sh(&format!(
            "git init -q --bare src/kept.git; git -C src/kept.git symbolic-ref HEAD refs/heads/m; \
            git push -q src/kept.git $(git commit-tree -m x $(git mktree </dev/null)):refs/heads/m; {kept}"
        ));
        let noticed = project.noticed(line);
        assert_eq!(noticed.tampered, Vec::<String>::new(), "{line}");
        assert_eq!(noticed.made, made, "{line}");
    }
}

#[test]
fn a_repository_that_is_made_anew_in_its_place_is_told_and_no_alarm() {
    let project = all_kinds();
    let again = "rm -rf sub; git init -q sub; git -C sub remote add o https://example.org/$$";
    assert_eq!(project.noticed(again), Noticed { tampered: Vec::new(), made: vec!["sub/".into()] });
    let told = project.told("rm -rf sub; git init -q sub; git -C sub config core.fsmonitor ./x");
    assert_eq!(told, ["sub/.git/config (new, sets core.fsmonitor)"]);
}

#[test]
fn the_first_repository_of_a_project_is_told() {
    let folder = TempDir::new().unwrap();
    let project = Project { folder };
    let made = project.noticed("git init -q; touch a; git add a");
    assert_eq!(made, Noticed { tampered: Vec::new(), made: vec!["in the project folder".into()] });
    project.sh("rm -rf .git");
    assert_eq!(project.told("git init -q; git config core.pager ./x"), [".git/config (new, sets core.pager)"]);
}

#[test]
fn what_is_planted_in_a_repository_that_is_there_is_told() {
    let kinds = all_kinds();
    for (line, told) in [
        ("git -C sub config core.fsmonitor ./x", "sub/.git/config (changed)"),
        ("git -C sub config core.worktree /tmp", "sub/.git/config (changed)"),
        ("git -C sub config include.path ../x", "sub/.git/config (changed)"),
        ("git -C sub config includeIf.onbranch:x.path ../x", "sub/.git/config (changed)"),
        ("echo x > sub/.git/hooks/pre-commit", "sub/.git/hooks/pre-commit (new)"),
        ("mkdir sub/h; rm -r sub/.git/hooks; ln -s ../h sub/.git/hooks", "sub/.git/hooks (changed)"),
        ("echo ../../.git > sub/.git/commondir", "sub/.git/commondir (new)"),
        ("echo /tmp/x > sub/.git/objects/info/alternates", "sub/.git/objects/info/alternates (new)"),
        ("echo x > sub/.git/objects/info/http-alternates", "sub/.git/objects/info/http-alternates (new)"),
        ("mkdir -p sub/.git/info; echo '* diff=x' > sub/.git/info/attributes", "sub/.git/info/attributes (new)"),
        (
            "git -C sub config extensions.worktreeConfig true; git -C sub config --worktree core.pager x",
            "sub/.git/config.worktree (new)",
        ),
        ("echo 'ref: ../../x' > sub/.git/HEAD", "sub/.git/HEAD (changed)"),
        ("echo 'ref: refs/../../x' > sub/.git/HEAD", "sub/.git/HEAD (changed)"),
        ("rm sub/.git/HEAD; ln -s /tmp/x sub/.git/HEAD", "sub/.git/HEAD (changed)"),
        ("echo 'ref: /tmp/x' > .git/HEAD", ".git/HEAD (changed)"),
        ("echo /tmp/x > .git/objects/info/alternates", ".git/objects/info/alternates (new)"),
        ("mv sub/.git sub/x; echo 'gitdir: x' > sub/.git", "sub/.git (changed)"),
        ("mv sub/.git sub/x; ln -s x sub/.git", "sub/.git (changed)"),
        ("echo 'gitdir: ../src' > wt/.git", "wt/.git (changed)"),
        ("echo 'gitdir: ../sub/.git' > mod/.git", "mod/.git (changed)"),
        ("rm wt/.git; git init -q wt; git -C wt config core.pager x", "wt/.git (changed)"),
        (
            "git config extensions.worktreeConfig true; git -C wt config --worktree core.fsmonitor ./x",
            ".git/worktrees/wt/config.worktree (new)",
        ),
        (
            "echo '[core]' > .git/worktrees/wt/config; echo 'pager = x' >> .git/worktrees/wt/config",
            ".git/worktrees/wt/config (new)",
        ),
        ("echo ../../../sub/.git > .git/worktrees/wt/commondir", ".git/worktrees/wt/commondir (changed)"),
        ("echo 'ref: x' > .git/worktrees/wt/HEAD", ".git/worktrees/wt/HEAD (changed)"),
        ("git -C mod config core.sshCommand ./x", ".git/modules/mod/config (changed)"),
        ("echo x > .git/modules/mod/hooks/post-checkout", ".git/modules/mod/hooks/post-checkout (new)"),
        ("echo 'ref: x' > .git/modules/mod/HEAD", ".git/modules/mod/HEAD (changed)"),
        ("git -C bare.git config core.pager ./x", "bare.git/config (changed)"),
        ("echo x > bare.git/hooks/post-receive", "bare.git/hooks/post-receive (new)"),
        ("git -C mod config core.worktree ../../../src", ".git/modules/mod/config (changed)"),
        ("git config submodule.mod.update '!./x'", ".git/config (changed)"),
        ("git config submodule.mod.url https://evil.example/x", ".git/config (changed)"),
        ("git config -f .gitmodules submodule.mod.url https://evil.example/x", ".gitmodules (changed)"),
        ("git config -f .gitmodules submodule.mod.update '!./x'", ".gitmodules (changed)"),
        ("rm -rf .git/hooks .git/config", ".git/config (gone)"),
    ] {
        let found = copy_of(&kinds).told(line);
        assert!(found.iter().any(|found| found == told), "{line}: {told} is not in {found:?}");
    }
}

#[test]
fn what_git_would_start_in_a_repository_that_was_made_is_told() {
    let hook = "echo : > h/post-checkout; chmod +x h/post-checkout";
    // Folders that nobody looks into.
    let kinds = all_kinds();
    kinds.sh("mkdir target");
    for (line, told) in [
        (&*format!("git init -q n; mkdir h; {hook}; mv h/* n/.git/hooks"), "n/.git/hooks/post-checkout (new)"),
        (
            &format!("mkdir -p t/hooks h; {hook}; mv h/* t/hooks; git clone -q --template t . n"),
            "n/.git/hooks/post-checkout (new)",
        ),
        ("git init -q n; git -C n config core.fsmonitor ./x", "n/.git/config (new, sets core.fsmonitor)"),
        ("git clone -q -c include.path=../../x . n", "n/.git/config (new, sets include.path)"),
        ("git init -q n; git -C n config protocol.ext.allow always", "n/.git/config (new, sets protocol.ext.allow)"),
        ("git init -q n; git -C n config submodule.a.update '!./x'", "n/.git/config (new, sets submodule.a.update)"),
        ("git init -q n; echo 'x \\' >> n/.git/config", "n/.git/config (new, cannot be read)"),
        ("git init -q n; rm n/.git/config; mkfifo n/.git/config", "n/.git/config (new, cannot be read)"),
        (
            "git init -q n; mv n/.git/config n/x; ln -s ../x n/.git/config; git -C n config -f x core.pager x",
            "n/.git/config (new, sets core.pager)",
        ),
        (
            "git init -q n; git -C n config extensions.worktreeConfig true; git -C n config --worktree core.pager x",
            "n/.git/config.worktree (new, sets core.pager)",
        ),
        ("git init -q --bare docs; git -C docs config core.pager x", "docs/config (new, sets core.pager)"),
        (
            "git init -q --bare target/x; git -C target/x config core.pager x; mkdir n; echo 'gitdir: ../target/x' > n/.git",
            "target/x/config (new, sets core.pager)",
        ),
        (
            "git init -q --bare target/x; git -C target/x config core.pager x; mkdir n; ln -s ../target/x n/.git",
            "target/x/config (new, sets core.pager)",
        ),
        (
            "git init -q --bare target/x; git -C target/x config core.pager x; git init -q n; \
            echo ../../target/x > n/.git/commondir",
            "target/x/config (new, sets core.pager)",
        ),
        (
            &format!(
                "mkdir -p h target/x/objects target/x/hooks; echo 'ref: refs/heads/m' > target/x/HEAD; {hook}; \
            mv h/* target/x/hooks; mkdir n; echo 'gitdir: ../target/x' > n/.git"
            ),
            "target/x/hooks/post-checkout (new)",
        ),
        (
            "git worktree add -q wt2 2>&1; git config extensions.worktreeConfig true; \
            git -C wt2 config --worktree core.pager x",
            ".git/worktrees/wt2/config.worktree (new, sets core.pager)",
        ),
        (
            "git -c protocol.file.allow=always submodule add -q ./bare.git mod2 2>&1; git -C mod2 config core.pager x",
            ".git/modules/mod2/config (new, sets core.pager)",
        ),
        (
            "git clone -q . sub/deep/n; git -C sub/deep/n config alias.x '!x'",
            "sub/deep/n/.git/config (new, sets alias.x)",
        ),
    ] {
        let found = copy_of(&kinds).told(line);
        assert!(found.iter().any(|found| found == told), "{line}: {told} is not in {found:?}");
    }
}

/// A repository in a folder that was there hides nothing that is planted beside it.
#[test]
fn a_repository_around_what_was_there_hides_nothing() {
    let project = Project::new();
    let noticed = project.noticed("git init -q src; echo x > src/.envrc; mkdir src/x; echo x > src/x/.envrc");
    let expected = ["src/.envrc (new)", "src/x/.envrc (new)"].map(str::to_owned).to_vec();
    assert_eq!(noticed, Noticed { tampered: expected, made: vec!["src/".into()] });
    let bare =
        "mkdir -p src/in/objects; touch src/in/HEAD; echo x > src/in/.envrc; mkdir src/in/y; touch src/in/y/.envrc";
    let expected = ["src/in/.envrc (new)", "src/in/y/.envrc (new)"].map(str::to_owned).to_vec();
    assert_eq!(project.noticed(bare), Noticed { tampered: expected, made: vec!["src/in/".into()] });
}

/// A chain of repositories, each of which leads to the next, ends somewhere.
#[test]
fn a_long_chain_of_repositories_is_no_trouble() {
    let project = Project::new();
    let line = "mkdir -p target; cd target; for n in $(seq 0 400); do mkdir r$n; : > r$n/HEAD; \
        echo ../r$((n + 1)) > r$n/commondir; done; mkdir ../n; echo 'gitdir: ../target/r0' > ../n/.git; \
        mkdir -p ../.git/$(printf 'modules/a/%.0s' $(seq 150))";
    assert_eq!(project.told(line), Vec::<String>::new());
    assert!(Tripwire::set(project.root(), &Protected::default()).is_incomplete());
}

/// What a new repository leads to is looked at wherever it lies, and whoever made it when.
#[test]
fn what_a_new_repository_leads_to_outside_the_project_is_told() {
    let elsewhere = all_kinds();
    elsewhere.sh("git -C bare.git config core.pager x; echo : > .git/hooks/pre-push; chmod +x .git/hooks/pre-push");
    let (project, place) = (Project::new(), elsewhere.root().canonicalize().unwrap());
    let place = place.display();
    let leads = |to: &str, what: &str| Some(format!("n/.git (new, leads to {place}/{to}, which {what})"));
    for (line, told) in [
        (format!("echo 'gitdir: {place}/bare.git' > n/.git"), leads("bare.git", "sets core.pager")),
        (format!("ln -s {place}/.git n/.git"), leads(".git", "has the hook pre-push")),
        (format!("echo 'gitdir: {place}/.git/worktrees/wt' > n/.git"), leads(".git", "has the hook pre-push")),
        (format!("git init -q n; echo {place}/.git > n/.git/commondir"), leads(".git", "has the hook pre-push")),
        (format!("echo 'gitdir: {place}/sub/.git' > n/.git"), None),
    ] {
        let found = project.told(&format!("mkdir n; {line}"));
        match told {
            Some(told) => assert!(found.contains(&told), "{line}: {told} is not in {found:?}"),
            None => assert_eq!(found, Vec::<String>::new(), "{line}"),
        }
        project.sh("rm -r n");
    }
}

#[test]
fn what_settings_lead_to_is_watched_like_them() {
    let project = Project::new();
    project.sh(
        "git config include.path ../conf/a.conf; mkdir conf tools; git config -f conf/a.conf include.path b.conf; \
         git config -f conf/b.conf user.name x; git config core.hooksPath tools; echo x > tools/pre-commit; \
         echo x > tools/build; git config --add include.path ../conf/missing.conf",
    );
    for (line, told) in [
        ("git config -f conf/b.conf core.pager x", &["conf/b.conf (changed)"][..]),
        ("git config -f conf/missing.conf core.pager x", &["conf/missing.conf (new)"]),
        ("echo y > tools/pre-commit; echo y > tools/build", &["tools/pre-commit (changed)"]),
        ("echo y > tools/post-merge; echo y > tools/other", &["tools/post-merge (new)"]),
        ("rm tools/pre-commit", &["tools/pre-commit (gone)"]),
        ("git config -f conf/b.conf branch.x.remote origin", &[]),
    ] {
        assert_eq!(project.told(line), told, "{line}");
    }
    let project = Project::new();
    project.sh("echo > data; git config -f conf user.name x; mkdir sub; git init -q sub; mv sub/.git/config data; \
        ln -s ../../data sub/.git/config");
    assert_eq!(project.told("git config -f data core.pager x"), ["sub/.git/config (changed)"]);
    assert_eq!(project.told("git config --add include.path ../conf"), [".git/config (changed)"]);
}

#[test]
fn the_repository_of_a_work_tree_is_watched_where_it_lies_outside_the_project() {
    let main = Project::new();
    main.sh("git worktree add -q tree 2>&1");
    let outer = main.root().canonicalize().unwrap();
    let tree = Project { folder: TempDir::new().unwrap() };
    let told = |line: &str| {
        let wire = Tripwire::set(&outer.join("tree"), &Protected::default());
        tree.sh(&format!("cd '{}/tree'; {line}", outer.display()));
        wire.sprung().0.tampered
    };
    let of = |name: &str, what: &str| vec![format!("{}/.git/{name} ({what})", outer.display())];
    for (line, expected) in [
        ("git commit -q --allow-empty -m 2; git checkout -q -b more; git stash list", vec![]),
        ("echo x >> ../AGENTS.md", vec![]),
        ("echo x > ../.git/hooks/pre-commit", of("hooks/pre-commit", "new")),
        ("git config core.pager x", of("config", "changed")),
    ] {
        assert_eq!(told(line), expected, "{line}");
    }
}
