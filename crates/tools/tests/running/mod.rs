//! Commands from end to end: judged by a real policy with real facts, run within its fence, told with what they changed.

mod bounded;
mod changes;
mod killed;
mod outer;
mod own;
mod swapped;
mod truth;

use agent_policy::{Kept, Looked, Permit, Policy, Setup, Verdict, queries};
use agent_protocol::{Action, ModelCall, Outcome, Profile, Proposal, Status};
use agent_tools::{Ground, Keep, KeptInMemory, Output, PlannedCall, Toolbox};
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use tempfile::TempDir;
use tokio::sync::mpsc::unbounded_channel;

/// A repository, and a person who lets run what is proved to only read.
struct House {
    _folder: TempDir,
    root: PathBuf,
    toolbox: Toolbox,
    policy: Policy,
}

impl House {
    fn new() -> Self {
        House::keeping(Arc::new(KeptInMemory::default()))
    }

    fn keeping(keep: Arc<dyn Keep>) -> Self {
        let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let root = folder.path().canonicalize().unwrap();
        sh(
            &root,
            "git init -q; git config user.email a@b; git config user.name x; echo one > 'a file.txt'; \
            echo be kind > AGENTS.md; git add .; git commit -qm first; echo two >> 'a file.txt'",
        );
        House::of(folder, root, keep)
    }

    /// The project `root` in this folder.
    fn of(folder: TempDir, root: PathBuf, keep: Arc<dyn Keep>) -> Self {
        let (kept, git_folder) = (Kept { read_only: true, ..Kept::default() }, agent_tools::outer_git_folder(&root));
        let strict = Setup::new(root.clone(), agent_protocol::Mode::Safe);
        let policy = Policy::new(Setup { kept, git_folder, trusted: true, ..strict });
        let ground = Ground { keep, ..Ground::of_this_process(root.clone()).unwrap() };
        let toolbox = Toolbox::with(ground, &[]).0;
        House { toolbox, policy, _folder: folder, root }
    }

    /// A planned command and how it was judged.
    fn judged(&self, command: &str) -> (Box<dyn PlannedCall>, Verdict) {
        self.judged_call(&call("run_command", json!({ "command": command })))
    }

    fn judged_call(&self, call: &ModelCall) -> (Box<dyn PlannedCall>, Verdict) {
        let look = self.toolbox.reach(call).unwrap().action;
        let facts = self.toolbox.facts(&queries(&look));
        let Verdict::Allow(look) = self.policy.judge(look, &facts) else { panic!("it may look at its own folder") };
        let looked = Looked::from(&look);
        let job = self.toolbox.plan(call, look).unwrap();
        let verdict = self.verdict(&job.action(), &looked);
        (job, verdict)
    }

    fn verdict(&self, action: &Action, looked: &Looked) -> Verdict {
        let facts = self.toolbox.facts(&queries(action));
        self.policy.judge_planned(action.clone(), &facts, looked)
    }

    /// For what the user does.
    fn permit(&mut self, action: Action) -> Permit {
        let facts = self.toolbox.facts(&queries(&action));
        let Verdict::Ask(held) = self.policy.judge(action, &facts) else { panic!("it is the user's to do") };
        self.policy.answer(held, None).unwrap()
    }

    /// Planned, and let run without a question.
    fn unasked(&self, command: &str) -> (Box<dyn PlannedCall>, Permit) {
        self.allowed(&call("run_command", json!({ "command": command })))
    }

    fn allowed(&self, call: &ModelCall) -> (Box<dyn PlannedCall>, Permit) {
        match self.judged_call(call) {
            (job, Verdict::Allow(permit)) => (job, permit),
            (_, other) => panic!("{call:?}: {other:?}"),
        }
    }

    /// Planned, asked about, and let run by the user.
    fn agreed(&mut self, command: &str) -> (Box<dyn PlannedCall>, Permit) {
        self.agreed_to(&call("run_command", json!({ "command": command })))
    }

    fn agreed_to(&mut self, call: &ModelCall) -> (Box<dyn PlannedCall>, Permit) {
        match self.judged_call(call) {
            (job, Verdict::Ask(held)) => (job, self.policy.answer(held, None).unwrap()),
            (_, other) => panic!("{call:?}: {other:?}"),
        }
    }

    async fn perform(&self, planned: (Box<dyn PlannedCall>, Permit)) -> Outcome {
        self.perform_until(planned, never()).await
    }

    async fn perform_until(&self, planned: (Box<dyn PlannedCall>, Permit), stop: BoxFuture<'static, ()>) -> Outcome {
        self.perform_in(10_000, planned, stop).await
    }

    async fn perform_in(
        &self,
        room: usize,
        (job, permit): (Box<dyn PlannedCall>, Permit),
        stop: BoxFuture<'static, ()>,
    ) -> Outcome {
        let (live, _heard) = unbounded_channel();
        self.toolbox
            .perform(
                job,
                permit,
                Output {
                    live,
                    room,
                    intent: None,
                    reaches: {
                        let (nobody, _) = unbounded_channel();
                        nobody
                    },
                },
                stop,
            )
            .await
    }
}

fn call(name: &str, arguments: Value) -> ModelCall {
    ModelCall { server_id: None, index: None, name: name.into(), arguments }
}

/// Nobody stops it.
fn never() -> BoxFuture<'static, ()> {
    Box::pin(std::future::pending())
}

fn sh(folder: &Path, line: &str) {
    let mut shell = Command::new("sh");
    shell.args(["-ec", line]).current_dir(folder).env("GIT_CONFIG_GLOBAL", "/dev/null");
    assert!(shell.status().unwrap().success(), "{line}");
}

#[tokio::test]
async fn what_is_proved_to_read_runs_as_it_was_read_and_within_the_narrowest_fence() {
    let house = House::new();
    let (job, permit) = house.unasked("cat   \"a file.txt\" |  head -n 1");
    assert_eq!(permit.sandbox().profile(), Profile::ReadOnly);
    let line = permit.line().unwrap().to_owned();
    assert!(!line.contains("  ") && line.contains("'a file.txt'"), "{line}");
    let outcome = house.perform((job, permit)).await;
    assert_eq!((outcome.status, outcome.told.as_str()), (Status::Done, "exit code 0\none\n"));
    assert_eq!(outcome.detail, format!("[ran as: {line}]\none\n"));
}

#[tokio::test]
async fn git_reads_a_clean_repository_unasked() {
    let house = House::new();
    for (command, said) in [
        ("git status --short", "M \"a file.txt\""),
        ("git log --oneline", "first"),
        ("git diff", "+two"),
        ("git show HEAD", "+one"),
        ("git blame 'a file.txt'", "one"),
        ("git ls-files", "AGENTS.md"),
    ] {
        let outcome = house.perform(house.unasked(command)).await;
        assert!(outcome.status == Status::Done && outcome.told.contains(said), "{command}: {}", outcome.told);
    }
}

#[tokio::test]
async fn git_is_asked_about_once_the_repository_names_a_program() {
    let house = House::new();
    sh(&house.root, "git config core.fsmonitor /bin/x");
    let (_, Verdict::Ask(held)) = house.judged("git status") else { panic!("that is to be asked") };
    assert!(held.why().contains("core.fsmonitor"), "{}", held.why());
}

#[tokio::test]
async fn a_pattern_is_judged_by_where_its_matches_lead() {
    let house = House::new();
    sh(&house.root, "echo x > notes.md");
    assert!(matches!(house.judged("cat *.md").1, Verdict::Allow(_)));
    sh(&house.root, "ln -s /etc/passwd way.md; ln -s /etc/passwd '[ab]'");
    assert!(matches!(house.judged("cat *.md").1, Verdict::Ask(_)));
    assert!(matches!(house.judged("cat [ab]").1, Verdict::Ask(_)), "nothing matches, and the name itself is read");
}

#[tokio::test]
async fn a_command_that_changes_what_others_obey_is_told() {
    let mut house = House::new();
    let agreed = house.agreed("echo be evil >> AGENTS.md; echo x > .git/hooks/post-commit; echo ok");
    let outcome = house.perform(agreed).await;
    let report = outcome.fence.unwrap();
    assert_eq!(report.tampered, [".git/hooks/post-commit (new)", "AGENTS.md (changed)"]);
    assert!(outcome.told.contains("AGENTS.md (changed)\nok"), "{}", outcome.told);
}

#[tokio::test]
async fn that_not_everything_can_be_watched_is_said_once_and_is_no_alarm() {
    let mut house = House::new();
    sh(&house.root, "for n in $(seq 600); do : > .env.$n; done");
    let part = "not all protected files are watched";
    for (command, expected) in [("mkdir a", true), ("mkdir b", false)] {
        let agreed = house.agreed(command);
        let outcome = house.perform(agreed).await;
        assert_eq!((outcome.summary.contains(part), outcome.fence), (expected, None), "{}", outcome.summary);
        assert_eq!(outcome.detail.contains("look at changes to the others yourself"), expected, "{}", outcome.detail);
    }
}

#[tokio::test]
async fn a_commit_is_told_as_any_other_command() {
    let mut house = House::new();
    let agreed = house.agreed("git commit -qam second && echo done");
    let outcome = house.perform(agreed).await;
    assert_eq!((outcome.told.as_str(), outcome.fence), ("exit code 0\ndone\n", None));
}

#[tokio::test]
async fn a_command_runs_again_with_more_reach() {
    let mut house = House::new();
    let (job, permit) = house.agreed("echo again >> counted; cat counted");
    let again = job.again().unwrap();
    assert_eq!(again.action(), job.action());
    house.perform((job, permit)).await;
    let again = again.amend(Proposal::Profile { profile: Profile::Unfenced }).unwrap();
    let facts = house.toolbox.facts(&queries(&again.action()));
    let Verdict::Ask(held) = house.policy.judge(again.action(), &facts) else { panic!("more reach is asked about") };
    let permit = house.policy.answer(held, None).unwrap();
    assert_eq!(permit.sandbox().profile(), Profile::Unfenced);
    let outcome = house.perform((again, permit)).await;
    assert_eq!(outcome.told, "exit code 0\nagain\nagain\n");
}

#[tokio::test]
async fn a_command_outside_its_fence_is_told_why_it_failed() {
    let mut house = House::new();
    let elsewhere = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    // A place that the command itself names is opened by the yes.
    std::fs::write(house.root.join("x.sh"), format!("touch '{}/x'\n", elsewhere.path().display())).unwrap();
    let agreed = house.agreed("sh x.sh");
    let outcome = house.perform(agreed).await;
    assert!(!elsewhere.path().join("x").exists());
    assert_eq!(outcome.fence.unwrap().blocked, Some(agent_protocol::Blocked::Writing));
    let said = format!(
        "; the sandbox is the likely reason: this command ran with \"writes in the project, asks for hosts\" and was kept from \
         writing outside the project ({}/x). Write in the project or in $TMPDIR if that will do. The user has been told \
         and may let it reach further; do not look for a way around\n",
        elsewhere.path().display()
    );
    assert!(outcome.told.contains(&said), "{}", outcome.told);
}

#[tokio::test]
async fn what_a_stopped_command_changed_is_told_with_the_next() {
    let mut house = House::new();
    let (job, permit) = house.agreed("echo be evil >> AGENTS.md; touch begun; sleep 1000");
    let (live, _heard) = unbounded_channel();
    let running = tokio::spawn(house.toolbox.perform(
        job,
        permit,
        Output {
            live,
            room: 10_000,
            intent: None,
            reaches: {
                let (nobody, _) = unbounded_channel();
                nobody
            },
        },
        never(),
    ));
    while !house.root.join("begun").exists() {
        tokio::task::yield_now().await;
    }
    running.abort();
    assert!(running.await.is_err());
    let agreed = house.agreed("mkdir made");
    let outcome = house.perform(agreed).await;
    assert_eq!(outcome.fence.unwrap().tampered, ["AGENTS.md (changed)"]);
    let agreed = house.agreed("mkdir more");
    assert_eq!(house.perform(agreed).await.fence, None);
}

#[tokio::test]
async fn what_one_in_the_background_changes_is_told_while_it_runs_and_at_its_end() {
    let mut house = House::new();
    let line = "until [ -e go ]; do sleep 0.01; done; echo x > .git/hooks/pre-commit; touch one; \
                until [ -e on ]; do sleep 0.01; done; echo x > .envrc; touch two; sleep 1000";
    let call = call("run_command", json!({ "command": line, "background": true }));
    let (job, Verdict::Ask(held)) = house.judged_call(&call) else { panic!("that is to be asked") };
    let permit = house.policy.answer(held, None).unwrap();
    let outcome = house.perform((job, permit)).await;
    assert_eq!(outcome.fence, None, "{}", outcome.told);
    sh(&house.root, "touch go; until [ -e one ]; do sleep 0.01; done");
    let agreed = house.agreed("mkdir made");
    assert_eq!(house.perform(agreed).await.fence.unwrap().tampered, [".git/hooks/pre-commit (new)"]);
    let agreed = house.agreed("mkdir more");
    assert_eq!(house.perform(agreed).await.fence, None, "once");
    sh(&house.root, "touch on; until [ -e two ]; do sleep 0.01; done");
    assert_eq!(house.toolbox.wind_up().await, [".envrc (new)"]);
}

#[tokio::test]
async fn what_the_person_lets_write_is_no_alarm_while_something_runs_in_the_background() {
    let mut house = House::new();
    for (name, arguments) in [
        ("run_command", json!({ "command": "sleep 1000", "background": true })),
        ("write_file", json!({ "file_path": ".envrc", "content": "x" })),
    ] {
        let (job, Verdict::Ask(held)) = house.judged_call(&call(name, arguments)) else { panic!("that is asked") };
        let permit = house.policy.answer(held, None).unwrap();
        house.perform((job, permit)).await;
    }
    assert!(house.root.join(".envrc").exists());
    assert_eq!(house.toolbox.wind_up().await, Vec::<String>::new());
}
