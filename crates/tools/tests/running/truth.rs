//! What is told of commands is so: failures that an exit code hides, what the sandbox kept a part from, servers, and
//! programs that would wait for somebody.

use super::*;
use agent_protocol::{Blocked, Failure, FailureKind, FileFate, FolderReceipt, PartEnd};

fn part(words: &str, code: i32) -> PartEnd {
    PartEnd { words: words.into(), code }
}

async fn told(house: &mut House, command: &str) -> Outcome {
    let agreed = house.agreed(command);
    house.perform(agreed).await
}

#[tokio::test]
async fn a_failure_that_a_pipe_hides_is_told_to_the_model_and_the_person() {
    let mut house = House::new();
    let outcome = told(&mut house, "sh -c 'echo no; exit 101' 2>&1 | tail -30").await;
    assert_eq!(outcome.told, "exit code 0, but: sh: 101 | tail: 0\nno\n");
    assert!(outcome.summary.starts_with("exit 0, but sh: 101 | tail: 0 · "), "{}", outcome.summary);
    assert_eq!(outcome.status, Status::Exited { code: Some(0) });
    assert_eq!(outcome.fence.unwrap().parts, [part("sh", 101), part("tail", 0)]);
}

#[tokio::test]
async fn where_nothing_is_hidden_nothing_is_added() {
    let mut house = House::new();
    for (command, said) in [
        ("sh -c 'echo yes' | tail -1", "exit code 0\nyes\n"),
        (
            "sh -c 'exit 3'; echo \"was $?\" > x; sh -c 'cat x; exit 4'",
            "exit code 4, of its parts: sh: 3 | sh: 4\nwas 3\n",
        ),
        ("yes | sh -c 'head -1'", "exit code 0\ny\n"),
        ("for f in 1; do sh -c 'exit 7' | cat; done; sh -c :", "exit code 0, no output"),
    ] {
        assert_eq!(told(&mut house, command).await.told, said, "{command}");
    }
    let left: Vec<_> = std::fs::read_dir(&house.root).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().starts_with(".ends")), "{left:?}");
}

#[tokio::test]
async fn a_denial_is_known_also_under_exit_code_0() {
    let mut house = House::new();
    let elsewhere = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let place = elsewhere.path().join("x");
    // A place that the command itself names is opened by the yes.
    std::fs::write(house.root.join("x.sh"), format!("touch '{}'\n", place.display())).unwrap();
    let outcome = told(&mut house, "sh x.sh 2>&1 | tail -3").await;
    let report = outcome.fence.unwrap();
    assert_eq!((report.blocked, report.place), (Some(Blocked::Writing), Some(place.display().to_string())));
    assert!(
        outcome.told.starts_with("exit code 0, but: sh x.sh: 1 | tail: 0; the sandbox is the likely reason"),
        "{}",
        outcome.told
    );
    // Somebody else's words are not what happened.
    std::fs::write(house.root.join("log"), "curl: (6) Could not resolve host: example.com\n").unwrap();
    let outcome = told(&mut house, "cat log | tail -3 > out; cat out").await;
    assert_eq!(outcome.fence, None, "{}", outcome.told);
}

#[tokio::test]
async fn what_ran_out_of_time_and_looks_like_a_server_is_to_be_started_in_the_background() {
    let mut house = House::new();
    let command = "sh -c 'echo Listening on http://localhost:3000; exec sleep 1000'";
    let agreed = house.agreed_to(&call("run_command", json!({"command": command, "timeout": 1})));
    let outcome = house.perform(agreed).await;
    assert_eq!(outcome.status, Status::Failed { kind: FailureKind::Timeout });
    assert!(outcome.told.contains("start it again with background: true"), "{}", outcome.told);
    assert!(outcome.summary.contains("it looks like a server"), "{}", outcome.summary);
}

#[tokio::test]
async fn what_waits_for_somebody_is_answered_before_any_question() {
    let house = House::new();
    let planned = |arguments: Value| {
        let call = call("run_command", arguments);
        let look = house.toolbox.reach(&call).unwrap().action;
        let facts = house.toolbox.facts(&queries(&look));
        let Verdict::Allow(look) = house.policy.judge(look, &facts) else { panic!("it may look at its own folder") };
        house.toolbox.plan(&call, look).map(|_| ())
    };
    let Err(Failure { kind, message }) = planned(json!({"command": "git rebase -i HEAD~2"})) else { panic!() };
    assert_eq!(kind, FailureKind::InvalidArguments);
    assert!(message.contains("GIT_SEQUENCE_EDITOR"), "{message}");
    assert_eq!(planned(json!({"command": "GIT_SEQUENCE_EDITOR=true git rebase -i HEAD~2"})), Ok(()));
    assert_eq!(planned(json!({"command": "tail -f log", "background": true})), Ok(()));
}

#[tokio::test]
async fn a_folder_of_what_is_fetched_is_told_once_and_its_files_are_not() {
    let mut house = House::new();
    let line = "mkdir -p .venv/lib; echo home > .venv/pyvenv.cfg; for n in 1 2 3; do echo x > .venv/lib/$n; done; echo a > a.py";
    let outcome = told(&mut house, line).await;
    let names: Vec<&str> = outcome.changed.iter().map(|change| change.shown_path.as_str()).collect();
    assert_eq!(names, ["a.py"]);
    let folder = FolderReceipt { shown_path: ".venv".into(), files: 4 };
    assert_eq!(outcome.fence.unwrap().built, [folder]);
    let before: Vec<_> = outcome.changed.iter().map(|change| (change.path.clone(), change.before.clone())).collect();
    let receipt = house.toolbox.receipt(&before);
    assert_eq!(receipt.iter().map(|file| file.what).collect::<Vec<_>>(), [FileFate::Created]);
}
