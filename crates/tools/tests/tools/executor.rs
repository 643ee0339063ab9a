//! What holds for every tool, because there is one executor.

use crate::support::Gate;
use agent_policy::{Looked, Permit};
use agent_protocol::{Action, Chunk, Failure, FailureKind, ModelCall, Outcome, Preview, PreviewBody, Proposal, Status};
use agent_tools::{Output, PlannedCall, Toolbox};
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use std::path::PathBuf;
use tempfile::TempDir;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

struct Project {
    _folder: TempDir,
    root: PathBuf,
    toolbox: Toolbox,
    gate: Gate,
}

impl Project {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let root = folder.path().canonicalize().unwrap();
        Project { toolbox: Toolbox::new(root.clone()), gate: Gate::new(&root), _folder: folder, root }
    }

    /// A planned call and the permit for it.
    fn planned(&mut self, name: &str, arguments: Value) -> (Box<dyn PlannedCall>, Permit) {
        let call = call(name, arguments);
        let look = self.gate.look(self.toolbox.reach(&call).unwrap().action).unwrap();
        let looked = Looked::from(&look);
        let job = self.toolbox.plan(&call, look).unwrap();
        let permit = self.gate.deed(job.action(), &looked).unwrap();
        (job, permit)
    }
}

fn call(name: &str, arguments: Value) -> ModelCall {
    ModelCall { server_id: None, index: None, name: name.into(), arguments }
}

/// Nobody stops it.
pub(crate) fn never() -> BoxFuture<'static, ()> {
    Box::pin(std::future::pending())
}

fn output(room: usize) -> (Output, UnboundedReceiver<Chunk>) {
    let (live, heard) = unbounded_channel();
    (
        Output {
            live,
            room,
            intent: None,
            reaches: {
                let (nobody, _) = unbounded_channel();
                nobody
            },
        },
        heard,
    )
}

/// A job that looks at the project and ends as it is told to.
struct Odd {
    root: PathBuf,
    end: fn() -> Outcome,
}

impl PlannedCall for Odd {
    fn action(&self) -> Action {
        Action::Read { paths: vec![self.root.clone()] }
    }

    fn preview(&self) -> Preview {
        Preview { title: "Odd".into(), body: PreviewBody::Plain }
    }

    fn amend(self: Box<Self>, _: Proposal) -> Result<Box<dyn PlannedCall>, Failure> {
        Ok(self)
    }

    fn run(self: Box<Self>, _: Permit, _: Output) -> BoxFuture<'static, Outcome> {
        Box::pin(async move { (self.end)() })
    }
}

async fn odd(end: fn() -> Outcome, room: usize) -> Outcome {
    let mut project = Project::new();
    let job = Box::new(Odd { root: project.root.clone(), end });
    let permit = project.gate.look(job.action()).unwrap();
    project.toolbox.perform(job, permit, output(room).0, never()).await
}

#[tokio::test]
async fn a_permit_for_something_else_does_nothing() {
    let mut project = Project::new();
    let (write, _) = project.planned("write_file", json!({"file_path": "a.txt", "content": "one"}));
    let (_, other) = project.planned("write_file", json!({"file_path": "a.txt", "content": "two"}));
    let outcome = project.toolbox.perform(write, other, output(1000).0, never()).await;
    assert_eq!(outcome.status, Status::Failed { kind: FailureKind::Denied });
    assert!(!project.root.join("a.txt").exists());
}

#[tokio::test]
async fn a_tool_that_panics_fails_alone() {
    let outcome = odd(|| panic!("oh"), 1000).await;
    assert_eq!(outcome.status, Status::Failed { kind: FailureKind::Io });
}

#[tokio::test]
async fn every_result_is_cut_to_its_room() {
    let long = || Outcome {
        status: Status::Done,
        told: "a line of text\n".repeat(10_000),
        summary: "long".into(),
        detail: "→".repeat(100_000),
        fence: None,
        changed: Vec::new(),
        failing: None,
        images: Vec::new(),
        job: None,
    };
    let outcome = odd(long, 500).await;
    assert!(outcome.told.chars().count() <= 500, "{}", outcome.told.len());
    assert!(outcome.told.contains("cut here; ask for less at a time]"), "{}", outcome.told);
    assert!(outcome.detail.len() <= 64 * 1024);
}

#[tokio::test]
async fn a_path_that_leads_elsewhere_after_it_was_judged_is_stale() {
    let mut project = Project::new();
    std::fs::write(project.root.join("a.txt"), "mine").unwrap();
    let call = call("read_file", json!({"file_path": "ln"}));
    std::os::unix::fs::symlink("a.txt", project.root.join("ln")).unwrap();
    let look = project.gate.look(project.toolbox.reach(&call).unwrap().action).unwrap();
    std::fs::remove_file(project.root.join("ln")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", project.root.join("ln")).unwrap();
    let failure = project.toolbox.plan(&call, look).map(|_| ()).unwrap_err();
    assert_eq!(failure.kind, FailureKind::Stale);
}

#[tokio::test]
async fn a_command_is_heard_while_it_runs() {
    let mut project = Project::new();
    let command = "echo ready; while [ ! -e go ]; do sleep 0.01; done; echo done";
    let (job, permit) = project.planned("run_command", json!({ "command": command }));
    let (out, mut heard) = output(1000);
    let running = tokio::spawn(project.toolbox.perform(job, permit, out, never()));
    assert_eq!(heard.recv().await.unwrap().text, "ready\n");
    std::fs::write(project.root.join("go"), "").unwrap();
    let outcome = running.await.unwrap();
    assert_eq!((outcome.status, outcome.told.as_str()), (Status::Done, "exit code 0\nready\ndone\n"));
}

#[tokio::test]
async fn nobody_has_to_listen() {
    let mut project = Project::new();
    let (job, permit) = project.planned("run_command", json!({"command": "echo one"}));
    let (out, heard) = output(1000);
    drop(heard);
    assert_eq!(project.toolbox.perform(job, permit, out, never()).await.told, "exit code 0\none\n");
}

#[test]
fn the_usual_tools_in_a_fixed_order() {
    let names: Vec<String> = Project::new().toolbox.specs().into_iter().map(|spec| spec.name).collect();
    let core =
        ["read_file", "write_file", "edit_file", "list_directory", "glob_files", "grep_search", "run_command", "jobs"];
    let plan = ["todo_write", "exit_plan_mode", "ask_user"];
    let expected = [&core[..], &plan[..]].concat();
    assert_eq!(names, expected);
}
