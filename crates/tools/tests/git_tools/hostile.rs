//! Every operation in repositories that name programs wherever git lets them: none runs.
//!
//! The fence would keep a planted program from leaving its mark, so what was planned is run here without one, with
//! nothing but its words and its variables.

use super::*;
use crate::git::plants::Plants;
use agent_protocol::Action;

/// Ways to plant programs: `{E}` is the program, `{C}` the one that passes on what it reads, `{R}` the folder around.
const SETUPS: &[(&str, &str)] = &[
    (
        "settings",
        "git config core.fsmonitor {E}; git config diff.external {E}; git config core.pager {C}; \
         for name in status diff log show branch stash; do git config pager.$name {C}; done; \
         git config diff.x.textconv {C}; git config diff.x.command {E}; git config merge.x.driver {E}; \
         git config filter.x.clean {C}; git config filter.x.smudge {C}; git config filter.x.required true; \
         git config core.editor {E}; git config sequence.editor {E}; git config core.sshCommand {E}; \
         git config credential.helper '!{E}'; git config core.askPass {E}; git config core.alternateRefsCommand {E}; \
         git config trailer.x.command {E}; git config trailer.x.key X; git config trailer.x.ifmissing add; \
         git config alias.status '!{E}'; git config alias.st '!{E}'; git config interactive.diffFilter {E}; \
         printf '*.txt filter=x diff=x merge=x\\n*.bin diff=x\\n' > .gitattributes",
    ),
    (
        "process",
        "git config filter.x.process {E}; git config filter.x.required true; echo '*.txt filter=x' > .gitattributes",
    ),
    ("signing", "git config gpg.program {E}; git config commit.gpgsign true; git config log.showSignature true"),
    (
        "hooks",
        "mkdir -p .git/hooks; for name in pre-commit prepare-commit-msg commit-msg post-commit post-checkout post-merge \
         pre-merge-commit pre-push pre-rebase post-rewrite post-index-change reference-transaction pre-auto-gc \
         fsmonitor-watchman; do cp {E} .git/hooks/$name; done",
    ),
    (
        "led elsewhere",
        "mkdir hk; for name in pre-commit post-checkout post-index-change pre-push reference-transaction; do \
         cp {E} hk/$name; done; printf '[core]\\n hooksPath = hk\\n fsmonitor = {E}\\n[diff]\\n external = {E}\\n' > inc.cfg; \
         git config include.path ../inc.cfg; git config extensions.worktreeConfig true; \
         git config --worktree filter.x.clean {C}; echo '*.txt filter=x' > .gitattributes",
    ),
    (
        "submodule",
        "rm -rf {R}/sub; git init -q {R}/sub; (cd {R}/sub; echo q > q.txt; git add .; git commit -qm i); \
         git -c protocol.file.allow=always submodule add -q {R}/sub s; git commit -qam sub; \
         git -C s config core.fsmonitor {E}; git -C s config filter.x.clean {C}; echo '*.txt filter=x' > s/.gitattributes; \
         touch -d @1 s/q.txt; git config submodule.recurse true; git config push.recurseSubmodules on-demand; \
         git config submodule.s.ignore none; git config submodule.s.fetchRecurseSubmodules true",
    ),
    (
        "embedded",
        "git init -q in; (cd in; echo q > q.txt; git add .; git commit -qm i; git config filter.x.clean {C}; \
         echo '*.txt filter=x' > .gitattributes; touch -d @1 q.txt); git add in; git commit -qm in; \
         cp {E} .git/hooks/post-index-change",
    ),
    (
        "remote with hooks",
        "git init -q --bare evil.git; echo evil.git >> .git/info/exclude; git -C evil.git config core.fsmonitor {E}; \
         git -C evil.git config uploadpack.packObjectsHook {E}; git -C evil.git config gc.recentObjectsHook {E}; \
         for name in pre-receive update post-receive post-update proc-receive reference-transaction; do \
         cp {E} evil.git/hooks/$name; done; git -C evil.git config receive.procReceiveRefs refs/heads; \
         git remote add o ./evil.git",
    ),
    (
        "remote with files",
        "git init -q evil; echo evil >> .git/info/exclude; (cd evil; echo '*.txt filter=x' > .gitattributes; git add .; \
         git commit -qm i; git config receive.denyCurrentBranch updateInstead; git config core.fsmonitor {E}; \
         git config filter.x.smudge {C}; cp {E} .git/hooks/push-to-checkout); git remote add o ./evil; \
         git pull -q --no-rebase --no-edit --allow-unrelated-histories o main; git checkout -qf HEAD -- .",
    ),
    (
        "remote settings",
        "git remote add 'o' {R}/made/.git; git config remote.o.uploadpack {E}; git config remote.o.receivepack {E}; \
         git config branch.main.remote o; git config branch.main.merge refs/heads/main",
    ),
    (
        "remote of another kind",
        "git config protocol.ext.allow always; git config protocol.allow always; git remote add o 'ext::{E}'; \
         git config remote.o.vcs ext; git config branch.main.remote o; git config branch.main.merge refs/heads/main",
    ),
    (
        "remote by ssh",
        "git config core.sshCommand {E}; git config core.gitProxy {E}; git remote add o ssh://h.invalid/x; \
         git config branch.main.remote o; git config branch.main.merge refs/heads/main",
    ),
    (
        "many settings",
        "for n in $(seq 10 40); do git config aa.k$n x; done; git config filter.x.clean {C}; git config diff.x.command {E}; \
         echo '*.txt filter=x diff=x' > .gitattributes",
    ),
];

/// Plain git, which the plants are there for.
const PLAIN: &str = "touch -d @7 */q.txt; echo p >> a.txt; git status; git diff; git add .; git commit -m plain; git log -1 -p; git stash push; \
    git push o HEAD:refs/heads/p; git push o HEAD:main; git pull --no-edit o main; git checkout -- .";

fn calls() -> Vec<(&'static str, Value)> {
    vec![
        ("git_status", json!({})),
        ("git_diff", json!({})),
        ("git_operation", json!({"operation": "status"})),
        ("git_operation", json!({"operation": "add", "all": true})),
        ("git_diff", json!({"staged": true})),
        ("git_operation", json!({"operation": "commit", "message": "x"})),
        ("git_operation", json!({"operation": "log"})),
        ("git_operation", json!({"operation": "show"})),
        ("git_operation", json!({"operation": "branch"})),
        ("git_operation", json!({"operation": "branch", "branch": "y", "commit": "HEAD"})),
        ("git_operation", json!({"operation": "checkout", "branch": "y"})),
        ("git_operation", json!({"operation": "checkout", "files": "."})),
        ("git_operation", json!({"operation": "checkout", "branch": "main"})),
        ("git_operation", json!({"operation": "checkout", "commit": "HEAD~1", "files": "a.txt"})),
        ("git_operation", json!({"operation": "stash"})),
        ("git_operation", json!({"operation": "stash", "action": "list"})),
        ("git_operation", json!({"operation": "stash", "action": "show"})),
        ("git_operation", json!({"operation": "stash", "action": "pop"})),
        ("git_operation", json!({"operation": "stash"})),
        ("git_operation", json!({"operation": "stash", "action": "drop"})),
        ("git_operation", json!({"operation": "push"})),
        ("git_operation", json!({"operation": "push", "remote": "o", "branch": "y"})),
        ("git_operation", json!({"operation": "pull"})),
        ("git_operation", json!({"operation": "pull", "remote": "o", "branch": "main"})),
        ("git_operation", json!({"operation": "branch", "branch": "y", "action": "delete"})),
    ]
}

#[test]
fn no_operation_runs_what_a_repository_names() {
    let halves = std::thread::scope(|scope| {
        let halves = [0, 1].map(|half| scope.spawn(move || all(half)));
        halves.map(|half| half.join().unwrap())
    });
    let ran: Vec<String> = halves.into_iter().flatten().collect();
    assert_eq!(ran, Vec::<String>::new(), "these ran a planted program");
}

/// Every second setup, so that two processors have work: what ran a planted program.
fn all(half: usize) -> Vec<String> {
    let plants = Plants::new();
    SETUPS.iter().skip(half).step_by(2).flat_map(|(name, setup)| ran(&plants, name, setup)).collect()
}

fn ran(plants: &Plants, name: &str, setup: &str) -> Vec<String> {
    plants.prepare(setup);
    let root = plants.fresh("");
    plants.run(&root, PLAIN, &[]);
    assert!(plants.sprung(), "{name}: plain git runs nothing there either, so this shows nothing");
    let root = plants.fresh("");
    let toolbox = all_of(plants.toolbox(&root));
    let mut policy = Policy::new(Setup { trusted: true, ..Setup::new(root.clone(), Mode::Unsafe) });
    let mut ran = Vec::new();
    for (tool, arguments) in calls() {
        let call = format!("{name}: {tool} {arguments}");
        // Some setups leave nothing to commit or nowhere to go.
        let Ok((job, verdict)) = planned(&toolbox, &policy, tool, arguments) else { continue };
        let permit = match verdict {
            Verdict::Allow(permit) => permit,
            Verdict::Ask(held) => policy.answer(held, None).unwrap(),
            other @ (Verdict::Deny(_) | Verdict::Impossible(_)) => panic!("{call}: {other:?}"),
        };
        let Action::Run { command, .. } = job.action() else { panic!("{call} is a command") };
        assert!(permit.sandbox().env().iter().any(|(name, _)| name == "GIT_CONFIG_COUNT"), "{call}: no variables");
        plants.run(
            &root,
            &format!("echo d >> a.txt; touch -d @$(date +%N) a.txt b.bin */q.txt; {command}"),
            permit.sandbox().env(),
        );
        if plants.sprung() {
            ran.push(call);
        }
    }
    ran
}
