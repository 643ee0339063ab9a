//! A process that writes is killed at any moment: its session opens again, with all that it was told was on disk.

use crate::ground::{event, wait};
use agent_protocol::{Event, Record, TurnEvent};
use agent_store::{Folder, Place, Sessions};
use std::env;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Set for the process that is to be killed; names its folder.
const VICTIM: &str = "AGENT_STORE_VICTIM";
const SETTLED: &str = "settled: ";
/// A session is killed so often; then another one is begun.
const LIVES: u64 = 5;

/// Some are large, so that a kill can fall into the middle of writing one.
fn number(number: usize) -> Record {
    let size = if number % 8 == 7 { 300_000 } else { number % 50 };
    event(Event::Turn(TurnEvent::Text { text: format!("number {number}: {}", "x".repeat(size)) }))
}

/// The number of kills is read from `AGENT_KILLS`.
#[test]
fn a_session_opens_again_whenever_its_writer_is_killed() {
    let kills = env::var("AGENT_KILLS").ok().and_then(|kills| kills.parse().ok()).unwrap_or(20);
    let (mut torn, mut kept) = (0, 0);
    let mut folder = tempfile::tempdir().unwrap();
    for kill in 0..kills {
        if kill % LIVES == 0 {
            folder = tempfile::tempdir().unwrap();
        }
        let settled = killed(folder.path(), kill);
        let Some(card) = sessions(folder.path()).list().into_iter().next() else {
            assert_eq!(settled, 0, "kill {kill}: the session is gone");
            continue;
        };
        let project = Folder::at(folder.path()).unwrap();
        let (_journal, loaded) = sessions(folder.path()).open(&card.id, &project).unwrap();
        let count = loaded.records.len();
        assert!(
            loaded.records.iter().cloned().eq((0..count).map(number)),
            "kill {kill}: other records than were written"
        );
        assert!(count >= settled, "kill {kill}: {count} records of {settled} that were on disk");
        torn += u64::from(loaded.torn.is_some());
        kept += count;
    }
    say(&format!("{kills} kills: every session opened, {kept} records kept, {torn} torn ends set aside"));
}

fn sessions(folder: &Path) -> Sessions {
    Sessions::new(Place::new(folder.join("state")))
}

/// Starts a writer and kills it at some moment; gives how many records it was told were on disk.
fn killed(folder: &Path, kill: u64) -> usize {
    let mut writer = Command::new(env::current_exe().unwrap())
        .args(["--exact", "kills::writes_until_it_is_killed", "--nocapture"])
        .env(VICTIM, folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(writer.stdout.take().unwrap()).lines().map_while(Result::ok);
    assert!(lines.any(|line| line.contains(SETTLED)), "the writer did not start");
    // The moment is the point of it: nothing is waited for.
    std::thread::sleep(Duration::from_micros(moment(kill)));
    writer.kill().unwrap();
    let settled = lines.filter_map(|line| line.strip_prefix(SETTLED)?.parse().ok()).last();
    writer.wait().unwrap();
    settled.unwrap_or(0)
}

/// Up to 40 ms, another time each time.
fn moment(kill: u64) -> u64 {
    let mut dice = kill.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    dice ^= dice >> 31;
    dice.wrapping_mul(0xbf58_476d_1ce4_e5b9) % 40_000
}

/// Goes on with the session that is there, for ever; does nothing unless it is to be killed.
#[test]
fn writes_until_it_is_killed() {
    let Some(folder) = env::var_os(VICTIM).map(PathBuf::from) else { return };
    let project = Folder::at(&folder).unwrap();
    let sessions = sessions(&folder);
    let (journal, mut count) = match sessions.last_of(&project) {
        Some(card) => {
            let (journal, loaded) = sessions.open(&card.id, &project).unwrap();
            (journal, loaded.records.len())
        }
        None => (sessions.create(&project), 0),
    };
    let mut out = std::io::stdout();
    // Ready; the line before it has no end.
    write!(out, "\n{SETTLED}0\n").unwrap();
    loop {
        for _ in 0..count % 7 + 1 {
            journal.write(vec![number(count)], count.is_multiple_of(3));
            count += 1;
        }
        wait(journal.settled());
        writeln!(out, "{SETTLED}{count}").unwrap();
    }
}

#[expect(clippy::print_stdout, reason = "the figures are what the test is run for")]
fn say(words: &str) {
    println!("{words}");
}
