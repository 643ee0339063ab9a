//! A scripted server, real tools, a temporary project.
use crate::scripted::*;
use agent_protocol::*;
use agent_protocol::{CallEvent, CallOp, ServerEvent, ServerOp, SessionEvent, TurnEvent, TurnOp};
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

fn yes() -> Answer {
    Answer::Yes { remember: None, word: None }
}

#[tokio::test]
async fn what_a_tool_found_reaches_the_model() {
    let mut session = open(Mode::Safe, vec![calls("read_file", json!({"file_path": "a.txt"})), says("it says hi")]);
    session.write("a.txt", "hi there\n");
    session.say("what is in a.txt?");
    assert_eq!(session.ended().await, TurnEndReason::Done);
    assert!(session.last_told().contains("hi there"), "{}", session.last_told());
}

#[tokio::test]
async fn an_approved_write_is_on_disk_and_a_refused_one_is_not() {
    let write = || calls("write_file", json!({"file_path": "new.txt", "content": "text\n"}));
    let mut session = open(Mode::Safe, vec![write(), write(), says("fine")]);
    session.say("write it");
    let question = session.asked().await;
    session.op(Op::Call(CallOp::Reply { ask: question.id, answer: Answer::No { word: Some("not yet".into()) } }));
    let question = session.asked().await;
    assert!(!session.project().join("new.txt").exists());
    assert!(session.last_told().ends_with("not yet"));
    session.op(Op::Call(CallOp::Reply { ask: question.id, answer: yes() }));
    assert_eq!(session.ended().await, TurnEndReason::Done);
    assert_eq!(session.read("new.txt"), "text\n");
}

#[tokio::test]
async fn a_call_in_another_agents_words_says_so_before_it_asks_and_is_carried_out() {
    let write = calls("Write", json!({"filename": "new.txt", "contents": "text\n"}));
    let mut session = open(Mode::Safe, vec![write, says("fine")]);
    session.say("write it");
    let understood = session
        .until(|event| match event {
            Event::Call(CallEvent::Understood { name, notes, .. }) => Some((name.clone(), notes.clone())),
            Event::Call(CallEvent::Asked { .. }) => Some((String::new(), Vec::new())),
            _ => None,
        })
        .await;
    let notes = ["`Write` was read as write_file", "`filename` and `contents` were read as file_path and content"];
    assert_eq!(understood, ("write_file".to_owned(), notes.map(String::from).to_vec()));
    let question = session.asked().await;
    session.op(Op::Call(CallOp::Reply { ask: question.id, answer: yes() }));
    assert_eq!(session.ended().await, TurnEndReason::Done);
    assert_eq!(session.read("new.txt"), "text\n");
}

#[tokio::test]
async fn a_file_that_changed_while_the_question_stood_is_not_written() {
    let edit = json!({"file_path": "a.txt", "old_string": "one", "new_string": "two"});
    let mut session = open(Mode::Safe, vec![calls("edit_file", edit), says("it changed meanwhile")]);
    session.write("a.txt", "one\n");
    session.say("edit it");
    let question = session.asked().await;
    session.write("a.txt", "one, changed by hand\n");
    session.op(Op::Call(CallOp::Reply { ask: question.id, answer: yes() }));
    assert_eq!(session.ended().await, TurnEndReason::Done);
    assert_eq!(session.read("a.txt"), "one, changed by hand\n");
    assert!(session.last_told().contains("read it again"), "{}", session.last_told());
}

#[tokio::test]
async fn a_text_edited_by_the_person_is_asked_again_and_written_as_shown() {
    let mut session =
        open(Mode::Safe, vec![calls("write_file", json!({"file_path": "a.txt", "content": "model"})), says("ok")]);
    session.say("write it");
    let question = session.asked().await;
    let path = session.project().join("a.txt");
    let proposal = Proposal::Text { path, text: "person".into() };
    session.op(Op::Call(CallOp::Reply { ask: question.id, answer: Answer::Instead { proposal } }));
    let question = session.asked().await;
    assert!(!session.project().join("a.txt").exists());
    session.op(Op::Call(CallOp::Reply { ask: question.id, answer: yes() }));
    session.ended().await;
    assert_eq!(session.read("a.txt"), "person");
}

#[tokio::test]
async fn an_edited_command_is_the_one_that_runs() {
    let mut session = open(Mode::Safe, vec![run_command("echo model > out.txt"), says("ok")]);
    session.say("run it");
    let question = session.asked().await;
    let proposal = Proposal::Command { command: "echo person > out.txt".into() };
    session.op(Op::Call(CallOp::Reply { ask: question.id, answer: Answer::Instead { proposal } }));
    let question = session.asked().await;
    session.op(Op::Call(CallOp::Reply { ask: question.id, answer: yes() }));
    session.ended().await;
    assert_eq!(session.read("out.txt"), "person\n");
}

#[tokio::test]
async fn output_arrives_while_the_command_runs_and_before_its_end() {
    let mut session = open(Mode::Unsafe, vec![run_command("echo first; exit 3"), says("ok")]);
    session.say("run it");
    let text = session
        .until(|event| match event {
            Event::Call(CallEvent::Output { chunk, .. }) => Some(chunk.text.clone()),
            Event::Call(CallEvent::Finished { .. }) => panic!("the end came before the output"),
            _ => None,
        })
        .await;
    assert_eq!(text, "first\n");
    let status = session
        .until(|event| match event {
            Event::Call(CallEvent::Finished { outcome, .. }) => Some(outcome.status),
            _ => None,
        })
        .await;
    assert_eq!(status, Status::Exited { code: Some(3) });
}

/// A command that says its pid and that of a child of its, and stays.
const STAYS: &str = "sleep 1000 & echo $$ $!; wait";

async fn pids(session: &mut Session) -> Vec<String> {
    let said = session
        .until(|event| match event {
            Event::Call(CallEvent::Output { chunk, .. }) => Some(chunk.text.clone()),
            _ => None,
        })
        .await;
    said.split_whitespace().map(str::to_owned).collect()
}

async fn gone(pids: &[String]) {
    while pids.iter().any(|pid| alive(pid)) {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn interrupting_a_command_ends_it_with_all_it_started() {
    let mut session = open(Mode::Unsafe, vec![run_command(STAYS), says("never said")]);
    session.say("run it");
    let pids = pids(&mut session).await;
    assert!(pids.len() == 2 && pids.iter().all(|pid| alive(pid)), "{pids:?}");
    session.op(Op::Turn(TurnOp::Interrupt));
    assert_eq!(session.ended().await, TurnEndReason::Interrupted);
    gone(&pids).await;
    assert_eq!(session.backend.requests.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn a_face_that_leaves_takes_the_running_command_with_it() {
    let mut session = open(Mode::Unsafe, vec![run_command(STAYS)]);
    session.say("run it");
    let pids = pids(&mut session).await;
    drop(session.ops);
    session.ended.await.unwrap();
    gone(&pids).await;
}

#[tokio::test]
async fn interrupting_the_model_drops_its_stream() {
    let hangs = Reply::Hangs(vec![ModelEvent::Text { text: "once".into() }]);
    let mut session = open(Mode::Safe, vec![hangs]);
    session.say("tell me");
    session.until(|event| matches!(event, Event::Turn(TurnEvent::Text { .. })).then_some(())).await;
    session.op(Op::Turn(TurnOp::Interrupt));
    assert_eq!(session.ended().await, TurnEndReason::Interrupted);
    while session.backend.dropped.load(Ordering::SeqCst) == 0 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn what_was_said_and_chosen_is_kept_for_the_next_session() {
    let mut session = open(Mode::Safe, vec![says("hello")]);
    session.say("hi\nthere");
    session.ended().await;
    session.op(Op::Server(ServerOp::SetModel { name: "other".into() }));
    session
        .until(|event| {
            matches!(event, Event::Server(ServerEvent::ModelSet { card, .. }) if card.name == "other").then_some(())
        })
        .await;
    let place = agent_store::Place::new(session.folder.path().join("state"));
    assert_eq!(agent_store::History::new(place.clone()).load(), ["hi\nthere"]);
    assert_eq!(agent_store::Remembered::load(&place).model.as_deref(), Some("other"));
}

#[tokio::test]
async fn what_cannot_be_kept_is_said_once_and_the_work_goes_on() {
    let folder = folder();
    std::fs::write(folder.path().join("state"), "a file where a folder should be").unwrap();
    let replies = vec![says("hello"), says("again")];
    let mut session = open_in(folder, Opening { replies, kept: false, ..Opening::default() });
    session.say("hi");
    let notice = session.until(|event| match event {
        Event::Session(SessionEvent::Notice { level: NoticeLevel::Warning, text }) => Some(text.clone()),
        _ => None,
    });
    assert!(notice.await.ends_with("nothing is kept for the next session"));
    assert_eq!(session.ended().await, TurnEndReason::Done);
    session.say("hi again");
    let end = session.until(|event| match event {
        Event::Session(SessionEvent::Notice { text, .. }) => Some(Err(text.clone())),
        Event::Turn(TurnEvent::Ended { reason, .. }) => Some(Ok(reason.clone())),
        _ => None,
    });
    assert_eq!(end.await, Ok(TurnEndReason::Done), "it is said once");
}

#[tokio::test(start_paused = true)]
async fn a_server_that_was_started_is_waited_for() {
    let down = Arc::new(AtomicBool::new(true));
    let starting = down.clone();
    let start = Arc::new(move || {
        let down = starting.clone();
        tokio::spawn(async move {
            tokio::time::sleep(std::time::Duration::from_secs(3)).await;
            down.store(false, Ordering::SeqCst);
        });
        Ok(())
    });
    let mut session = open_with(Mode::Safe, vec![says("hello")], Some(start), down);
    session.say("hi");
    session
        .until(|event| {
            matches!(event, Event::Server(ServerEvent::Server { state: ServerState::Down { can_start: true, .. } }))
                .then_some(())
        })
        .await;
    session.op(Op::Server(ServerOp::StartServer));
    assert_eq!(session.ended().await, TurnEndReason::Done);
}

/// How often the model is asked to stay within so many minutes, where it was loaded with a window of so many tokens and
/// lies in memory with so many now.
async fn renewals(minutes: u64, loaded: u64, now: u64) -> usize {
    let mut session = open(Mode::Safe, vec![says("hello")]);
    session.backend.holds.store(loaded, Ordering::SeqCst);
    session.say("hi");
    session.ended().await;
    session.backend.holds.store(now, Ordering::SeqCst);
    let before = session.backend.loads.lock().unwrap().len();
    tokio::time::sleep(std::time::Duration::from_secs(minutes * 60)).await;
    session.backend.loads.lock().unwrap().len() - before
}

#[tokio::test(start_paused = true)]
async fn the_model_stays_in_memory_while_the_session_is_open_unless_somebody_else_loaded_it_otherwise() {
    for (loaded, now, times) in
        [(16_384, 16_384, 2), (4_096, 4_096, 2), (0, 0, 2), (16_384, 65_536, 0), (16_384, 4_096, 0)]
    {
        assert_eq!(renewals(25, loaded, now).await, times, "{loaded} → {now}");
    }
}

#[tokio::test]
async fn what_an_examination_found_beside_an_open_session_stays_known() {
    let mut session = open(Mode::Safe, vec![says("hello"), counted("again")]);
    session.say("hi");
    session.ended().await;
    let place = agent_store::Place::new(session.folder.path().join("state"));
    let found = Examined { tools_by: Some(ToolsBy::Text), ..Examined::default() };
    let profile =
        ModelProfile { digest: "name:m".into(), name: "m".into(), examined: Some(found), ..ModelProfile::default() };
    agent_store::Profiles::new(place.clone()).save(&profile).unwrap();
    session.say("hi again");
    session.ended().await;
    drop(session.ops);
    session.ended.await.unwrap();
    let kept = agent_store::Profiles::new(place).load();
    assert_eq!((kept.len(), &kept[0].examined), (1, &profile.examined));
    assert_eq!(kept[0].load_ms, Some(900), "the session kept what it learned as well");
}

#[tokio::test]
async fn a_download_can_be_stopped() {
    let mut session = open(Mode::Safe, Vec::new());
    session.op(Op::Server(ServerOp::Pull { name: "big".into() }));
    session
        .until(|event| {
            matches!(event, Event::Server(ServerEvent::Pulling { state: PullState::Progress { .. }, .. })).then_some(())
        })
        .await;
    session.op(Op::Server(ServerOp::StopPull));
    session
        .until(|event| {
            matches!(event, Event::Server(ServerEvent::Pulling { state: PullState::Stopped, .. })).then_some(())
        })
        .await;
}

#[tokio::test]
async fn fifty_calls_extend_one_conversation() {
    let read = |n: u32| calls("read_file", json!({"file_path": "a.txt", "offset": n}));
    let mut replies: Vec<Reply> = (1..=50).map(read).collect();
    replies.push(says("read"));
    let mut session = open(Mode::Safe, replies);
    session.write("a.txt", &(1..=60).map(|n| format!("line {n}\n")).collect::<String>());
    session.say("read it all");
    assert_eq!(session.ended().await, TurnEndReason::Done);
    let requests = session.backend.requests.lock().unwrap();
    assert_eq!(requests.len(), 51);
    for pair in requests.windows(2) {
        assert_eq!(pair[0].messages[..], pair[1].messages[..pair[0].messages.len()]);
    }
}
