//! A session that is longer than what is held in memory: all of it can be read as before, on the screen and in a copy.

use crate::stage::{House, text};
use crate::terminal::Terminal;
use std::io::{Seek, SeekFrom, Write};

const TURNS: usize = 40;

/// A house whose model answers each of so many turns with fifty lines.
fn house() -> House {
    let answer = |turn: usize| {
        let lines: String = (1..=50).map(|line| format!("line {line} of answer {turn}\n\n")).collect();
        text(&format!("{lines}That was answer {turn}."))
    };
    let mut replies: Vec<_> = (1..=TURNS).map(answer).collect();
    replies.push(text("I am still here."));
    House::new(&replies)
}

/// A screen on which all of that was said.
fn talked(house: &House) -> Terminal {
    let mut screen = house.open_with(&["--model", "m", "--num-ctx", "32768"], (80, 24));
    for turn in 1..=TURNS {
        screen.keys(&format!("question {turn}<enter>"));
        screen.wait_for(&format!("That was answer {turn}."));
        screen.wait_gone("Esc interrupts");
    }
    house.wait_turns(TURNS);
    screen
}

#[test]
fn whoever_goes_to_the_start_of_a_long_session_reads_its_first_words() {
    let house = house();
    let mut screen = talked(&house);
    screen.keys("<home>");
    let shown = screen.wait_for("› question 1 ");
    assert!(shown.contains("line 1 of answer 1"), "{shown}");
    screen.keys("<end>");
    screen.wait_for(&format!("That was answer {TURNS}."));
    // The same, opened once more.
    screen.keys("<c-d>");
    assert!(screen.wait_exit().success());
    let mut screen = house.open_with(&["-c", "--num-ctx", "32768"], (80, 24));
    screen.wait_for("resumed: question 1");
    screen.keys("<home>");
    let shown = screen.wait_for("› question 1 ");
    assert!(shown.contains("line 1 of answer 1"), "{shown}");
    screen.keys("<end>/export all.md<enter>");
    screen.wait_for("written: all.md");
    let written = house.read("all.md");
    assert!((1..=TURNS).all(|turn| written.contains(&format!("line 50 of answer {turn}\n"))), "{written}");
}

#[test]
fn a_part_that_cannot_be_read_says_so_and_the_session_goes_on() {
    let house = house();
    let mut screen = talked(&house);
    damage(&house, "line 9 of answer 1");
    screen.keys("<home>");
    screen.wait_for("this part of the conversation cannot be read: line ");
    screen.keys("<end>");
    screen.wait_for(&format!("That was answer {TURNS}."));
    screen.keys("are you there?<enter>");
    screen.wait_for("I am still here.");
}

/// Another letter stands in the only journal, as a broken disk would have it.
fn damage(house: &House, words: &str) {
    let folder = std::fs::read_dir(house.state().join("sessions")).unwrap();
    let is_journal = |path: &std::path::PathBuf| path.extension().is_some_and(|end| end == "jsonl");
    let path = folder.map(|entry| entry.unwrap().path()).find(is_journal).unwrap();
    let at = std::fs::read_to_string(&path).unwrap().find(words).unwrap();
    let mut file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.seek(SeekFrom::Start(at as u64)).unwrap();
    file.write_all(b"L").unwrap();
}
