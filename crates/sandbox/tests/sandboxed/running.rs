//! What a command gets, what it says, how it ends, and that nothing of it stays.

use crate::ground::{Ground, LONG};
use agent_protocol::Profile::{self, Project};
use agent_sandbox::{Ended, Ending, Remains, SandboxError, Shell};
use std::pin::pin;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// Seconds that a test waits for, in which a command begins on a slow machine, too.
const SHORT: u64 = 4;

async fn run(line: &str) -> Ended {
    Ground::new().run(Project, line).await
}

/// Waits until the command has said something.
async fn ready(live: &mut UnboundedReceiver<String>) {
    live.recv().await.unwrap();
}

#[tokio::test]
async fn code_and_output_come_back_in_the_order_written() {
    let ended = run("echo one; echo two >&2; echo three; echo four >&2; exit 3").await;
    assert_eq!(ended.ending, Ending::Exited(3));
    assert_eq!(ended.output.head, "one\ntwo\nthree\nfour\n");
    assert_eq!(ended.remains, Remains::Nothing);
}

#[tokio::test]
async fn a_signal_is_told_from_a_code() {
    assert_eq!(run("kill -9 $$").await.ending, Ending::Signalled(9));
    assert_eq!(run("kill -TERM $$").await.ending, Ending::Signalled(15));
    assert_eq!(run("exit 137").await.ending, Ending::Exited(137));
}

#[tokio::test]
async fn it_has_no_input_and_no_terminal() {
    let line = "read line && echo input; (: < /dev/tty) 2>/dev/null && echo terminal; echo $TERM $PAGER";
    assert_eq!(run(line).await.output.head, "dumb cat\n");
}

#[tokio::test]
async fn it_leads_a_session_of_its_own() {
    let ended = run("cut -d' ' -f1,5,6 /proc/$$/stat").await;
    let fields: Vec<&str> = ended.output.head.split_whitespace().collect();
    assert!(fields.len() == 3 && fields.iter().all(|field| field == &fields[0]), "{fields:?}");
}

#[tokio::test]
async fn it_runs_where_it_was_told_to() {
    let ground = Ground::new();
    let ended = ground.run(Project, "pwd -P").await;
    assert_eq!(ended.output.head.trim_end(), ground.project().to_str().unwrap());
}

#[tokio::test]
async fn a_missing_folder_and_an_endless_line_are_told_apart() {
    let ground = Ground::new();
    let sandbox = ground.sandbox(Project, LONG);
    let shell =
        Shell { line: "true".into(), argv: Vec::new(), cwd: ground.project().join("gone"), input: None, held: None };
    let missing = agent_sandbox::run(&shell, &sandbox, &ground.around, |_| ()).await;
    assert!(matches!(missing, Err(SandboxError::NoFolder { .. })), "{missing:?}");
    let endless = ground.try_run(Project, LONG, &format!("true {}", "x".repeat(3_000_000))).await;
    assert!(matches!(endless, Err(SandboxError::TooLong)), "{endless:?}");
}

#[tokio::test]
async fn when_the_time_is_up_all_of_it_ends_and_what_it_said_is_kept() {
    for profile in [Project, Profile::Unfenced] {
        let ground = Ground::new();
        let ended = ground.try_run(profile, SHORT, "echo on; sleep 1000 & sleep 1000; echo never").await.unwrap();
        assert_eq!((ended.ending, ended.output.head.as_str()), (Ending::TimedOut, "on\n"));
        assert_eq!(ground.survivors(), Vec::<String>::new());
    }
}

#[tokio::test]
async fn whoever_ignores_the_request_to_leave_is_killed() {
    let ground = Ground::new();
    let line = "trap '' TERM; while :; do sleep 1000; done";
    let ended = ground.try_run(Project, SHORT, line).await.unwrap();
    assert_eq!(ended.ending, Ending::TimedOut);
    assert_eq!(ground.survivors(), Vec::<String>::new());
}

#[tokio::test]
async fn a_handler_may_tidy_up_when_the_time_is_up() {
    let ground = Ground::new();
    let line = "trap 'echo tidied; exit 1' TERM; echo ready; while :; do sleep 0.01; done";
    let ended = ground.try_run(Project, SHORT, line).await.unwrap();
    assert_eq!(ended.ending, Ending::TimedOut);
    assert!(ended.output.head.ends_with("tidied\n"), "{:?}", ended.output);
}

#[tokio::test]
async fn dropping_it_ends_all_of_it_stubborn_members_too() {
    for line in ["echo on; sleep 1000 & sleep 1000", "trap '' TERM; echo on; sleep 1000 & while :; do sleep 1000; done"]
    {
        let (sender, mut live) = unbounded_channel();
        let ground = Ground::new();
        let (shell, sandbox) = (ground.shell(line), ground.sandbox(Project, LONG));
        {
            let running = agent_sandbox::run(&shell, &sandbox, &ground.around, |text| sender.send(text).unwrap());
            let mut running = pin!(running);
            tokio::select! {
                ended = &mut running => panic!("it ended by itself: {ended:?}"),
                () = ready(&mut live) => {}
            }
        }
        while !ground.survivors().is_empty() {
            // A kill takes effect when the system gets to it.
            tokio::task::yield_now().await;
        }
    }
}

#[tokio::test]
async fn what_is_left_in_the_background_is_ended_and_said() {
    for line in ["sleep 1000 &", "sleep 1000 >/dev/null 2>&1 &"] {
        let ground = Ground::new();
        let ended = ground.run(Project, line).await;
        assert_eq!((ended.ending, ended.remains), (Ending::Exited(0), Remains::Ended));
        assert_eq!(ground.survivors(), Vec::<String>::new());
    }
}

#[tokio::test]
async fn a_pipeline_leaves_nothing_behind() {
    let ended = run("yes | head -n 2").await;
    assert_eq!((ended.output.head.as_str(), ended.remains), ("y\ny\n", Remains::Nothing));
}

#[tokio::test]
async fn a_flood_is_read_to_its_end_and_little_of_it_kept() {
    let mut shown = 0;
    let ground = Ground::new();
    let (shell, sandbox) =
        (ground.shell("yes 0123456789abcde | head -c 50000000; echo end"), ground.sandbox(Project, LONG));
    let ended = agent_sandbox::run(&shell, &sandbox, &ground.around, |text| shown += text.len()).await.unwrap();
    let kept = &ended.output;
    assert!(kept.head.len() + kept.tail.len() <= 256 * 1024);
    assert!(kept.tail.ends_with("\nend\n"));
    assert_eq!(kept.head.len() as u64 + kept.lost.bytes + kept.tail.len() as u64, 50_000_004);
    assert!(shown < 50_000_004);
}
