//! A command that is held stands still with all it started, and so does its time.

use crate::ground::{Ground, LONG};
use agent_protocol::Profile::{Project, Unfenced};
use agent_sandbox::{Ending, Hold, More, run_with};
use std::fs;
use std::path::Path;
use std::pin::pin;
use std::time::Duration;
use tokio::sync::mpsc::unbounded_channel;

/// Counts in a file, in a process of its own session, for ever; `ready` is said when it has begun.
const COUNTING: &str = "setsid sh -c 'i=0; while :; do i=$((i+1)); echo $i > count; done' & \
    until test -s count; do :; done; echo ready; wait";

/// Whoever descends from here and does not stand still, by the number of the process.
fn running(ground: &Ground) -> Vec<String> {
    let states = ground.survivors().into_iter().filter_map(|process| {
        let id = process.split(' ').next()?;
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).ok()?;
        // Stopped, or waiting in the kernel for a child that was stopped before it ran its program.
        (!stat.rsplit_once(')')?.1.trim_start().starts_with(['T', 'D'])).then(|| format!("{process} {stat}"))
    });
    states.collect()
}

fn counted(ground: &Ground) -> String {
    fs::read_to_string(ground.project().join("count")).unwrap_or_default()
}

/// Waits until it is so, and lets others work meanwhile.
async fn until(mut so: impl FnMut() -> bool) {
    while !so() {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

#[tokio::test]
async fn who_is_held_stands_still_and_goes_on_afterwards() {
    for profile in [Project, Unfenced] {
        let ground = Ground::new();
        let (sender, mut live) = unbounded_channel();
        let (hold, shell, sandbox) = (Hold::new(), ground.shell(COUNTING), ground.sandbox(profile, LONG));
        let more = More { hold: Some(hold.clone()), ..More::default() };
        let running_command = run_with(&shell, &sandbox, &ground.around, more, |text| sender.send(text).unwrap());
        let watching = async {
            live.recv().await.unwrap();
            for _ in 0..3 {
                let (one, two) = (hold.hold(), hold.hold());
                until(|| running(&ground).is_empty()).await;
                drop(one);
                let before = counted(&ground);
                // A look at all processes, several times over, takes longer than a count.
                for _ in 0..5 {
                    assert_eq!(running(&ground), Vec::<String>::new(), "{profile:?}");
                }
                assert_eq!(counted(&ground), before, "{profile:?}");
                drop(two);
                until(|| ![before.as_str(), ""].contains(&counted(&ground).as_str())).await;
            }
        };
        tokio::select! {
            ended = running_command => panic!("it ended by itself: {ended:?}"),
            () = watching => {}
        }
        assert_eq!(ground.survivors(), Vec::<String>::new());
    }
}

#[tokio::test]
async fn while_it_is_held_its_time_stands_still() {
    let ground = Ground::new();
    let (hold, sandbox) = (Hold::new(), ground.sandbox(Project, 1));
    let shell = ground.shell("echo ready; until test -e go; do sleep 0.01; done; echo went on");
    let more = More { hold: Some(hold.clone()), ..More::default() };
    let held = hold.hold();
    let letting_go = async {
        // Twice the time it has.
        tokio::time::sleep(sandbox.time() * 2).await;
        fs::write(ground.project().join("go"), "").unwrap();
        drop(held);
    };
    let (ended, ()) = tokio::join!(run_with(&shell, &sandbox, &ground.around, more, |_| ()), letting_go);
    let ended = ended.unwrap();
    assert_eq!((ended.ending, ended.output.head.as_str()), (Ending::Exited(0), "ready\nwent on\n"));
}

#[tokio::test]
async fn one_that_is_held_can_be_ended() {
    for line in [COUNTING, "trap '' TERM; echo 1 > count; echo ready; while :; do sleep 1000; done"] {
        let ground = Ground::new();
        let (sender, mut live) = unbounded_channel();
        let (hold, shell, sandbox) = (Hold::new(), ground.shell(line), ground.sandbox(Project, LONG));
        let more = More { hold: Some(hold.clone()), ..More::default() };
        let _held;
        {
            let running_command = run_with(&shell, &sandbox, &ground.around, more, |text| sender.send(text).unwrap());
            let mut running_command = pin!(running_command);
            tokio::select! {
                ended = &mut running_command => panic!("it ended by itself: {ended:?}"),
                _ = live.recv() => {}
            }
            _held = hold.hold();
            tokio::select! {
                ended = &mut running_command => panic!("it ended by itself: {ended:?}"),
                () = until(|| running(&ground).is_empty()) => {}
            }
        }
        until(|| ground.survivors().is_empty()).await;
        assert!(Path::new(&ground.project()).join("count").exists());
    }
}
