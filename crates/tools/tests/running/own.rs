//! A command of the user's own: their shell, no sandbox, no secrets in what is told.

use super::House;
use agent_protocol::{Outcome, Status};
use std::future::pending;
use tokio::sync::mpsc::unbounded_channel;

async fn run_own(house: &House, command: &str) -> (Outcome, String) {
    let permit = house.policy.own_command(command).unwrap();
    let (live, mut chunks) = unbounded_channel();
    let outcome = house.toolbox.run_own(permit, 20_000, live, Box::pin(pending())).await;
    let mut shown = String::new();
    while let Some(chunk) = chunks.recv().await {
        shown.push_str(&chunk.text);
    }
    (outcome, shown)
}

#[tokio::test(flavor = "multi_thread")]
async fn it_runs_in_the_project_outside_the_sandbox_and_tells_how_it_ended() {
    let house = House::new();
    let outside = tempfile::TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let file = outside.path().join("made");
    let (outcome, shown) = run_own(&house, &format!("ls; touch '{}'; exit 3", file.display())).await;
    assert_eq!(outcome.status, Status::Exited { code: Some(3) });
    assert!(file.exists() && shown.contains("AGENTS.md"), "{shown}");
    assert!(outcome.told.starts_with("$ ls; touch") && outcome.told.contains("\nexit code 3\n"), "{}", outcome.told);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_it_says_is_told_and_shown_without_secrets() {
    let house = House::new();
    let key = format!("ghp_{}", "a1B2c3D4e5F6g7H8i9".repeat(2));
    let (outcome, shown) = run_own(&house, &format!("echo {key}")).await;
    assert_eq!(outcome.status, Status::Done);
    for text in [&outcome.told, &outcome.detail, &shown] {
        assert!(!text.contains(&key), "{text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn stopped_it_is_gone_with_all_it_started() {
    let house = House::new();
    let permit = house.policy.own_command("sleep 600 & sleep 600").unwrap();
    let (live, _chunks) = unbounded_channel();
    let outcome = house.toolbox.run_own(permit, 20_000, live, Box::pin(async {})).await;
    assert_eq!(outcome.status, Status::Stopped);
}
