//! What is written is read again, by its owner alone, without secrets.

use crate::ground::{Ground, event, number, numbered, reporting, said, wait, write};
use agent_protocol::{ContextEvent, Event, JournalState, Record};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;

#[test]
fn what_was_written_is_read_again_and_goes_on() {
    let ground = Ground::new();
    let id = ground.kept(&numbered(3));
    let (journal, loaded) = ground.sessions().open(&id, &ground.project()).unwrap();
    assert_eq!((loaded.records, loaded.torn), (numbered(3), None));
    write(&journal, &[number(3)]);
    assert_eq!(journal.records().unwrap(), numbered(4));
    drop(journal);
    assert_eq!(ground.sessions().read(&id).unwrap().records, numbered(4));
    let text = fs::read_to_string(ground.journal(&id)).unwrap();
    let heads = text.lines().filter(|line| line.contains(r#","head":{"#)).count();
    assert_eq!((text.lines().count(), heads), (5, 1), "it goes on in the same folder");
}

#[test]
fn the_file_is_made_with_the_first_record() {
    let ground = Ground::new();
    let journal = ground.sessions().create(&ground.project());
    wait(journal.settled());
    assert!(!ground.path("state").exists());
    write(&journal, &numbered(1));
    assert_eq!(ground.names(), [format!("{}.jsonl", journal.id())]);
    drop(journal);
    let empty = ground.sessions().create(&ground.project());
    let id = empty.id().clone();
    drop(empty);
    assert!(!ground.journal(&id).exists());
}

#[test]
fn every_line_is_an_object_with_its_number() {
    let ground = Ground::new();
    let id = ground.kept(&numbered(3));
    let text = fs::read_to_string(ground.journal(&id)).unwrap();
    let numbers: Vec<u64> = text
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["seq"].as_u64().unwrap())
        .collect();
    assert_eq!(numbers, [0, 1, 2, 3]);
}

#[test]
fn nobody_else_may_read_a_session() {
    let ground = Ground::new();
    let id = ground.kept(&numbered(1));
    let torn = fs::read_to_string(ground.journal(&id)).unwrap() + "{";
    fs::write(ground.journal(&id), torn).unwrap();
    fs::set_permissions(ground.journal(&id), fs::Permissions::from_mode(0o644)).unwrap();
    drop(ground.sessions().open(&id, &ground.project()).unwrap());
    ground.sessions().list();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&ground.path("state")), mode(&ground.path("state/sessions"))), (0o700, 0o700));
    assert_eq!(ground.names().len(), 3, "a journal, a card, a torn end");
    for name in ground.names() {
        assert_eq!(mode(&ground.path("state/sessions").join(&name)), 0o600, "{name}");
    }
}

#[test]
fn secrets_are_never_written() {
    let ground = Ground::new();
    let hide = |text: &str| text.contains("hunter2").then(|| text.replace("hunter2", "[hidden]"));
    let journal = ground.sessions().hiding(Arc::new(hide)).create(&ground.project());
    write(&journal, &[said("the password is hunter2")]);
    assert_eq!(journal.records().unwrap(), [said("the password is [hidden]")]);
    assert!(!fs::read_to_string(ground.journal(journal.id())).unwrap().contains("hunter2"));
}

#[test]
fn it_is_said_once_that_a_session_is_kept() {
    let ground = Ground::new();
    let (sessions, heard) = reporting(ground.sessions());
    let journal = sessions.create(&ground.project());
    wait(journal.settled());
    assert_eq!(heard.try_iter().count(), 0, "nothing was written yet");
    write(&journal, &numbered(1));
    write(&journal, &numbered(1));
    assert_eq!(heard.try_iter().collect::<Vec<_>>(), [JournalState::Kept { id: journal.id().clone() }]);
}

#[test]
fn a_name_that_somebody_else_takes_first_is_given_up() {
    let ground = Ground::new();
    let (sessions, heard) = reporting(ground.sessions());
    let journal = sessions.create(&ground.project());
    let first = journal.id().clone();
    fs::create_dir_all(ground.path("state/sessions")).unwrap();
    fs::set_permissions(ground.path("state/sessions"), fs::Permissions::from_mode(0o700)).unwrap();
    fs::set_permissions(ground.path("state"), fs::Permissions::from_mode(0o700)).unwrap();
    fs::write(ground.journal(&first), "another's").unwrap();
    write(&journal, &numbered(1));
    assert_ne!(journal.id(), &first);
    assert_eq!(heard.try_iter().collect::<Vec<_>>(), [JournalState::Kept { id: journal.id().clone() }]);
    assert_eq!(ground.sessions().read(journal.id()).unwrap().records, numbered(1));
    assert_eq!(fs::read_to_string(ground.journal(&first)).unwrap(), "another's");
}

#[test]
fn a_hanging_disk_keeps_nobody_from_leaving() {
    let ground = Ground::new();
    let (free, held) = std::sync::mpsc::channel::<()>();
    let held = std::sync::Mutex::new(held);
    // The writing thread comes back from telling only when the test is over.
    let hanging = ground.sessions().reporting(Arc::new(move |_| {
        let _ = held.lock().unwrap().recv();
    }));
    let journal = hanging.create(&ground.project());
    journal.write(numbered(1), true);
    drop(journal);
    drop(free);
}

#[test]
fn a_writing_thread_that_ends_is_told_and_nobody_waits_for_it() {
    let ground = Ground::new();
    let (sessions, heard) = reporting(ground.sessions());
    let journal = sessions.hiding(Arc::new(|_| panic!("on purpose"))).create(&ground.project());
    journal.write(numbered(1), true);
    wait(journal.settled());
    assert_eq!(journal.records().unwrap(), []);
    drop(journal);
    let why = "the thread that writes it ended; leave, and go on with `agent -c`".into();
    assert_eq!(heard.try_iter().collect::<Vec<_>>(), [JournalState::Unkept { why }]);
}

#[test]
fn records_given_from_many_threads_all_arrive() {
    let ground = Ground::new();
    let journal = ground.sessions().create(&ground.project());
    std::thread::scope(|scope| {
        for thread in 0..4_usize {
            let journal = &journal;
            scope.spawn(move || {
                for place in 0..50 {
                    journal.write(vec![number(thread * 50 + place)], place % 7 == 0);
                }
                wait(journal.settled());
            });
        }
    });
    let mut texts: Vec<String> = journal.records().unwrap().iter().map(|record| format!("{record:?}")).collect();
    let mut expected: Vec<String> = numbered(200).iter().map(|record| format!("{record:?}")).collect();
    texts.sort_unstable();
    expected.sort_unstable();
    assert_eq!(texts, expected);
}

#[test]
fn a_journal_that_is_removed_under_the_hands_of_its_agent_comes_back_whole() {
    let ground = Ground::new();
    let journal = ground.sessions().create(&ground.project());
    write(&journal, &numbered(2));
    fs::remove_dir_all(ground.path("state")).unwrap();
    write(&journal, &[number(2)]);
    assert_eq!(ground.sessions().read(journal.id()).unwrap().records, numbered(3));
    let id = journal.id().clone();
    assert!(ground.sessions().open(&id, &ground.project()).is_err(), "it is locked as before");
    drop(journal);
    assert_eq!(ground.sessions().read(&id).unwrap().records, numbered(3));
}

#[test]
fn what_cannot_be_read_back_does_not_spoil_the_rest() {
    let ground = Ground::new();
    // A hider that takes the names of the words themselves.
    let hide = |text: &str| (text == "cleared").then(String::new);
    let journal = ground.sessions().hiding(Arc::new(hide)).create(&ground.project());
    write(&journal, &[number(0), event(Event::Context(ContextEvent::Cleared)), number(1)]);
    let records: Vec<Record> = journal.records().unwrap();
    assert_eq!(records, numbered(2));
}
