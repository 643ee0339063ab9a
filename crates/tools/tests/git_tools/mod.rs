//! The tools of git from end to end, in real repositories: judged by a real policy with real facts, run within its fence.

mod hostile;
mod working;

use agent_policy::{Held, Kept, Looked, Permit, Policy, Setup, Verdict, queries};
use agent_protocol::{Failure, Mode, ModelCall, Outcome, PreviewBody, Proposal, Status};
use agent_tools::{Ground, Output, PlannedCall, Toolbox};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;
use tokio::sync::mpsc::unbounded_channel;

/// A repository with one commit on `main`, and a person who lets run what is proved to only read.
struct House {
    _folder: TempDir,
    root: PathBuf,
    toolbox: Toolbox,
    policy: Policy,
}

/// A call that was planned, and what policy says to it.
type Judged = (Box<dyn PlannedCall>, Verdict);

impl House {
    fn new() -> Self {
        House::made(
            "git init -q -b main; git config user.email a@b; git config user.name x; printf 'one\\n' > a.txt; \
             printf 'alone\\n' > b.txt; git add .; git commit -qm first",
            Mode::Safe,
        )
    }

    fn made(setup: &str, mode: Mode) -> Self {
        let folder = TempDir::new().unwrap();
        let root = folder.path().canonicalize().unwrap();
        sh(&root, setup);
        let kept = Kept { read_only: true, ..Kept::default() };
        let policy = Policy::new(Setup { kept, trusted: true, ..Setup::new(root.clone(), mode) });
        let toolbox = all_of(Toolbox::with(Ground::of_this_process(root.clone()).unwrap(), &[]).0);
        House { toolbox, policy, _folder: folder, root }
    }

    fn planned(&self, name: &str, arguments: Value) -> Result<Judged, Failure> {
        planned(&self.toolbox, &self.policy, name, arguments)
    }

    /// A call that the user is asked about: what they see, and the question.
    fn asked(&self, arguments: Value) -> (Box<dyn PlannedCall>, Held) {
        match self.planned("git_operation", arguments.clone()) {
            Ok((job, Verdict::Ask(held))) => (job, held),
            Ok((_, other)) => panic!("{arguments}: {other:?}"),
            Err(failure) => panic!("{arguments}: {}", failure.message),
        }
    }

    /// A call that is not even planned: why.
    fn failed(&self, arguments: Value) -> String {
        let planned = self.planned("git_operation", arguments.clone());
        planned.map(|_| panic!("{arguments} was planned")).unwrap_or_else(|failure| failure.message)
    }

    /// A call that the user says yes to.
    async fn agreed(&mut self, arguments: Value) -> Outcome {
        let (job, held) = self.asked(arguments);
        let permit = self.policy.answer(held, None).unwrap();
        self.perform(job, permit).await
    }

    /// What a call tells that runs without a question, for it is proved to only read.
    async fn told(&self, name: &str, arguments: Value) -> String {
        let (job, verdict) = self.planned(name, arguments.clone()).unwrap();
        let Verdict::Allow(permit) = verdict else { panic!("{name} {arguments}: {verdict:?}") };
        assert!(permit.line().is_some(), "{name} {arguments} runs as it was read");
        let outcome = self.perform(job, permit).await;
        assert_eq!(outcome.status, Status::Done, "{name} {arguments}: {}", outcome.told);
        outcome.told
    }

    async fn perform(&self, job: Box<dyn PlannedCall>, permit: Permit) -> Outcome {
        let (live, _heard) = unbounded_channel();
        let never = Box::pin(std::future::pending());
        self.toolbox
            .perform(
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
                never,
            )
            .await
    }

    /// What plain git says here.
    fn git(&self, words: &str) -> String {
        said(&self.root, &format!("git {words}"))
    }
}

/// With all groups on.
fn all_of(toolbox: Toolbox) -> Toolbox {
    let groups: Vec<String> = toolbox.groups().iter().map(|group| group.name.into()).collect();
    toolbox.offer(&groups);
    toolbox
}

fn planned(toolbox: &Toolbox, policy: &Policy, name: &str, arguments: Value) -> Result<Judged, Failure> {
    let call = ModelCall { server_id: None, index: None, name: name.into(), arguments };
    let look = toolbox.reach(&call)?.action;
    let facts = toolbox.facts(&queries(&look));
    let Verdict::Allow(look) = policy.judge(look, &facts) else { panic!("it may look at its own folder") };
    let looked = Looked::from(&look);
    let job = toolbox.plan(&call, look)?;
    let facts = toolbox.facts(&queries(&job.action()));
    let verdict = policy.judge_planned(job.action(), &facts, &looked);
    Ok((job, verdict))
}

/// The name of a file with its text before and after.
type Texts = (String, Option<String>, Option<String>);

/// What a question shows: its title, each file with its text before and after, and the note.
fn seen(job: &dyn PlannedCall) -> (String, Vec<Texts>, String) {
    let preview = job.preview();
    let PreviewBody::Command { files, note, .. } = preview.body else { panic!("{:?} is no command", preview.body) };
    let files = files.into_iter().map(|file| (file.shown_path, file.before, file.after)).collect();
    (preview.title, files, note.unwrap_or_default())
}

fn sh(folder: &Path, line: &str) {
    assert!(Command::new("sh").args(["-ec", line]).current_dir(folder).status().unwrap().success(), "{line}");
}

fn said(folder: &Path, line: &str) -> String {
    let output = Command::new("sh").args(["-c", line]).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

#[tokio::test]
async fn what_only_looks_runs_unasked() {
    let house = House::new();
    sh(&house.root, "echo two >> a.txt; echo new > c.txt; echo more >> b.txt; git add b.txt");
    for (name, arguments, expected) in [
        ("git_operation", json!({"operation": "status"}), "## main\n M a.txt\nM  b.txt\n?? c.txt"),
        ("git_status", json!({}), "## main\n M a.txt\nM  b.txt\n?? c.txt"),
        ("git_operation", json!({"operation": "diff"}), "+two"),
        ("git_diff", json!({}), "+two"),
        ("git_diff", json!({"staged": true}), "+more"),
        ("git_diff", json!({"path": "b.txt"}), "no changes that are not staged"),
        ("git_diff", json!({"commit": "HEAD", "path": "b.txt"}), "+more"),
        ("git_operation", json!({"operation": "diff", "staged": true, "files": ["b.txt", "a.txt"]}), "+more"),
        ("git_operation", json!({"operation": "log"}), "x (HEAD -> main): first"),
        ("git_operation", json!({"operation": "log", "count": 1, "files": "a.txt"}), ": first"),
        ("git_operation", json!({"operation": "show", "commit": "HEAD", "files": "a.txt"}), "+one"),
        ("git_operation", json!({"operation": "show", "commit": "HEAD:b.txt"}), "alone"),
        ("git_operation", json!({"operation": "branch"}), "* main"),
        ("git_operation", json!({"operation": "stash", "action": "list"}), "the stash is empty"),
    ] {
        let told = house.told(name, arguments.clone()).await;
        assert!(told.contains(expected), "{name} {arguments}: {told}");
    }
    house.git("stash push -q -- a.txt");
    let told = house.told("git_operation", json!({"operation": "stash", "action": "show"})).await;
    assert!(told.contains("+two"), "{told}");
}

#[tokio::test]
async fn pwd_is_a_look_that_answers_itself() {
    let house = House::new();
    let (job, verdict) = house.planned("pwd", json!({})).unwrap();
    let Verdict::Allow(permit) = verdict else { panic!("{verdict:?}") };
    assert_eq!(house.perform(job, permit).await.told, house.root.display().to_string());
}

#[test]
fn a_secret_is_not_shown_unasked() {
    let house = House::new();
    sh(&house.root, "echo KEY=1 > .env; git add -f .env");
    for arguments in [json!({"staged": true, "path": ".env"}), json!({"commit": "HEAD", "path": [".env"]})] {
        let (_, verdict) = house.planned("git_diff", arguments).unwrap();
        let Verdict::Ask(held) = verdict else { panic!("{verdict:?}") };
        assert!(held.why().contains("holds secrets"), "{}", held.why());
    }
}

#[test]
fn where_there_is_no_repository_it_is_said_what_to_do() {
    let house = House::made(":", Mode::Safe);
    for name in ["git_operation", "git_status", "git_diff"] {
        let arguments = if name == "git_operation" { json!({"operation": "log"}) } else { json!({}) };
        let failure = house.planned(name, arguments).map(|_| ()).unwrap_err();
        let expected = "there is no git repository in the project folder, or none that git accepts; to make one, have \
                        run_command run: git init";
        assert_eq!(failure.message, expected);
    }
}
