//! A disk that is full, and then is not.

use crate::ground::{event, number, numbered, reporting, wait, write};
use agent_protocol::{Event, JournalState, Record, TurnEvent};
use agent_store::{Folder, Place, Sessions, Torn};
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Set for the copy of this program that has a small disk; names where it is.
const SMALL: &str = "AGENT_STORE_SMALL_DISK";

#[test]
fn a_full_disk_loses_nothing() {
    in_a_small_disk("writes_where_there_is_little_room");
}

#[test]
fn what_is_torn_waits_in_its_journal_until_there_is_room_to_set_it_aside() {
    in_a_small_disk("opens_where_there_is_no_room");
}

#[test]
fn a_session_on_a_disk_that_can_only_be_read_goes_on_and_loses_nothing() {
    in_a_small_disk("opens_where_nothing_can_be_written");
}

/// Runs `test` of this program again, with a disk of its own.
fn in_a_small_disk(test: &str) {
    let tried = Command::new("unshare").args(["-Urm", "true"]).stderr(Stdio::null()).status();
    if !tried.is_ok_and(|status| status.success()) {
        return say("no name spaces here: small disks are not tried");
    }
    let folder = tempfile::tempdir().unwrap();
    let script = "mount -t tmpfs -o size=256k,mode=700 small \"$0\"; exec \"$@\"";
    let output = Command::new("unshare")
        .args(["-Urm", "sh", "-ec", script])
        .arg(folder.path())
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", &format!("small_disk::{test}"), "--nocapture"])
        .env(SMALL, folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

fn small_disk() -> Option<PathBuf> {
    std::env::var_os(SMALL).map(PathBuf::from)
}

/// Runs in the copy only.
#[test]
fn writes_where_there_is_little_room() {
    let Some(disk) = small_disk() else { return };
    fs::write(disk.join("filler"), vec![b'x'; 100_000]).unwrap();
    let (sessions, heard) = reporting(Sessions::new(Place::new(disk.join("state"))));
    let project = Folder::at(&disk).unwrap();
    let journal = sessions.create(&project);
    let mut given: Vec<Record> = Vec::new();
    let mut last = None;
    while !matches!(last, Some(JournalState::Unkept { .. })) {
        let record = event(Event::Turn(TurnEvent::Text { text: format!("{} {}", given.len(), "y".repeat(3_000)) }));
        given.push(record.clone());
        journal.write(vec![record], given.len().is_multiple_of(3));
        wait(journal.settled());
        last = heard.try_iter().last().or(last);
        assert!(given.len() < 500, "the disk is not small");
    }
    let Some(JournalState::Unkept { why }) = last else { unreachable!() };
    assert!(why.contains("the disk is full; free some room; until then what happens is held in memory"), "{why}");
    let seen = sessions.read(journal.id()).unwrap();
    assert_eq!((seen.records.len(), seen.torn), (given.len() - 1, None), "no part of a line is left");
    assert!(journal.records().unwrap() == given);
    fs::remove_file(disk.join("filler")).unwrap();
    wait(journal.settled());
    assert_eq!(heard.try_iter().collect::<Vec<_>>(), [JournalState::Kept { id: journal.id().clone() }]);
    assert!(sessions.read(journal.id()).unwrap().records == given);
}

/// Runs in the copy only.
#[test]
fn opens_where_there_is_no_room() {
    let Some(disk) = small_disk() else { return };
    let (sessions, heard) = reporting(Sessions::new(Place::new(disk.join("state"))));
    let project = Folder::at(&disk).unwrap();
    let journal = sessions.create(&project);
    write(&journal, &numbered(3));
    let id = journal.id().clone();
    drop(journal);
    let path = disk.join(format!("state/sessions/{id}.jsonl"));
    fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(&[b'z'; 9_000]).unwrap();
    let mut filler = fs::File::create(disk.join("filler")).unwrap();
    while filler.write_all(&[b'x'; 4_096]).is_ok() {}
    let (journal, loaded) = sessions.open(&id, &project).unwrap();
    assert_eq!(loaded.records, numbered(3));
    assert_eq!(loaded.torn, Some(Torn { path: path.clone(), bytes: 9_000 }));
    heard.try_iter().for_each(drop);
    write(&journal, &[number(3)]);
    assert!(matches!(heard.try_iter().last(), Some(JournalState::Unkept { .. })));
    assert_eq!(sessions.read(&id).unwrap().torn, Some(Torn { path, bytes: 9_000 }), "nothing is lost");
    fs::remove_file(disk.join("filler")).unwrap();
    drop(filler);
    wait(journal.settled());
    let again = sessions.read(&id).unwrap();
    assert_eq!((again.records, again.torn), (numbered(4), None));
    let names = fs::read_dir(disk.join("state/sessions")).unwrap().map(|entry| entry.unwrap());
    let torn: Vec<u64> = names
        .filter(|entry| entry.file_name().to_string_lossy().contains(".torn-"))
        .map(|entry| entry.metadata().unwrap().len())
        .collect();
    assert_eq!(torn, [9_000]);
}

/// Runs in the copy only.
#[test]
fn opens_where_nothing_can_be_written() {
    let Some(disk) = small_disk() else { return };
    let mount = |how: &str| {
        let mounted = Command::new("mount").args(["-o", &format!("remount,{how}")]).arg(&disk).status().unwrap();
        assert!(mounted.success());
    };
    let (sessions, heard) = reporting(Sessions::new(Place::new(disk.join("state"))));
    let project = Folder::at(&disk).unwrap();
    let journal = sessions.create(&project);
    write(&journal, &numbered(3));
    let id = journal.id().clone();
    drop(journal);
    heard.try_iter().for_each(drop);
    mount("ro");
    assert_eq!(sessions.list().len(), 1);
    let (journal, loaded) = sessions.open(&id, &project).unwrap();
    assert_eq!((loaded.records, loaded.torn), (numbered(3), None));
    write(&journal, &[number(3)]);
    let Some(JournalState::Unkept { why }) = heard.try_iter().last() else { panic!("nothing was said") };
    assert!(why.contains("the disk can only be read; see that it can be written; until then"), "{why}");
    assert!(sessions.open(&id, &project).is_err(), "it is locked all the same");
    assert_eq!(journal.records().unwrap(), numbered(4));
    mount("rw");
    wait(journal.settled());
    assert_eq!(heard.try_iter().collect::<Vec<_>>(), [JournalState::Kept { id: id.clone() }]);
    assert!(sessions.open(&id, &project).is_err(), "and still is");
    drop(journal);
    assert_eq!(sessions.read(&id).unwrap().records, numbered(4));
}

#[expect(clippy::print_stdout, reason = "a test that cannot run says so")]
fn say(words: &str) {
    println!("{words}");
}
