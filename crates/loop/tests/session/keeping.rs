//! What is written down of a session: it goes on as it was, however it ended, and holds no secret.
use crate::scripted::*;
use agent_protocol::*;
use agent_protocol::{CallEvent, SessionEvent, SessionOp, TurnEvent, TurnOp};
use agent_session::Begin;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

async fn notice(session: &mut Session) -> String {
    session
        .until(|event| match event {
            Event::Session(SessionEvent::Notice { text, .. }) => Some(text.clone()),
            _ => None,
        })
        .await
}

async fn restored(session: &mut Session) -> (SessionCard, Vec<Event>) {
    session
        .until(|event| match event {
            Event::Session(SessionEvent::Restored { card, events }) => Some((card.clone(), events.clone())),
            Event::Session(SessionEvent::NotRestored { why }) => panic!("it is not opened: {why}"),
            _ => None,
        })
        .await
}

/// The name of the only session that is kept there.
fn only(folder: &TempDir) -> SessionId {
    match &kept(folder).list()[..] {
        [card] => card.id.clone(),
        cards => panic!("there are {} sessions", cards.len()),
    }
}

/// Opens the only session of a place anew.
async fn gone_on(folder: TempDir, replies: Vec<Reply>) -> (Session, Vec<Event>) {
    let begin = Begin::Session(only(&folder));
    let mut session = open_in(folder, Opening { replies, begin, ..Opening::default() });
    let (_, events) = restored(&mut session).await;
    (session, events)
}

fn events(folder: &TempDir) -> Vec<Event> {
    let records = kept(folder).read(&only(folder)).unwrap().records;
    let event = |record| match record {
        Record::Event { event } => Some(event),
        _ => None,
    };
    records.into_iter().filter_map(event).collect()
}

fn how_it_ended(events: &[Event]) -> Option<TurnEndReason> {
    events.iter().rev().find_map(|event| match event {
        Event::Turn(TurnEvent::Ended { reason, .. }) => Some(reason.clone()),
        _ => None,
    })
}

fn what_was_changed(events: &[Event]) -> Vec<&str> {
    let changed = events.iter().filter_map(|event| match event {
        Event::Call(CallEvent::Finished { outcome, .. }) => Some(&outcome.changed),
        _ => None,
    });
    changed.flatten().map(|change| change.shown_path.as_str()).collect()
}

fn write(name: &str, text: &str) -> Reply {
    calls("write_file", json!({"file_path": name, "content": text}))
}

#[tokio::test]
async fn a_session_goes_on_with_the_same_conversation() {
    let mut first = open_kept(vec![write("a.txt", "one\n"), says("It is written.")]);
    turn(&mut first, "write a.txt").await;
    let sent = first.last_request();
    let (mut second, events) = gone_on(first.leave().await, vec![says("You are welcome.")]).await;
    assert_eq!(how_it_ended(&events), Some(TurnEndReason::Done));
    assert!(
        events
            .iter()
            .any(|event| matches!(event, Event::Turn(TurnEvent::Started { text, .. }) if text == "write a.txt"))
    );
    turn(&mut second, "thank you").await;
    let goes_on = second.last_request();
    assert_eq!(goes_on[..sent.len()], sent[..], "the model reads the same again, to the byte");
    let since: Vec<(Role, &str)> =
        goes_on[sent.len()..].iter().map(|message| (message.role, message.content.as_str())).collect();
    assert_eq!(since, [(Role::Assistant, "It is written."), (Role::User, "thank you")]);
    let folder = second.leave().await;
    assert_eq!(kept(&folder).list()[0].turns, 2);
}

#[tokio::test]
async fn another_session_can_be_gone_on_with_in_a_running_one() {
    let mut first = open_kept(vec![says("I am the first.")]);
    turn(&mut first, "who are you?").await;
    let folder = first.leave().await;
    let id = only(&folder);
    let replies = vec![says("I am the second."), says("The first again.")];
    let mut second = open_in(folder, Opening { replies, ..Opening::default() });
    turn(&mut second, "and you?").await;
    let titles: Vec<(String, bool)> =
        listed(&mut second).await.into_iter().map(|card| (card.title, card.open)).collect();
    assert_eq!(titles, [("and you?".into(), true), ("who are you?".into(), false)]);
    second.op(Op::Session(SessionOp::Open { id }));
    restored(&mut second).await;
    turn(&mut second, "who is it?").await;
    let told: Vec<String> =
        second.last_request().into_iter().skip(1).map(|message| message.content.to_string()).collect();
    assert_eq!(told, ["who are you?", "I am the first.", "who is it?"]);
    let folder = second.leave().await;
    let turns: Vec<(String, u64)> = kept(&folder).list().into_iter().map(|card| (card.title, card.turns)).collect();
    assert_eq!(turns, [("who are you?".into(), 2), ("and you?".into(), 1)]);
}

#[tokio::test]
async fn a_session_that_is_open_elsewhere_is_not_opened_twice() {
    let mut first = open_kept(vec![says("Here.")]);
    turn(&mut first, "are you there?").await;
    let id = listed(&mut first).await[0].id.clone();
    let begin = Begin::Session(id.clone());
    let here = folder();
    std::os::unix::fs::symlink(first.folder.path().join("state"), here.path().join("state")).unwrap();
    let mut second = open_in(here, Opening { begin, ..Opening::default() });
    let why = second.until(|event| match event {
        Event::Session(SessionEvent::NotRestored { why }) => Some(why.clone()),
        _ => None,
    });
    let why = why.await;
    assert!(why.contains(&id.0) && why.contains("open in another agent"), "{why}");
    assert_eq!(turn(&mut first, "still?").await, TurnEndReason::Broken { trouble: ServerError::NotDone });
}

#[tokio::test]
async fn secrets_of_the_environment_are_in_no_file_of_a_session() {
    const SECRET: &str = "correct-horse-battery-9f3b1c";
    let replies = vec![run_command(&format!("echo {SECRET}")), says(&format!("It is {SECRET}."))];
    let opening = Opening { replies, secrets: vec![SECRET.into()], ..Opening::default() };
    let mut session = open_in(folder(), opening);
    assert_eq!(turn(&mut session, &format!("say {SECRET} aloud")).await, TurnEndReason::Done);
    session.op(Op::Session(SessionOp::Rename { title: format!("about {SECRET}") }));
    session.until(|event| matches!(event, Event::Session(SessionEvent::Renamed { .. })).then_some(())).await;
    let folder = session.leave().await;
    assert!(how_it_ended(&events(&folder)).is_some());
    for path in files(&folder.path().join("state/sessions")) {
        let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        assert!(!text.contains(SECRET), "{}: {text}", path.display());
    }
}

/// All files in a folder and those in it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let (folders, mut found): (Vec<PathBuf>, Vec<PathBuf>) =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).partition(|path| path.is_dir());
    found.extend(folders.iter().flat_map(|folder| files(folder)));
    found
}

#[tokio::test]
async fn where_nothing_can_be_written_down_it_is_said_and_the_session_goes_on() {
    let folder = folder();
    std::fs::write(folder.path().join("state"), "a file where a folder should be").unwrap();
    let replies = vec![says("hello"), run_command("echo two > a.txt"), says("Done.")];
    let mut session = open_in(folder, Opening { replies, ..Opening::default() });
    session.write("a.txt", "one\n");
    session.say("hi");
    let (mut why, mut over) = (None, false);
    while why.is_none() || !over {
        match session.events.recv().await.expect("the session goes on") {
            Event::Session(SessionEvent::Journal { state: JournalState::Unkept { why: words } }) => why = Some(words),
            Event::Turn(TurnEvent::Ended { .. }) => over = true,
            _ => {}
        }
    }
    let why = why.unwrap();
    assert!(why.contains("state"), "{why}");
    assert_eq!(turn(&mut session, "change it").await, TurnEndReason::Done);
    assert_eq!(session.read("a.txt"), "two\n");
    let turns = undoable(&mut session).await;
    assert_eq!(turns.iter().map(|turn| (turn.files, turn.uncovered)).collect::<Vec<_>>(), [(1, 1)]);
    let files = plan(&mut session, UndoDirection::Undo, 2).await;
    assert!(!files[0].possible && files[0].diff.note.is_some(), "{files:?}");
    session.op(Op::Session(SessionOp::Export { format: ExportFormat::Markdown, path: Some("../out.md".into()) }));
    assert!(notice(&mut session).await.starts_with("written: "), "what is only in memory can be written elsewhere");
    let written = std::fs::read_to_string(session.folder.path().join("out.md")).unwrap();
    assert!(["# hi", "hello", "echo two", "Done."].iter().all(|words| written.contains(words)), "{written}");
}

#[tokio::test]
async fn a_session_that_nobody_wants_written_down_can_be_undone_and_leaves_no_journal() {
    let opening = Opening { replies: vec![write("a.txt", "two\n"), says("ok")], kept: false, ..Opening::default() };
    let mut session = open_in(folder(), opening);
    session.write("a.txt", "one\n");
    turn(&mut session, "change it").await;
    plan(&mut session, UndoDirection::Undo, 1).await;
    session.op(Op::Session(SessionOp::Undo { direction: UndoDirection::Undo, said: SaidId(1), choices: Vec::new() }));
    session.until(|event| matches!(event, Event::Session(SessionEvent::Undone { .. })).then_some(())).await;
    assert_eq!(session.read("a.txt"), "one\n");
    session.op(Op::Session(SessionOp::Open { id: SessionId("20200101-000000-aaaa".into()) }));
    let why = session.until(|event| match event {
        Event::Session(SessionEvent::NotRestored { why }) => Some(why.clone()),
        _ => None,
    });
    assert_eq!(why.await, "sessions are not kept: enabled = false under [sessions] in your config");
    let folder = session.leave().await;
    assert!(!folder.path().join("state/sessions").exists());
}

#[tokio::test]
async fn a_session_is_written_out_for_people_and_for_programs_but_over_nothing() {
    let mut session = open_kept(vec![write("new.txt", "text\n"), says("It is written.")]);
    turn(&mut session, "write it down").await;
    let export = |format, path: Option<&str>| Op::Session(SessionOp::Export { format, path: path.map(Into::into) });
    session.op(export(ExportFormat::Markdown, Some("notes.md")));
    let said = notice(&mut session).await;
    assert!(said.starts_with("written: ") && said.ends_with("notes.md"), "{said}");
    let text = session.read("notes.md");
    assert!(["write it down", "new.txt", "It is written."].iter().all(|words| text.contains(words)), "{text}");
    session.op(export(ExportFormat::Json, None));
    let said = notice(&mut session).await;
    let name = format!("session-{}.json", only(&session.folder));
    assert!(said.ends_with(&name), "{said}");
    let all: Value = serde_json::from_str(&session.read(&name)).unwrap();
    assert_eq!((&all["format"], &all["session"]["title"]), (&json!(1), &json!("write it down")));
    session.op(export(ExportFormat::Json, Some("notes.md")));
    let said = notice(&mut session).await;
    assert!(said.starts_with("not written: ") && said.contains("notes.md"), "{said}");
    assert_eq!(session.read("notes.md"), text);
}

#[tokio::test]
async fn a_fork_goes_on_from_before_a_message_and_leaves_the_session_as_it_is() {
    let mut session = open_kept(vec![says("One."), says("Two."), says("Another two.")]);
    turn(&mut session, "first").await;
    turn(&mut session, "second").await;
    let of = listed(&mut session).await[0].id.clone();
    session.op(Op::Session(SessionOp::Fork { said: Some(SaidId(2)) }));
    let (card, events) = restored(&mut session).await;
    assert_eq!(card.parent, Some(of.clone()));
    assert!(
        !events.iter().any(|event| matches!(event, Event::Turn(TurnEvent::Started { text, .. }) if text == "second"))
    );
    let back = session.until(|event| match event {
        Event::Turn(TurnEvent::Unqueued { text }) => Some(text.clone()),
        _ => None,
    });
    assert_eq!(back.await, "second", "it may be said in other words");
    turn(&mut session, "second, otherwise").await;
    let told: Vec<String> =
        session.last_request().into_iter().skip(1).map(|message| message.content.to_string()).collect();
    assert_eq!(told, ["first", "One.", "second, otherwise"]);
    let folder = session.leave().await;
    let sessions = kept(&folder);
    assert_eq!(sessions.list().len(), 2);
    let original = agent_session::export::markdown(&card, &sessions.read(&of).unwrap().records);
    assert!(original.contains("Two.") && !original.contains("otherwise"), "{original}");
}

/// A command that changes a file, says so, and stays.
const CHANGES: &str = "echo two > a.txt; echo changed; exec sleep 1000";

async fn changed(session: &mut Session) {
    session
        .until(|event| {
            matches!(event, Event::Call(CallEvent::Output { chunk, .. }) if chunk.text.contains("changed"))
                .then_some(())
        })
        .await;
}

#[tokio::test]
async fn of_a_command_that_was_stopped_it_is_known_what_it_changed() {
    let mut session = open_kept(vec![run_command(CHANGES)]);
    session.write("a.txt", "one\n");
    session.say("change it");
    changed(&mut session).await;
    session.op(Op::Turn(TurnOp::Interrupt));
    let outcome = session.until(|event| match event {
        Event::Call(CallEvent::Finished { outcome, .. }) => Some(outcome.clone()),
        _ => None,
    });
    let outcome = outcome.await;
    assert_eq!((outcome.status, outcome.changed[0].shown_path.as_str()), (Status::Stopped, "a.txt"));
    assert_eq!(session.ended().await, TurnEndReason::Interrupted);
    plan(&mut session, UndoDirection::Undo, 1).await;
    session.op(Op::Session(SessionOp::Undo { direction: UndoDirection::Undo, said: SaidId(1), choices: Vec::new() }));
    session.until(|event| matches!(event, Event::Session(SessionEvent::Undone { .. })).then_some(())).await;
    assert_eq!(session.read("a.txt"), "one\n");
}

#[tokio::test]
async fn who_leaves_while_a_command_runs_finds_later_what_it_changed() {
    let mut session = open_kept(vec![run_command(CHANGES)]);
    session.write("a.txt", "one\n");
    session.say("change it");
    changed(&mut session).await;
    let folder = session.leave().await;
    let seen = events(&folder);
    assert_eq!((how_it_ended(&seen), what_was_changed(&seen)), (Some(TurnEndReason::Interrupted), vec!["a.txt"]));
    let (mut session, _) = gone_on(folder, vec![says("Stopped.")]).await;
    plan(&mut session, UndoDirection::Undo, 1).await;
    session.op(Op::Session(SessionOp::Undo { direction: UndoDirection::Undo, said: SaidId(1), choices: Vec::new() }));
    session.until(|event| matches!(event, Event::Session(SessionEvent::Undone { .. })).then_some(())).await;
    assert_eq!(session.read("a.txt"), "one\n");
    turn(&mut session, "what now?").await;
    let told = session.last_told();
    assert!(
        told.starts_with("(the user took changes back or brought them back: a.txt;") && told.ends_with("\n\nwhat now?"),
        "{told}"
    );
}

#[tokio::test]
async fn who_leaves_in_the_middle_of_a_reply_finds_what_had_arrived() {
    let hangs = Reply::Hangs(vec![ModelEvent::Text { text: "Once upon a time".into() }]);
    let mut session = open_kept(vec![hangs]);
    session.say("tell me");
    session.until(|event| matches!(event, Event::Turn(TurnEvent::Text { .. })).then_some(())).await;
    let folder = session.leave().await;
    let (mut session, events) = gone_on(folder, vec![says("there was a fox.")]).await;
    assert_eq!(how_it_ended(&events), Some(TurnEndReason::Interrupted));
    assert!(events.contains(&Event::Turn(TurnEvent::Text { text: "Once upon a time".into() })), "{events:?}");
    turn(&mut session, "go on").await;
    let told: Vec<String> =
        session.last_request().into_iter().skip(1).map(|message| message.content.to_string()).collect();
    assert!(told[1].starts_with("Once upon a time"), "{told:?}");
}

#[tokio::test]
async fn who_leaves_before_an_open_question_finds_it_withdrawn() {
    let opening = Opening { mode: Mode::Safe, replies: vec![write("a.txt", "one\n")], ..Opening::default() };
    let mut session = open_in(folder(), opening);
    session.say("write it");
    let question = session.asked().await;
    let folder = session.leave().await;
    assert!(!folder.path().join("project/a.txt").exists());
    let (_session, events) = gone_on(folder, Vec::new()).await;
    assert!(
        events.contains(&Event::Call(CallEvent::Settled { ask: question.id, settlement: Settlement::Withdrawn })),
        "{events:?}"
    );
    assert_eq!(how_it_ended(&events), Some(TurnEndReason::Interrupted));
}
