//! Faults of server, tools, disk, clock and terminal against the built program: whatever breaks, it says so in words,
//! stays small, gives the terminal back, leaves nothing behind but its journals, and these load whole.
//!
//! `AGENT_ROWS=FD07,FD22` plays some rows only; `AGENT_FIGURES=1` with `--nocapture` prints what was measured.

mod case;
mod floods;
mod honest;
mod journals;
mod kills;
mod player;
mod playing;
mod processes;
mod report;
mod room;
mod rows;
mod seat;
#[path = "../house/terminal.rs"]
#[expect(dead_code, reason = "the house's tests need more of it")]
mod terminal;
mod user;

use case::Case;
use report::Ended;
use room::{Folders, Room};
use serde_json::json;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::time::Instant;

/// So many rows are played at once: most of them wait, and a machine may have two processors.
const AT_ONCE: usize = 4;

#[test]
fn every_row_behaves_as_it_says() {
    let wanted = std::env::var("AGENT_ROWS").ok();
    let cases = case::all();
    let is_wanted = |id: &str| wanted.as_ref().is_none_or(|wanted| wanted.split(',').any(|one| one == id));
    let queue: Mutex<VecDeque<_>> = Mutex::new(rows::PLAYED.iter().filter(|(id, _)| is_wanted(id)).collect());
    let ended = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let Some((id, play)) = queue.lock().unwrap().pop_front() else { return };
                    let case = cases.iter().find(|case| case.id == *id).expect("every played row exists");
                    let end = played(case, *play);
                    ended.lock().unwrap().push(end);
                }
            });
        }
    });
    let mut ended = ended.into_inner().unwrap();
    ended.sort_by(|one, other| one.id.cmp(&other.id));
    report::say(&ended);
    let faults = report::faults(&ended);
    assert!(faults.is_empty(), "{} of {} rows:\n{}", faults.len(), ended.len(), faults.join("\n\n"));
}

fn played(case: &Case, play: rows::Play) -> Ended {
    let begun = Instant::now();
    let room = Room::new(case);
    let (figures, folders) = (room.figures.clone(), room.folders.clone());
    let fault = catch_unwind(AssertUnwindSafe(|| play(room))).err().map(words_of);
    let fault = fault.or_else(|| unreadable(&folders));
    let mut figures = figures.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone();
    figures.insert("s", begun.elapsed().as_secs_f64());
    Ended { id: case.id.clone(), title: case.title.clone(), fault, figures }
}

/// The first journal in these folders that a later agent could not read whole.
fn unreadable(folders: &Folders) -> Option<String> {
    let folders = folders.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    folders.iter().find_map(|folder| journals::check(&room::state_in(folder.path())).err())
}

/// What a panic said.
fn words_of(said: Box<dyn std::any::Any + Send>) -> String {
    let text = said.downcast_ref::<String>().cloned();
    text.or_else(|| said.downcast_ref::<&str>().map(|text| (*text).to_owned())).unwrap_or_default()
}

#[test]
fn floods_stay_small() {
    let mut faults = Vec::new();
    for (name, events, words) in floods::all() {
        let case = Case { id: "flood".to_owned(), title: name.to_owned(), inject: json!({ "chat": events }) };
        let room = Room::new(&case);
        let figures = room.figures.clone();
        let begun = Instant::now();
        let end = catch_unwind(AssertUnwindSafe(|| floods::play(&room, words)));
        report::say_flood(name, &figures.lock().unwrap(), begun.elapsed());
        if let Some(fault) = end.err().map(words_of).or_else(|| unreadable(&room.folders)) {
            faults.push(format!("{name}: {fault}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

/// Nothing is passed over: each row is played or named with a reason, once.
#[test]
fn every_row_is_played_or_named() {
    let mut named: Vec<&str> =
        rows::PLAYED.iter().map(|(id, _)| *id).chain(rows::ELSEWHERE.iter().map(|(id, _)| *id)).collect();
    named.sort_unstable();
    let all: Vec<String> = case::all().into_iter().map(|case| case.id).collect();
    assert_eq!(named, all);
    let played = |id: &&str| rows::PLAYED.iter().any(|(known, _)| known == id);
    assert!(rows::WAITING.iter().all(|(id, _)| played(id)));
}
