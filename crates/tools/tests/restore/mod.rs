//! Undo as the loop asks for it: with permits from a real policy, of what calls really changed.

use crate::support::Gate;
use agent_policy::{Looked, Permit};
use agent_protocol::{
    Action, Change, Changes, FailureKind, FileChange, FileFate, FileState, ModelCall, Outcome, Restoring, SaidId,
    Status, UndoDirection, UndoPlan,
};
use agent_tools::{Output, Toolbox, Wanted};
use serde_json::{Value, json};
use std::path::PathBuf;
use tempfile::TempDir;
use tokio::sync::mpsc::unbounded_channel;

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

    async fn call(&mut self, name: &str, arguments: Value) -> Outcome {
        let call = ModelCall { server_id: None, index: None, name: name.into(), arguments };
        let look = self.gate.look(self.toolbox.reach(&call).unwrap().action).unwrap();
        let looked = Looked::from(&look);
        let job = match self.toolbox.plan(&call, look) {
            Ok(job) => job,
            Err(failure) => return failure.into(),
        };
        let permit = self.gate.deed(job.action(), &looked).unwrap();
        let live = {
            let (nobody, _) = unbounded_channel();
            nobody
        };
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
                Box::pin(std::future::pending()),
            )
            .await
    }

    fn permit(&mut self, action: Action) -> Permit {
        self.gate.look(action).unwrap()
    }

    fn plan(&self, changed: &[FileChange]) -> UndoPlan {
        let wanted = |file: &FileChange| Wanted {
            path: file.path.clone(),
            left: file.after.clone(),
            target: file.before.clone(),
        };
        let wanted: Vec<Wanted> = changed.iter().map(wanted).collect();
        self.toolbox.plan_undo(UndoDirection::Undo, SaidId(1), &wanted)
    }

    fn undo(&mut self, plan: UndoPlan) -> Vec<Option<String>> {
        let files = plan.files.into_iter();
        let files = files.map(|file| Restoring { path: file.path, from: file.now, to: file.target }).collect();
        let permit = self.permit(Action::Restore { files });
        self.toolbox.restore(permit).into_iter().map(|file| file.left).collect()
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.root.join(name)).unwrap()
    }

    fn write(&mut self, name: &str, before: Option<&str>, after: Option<&str>) -> Result<(), (FailureKind, String)> {
        let before = before.map(|text| agent_protocol::Digest(text.into()));
        let change = Change { path: self.root.join(name), before, after: after.map(String::from) };
        let permit = self.permit(Action::Write { changes: Changes(vec![change]) });
        self.toolbox.write(permit).map_err(|failure| (failure.kind, failure.message))
    }
}

#[tokio::test]
async fn what_calls_changed_is_taken_back_and_the_model_must_look_again() {
    let mut project = Project::new();
    std::fs::write(project.root.join("a"), "one\n").unwrap();
    project.call("read_file", json!({"file_path": "a"})).await;
    let edit = json!({"file_path": "a", "old_string": "one", "new_string": "two"});
    let mut changed = project.call("edit_file", edit.clone()).await.changed;
    changed.extend(project.call("write_file", json!({"file_path": "new/b", "content": "b\n"})).await.changed);
    let before: Vec<(PathBuf, FileState)> =
        changed.iter().map(|file| (file.path.clone(), file.before.clone())).collect();
    let receipt = project.toolbox.receipt(&before);
    let told: Vec<_> =
        receipt.iter().map(|file| (file.shown_path.as_str(), file.what, file.added, file.removed)).collect();
    assert_eq!(told, [("a", FileFate::Changed, 1, 1), ("new/b", FileFate::Created, 1, 0)]);
    let plan = project.plan(&changed);
    assert_eq!((plan.direction, plan.said, plan.files.len()), (UndoDirection::Undo, SaidId(1), 2));
    assert_eq!(project.undo(plan), [None, None]);
    assert_eq!(project.text("a"), "one\n");
    assert!(!project.root.join("new").exists());
    assert_eq!(project.toolbox.receipt(&before), []);
    let blind = project.call("write_file", json!({"file_path": "a", "content": "three\n"})).await;
    assert_eq!(blind.status, Status::Failed { kind: FailureKind::Stale }, "{}", blind.told);
    project.call("read_file", json!({"file_path": "a"})).await;
    assert_eq!(project.call("edit_file", edit).await.status, Status::Done);
}

#[tokio::test]
async fn what_a_batch_moved_deleted_made_and_edited_comes_back_wholly() {
    let mut project = Project::new();
    project.toolbox.offer(&["core".into(), "batch".into()]);
    for (name, text) in [("a", "one\n"), ("b", "two\n"), ("c", "three\n")] {
        std::fs::write(project.root.join(name), text).unwrap();
    }
    let operations = json!([
        {"operation": "edit", "path": "a", "old": "one", "new": "ONE"},
        {"operation": "move", "path": "b", "to": "moved/b"},
        {"operation": "edit", "path": "moved/b", "old": "two", "new": "TWO"},
        {"operation": "delete", "path": "c"},
        {"operation": "write", "path": "new/d", "content": "four\n"},
    ]);
    let outcome = project.call("batch_operations", json!({ "operations": operations })).await;
    assert_eq!(outcome.status, Status::Done, "{}", outcome.told);
    assert_eq!((project.text("a"), project.text("moved/b")), ("ONE\n".into(), "TWO\n".into()));
    assert!(project.root.join("new/d").exists());
    assert!(!project.root.join("b").exists() && !project.root.join("c").exists());
    let plan = project.plan(&outcome.changed);
    assert_eq!(plan.files.len(), 5, "{plan:?}");
    assert_eq!(project.undo(plan), [None, None, None, None, None]);
    let mut left: Vec<_> = project.root.read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["a", "b", "c"], "no file of the batch is left, nor a folder");
    assert_eq!(["a", "b", "c"].map(|name| project.text(name)), ["one\n", "two\n", "three\n"]);
}

#[test]
fn a_permit_for_something_else_brings_nothing_back_and_writes_nothing() {
    let mut project = Project::new();
    let look = Action::Read { paths: vec![project.root.clone()] };
    let permit = project.permit(look.clone());
    assert_eq!(project.toolbox.restore(permit), []);
    let permit = project.permit(look);
    assert_eq!(project.toolbox.write(permit).unwrap_err().kind, FailureKind::Denied);
}

#[test]
fn files_for_the_person_are_new_and_never_replace_anything() {
    let mut project = Project::new();
    assert_eq!(project.write("deep/export.md", None, Some("text")), Ok(()));
    assert_eq!(project.text("deep/export.md"), "text");
    let rights = std::fs::metadata(project.root.join("deep/export.md")).unwrap().permissions();
    assert_eq!(std::os::unix::fs::PermissionsExt::mode(&rights) & 0o777, 0o600, "a conversation is nobody else's");
    let message = "deep/export.md is there already, or cannot be; nothing was written, choose another name";
    assert_eq!(project.write("deep/export.md", None, Some("other")), Err((FailureKind::Stale, message.into())));
    for (before, after) in [(Some("digest"), Some("other")), (Some("digest"), None), (None, None)] {
        assert_eq!(project.write("deep/export.md", before, after).unwrap_err().0, FailureKind::Denied);
    }
    assert_eq!(project.text("deep/export.md"), "text");
    let under = project.write("deep/export.md/under", None, Some("text")).unwrap_err();
    assert_eq!(under.0, FailureKind::Stale, "{}", under.1);
}
