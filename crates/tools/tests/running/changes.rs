//! What is told of files that commands and tools changed, however they ended.

use super::{House, call};
use agent_policy::Verdict;
use agent_protocol::{
    Action, Change, Changes, Cover, CoverScope, Digest, Failure, FileChange, FileState, Outcome, Preview, PreviewBody,
    Proposal, Status,
};
use agent_tools::{Keep, KeptInMemory, Output, PlannedCall};
use futures_util::future::BoxFuture;
use serde_json::json;
use std::io;
use std::sync::Arc;

/// What was changed, each with its text before and after.
fn told(outcome: &Outcome, keep: &KeptInMemory) -> Vec<String> {
    outcome.changed.iter().map(|change| words(change, keep)).collect()
}

pub(super) fn words(change: &FileChange, keep: &KeptInMemory) -> String {
    let words = |state: &FileState| match state {
        FileState::File { content, mode, .. } => {
            let text = String::from_utf8(keep.fetch(content).unwrap()).unwrap().trim_end().to_owned();
            if mode & 0o100 == 0 { text } else { format!("{text} ({mode:o})") }
        }
        FileState::Link { target } => format!("link to {}", target.display()),
        FileState::Missing => "nothing".to_owned(),
        other @ FileState::Unkept { .. } => format!("{other:?}"),
    };
    format!("{}: {} → {}", change.shown_path, words(&change.before), words(&change.after))
}

fn house() -> (House, Arc<KeptInMemory>) {
    let keep = Arc::new(KeptInMemory::default());
    (House::keeping(keep.clone()), keep)
}

#[tokio::test]
async fn a_command_that_fails_is_told_with_what_it_changed() {
    let (mut house, keep) = house();
    let agreed = house.agreed("echo three > 'a file.txt'; rm AGENTS.md; false");
    let outcome = house.perform(agreed).await;
    assert_eq!(outcome.status, Status::Exited { code: Some(1) });
    assert_eq!(told(&outcome, &keep), ["AGENTS.md: be kind → nothing", "a file.txt: one\ntwo → three"]);
    assert_eq!((outcome.changed[1].added, outcome.changed[1].removed), (1, 2));
}

#[tokio::test]
async fn a_command_whose_time_is_up_is_told_with_what_it_changed() {
    let (mut house, keep) = house();
    // Time enough to begin on a slow machine, too.
    let agreed = house.agreed_to(&call("run_command", json!({"command": "echo 1 > new; sleep 1000", "timeout": 4})));
    let outcome = house.perform(agreed).await;
    assert_eq!(told(&outcome, &keep), ["new: nothing → 1"]);
}

#[tokio::test]
async fn a_command_that_is_stopped_is_told_with_what_it_changed_until_then() {
    let (mut house, keep) = house();
    let agreed = house.agreed("echo 1 > new; touch begun; sleep 1000");
    let begun = house.root.join("begun");
    let stop = Box::pin(async move {
        while !begun.exists() {
            tokio::task::yield_now().await;
        }
    });
    let outcome = house.perform_until(agreed, stop).await;
    assert_eq!(outcome.status, Status::Stopped);
    assert_eq!(told(&outcome, &keep), ["begun: nothing → ", "new: nothing → 1"]);
}

#[tokio::test]
async fn a_command_that_is_stopped_before_it_began_does_nothing() {
    let (mut house, _) = house();
    let agreed = house.agreed("echo 1 > new");
    let outcome = house.perform_until(agreed, Box::pin(std::future::ready(()))).await;
    assert_eq!((outcome.status, outcome.changed.len()), (Status::Stopped, 0));
    assert!(!house.root.join("new").exists());
}

/// Notices whatever is kept.
#[derive(Default)]
struct Wary(KeptInMemory, std::sync::Mutex<Vec<Digest>>);

impl Keep for Wary {
    fn keep(&self, bytes: &[u8]) -> io::Result<Digest> {
        let digest = self.0.keep(bytes)?;
        // Whether anything can be kept at all is asked with nothing.
        if !bytes.is_empty() {
            self.1.lock().unwrap().push(digest.clone());
        }
        Ok(digest)
    }

    fn fetch(&self, digest: &Digest) -> io::Result<Vec<u8>> {
        self.0.fetch(digest)
    }
}

#[tokio::test]
async fn nothing_is_looked_at_for_a_command_that_was_proved_to_only_read() {
    let wary = Arc::new(Wary::default());
    let house = House::keeping(wary.clone());
    let (job, permit) = house.unasked("cat AGENTS.md");
    // Planning reads ahead: two files, whose names are known by then. What comes after that is looked at only for the
    // command's sake.
    while wary.1.lock().unwrap().len() < 2 {
        std::thread::yield_now();
    }
    std::fs::write(house.root.join("late"), "not there when it was planned").unwrap();
    assert_eq!(house.perform((job, permit)).await.changed, []);
    assert_eq!(wary.1.lock().unwrap().len(), 2);
}

#[tokio::test]
async fn what_can_be_undone_of_a_command_is_told_with_the_question() {
    let (house, _) = house();
    let (job, _) = house.judged("make");
    let PreviewBody::Command { cover, .. } = job.preview().body else { panic!("it is a command") };
    assert_eq!(cover, Some(Cover { scope: CoverScope::Project, files: 2, left_out: Vec::new() }));
}

#[tokio::test]
async fn a_tool_that_writes_is_told_with_the_same_words() {
    let (mut house, keep) = house();
    let edit = json!({"file_path": "AGENTS.md", "old_string": "be kind", "new_string": "be brief"});
    let agreed = house.agreed_to(&call("edit_file", edit));
    let outcome = house.perform(agreed).await;
    assert_eq!(told(&outcome, &keep), ["AGENTS.md: be kind → be brief"]);
}

/// Writes the first of its files and then fails.
struct Halfway(Changes);

impl PlannedCall for Halfway {
    fn action(&self) -> Action {
        Action::Write { changes: self.0.clone() }
    }

    fn preview(&self) -> Preview {
        Preview { title: "Halfway".into(), body: PreviewBody::Plain }
    }

    fn amend(self: Box<Self>, _: Proposal) -> Result<Box<dyn PlannedCall>, Failure> {
        Ok(self)
    }

    fn run(self: Box<Self>, _: agent_policy::Permit, _: Output) -> BoxFuture<'static, Outcome> {
        Box::pin(async move {
            std::fs::write(&self.0.0[0].path, "1").unwrap();
            panic!("oh")
        })
    }
}

#[tokio::test]
async fn a_write_that_fails_halfway_is_told_with_what_it_did() {
    let (mut house, keep) = house();
    let change = |name: &str| Change { path: house.root.join(name), before: None, after: Some("1".into()) };
    let job = Box::new(Halfway(Changes(vec![change("one"), change("two")])));
    let facts = house.toolbox.facts(&agent_policy::queries(&job.action()));
    let Verdict::Ask(held) = house.policy.judge(job.action(), &facts) else { panic!("a write is asked about") };
    let permit = house.policy.answer(held, None).unwrap();
    let outcome = house.perform((job, permit)).await;
    assert!(matches!(outcome.status, Status::Failed { .. }));
    assert_eq!(told(&outcome, &keep), ["one: nothing → 1"]);
}
