//! What happens between a question and its yes: folders that are swapped, programs and scripts that are rewritten.

use super::*;
use agent_protocol::{FailureKind, Mode};
use std::fs::{File, write};
use std::io::{Seek, SeekFrom, Write};
use std::os::unix::fs::PermissionsExt;

/// With a script that says which one it is, in the project and in a folder of it.
fn house() -> House {
    let house = House::new();
    sh(&house.root, "mkdir sub && printf '#!/bin/sh\\necho ours\\n' > build.sh && chmod 755 build.sh");
    sh(&house.root, "cp build.sh sub && printf 'print(\"ours\")\\n' > tool.py");
    house
}

async fn after(house: &mut House, command: &str, meanwhile: &str) -> Outcome {
    let agreed = house.agreed(command);
    sh(&house.root, meanwhile);
    house.perform(agreed).await
}

fn was_not_run(outcome: &Outcome, what: &str) {
    assert_eq!(outcome.status, Status::Failed { kind: FailureKind::Replaced }, "{}", outcome.told);
    assert_eq!(outcome.told, format!("error: {what} changed since the question; it was not run"));
    assert_eq!(outcome.summary, format!("{what} changed since the question"));
}

#[tokio::test]
async fn what_was_rewritten_since_the_question_is_not_run() {
    let rewritten = "echo 'echo theirs; touch planted' > ";
    for (command, file, what) in [
        ("./build.sh", "build.sh", "build.sh"),
        ("./build.sh && echo done", "build.sh", "build.sh"),
        ("sh build.sh", "build.sh", "build.sh"),
        ("cd sub && ./build.sh", "sub/build.sh", "sub/build.sh"),
        ("sh -c ./build.sh", "build.sh", "build.sh"),
        ("env A=b ./build.sh", "build.sh", "build.sh"),
        ("python3 tool.py", "tool.py", "tool.py"),
        (". ./build.sh", "build.sh", "build.sh"),
        ("xargs -n1 sh build.sh < /dev/null", "build.sh", "build.sh"),
        ("sh new.sh", "new.sh", "new.sh"),
    ] {
        let mut house = house();
        let outcome = after(&mut house, command, &format!("{rewritten}{file}")).await;
        was_not_run(&outcome, what);
        assert!(!house.root.join("planted").exists(), "{command}");
    }
}

#[tokio::test]
async fn a_link_that_leads_elsewhere_since_the_question_is_not_followed() {
    let mut house = house();
    sh(&house.root, "ln -s build.sh way.sh; printf '#!/bin/sh\\necho theirs\\n' > other.sh; chmod 755 other.sh");
    was_not_run(&after(&mut house, "./way.sh", "ln -sf other.sh way.sh").await, "way.sh");
    was_not_run(&after(&mut house, "./build.sh", "mv other.sh build.sh").await, "build.sh");
    was_not_run(&after(&mut house, "./build.sh", "rm build.sh").await, "build.sh");
}

#[tokio::test]
async fn what_is_as_it_was_or_is_only_read_runs() {
    for (command, meanwhile) in [
        ("./build.sh", "touch build.sh"),
        ("./build.sh", "cp build.sh copy && cat copy > build.sh"),
        ("./build.sh notes.txt", "echo more > notes.txt"),
        ("./build.sh", "echo x > tool.py"),
        ("./build.sh; ls; cat tool.py > /dev/null", "echo x > tool.py"),
    ] {
        let mut house = house();
        sh(&house.root, "echo one > notes.txt");
        let outcome = after(&mut house, command, meanwhile).await;
        assert!(outcome.told.starts_with("exit code 0\nours\n"), "{command}, {meanwhile}: {}", outcome.told);
    }
}

#[tokio::test]
async fn what_is_too_long_to_be_read_is_known_by_its_times() {
    let mut house = house();
    let path = house.root.join("long.sh");
    write(&path, "echo long; exit\n").unwrap();
    File::options().write(true).open(&path).unwrap().set_len(17 << 20).unwrap();
    let outcome = after(&mut house, "sh long.sh", "true").await;
    assert_eq!(outcome.told, "exit code 0\nlong\n");
    let agreed = house.agreed("sh long.sh");
    let mut file = File::options().write(true).open(&path).unwrap();
    file.seek(SeekFrom::End(-1)).unwrap();
    file.write_all(b"x").unwrap();
    was_not_run(&house.perform(agreed).await, "long.sh");
}

#[tokio::test]
async fn a_folder_that_was_swapped_since_the_question_is_not_run_in() {
    let swaps = [
        "mv sub moved && mkdir sub",
        "mv sub moved && cp -r moved sub",
        "mv sub moved && ln -s moved sub",
        "rm -r sub",
    ];
    for meanwhile in swaps {
        let mut house = house();
        let call = call("run_command", json!({ "command": "touch made", "working_directory": "sub" }));
        let agreed = house.agreed_to(&call);
        sh(&house.root, meanwhile);
        was_not_run(&house.perform(agreed).await, &format!("the folder {}", house.root.join("sub").display()));
        assert!(!house.root.join("sub/made").exists() && !house.root.join("moved/made").exists(), "{meanwhile}");
    }
}

#[tokio::test]
async fn where_nobody_was_asked_only_the_folder_is_looked_at_again() {
    let mut house = house();
    house.policy.set_mode(Mode::Unsafe);
    let in_sub = call("run_command", json!({ "command": "./build.sh", "working_directory": "sub" }));
    let planned = house.allowed(&in_sub);
    sh(&house.root, "printf '#!/bin/sh\\necho later\\n' > sub/build.sh");
    assert_eq!(house.perform(planned).await.told, "exit code 0\nlater\n");
    let planned = house.allowed(&in_sub);
    sh(&house.root, "mv sub moved && cp -r moved sub");
    was_not_run(&house.perform(planned).await, &format!("the folder {}", house.root.join("sub").display()));
}

#[tokio::test]
async fn one_in_the_background_is_not_started_either() {
    let mut house = house();
    let call = call("run_command", json!({ "command": "./build.sh", "background": true }));
    let agreed = house.agreed_to(&call);
    sh(&house.root, "echo 'touch planted' > build.sh");
    was_not_run(&house.perform(agreed).await, "build.sh");
    assert!(!house.root.join("planted").exists());
}

#[tokio::test]
async fn it_is_planned_anew_as_things_are_then() {
    let mut house = house();
    let (job, permit) = house.agreed("./build.sh");
    let again = job.again().unwrap();
    sh(&house.root, "printf '#!/bin/sh\\necho theirs\\n' > build.sh");
    was_not_run(&house.perform((job, permit)).await, "build.sh");
    let again = again.amend(Proposal::Profile { profile: Profile::Project }).unwrap();
    let permit = house.permit(again.action());
    assert_eq!(house.perform((again, permit)).await.told, "exit code 0\ntheirs\n");
}

#[tokio::test]
async fn of_a_command_that_the_person_wrote_what_that_names_is_compared() {
    let mut house = house();
    sh(&house.root, "cp build.sh other.sh");
    let (job, _) = house.agreed("./build.sh");
    let job = job.amend(Proposal::Command { command: "./other.sh".into() }).unwrap();
    let permit = house.permit(job.action());
    std::fs::set_permissions(house.root.join("other.sh"), PermissionsExt::from_mode(0o755)).unwrap();
    sh(&house.root, "echo x > build.sh; echo 'echo theirs' > other.sh");
    was_not_run(&house.perform((job, permit)).await, "other.sh");
}
