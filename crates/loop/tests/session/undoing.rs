//! What tools and commands did is taken back and done again, with real files; and each turn is told as it really was.
use crate::scripted::*;
use agent_protocol::*;
use agent_protocol::{SessionEvent, SessionOp, TurnEvent};
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use UndoDirection::{Redo, Undo};

async fn undone(session: &mut Session) -> Vec<UndoneFile> {
    session
        .until(|event| match event {
            Event::Session(SessionEvent::Undone { files, .. }) => Some(files.clone()),
            Event::Session(SessionEvent::Notice { level: NoticeLevel::Warning, text }) => panic!("{text}"),
            _ => None,
        })
        .await
}

/// Looks at what it would change, and does it.
async fn bring(session: &mut Session, direction: UndoDirection, said: u64) -> Vec<UndoneFile> {
    plan(session, direction, said).await;
    session.op(Op::Session(SessionOp::Undo { direction, said: SaidId(said), choices: Vec::new() }));
    undone(session).await
}

/// What a turn is told to have done, and how it ended.
async fn receipt(session: &mut Session) -> Receipt {
    session
        .until(|event| match event {
            Event::Turn(TurnEvent::Receipt { receipt, .. }) => Some(receipt.clone()),
            Event::Turn(TurnEvent::Ended { .. }) => Some(Receipt::default()),
            _ => None,
        })
        .await
}

fn edit(old: &str, new: &str) -> Reply {
    calls("edit_file", json!({"file_path": "a.txt", "old_string": old, "new_string": new}))
}

fn write(name: &str, text: &str) -> Reply {
    calls("write_file", json!({"file_path": name, "content": text}))
}

/// All that lies under a folder: of files the rights and the text, of links where they lead.
fn tree(folder: &Path) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let kind = path.symlink_metadata().unwrap();
        if kind.is_dir() {
            found.extend(tree(&path).into_iter().map(|(below, what)| (format!("{name}/{below}"), what)));
        } else if kind.is_symlink() {
            found.insert(name, format!("to {}", path.read_link().unwrap().display()));
        } else {
            let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
            found.insert(name, format!("{:o} {text}", kind.permissions().mode() & 0o7777));
        }
    }
    found
}

const MESS: &str = "rm -rf src && sed -i s/one/ONE/ a.txt && echo new > new.txt && chmod 755 run.sh && \
                    ln -sfn b.txt link && mkdir -p out/deep && echo built > out/deep/it && rm gone.bin";

/// A project with a bit of everything.
fn furnish(session: &Session) {
    let project = session.project();
    fs::create_dir_all(project.join("src/inner")).unwrap();
    for (name, text) in
        [("src/main.rs", "fn main() {}\n"), ("src/inner/lib.rs", "\n"), ("a.txt", "one\ntwo\n"), ("run.sh", "true\n")]
    {
        session.write(name, text);
    }
    fs::write(project.join("gone.bin"), [0, 159, 146, 150]).unwrap();
    fs::set_permissions(project.join("src/main.rs"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("a.txt", project.join("link")).unwrap();
}

#[tokio::test]
async fn the_mess_a_command_made_is_taken_back_and_made_again() {
    let mut session = open_kept(vec![run_command(MESS), says("Cleaned up.")]);
    furnish(&session);
    let before = tree(&session.project());
    assert_eq!(turn(&mut session, "clean up").await, TurnEndReason::Done);
    let after = tree(&session.project());
    assert!(!after.contains_key("src/main.rs") && after.contains_key("out/deep/it"), "{after:#?}");
    let files = bring(&mut session, Undo, 1).await;
    assert!(files.iter().all(|file| file.left.is_none()), "{files:#?}");
    assert_eq!(tree(&session.project()), before);
    bring(&mut session, Redo, 1).await;
    assert_eq!(tree(&session.project()), after);
    bring(&mut session, Undo, 1).await;
    assert_eq!(tree(&session.project()), before);
}

#[tokio::test]
async fn turns_are_taken_back_one_after_the_other_also_after_the_session_went_on() {
    let replies = vec![edit("one", "two"), says("1"), run_command("sed -i s/two/three/ a.txt"), says("2")];
    let mut session = open_kept(replies);
    session.write("a.txt", "one\n");
    turn(&mut session, "first").await;
    turn(&mut session, "second").await;
    let id = listed(&mut session).await[0].id.clone();
    let begin = agent_session::Begin::Session(id);
    let opening = Opening { replies: vec![says("I see.")], begin, ..Opening::default() };
    let mut session = open_in(session.leave().await, opening);
    session.until(|event| matches!(event, Event::Session(SessionEvent::Restored { .. })).then_some(())).await;
    let told: Vec<(String, u64)> =
        undoable(&mut session).await.into_iter().map(|turn| (turn.text, turn.files)).collect();
    assert_eq!(told, [("first".into(), 1), ("second".into(), 1)]);
    bring(&mut session, Undo, 2).await;
    assert_eq!(session.read("a.txt"), "two\n");
    bring(&mut session, Undo, 1).await;
    assert_eq!(session.read("a.txt"), "one\n");
    bring(&mut session, Redo, 2).await;
    assert_eq!(session.read("a.txt"), "three\n");
    turn(&mut session, "what is in it?").await;
    let told = session.last_told();
    assert_eq!(told, "what is in it?", "all is as the model knows it");
}

/// A file that was edited for the model, and by hand since: what becomes of it with this choice.
async fn after_conflict(by_hand: &str, what: Option<ConflictChoice>) -> (Vec<UndoFile>, Vec<UndoneFile>, Session) {
    let mut session = open_kept(vec![edit("two", "TWO"), says("Done.")]);
    session.write("a.txt", "one\ntwo\nthree\nfour\nfive\n");
    turn(&mut session, "edit it").await;
    session.write("a.txt", by_hand);
    let planned = plan(&mut session, Undo, 1).await;
    let path = session.project().join("a.txt");
    session.op(Op::Session(SessionOp::Undo {
        direction: Undo,
        said: SaidId(1),
        choices: what.map(|what| UndoChoice { path, what }).into_iter().collect(),
    }));
    let undone = undone(&mut session).await;
    (planned, undone, session)
}

#[tokio::test]
async fn a_file_that_was_changed_by_hand_since_becomes_what_the_person_chooses() {
    let by_hand = "one\nTWO\nthree\nfour\nFIVE\n";
    for (choice, becomes) in [
        (None, by_hand),
        (Some(ConflictChoice::Leave), by_hand),
        (Some(ConflictChoice::Restore), "one\ntwo\nthree\nfour\nfive\n"),
        (Some(ConflictChoice::Merge), "one\ntwo\nthree\nfour\nFIVE\n"),
    ] {
        let (planned, undone, mut session) = after_conflict(by_hand, choice).await;
        let conflict = planned[0].conflict.as_ref().expect("somebody else changed it");
        assert_eq!(conflict.since.after.as_deref(), Some(by_hand));
        assert_eq!(session.read("a.txt"), becomes, "{choice:?}");
        assert_eq!(undone[0].left.is_some(), becomes == by_hand, "{undone:?}");
        if becomes != by_hand {
            bring(&mut session, Redo, 1).await;
            assert_eq!(session.read("a.txt"), by_hand, "what they did is not lost");
        }
    }
}

#[tokio::test]
async fn where_both_changed_the_same_lines_there_is_no_merge() {
    let by_hand = "one\n2\nthree\nfour\nfive\n";
    let (planned, _, session) = after_conflict(by_hand, Some(ConflictChoice::Merge)).await;
    assert_eq!(planned[0].conflict.as_ref().map(|conflict| conflict.merged.is_some()), Some(false));
    assert_eq!(session.read("a.txt"), by_hand);
}

#[tokio::test]
async fn a_file_that_changes_between_the_look_and_the_undo_stays_as_it_is() {
    let mut session = open_kept(vec![edit("two", "TWO"), says("Done.")]);
    session.write("a.txt", "two\n");
    turn(&mut session, "edit it").await;
    plan(&mut session, Undo, 1).await;
    session.write("a.txt", "mine\n");
    session.op(Op::Session(SessionOp::Undo { direction: Undo, said: SaidId(1), choices: Vec::new() }));
    let files = undone(&mut session).await;
    assert!(files[0].left.is_some(), "{files:?}");
    assert_eq!(session.read("a.txt"), "mine\n");
}

fn changed(name: &str, added: u64, removed: u64) -> FileReceipt {
    FileReceipt { shown_path: name.into(), what: FileFate::Changed, added, removed }
}

#[tokio::test]
async fn a_receipt_tells_what_is_on_disk_and_not_what_was_called() {
    let replies = vec![edit("one", "two"), edit("two", "one"), says("Changed and changed back.")];
    let mut session = open_kept(replies);
    session.write("a.txt", "one\n");
    session.say("try it");
    assert_eq!(receipt(&mut session).await, Receipt::default(), "a file edited twice and back is as it was");
}

#[tokio::test]
async fn a_receipt_counts_what_a_command_did_after_an_edit() {
    let both = "printf '1\\n2\\n3\\n' >> a.txt; exit 3";
    let mut session = open_kept(vec![edit("one", "two"), run_command(both), write("new.txt", "x\n"), says("So.")]);
    session.write("a.txt", "one\n");
    session.say("go");
    let made = FileReceipt { shown_path: "new.txt".into(), what: FileFate::Created, added: 1, removed: 0 };
    let ran = CommandReceipt {
        command: both.into(),
        status: Status::Exited { code: Some(3) },
        background: false,
        parts: Vec::new(),
    };
    let expected = Receipt {
        files: vec![changed("a.txt", 4, 1), made],
        commands: vec![ran],
        doubts: Vec::new(),
        ..Receipt::default()
    };
    assert_eq!(receipt(&mut session).await, expected);
}

#[tokio::test]
async fn what_a_claim_is_made_good_with_is_on_the_receipt() {
    let replies = vec![says("I have fixed the bug in `a.txt`."), edit("one", "two"), says("Now a.txt is changed.")];
    let mut session = open_kept(replies);
    session.write("a.txt", "one\n");
    session.say("fix a.txt");
    assert_eq!(receipt(&mut session).await, Receipt { files: vec![changed("a.txt", 1, 1)], ..Receipt::default() });
}
