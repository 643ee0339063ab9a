//! One turn is read without the others, wherever it stands.

use crate::ground::{Ground, event, number, wait, write};
use agent_protocol::{Event, Record, TurnEvent, TurnId};
use std::fs;

fn begins(turn: u64) -> Record {
    event(Event::Turn(TurnEvent::Started { turn: TurnId(turn), text: format!("turn {turn}") }))
}

/// What is written down of a turn.
fn turn(turn: u64) -> Vec<Record> {
    let place = usize::try_from(turn).unwrap() * 10;
    vec![begins(turn), number(place), number(place + 1)]
}

#[test]
fn each_turn_is_read_by_itself_also_when_the_session_goes_on_elsewhere() {
    let ground = Ground::new();
    let journal = ground.sessions().create(&ground.project());
    write(&journal, &[vec![number(0)], turn(1), turn(2)].concat());
    write(&journal, &turn(3));
    let all = |journal: &agent_store::Journal| {
        (1..=3).for_each(|number| assert_eq!(journal.page(TurnId(number)), Ok(turn(number))))
    };
    all(&journal);
    assert!(journal.page(TurnId(4)).unwrap_err().contains("does not stand"));
    let id = journal.id().clone();
    drop(journal);
    let (journal, _) = ground.sessions().open(&id, &ground.project()).unwrap();
    all(&journal);
    write(&journal, &turn(4));
    assert_eq!(journal.page(TurnId(4)), Ok(turn(4)));
    let (copy, _) = ground.sessions().fork(&id, usize::MAX, &ground.project()).unwrap();
    all(&copy);
    fs::remove_dir_all(ground.path("state")).unwrap();
    all(&journal);
    write(&journal, &[number(5)]);
    all(&journal);
}

#[test]
fn what_cannot_be_written_is_read_all_the_same() {
    let ground = Ground::new();
    let journal = ground.sessions().create(&ground.project());
    fs::write(ground.path("state"), "a file where a folder should be").unwrap();
    write(&journal, &[turn(1), turn(2)].concat());
    assert_eq!((journal.page(TurnId(1)), journal.page(TurnId(2))), (Ok(turn(1)), Ok(turn(2))));
    fs::remove_file(ground.path("state")).unwrap();
    journal.write(turn(3), true);
    wait(journal.settled());
    (1..=3).for_each(|number| assert_eq!(journal.page(TurnId(number)), Ok(turn(number))));
}

#[test]
fn a_damaged_turn_is_said_to_be_so_and_the_others_are_read() {
    let ground = Ground::new();
    let journal = ground.sessions().create(&ground.project());
    write(&journal, &[turn(1), turn(2), turn(3)].concat());
    let path = ground.journal(journal.id());
    let text = fs::read_to_string(&path).unwrap();
    // As a broken disk would have it: the same file, another letter.
    fs::write(&path, text.replacen("turn 2", "turn X", 1)).unwrap();
    assert_eq!(journal.page(TurnId(2)), Err("line 5 of the session's file is damaged".into()));
    assert_eq!((journal.page(TurnId(1)), journal.page(TurnId(3))), (Ok(turn(1)), Ok(turn(3))));
}
