//! What holds a model back, with real tools, a real fence and a temporary project. Needs a kernel with Landlock.
use crate::scripted::*;
use agent_protocol::*;
use agent_protocol::{CallEvent, CallOp, SessionEvent, TurnEvent, TurnOp};
use serde_json::json;

fn yes() -> Answer {
    Answer::Yes { remember: None, word: None }
}

fn always(rule: Rule) -> Answer {
    Answer::Yes { remember: Some(rule), word: None }
}

async fn answered(session: &mut Session, answer: Answer) -> Question {
    let question = session.asked().await;
    session.op(Op::Call(CallOp::Reply { ask: question.id, answer }));
    question
}

/// The next question, or how the turn ended without one.
async fn asked_or_ended(session: &mut Session) -> Result<Question, TurnEndReason> {
    session
        .until(|event| match event {
            Event::Call(CallEvent::Asked { question }) => Some(Ok(question.clone())),
            Event::Turn(TurnEvent::Ended { reason, .. }) => Some(Err(reason.clone())),
            _ => None,
        })
        .await
}

#[tokio::test]
async fn a_command_that_the_fence_stopped_runs_again_only_with_a_second_yes() {
    let mut session = open(Mode::Safe, vec![run_command("sh x.sh"), says("fine")]);
    session.write("x.sh", "echo new > ../beside.txt\n");
    session.say("write beside the project");
    answered(&mut session, yes()).await;
    let question = session.asked().await;
    let beside = session.folder.path().join("beside.txt");
    assert!(!beside.exists(), "the fence held");
    assert!(question.why.contains("it was kept from writing outside the project"), "{}", question.why);
    let reach = match &question.subject {
        Subject::Action { action: Action::Run { profile, .. } } => Some(*profile),
        _ => None,
    };
    assert_eq!(reach, Some(Profile::Unfenced));
    session.op(Op::Call(CallOp::Reply { ask: question.id, answer: yes() }));
    assert_eq!(session.ended().await, TurnEndReason::Done);
    assert_eq!(std::fs::read_to_string(beside).unwrap(), "new\n");
    assert!(session.last_told().starts_with("(run again with more reach"), "{}", session.last_told());
}

#[tokio::test]
async fn once_commands_that_only_read_are_allowed_they_run_as_what_was_proved() {
    let replies = vec![
        run_command("cat a.txt"),
        run_command("c''at 'a.txt' # the same"),
        run_command("cat a.txt > b.txt"),
        says("fine"),
    ];
    let mut session = open(Mode::Safe, replies);
    session.write("a.txt", "hi there\n");
    session.say("read it");
    let rule = Rule::ReadOnly { lasts: Lasts::Session };
    let question = answered(&mut session, always(rule.clone())).await;
    assert!(question.offers.iter().any(|offer| offer.rule == rule), "{:?}", question.offers);
    let next = asked_or_ended(&mut session).await.unwrap();
    assert!(session.last_told().contains("hi there"), "the second ran unasked: {}", session.last_told());
    assert!(next.preview.title.contains("b.txt"), "what writes asks: {}", next.preview.title);
    session.op(Op::Turn(TurnOp::Interrupt));
    session.ended().await;
    assert!(!session.project().join("b.txt").exists());
}

#[tokio::test]
async fn a_rule_for_words_is_kept_on_disk_and_holds_for_what_begins_with_them() {
    let replies =
        vec![run_command("make one"), run_command("make one -s"), run_command("make one; ./x.sh"), says("fine")];
    let mut session = open(Mode::Safe, replies);
    session.write("Makefile", "one:\n\techo made it\n");
    session.say("make it");
    let question = session.asked().await;
    let rule = question.offers.iter().map(|offer| &offer.rule).find(|rule| matches!(rule, Rule::Words { .. }));
    let rule = rule.expect("a rule is offered").clone();
    session.op(Op::Call(CallOp::Reply { ask: question.id, answer: always(rule) }));
    let next = asked_or_ended(&mut session).await.unwrap();
    assert!(session.last_told().ends_with("0\nmade it\n"), "{}", session.last_told());
    assert!(next.preview.title.contains("x.sh"), "a compound command needs a rule for each part");
    let kept = std::fs::read_to_string(session.folder.path().join("policy.toml")).unwrap();
    assert!(kept.contains("[\"make\", \"one\"]") && kept.contains("example"), "{kept}");
}

#[tokio::test]
async fn catastrophes_and_our_own_files_are_refused_in_unsafe_mode_too() {
    let replies = vec![
        run_command("rm -rf ~"),
        run_command("rm -rf ."),
        calls("write_file", json!({"file_path": ".agent/config.toml", "content": "mode = \"unsafe\""})),
        says("fine"),
    ];
    let mut session = open(Mode::Unsafe, replies);
    session.say("destroy it");
    assert_eq!(asked_or_ended(&mut session).await.unwrap_err(), TurnEndReason::Done);
    assert!(session.project().is_dir());
    assert!(!session.project().join(".agent").exists());
}

#[tokio::test]
async fn a_command_that_plants_a_hook_is_noticed_and_ends_what_was_allowed() {
    let plant = "mkdir -p .git/hooks; x=.git/hooks; printf '#!/bin/sh\\n' > $x/pre-commit; chmod +x $x/pre-commit";
    let mut session = open(Mode::Safe, vec![run_command(plant), says("fine")]);
    session.say("plant it");
    answered(&mut session, yes()).await;
    let alarm = session.until(|event| match event {
        Event::Session(SessionEvent::Notice { level: NoticeLevel::Warning, text }) => Some(text.clone()),
        _ => None,
    });
    let alarm = alarm.await;
    assert!(alarm.contains(".git/hooks/pre-commit") && alarm.contains("suspended"), "{alarm}");
}

#[tokio::test]
async fn a_script_that_was_rewritten_while_its_question_stood_open_is_asked_about_anew() {
    let mut session = open(Mode::Safe, vec![run_command("sh build.sh"), says("fine")]);
    session.write("build.sh", "echo ours\n");
    session.say("build it");
    let question = session.asked().await;
    assert_eq!(question.warnings, Vec::<String>::new());
    session.write("build.sh", "echo theirs > planted; echo theirs\n");
    let exactly = question.offers[0].rule.clone();
    session.op(Op::Call(CallOp::Reply { ask: question.id, answer: always(exactly) }));
    let question = session.asked().await;
    assert_eq!(question.warnings, ["build.sh changed since the question"]);
    assert!(!session.project().join("planted").exists(), "it did not run");
    session.op(Op::Call(CallOp::Reply { ask: question.id, answer: yes() }));
    assert_eq!(session.ended().await, TurnEndReason::Done);
    assert_eq!(session.last_told(), "exit code 0\ntheirs\n");
}

#[tokio::test]
async fn a_folder_that_was_swapped_while_a_question_stood_open_is_asked_about_anew() {
    let call = calls("run_command", json!({"command": "echo x > made", "working_directory": "sub"}));
    let mut session = open(Mode::Safe, vec![call, says("fine")]);
    let (sub, moved) = (session.project().join("sub"), session.project().join("moved"));
    std::fs::create_dir(&sub).unwrap();
    session.say("make it");
    let question = session.asked().await;
    std::fs::rename(&sub, &moved).unwrap();
    std::fs::create_dir(&sub).unwrap();
    session.op(Op::Call(CallOp::Reply { ask: question.id, answer: yes() }));
    let question = session.asked().await;
    assert!(question.warnings[0].contains("sub changed since the question"), "{:?}", question.warnings);
    session.op(Op::Call(CallOp::Reply { ask: question.id, answer: Answer::No { word: None } }));
    assert_eq!(session.ended().await, TurnEndReason::Done);
    assert!(!sub.join("made").exists() && !moved.join("made").exists());
}

/// Folders called like those of the system, and a repository that a test made: the work goes on.
#[tokio::test]
async fn everyday_names_and_a_new_repository_end_nothing_that_was_allowed() {
    let replies = vec![
        run_command("mkdir -p lib src/bin usr/etc; echo a > lib/a.js; echo b > src/bin/b.rs; echo c > usr/etc/c"),
        run_command("sh test.sh"),
        run_command("echo after > after.txt"),
        says("done"),
    ];
    let mut session = open(Mode::Unsafe, replies);
    session.write("test.sh", "git init -q sub; git -C sub config user.name x\n");
    session.say("make them");
    let receipt = session.until(|event| match event {
        Event::Call(CallEvent::Asked { question }) => panic!("{}", question.why),
        Event::Turn(TurnEvent::Receipt { receipt, .. }) => Some(receipt.files.clone()),
        _ => None,
    });
    let files = receipt.await;
    assert!(files.iter().any(|file| file.shown_path == "repository sub/"), "{files:?}");
    assert_eq!(session.ended().await, TurnEndReason::Done);
    assert_eq!(session.read("after.txt"), "after\n");
}
