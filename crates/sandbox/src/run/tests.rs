//! Real children of a real shell; every wait is for a condition.

use super::*;
use crate::group::anyone_in;
use rustix::process::Pid;
use std::path::Path;
use tempfile::TempDir;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_secs(1);

fn shell(line: &str, cwd: &Path) -> Shell {
    Shell { line: line.into(), cwd: cwd.into() }
}

async fn run_in_temp(line: &str, time: Duration) -> Ended {
    let folder = TempDir::new().unwrap();
    run_for(&shell(line, folder.path()), time, |_| ()).await.unwrap()
}

/// The first line that comes, as the process group it names.
async fn group_from(live: &mut UnboundedReceiver<String>) -> Pid {
    let mut text = String::new();
    while !text.contains('\n') {
        text.push_str(&live.recv().await.unwrap());
    }
    Pid::from_raw(text.lines().next().unwrap().trim().parse().unwrap()).unwrap()
}

#[tokio::test]
async fn code_and_output_come_back_in_the_order_written() {
    let ended = run_in_temp("echo one; echo two >&2; echo three; echo four >&2; exit 3", LONG).await;
    assert_eq!(ended.ending, Ending::Exited(3));
    assert_eq!(ended.output.head, "one\ntwo\nthree\nfour\n");
    assert_eq!(ended.remains, Remains::Nothing);
}

#[tokio::test]
async fn a_signal_is_told_from_a_code() {
    assert_eq!(run_in_temp("kill -9 $$", LONG).await.ending, Ending::Signalled(9));
}

#[tokio::test]
async fn it_has_no_input_and_no_terminal() {
    let line = "read line && echo input; (: < /dev/tty) 2>/dev/null && echo terminal; echo $TERM $PAGER";
    assert_eq!(run_in_temp(line, LONG).await.output.head, "dumb cat\n");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn it_leads_a_session_of_its_own() {
    let ended = run_in_temp("cut -d' ' -f1,5,6 /proc/$$/stat", LONG).await;
    let fields: Vec<&str> = ended.output.head.split_whitespace().collect();
    assert!(fields.len() == 3 && fields.iter().all(|field| field == &fields[0]), "{fields:?}");
}

#[tokio::test]
async fn it_runs_where_it_was_told_to() {
    let folder = TempDir::new().unwrap();
    let real = folder.path().canonicalize().unwrap();
    let ended = run_for(&shell("pwd -P", &real), LONG, |_| ()).await.unwrap();
    assert_eq!(ended.output.head.trim_end(), real.to_str().unwrap());
}

#[tokio::test]
async fn a_missing_folder_and_an_endless_line_are_told_apart() {
    let folder = TempDir::new().unwrap();
    let missing = run_for(&shell("true", &folder.path().join("gone")), LONG, |_| ()).await;
    assert!(matches!(missing, Err(SandboxError::NoFolder { .. })), "{missing:?}");
    let line = format!("true {}", "x".repeat(3_000_000));
    let endless = run_for(&shell(&line, folder.path()), LONG, |_| ()).await;
    assert!(matches!(endless, Err(SandboxError::TooLong)), "{endless:?}");
}

#[tokio::test]
async fn when_the_time_is_up_the_whole_group_ends_and_what_it_said_is_kept() {
    let (sender, mut live) = unbounded_channel();
    let folder = TempDir::new().unwrap();
    let line = "echo $$; sleep 1000 & sleep 1000; echo never";
    let ended = run_for(&shell(line, folder.path()), SHORT, |text| sender.send(text).unwrap()).await.unwrap();
    let group = group_from(&mut live).await;
    assert_eq!((ended.ending, ended.output.head), (Ending::TimedOut, format!("{}\n", group.as_raw_nonzero())));
    assert!(!anyone_in(group));
}

#[tokio::test]
async fn whoever_ignores_the_request_to_leave_is_killed() {
    let (sender, mut live) = unbounded_channel();
    let folder = TempDir::new().unwrap();
    let line = "trap '' TERM; echo $$; while :; do sleep 1000; done";
    let ended = run_for(&shell(line, folder.path()), SHORT, |text| sender.send(text).unwrap()).await.unwrap();
    assert_eq!(ended.ending, Ending::TimedOut);
    assert!(!anyone_in(group_from(&mut live).await));
}

#[tokio::test]
async fn a_handler_may_tidy_up_when_the_time_is_up() {
    let line = "trap 'echo tidied; exit 1' TERM; echo ready; while :; do sleep 0.01; done";
    let ended = run_in_temp(line, SHORT).await;
    assert_eq!(ended.ending, Ending::TimedOut);
    assert!(ended.output.head.ends_with("tidied\n"), "{:?}", ended.output);
}

#[tokio::test]
async fn dropping_it_ends_the_whole_group_stubborn_members_too() {
    for line in ["echo $$; sleep 1000 & sleep 1000", "trap '' TERM; echo $$; sleep 1000 & while :; do sleep 1000; done"]
    {
        let (sender, mut live) = unbounded_channel();
        let folder = TempDir::new().unwrap();
        let shell = shell(line, folder.path());
        let group = {
            let mut running = pin!(run_for(&shell, LONG, |text| sender.send(text).unwrap()));
            tokio::select! {
                ended = &mut running => panic!("it ended by itself: {ended:?}"),
                group = group_from(&mut live) => group,
            }
        };
        while anyone_in(group) {
            // A kill takes effect when the system gets to it.
            tokio::task::yield_now().await;
        }
    }
}

#[tokio::test]
async fn what_is_left_in_the_background_is_ended_and_said() {
    for line in ["echo $$; sleep 1000 &", "echo $$; sleep 1000 >/dev/null 2>&1 &"] {
        let (sender, mut live) = unbounded_channel();
        let folder = TempDir::new().unwrap();
        let ended = run_for(&shell(line, folder.path()), LONG, |text| sender.send(text).unwrap()).await.unwrap();
        assert_eq!((ended.ending, ended.remains), (Ending::Exited(0), Remains::Ended));
        assert!(!anyone_in(group_from(&mut live).await));
    }
}

#[tokio::test]
async fn a_pipeline_leaves_nothing_behind() {
    let ended = run_in_temp("yes | head -n 2", LONG).await;
    assert_eq!((ended.output.head.as_str(), ended.remains), ("y\ny\n", Remains::Nothing));
}

#[tokio::test]
async fn a_flood_is_read_to_its_end_and_little_of_it_kept() {
    let mut shown = 0;
    let folder = TempDir::new().unwrap();
    let line = "yes 0123456789abcde | head -c 50000000; echo end";
    let ended = run_for(&shell(line, folder.path()), LONG, |text| shown += text.len()).await.unwrap();
    let kept = &ended.output;
    assert!(kept.head.len() + kept.tail.len() <= 256 * 1024);
    assert!(kept.tail.ends_with("\nend\n"));
    assert_eq!(kept.head.len() as u64 + kept.lost.bytes + kept.tail.len() as u64, 50_000_004);
    assert!(shown < 50_000_004);
}
