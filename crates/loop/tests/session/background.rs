//! Commands in the background: started, looked at, stopped, and gone with the session.

use crate::scripted::*;
use agent_protocol::*;
use agent_protocol::{CallEvent, CallOp, ContextEvent, ContextOp, SessionEvent, TurnEvent};
use serde_json::json;

fn start(command: &str) -> Reply {
    calls("run_command", json!({"command": command, "background": true, "description": "Start the server"}))
}

fn jobs(arguments: serde_json::Value) -> Reply {
    calls("jobs", arguments)
}

/// Stands for the number of its process in `pid`, says that it is there, and goes on.
const SERVER: &str = "sleep 300 & echo $! > pid; echo up; wait";

/// Writes what others obey once it is let go, and goes on.
const TAMPERS: &str = "until [ -e go ]; do sleep 0.01; done; echo x > .envrc; touch done; sleep 300";

/// How the commands in the background stand, once `wanted` is so.
async fn stand(session: &mut Session, wanted: impl Fn(&[BackgroundCommand]) -> bool) -> Vec<BackgroundCommand> {
    session
        .until(|event| match event {
            Event::Call(CallEvent::Jobs { jobs }) if wanted(jobs) => Some(jobs.clone()),
            _ => None,
        })
        .await
}

/// What the model was told of its calls, in order.
fn told(session: &Session) -> Vec<String> {
    let messages = session.last_request();
    messages
        .into_iter()
        .filter(|message| message.role == Role::Tool)
        .map(|message| message.content.to_string())
        .collect()
}

#[tokio::test]
async fn one_is_started_listed_read_and_stopped() {
    let replies = vec![
        start(SERVER),
        jobs(json!({"action": "list"})),
        jobs(json!({"action": "output", "id": 1, "since": 0})),
        jobs(json!({"action": "stop", "id": 1})),
        says("done"),
    ];
    let mut session = open(Mode::Unsafe, replies);
    assert_eq!(turn(&mut session, "serve it").await, TurnEndReason::Done);
    let told = told(&session);
    assert!(told[0].starts_with("it runs in the background as number 1; jobs shows"), "{}", told[0]);
    assert!(told[0].ends_with("so far it said:\nup\n"), "{}", told[0]);
    assert!(told[1].starts_with("1 sleep 300 & echo $! > pid; echo up; wait (Start the server): running for"));
    assert_eq!(told[2], "command 1 is running; output:\nup\n");
    assert!(told[3].starts_with("command 1 was stopped; it said nothing new"), "{}", told[3]);
    let pid = session.read("pid");
    assert!(!alive(&pid), "what it started is gone with it");
    session.leave().await;
}

#[tokio::test]
async fn a_receipt_marks_what_was_left_running() {
    let mut session = open(Mode::Unsafe, vec![start(SERVER), says("it runs")]);
    session.say("serve it");
    let receipt = session.until(|event| match event {
        Event::Turn(TurnEvent::Receipt { receipt, .. }) => Some(receipt.clone()),
        _ => None,
    });
    let ran = CommandReceipt { command: SERVER.into(), status: Status::Done, background: true, parts: Vec::new() };
    assert_eq!(receipt.await.commands, [ran]);
    session.leave().await;
}

#[tokio::test]
async fn all_end_with_the_session_and_the_faces_hear_of_it() {
    let mut session = open(Mode::Unsafe, vec![start(SERVER), says("it runs")]);
    assert_eq!(turn(&mut session, "serve it").await, TurnEndReason::Done);
    let pid = session.read("pid");
    assert!(alive(&pid), "it outlives its turn");
    session.op(Op::Context(ContextOp::Clear));
    session.until(|event| matches!(event, Event::Context(ContextEvent::Cleared)).then_some(())).await;
    assert!(alive(&pid), "and the conversation");
    drop(session.ops);
    session.ended.await.unwrap();
    assert!(!alive(&pid), "and not the session");
    let mut last = Vec::new();
    while let Ok(event) = session.events.try_recv() {
        if let Event::Call(CallEvent::Jobs { jobs }) = event {
            last = jobs;
        }
    }
    assert_eq!(last.iter().map(|job| job.state).collect::<Vec<_>>(), [BackgroundState::Stopped]);
}

#[tokio::test]
async fn the_person_stops_one_and_the_model_is_told_with_the_next_thing_said() {
    let mut session = open(Mode::Unsafe, vec![start(SERVER), says("it runs"), says("I see")]);
    session.say("serve it");
    let running = stand(&mut session, |jobs| !jobs.is_empty()).await;
    assert_eq!((running[0].id, running[0].description.as_str()), (BackgroundId(1), "Start the server"));
    session.ended().await;
    let pid = session.read("pid");
    session.op(Op::Call(CallOp::StopJob { job: Some(BackgroundId(1)) }));
    stand(&mut session, |jobs| jobs[0].state == BackgroundState::Stopped).await;
    assert!(!alive(&pid));
    turn(&mut session, "go on").await;
    let expected = format!("(the user stopped the background command 1, `{SERVER}`)\n\ngo on");
    assert_eq!(session.last_told(), expected);
    session.leave().await;
}

#[tokio::test]
async fn that_one_ended_by_itself_is_told_once() {
    let line = "while [ ! -e go ]; do sleep 0.01; done; exit 1";
    let mut session = open(Mode::Unsafe, vec![start(line), says("it runs"), says("I see"), says("yes")]);
    turn(&mut session, "serve it").await;
    session.write("go", "");
    stand(&mut session, |jobs| jobs[0].state == BackgroundState::Ended { code: Some(1) }).await;
    turn(&mut session, "go on").await;
    let expected =
        format!("(the background command 1, `{line}`, ended with exit code 1; jobs shows its output)\n\ngo on");
    assert_eq!(session.last_told(), expected);
    turn(&mut session, "and now").await;
    assert_eq!(session.last_told(), "and now");
    session.leave().await;
}

#[tokio::test]
async fn in_safe_mode_starting_asks_and_looking_and_stopping_do_not() {
    let replies =
        vec![start(SERVER), jobs(json!({"id": 1, "since": 0})), jobs(json!({"action": "stop"})), says("done")];
    let mut session = open(Mode::Safe, replies);
    session.say("serve it");
    let question = session.asked().await;
    let PreviewBody::Command { background, cover, timeout_secs, .. } = &question.preview.body else {
        panic!("it is a command")
    };
    assert_eq!((*background, cover, *timeout_secs), (true, &None, 0), "undo claims nothing of it");
    assert!(question.preview.title.ends_with("(Start the server)"), "{}", question.preview.title);
    session.op(Op::Call(CallOp::Reply { ask: question.id, answer: Answer::Yes { remember: None, word: None } }));
    assert_eq!(session.ended().await, TurnEndReason::Done);
    session.leave().await;
}

#[tokio::test]
async fn nothing_is_claimed_of_what_one_changes_and_in_plan_mode_none_begins() {
    let mut session =
        open_kept(vec![start("echo made > made.txt; sleep 300"), says("it runs"), start("sleep 300"), says("no")]);
    turn(&mut session, "serve it").await;
    assert_eq!(session.read("made.txt"), "made\n");
    assert_eq!(undoable(&mut session).await, Vec::new());
    session.op(Op::Call(CallOp::SetMode { mode: Mode::Plan }));
    turn(&mut session, "another").await;
    assert!(session.last_told().contains("plan mode"), "{}", session.last_told());
    session.leave().await;
}

#[tokio::test]
async fn what_one_does_to_protected_files_is_known_before_the_next_call_is_judged() {
    let mut session = open(Mode::Unsafe, vec![start("sh x.sh"), says("it runs"), run_command("true"), says("well")]);
    session.write("x.sh", TAMPERS);
    turn(&mut session, "serve it").await;
    session.write("go", "");
    while !session.project().join("done").exists() {
        tokio::task::yield_now().await;
    }
    session.say("go on");
    let warned = session.until(|event| match event {
        Event::Session(SessionEvent::Notice { level: NoticeLevel::Warning, text }) => Some(text.clone()),
        _ => None,
    });
    let warned = warned.await;
    assert!(warned.contains(".envrc (new)") && warned.contains("what you allowed beforehand"), "{warned}");
    let question = session.asked().await;
    session.op(Op::Call(CallOp::Reply { ask: question.id, answer: Answer::No { word: None } }));
    session.ended().await;
    session.leave().await;
}

#[tokio::test]
async fn what_one_did_until_the_session_ended_is_told_at_the_end() {
    let mut session = open(Mode::Unsafe, vec![start("sh x.sh"), says("it runs")]);
    session.write("x.sh", TAMPERS);
    turn(&mut session, "serve it").await;
    session.write("go", "");
    while !session.project().join("done").exists() {
        tokio::task::yield_now().await;
    }
    drop(session.ops);
    session.ended.await.unwrap();
    let mut warned = false;
    while let Ok(event) = session.events.try_recv() {
        warned |= matches!(event, Event::Session(SessionEvent::Notice { text, .. }) if text.contains(".envrc (new)"));
    }
    assert!(warned);
}
