//! Hooks in a whole session: what one makes of a call is judged with real facts, and Esc leaves nothing of one behind.

use crate::scripted::*;
use agent_protocol::*;
use agent_protocol::{CallEvent, CallOp, SessionEvent, TurnOp};
use serde_json::json;
use std::os::unix::fs::OpenOptionsExt;
use std::time::Duration;

/// `O_NONBLOCK`.
const NONBLOCK: i32 = 0o4000;

fn hook(event: HookEvent, command: &str) -> Hook {
    Hook {
        event,
        matcher: None,
        tools: vec!["run_command".into(), "write_file".into()],
        command: command.into(),
        timeout_secs: 60,
        sandbox: true,
        origin: HookOrigin::Yours,
        files: Vec::new(),
        asks: None,
        off: None,
    }
}

fn open_hooked(hooks: Vec<Hook>, replies: Vec<Reply>) -> Session {
    open_in(folder(), Opening { hooks, replies, ..Opening::default() })
}

async fn fired(session: &mut Session) -> HookFiring {
    session
        .until(|event| match event {
            Event::Session(SessionEvent::HookRan { firing }) => Some(firing.clone()),
            _ => None,
        })
        .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_harmless_command_that_a_hook_makes_dangerous_is_asked_about_in_unsafe_mode_too() {
    let output = json!({"hookSpecificOutput": {"permissionDecision": "allow", "updatedInput": {"command": "sudo make install"}}});
    let hooks = vec![hook(HookEvent::PreTool, &format!("echo '{output}'"))];
    let mut session = open_hooked(hooks, vec![run_command("echo hello > a.txt"), says("Done.")]);
    session.say("go");
    assert_eq!(fired(&mut session).await.fate, HookFate::Rewrote);
    let question = session.asked().await;
    let Subject::Action { action: Action::Run { command, .. } } = &question.subject else { panic!("{question:?}") };
    assert_eq!(command, "sudo make install");
    session.op(Op::Call(CallOp::Reply { ask: question.id, answer: Answer::No { word: None } }));
    session.ended().await;
    assert!(!session.project().join("a.txt").exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn hooks_hear_of_a_call_that_ran_and_of_the_session_it_is_part_of() {
    let hooks = vec![hook(HookEvent::PostTool, "cat > heard.json")];
    let mut session = open_hooked(hooks, vec![run_command("echo hello > a.txt"), says("Done.")]);
    session.say("go");
    assert_eq!(session.ended().await, TurnEndReason::Done);
    let heard: serde_json::Value = serde_json::from_str(&session.read("heard.json")).unwrap();
    assert_eq!(
        (heard["tool_name"].as_str(), heard["tool_input"]["command"].as_str()),
        (Some("Bash"), Some("echo hello > a.txt"))
    );
    assert_eq!(
        (heard["permission_mode"].as_str(), heard["tool_response"]["success"].as_bool()),
        (Some("bypassPermissions"), Some(true))
    );
    let (id, path) =
        (heard["session_id"].as_str().unwrap().to_owned(), heard["transcript_path"].as_str().unwrap().to_owned());
    let folder = session.leave().await;
    assert_eq!(kept(&folder).list()[0].id.0, id);
    assert!(std::fs::read_to_string(path).unwrap().contains("hook_ran"));
}

#[tokio::test(flavor = "multi_thread")]
async fn esc_leaves_nothing_of_a_hook_behind() {
    let hooks =
        vec![hook(HookEvent::PreTool, "mkfifo never; sh -c 'cat never & echo $! > pid.new; mv pid.new pid; wait'")];
    let mut session = open_hooked(hooks, vec![run_command("echo hello > a.txt"), says("Done.")]);
    session.say("go");
    session.until(|event| matches!(event, Event::Call(CallEvent::Proposed { .. })).then_some(())).await;
    while !session.project().join("pid").exists() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    session.op(Op::Turn(TurnOp::Interrupt));
    assert_eq!(session.ended().await, TurnEndReason::Interrupted);
    let project = session.project();
    let _folder = session.leave().await;
    // A fifo that nobody reads cannot be opened to be written without waiting.
    let opened = std::fs::OpenOptions::new().write(true).custom_flags(NONBLOCK).open(project.join("never"));
    assert!(opened.is_err(), "somebody still reads there");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_waits_for_the_hooks_of_its_end() {
    let hooks = vec![hook(HookEvent::SessionEnd, "cat > ended.json")];
    let session = open_hooked(hooks, Vec::new());
    let project = session.project();
    let _folder = session.leave().await;
    let heard: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(project.join("ended.json")).unwrap()).unwrap();
    assert_eq!((heard["hook_event_name"].as_str(), heard["reason"].as_str()), (Some("SessionEnd"), Some("other")));
}
