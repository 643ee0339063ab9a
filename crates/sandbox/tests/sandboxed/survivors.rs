//! Nothing outlives its command, however it was started and however we end.

use crate::ground::{Ground, LONG, survivors};
use agent_protocol::Profile::{Project, ReadOnly, Unfenced};
use agent_sandbox::{Ending, Remains};
use std::env;
use std::io::{BufRead, BufReader};
use std::pin::pin;
use std::process::{Command, Stdio};
use tokio::sync::mpsc::unbounded_channel;

/// Ways to stay behind when the leader ends. Each says `on` when it is under way.
const DAEMONS: &[&str] = &[
    "sleep 1000 & echo on",
    "nohup sleep 1000 >/dev/null 2>&1 & echo on",
    "setsid sleep 1000 & echo on",
    "setsid sleep 1000 </dev/null >/dev/null 2>&1 & echo on",
    "(setsid sh -c 'setsid sleep 1000 & setsid sleep 1000 & sleep 1000' &) & wait; echo on",
    "(trap '' TERM HUP INT; sleep 1000 & while :; do sleep 1000; done) & echo on",
    "setsid sh -c 'trap \"\" TERM; while :; do sleep 1000; done' & echo on",
    "setsid sh -c 'kill -STOP $$; sleep 1000' & echo on",
    "setsid sh -c 'trap \"setsid sleep 1000 & exit\" TERM; while :; do sleep 0.1; done' & sleep 0.2; echo on",
    "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do (setsid setsid sleep 1000 &) & done; wait; echo on",
];

#[tokio::test]
async fn no_daemon_outlives_its_leader() {
    for line in DAEMONS {
        for profile in [ReadOnly, Project, Unfenced] {
            let ground = Ground::new();
            let ended = ground.run(profile, line).await;
            assert_eq!((ended.ending, ended.remains), (Ending::Exited(0), Remains::Ended), "{profile:?}: {line}");
            assert!(ended.output.head.starts_with("on\n"), "{profile:?}: {line}");
            assert_eq!(ground.survivors(), Vec::<String>::new(), "{profile:?}: {line}");
        }
    }
}

#[tokio::test]
async fn no_daemon_outlives_the_time() {
    let all = DAEMONS.iter().map(async |line| {
        let ground = Ground::new();
        let ended = ground.try_run(Project, 1, &format!("{line}; sleep 1000")).await.unwrap();
        assert_eq!(ended.ending, Ending::TimedOut, "{line}");
        assert_eq!(ground.survivors(), Vec::<String>::new(), "{line}");
    });
    futures_util::future::join_all(all).await;
}

#[tokio::test]
async fn no_daemon_outlives_a_cancel() {
    for line in DAEMONS {
        let (sender, mut live) = unbounded_channel();
        let ground = Ground::new();
        let (shell, sandbox) = (ground.shell(&format!("{line}; sleep 1000")), ground.sandbox(Project, LONG));
        {
            let running = agent_sandbox::run(&shell, &sandbox, &ground.around, |text| sender.send(text).unwrap());
            let mut running = pin!(running);
            tokio::select! {
                ended = &mut running => panic!("it ended by itself: {ended:?}"),
                said = live.recv() => assert_eq!(said.unwrap(), "on\n"),
            }
        }
        while !ground.survivors().is_empty() {
            // A kill takes effect when the system gets to it.
            tokio::task::yield_now().await;
        }
    }
}

#[tokio::test]
async fn a_leader_that_stopped_itself_is_ended_when_its_time_is_up() {
    let ground = Ground::new();
    let ended = ground.try_run(Project, 1, "setsid sleep 1000 & kill -STOP $$").await.unwrap();
    assert_eq!(ended.ending, Ending::TimedOut);
    assert_eq!(ground.survivors(), Vec::<String>::new());
}

/// Each generation ends as soon as the next has begun, in a session of its own.
#[tokio::test]
async fn whoever_runs_away_by_forking_is_caught() {
    let ground = Ground::new();
    let source = "#include <unistd.h>\n#include <stdio.h>\nint main(void) { puts(\"on\"); fflush(stdout);\
        for (;;) { int id = fork(); if (id > 0) _exit(0); if (id == 0) setsid(); usleep(100); } }";
    std::fs::write(ground.project().join("run.c"), source).unwrap();
    let ended = ground.run(Unfenced, "cc -o run run.c").await;
    assert_eq!(ended.ending, Ending::Exited(0), "{ended:?}");
    let ended = ground.run(Project, "./run & ./run & ./run & sleep 0.1").await;
    assert_eq!((ended.ending, ended.remains), (Ending::Exited(0), Remains::Ended));
    assert_eq!(ground.survivors(), Vec::<String>::new());
}

#[tokio::test]
async fn chains_that_start_another_and_end_faster_than_anybody_can_look_are_ended() {
    let ground = Ground::new();
    std::fs::write(ground.project().join("chains.c"), CHAINS).unwrap();
    let ended = ground.run(Unfenced, "cc -o chains chains.c").await;
    assert_eq!(ended.ending, Ending::Exited(0), "{ended:?}");
    for profile in [Project, Unfenced] {
        let ended = ground.run(profile, "./chains").await;
        assert_eq!((ended.ending, ended.remains), (Ending::Exited(0), Remains::Ended), "{profile:?}");
        assert_eq!(ground.survivors(), Vec::<String>::new(), "{profile:?}");
    }
}

/// Twenty processes, each of which goes on in a child with a session of its own, and that one in its child: slowly enough
/// that others on the machine still get processes too. After a minute they end by themselves.
const CHAINS: &str = r#"
#include <signal.h>
#include <time.h>
#include <unistd.h>
int main(void) {
    time_t end = time(0) + 60;
    signal(SIGTERM, SIG_IGN);
    for (int i = 0; i < 20; i++)
        if (!fork())
            while (time(0) < end) { setsid(); usleep(300); if (fork() > 0) _exit(0); }
    return 0;
}
"#;

#[tokio::test]
async fn a_supervisor_that_was_killed_is_said_and_its_group_ended() {
    let ground = Ground::new();
    let ended = ground.run(Unfenced, "echo on; kill -KILL $PPID; sleep 1000").await;
    assert_eq!((ended.ending, ended.remains), (Ending::Signalled(9), Remains::Escaped));
    assert_eq!(ended.output.head, "on\n");
    while !ground.survivors().is_empty() {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn within_a_sandbox_nobody_harms_the_supervisor() {
    let ground = Ground::new();
    for signal in ["KILL", "TERM", "STOP"] {
        let ended = ground.run(Project, &format!("kill -{signal} $PPID || echo refused")).await;
        assert!(ended.output.head.ends_with("refused\n"), "{ended:?}");
        assert_eq!(ended.ending, Ending::Exited(0));
    }
}

/// Names the test that a copy of this program runs until it is killed.
const VICTIM: &str = "survivors::a_program_that_runs_commands_until_it_is_killed";
/// Set in that copy: what it runs.
const PART: &str = "FENCED_PART";

/// Started by the test below; by itself it does nothing.
#[tokio::test]
async fn a_program_that_runs_commands_until_it_is_killed() {
    let Ok(line) = env::var(PART) else { return };
    let ground = Ground::marked(env::var("FENCED_MARKER").unwrap());
    let (shell, sandbox) = (ground.shell(&line), ground.sandbox(Unfenced, LONG));
    let tell = |text: String| {
        // On the stream that the test harness does not catch.
        rustix::io::write(rustix::stdio::stderr(), text.as_bytes()).unwrap();
    };
    agent_sandbox::run(&shell, &sandbox, &ground.around, tell).await.unwrap();
}

#[test]
fn when_we_are_killed_so_is_everything() {
    for (number, line) in DAEMONS.iter().enumerate() {
        let place = tempfile::TempDir::new().unwrap();
        let marker = format!("killed-{}-{number}", std::process::id());
        let mut victim = Command::new(env::current_exe().unwrap())
            .args([VICTIM, "--exact", "--nocapture"])
            .env(PART, format!("{line}; sleep 1000"))
            .env("FENCED_MARKER", &marker)
            .env("TMPDIR", place.path())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = String::new();
        BufReader::new(victim.stderr.as_mut().unwrap()).read_line(&mut said).unwrap();
        assert_eq!(said, "on\n", "{line}");
        assert!(!survivors(&marker).is_empty());
        victim.kill().unwrap();
        victim.wait().unwrap();
        while !survivors(&marker).is_empty() {
            std::thread::yield_now();
        }
    }
}

#[tokio::test]
async fn commands_side_by_side_do_not_end_each_other() {
    let ground = Ground::new();
    let sandbox = ground.sandbox(Project, LONG);
    let shells: Vec<_> = (0..8).map(|number| ground.shell(&format!("setsid sleep 1000 & sleep 0.{number}"))).collect();
    let running = shells.iter().map(|shell| agent_sandbox::run(shell, &sandbox, &ground.around, |_| ()));
    for ended in futures_util::future::join_all(running).await {
        let ended = ended.unwrap();
        assert_eq!((ended.ending, ended.remains), (Ending::Exited(0), Remains::Ended));
    }
    assert_eq!(ground.survivors(), Vec::<String>::new());
}
