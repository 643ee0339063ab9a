//! Where nothing can be written, everything is held, said, and written as soon as that is possible.

use crate::ground::{Ground, number, numbered, reporting, wait, write};
use agent_protocol::JournalState;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

/// Words of the one thing that was reported.
fn unkept(states: Vec<JournalState>) -> String {
    match states.as_slice() {
        [JournalState::Unkept { why }] => why.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_folder_that_others_can_write_holds_nothing_until_it_is_mended() {
    let ground = Ground::new();
    fs::create_dir(ground.path("state")).unwrap();
    fs::set_permissions(ground.path("state"), Permissions::from_mode(0o777)).unwrap();
    let (sessions, heard) = reporting(ground.sessions());
    let journal = sessions.create(&ground.project());
    write(&journal, &numbered(2));
    write(&journal, &[number(2)]);
    let why = unkept(heard.try_iter().collect());
    assert!(why.contains("can be written by others") && why.contains("chmod go-w"), "{why}");
    assert!(why.ends_with("until then what happens is held in memory"), "{why}");
    assert!(!ground.path("state/sessions").exists());
    assert_eq!(journal.records().unwrap(), numbered(3), "export and fork have it all the same");
    fs::set_permissions(ground.path("state"), Permissions::from_mode(0o700)).unwrap();
    write(&journal, &[number(3)]);
    assert_eq!(heard.try_iter().collect::<Vec<_>>(), [JournalState::Kept { id: journal.id().clone() }]);
    assert_eq!(ground.sessions().read(journal.id()).unwrap().records, numbered(4));
}

#[test]
fn a_folder_that_cannot_be_made_is_made_when_it_can() {
    let ground = Ground::new();
    fs::write(ground.path("state"), "in the way").unwrap();
    let (sessions, heard) = reporting(ground.sessions());
    let journal = sessions.create(&ground.project());
    write(&journal, &numbered(1));
    let why = unkept(heard.try_iter().collect());
    assert!(why.contains("cannot keep a session in") && why.contains("see that the folder is writable"), "{why}");
    fs::remove_file(ground.path("state")).unwrap();
    // Nothing new happens: leaving is enough.
    let id = journal.id().clone();
    drop(journal);
    assert_eq!(ground.sessions().read(&id).unwrap().records, numbered(1));
}

#[test]
fn nobody_waits_for_what_cannot_be_written() {
    let ground = Ground::new();
    fs::write(ground.path("state"), "in the way").unwrap();
    let journal = ground.sessions().create(&ground.project());
    journal.write(numbered(1), true);
    wait(journal.settled());
    drop(journal);
    assert_eq!(ground.sessions().list(), []);
}

#[test]
fn more_than_can_be_held_is_said() {
    let ground = Ground::new();
    fs::write(ground.path("state"), "in the way").unwrap();
    let (sessions, heard) = reporting(ground.sessions());
    let journal = sessions.create(&ground.project());
    let large = |letter: char| {
        let text = letter.to_string().repeat(40 << 20);
        crate::ground::event(agent_protocol::Event::Turn(agent_protocol::TurnEvent::Text { text }))
    };
    write(&journal, &[large('a')]);
    write(&journal, &[large('b')]);
    let said: Vec<String> = heard.try_iter().map(|state| unkept(vec![state])).collect();
    assert!(said[0].ends_with("until then what happens is held in memory"), "{}", said[0]);
    assert!(said[1].ends_with("until then only the last 64 MB of it are held in memory"), "{}", said[1]);
    fs::remove_file(ground.path("state")).unwrap();
    write(&journal, &[number(0)]);
    let records = journal.records().unwrap();
    assert!(records == [large('b'), number(0)], "the oldest went, and there is no gap in the numbers");
}

#[test]
fn a_file_that_another_program_cut_gets_nothing_more_and_that_is_said() {
    let ground = Ground::new();
    let (sessions, heard) = reporting(ground.sessions());
    let journal = sessions.create(&ground.project());
    write(&journal, &numbered(3));
    heard.try_iter().for_each(drop);
    let path = ground.journal(journal.id());
    let cut = fs::metadata(&path).unwrap().len() / 2;
    fs::File::options().write(true).open(&path).unwrap().set_len(cut).unwrap();
    write(&journal, &[number(3)]);
    let why = unkept(heard.try_iter().collect());
    assert!(why.starts_with("another program changed"), "{why}");
    assert_eq!(fs::metadata(&path).unwrap().len(), cut, "what is added behind the cut could not be found again");
    assert!(journal.records().is_err());
}

#[test]
fn where_a_line_is_damaged_the_rest_is_not_given_out_for_all_of_it() {
    let ground = Ground::new();
    let journal = ground.sessions().create(&ground.project());
    write(&journal, &numbered(6));
    let path = ground.journal(journal.id());
    let mut text = fs::read(&path).unwrap();
    let middle = text.len() / 2;
    text[middle] ^= 1;
    // In place, as a disk does it: the journal has the file open.
    std::io::Write::write_all(&mut fs::File::options().write(true).open(&path).unwrap(), &text).unwrap();
    let why = journal.records().unwrap_err();
    assert!(why.contains("is damaged"), "{why}");
}
