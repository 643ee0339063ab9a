//! Somebody types while a question is open, or pastes what terminals take for the end of a paste.

use crate::stage::{House, call, text};
use crate::terminal::Terminal;
use serde_json::json;
use std::time::Duration;

/// Between two keys of somebody who types.
const A_KEY: Duration = Duration::from_millis(120);
/// Longer than a letter is held before it answers.
const HELD: Duration = Duration::from_millis(600);

fn writes(house: &House) -> Terminal {
    let mut screen = house.open();
    screen.keys("write it<enter>");
    screen.wait_for("approve once");
    std::thread::sleep(2 * HELD);
    screen
}

fn house() -> House {
    House::new(&[call("write_file", json!({"file_path": "a.txt", "content": "x"})), text("Done.")])
}

fn written(house: &House) -> bool {
    house.project().join("a.txt").exists()
}

#[test]
fn a_command_typed_at_an_open_question_stands_in_the_message_and_answers_nothing() {
    let house = house();
    let mut screen = writes(&house);
    for letter in "/copy".chars() {
        screen.send(letter.encode_utf8(&mut [0; 4]).as_bytes());
        std::thread::sleep(A_KEY);
    }
    screen.keys("<enter>");
    screen.wait_for("› /copy");
    std::thread::sleep(HELD);
    let shown = screen.wait_for("that went to your message");
    assert!(shown.contains("approve once") && !written(&house), "{shown}");
    screen.keys("<backspace><backspace><backspace><backspace><backspace>");
    screen.wait_gone("that went to your message");
    screen.press_until("y", "Done.");
    assert!(written(&house));
}

#[test]
fn a_letter_that_stands_alone_answers() {
    let house = house();
    let mut screen = writes(&house);
    screen.send(b"y");
    screen.wait_for("Done.");
    assert!(written(&house));
}

#[test]
fn what_follows_the_end_of_a_paste_inside_a_paste_answers_nothing() {
    let house = house();
    let mut screen = writes(&house);
    screen.send(b"\x1b[200~some words\x1b[201~y\r\x1b[201~");
    screen.wait_for("› some words");
    std::thread::sleep(HELD);
    let shown = screen.wait_for("approve once");
    assert!(shown.contains("some wordsy") && !written(&house), "{shown}");
}

#[test]
fn what_follows_the_end_of_a_paste_inside_a_paste_submits_nothing() {
    let house = House::new(&[text("Never said.")]);
    let mut screen = house.open();
    screen.wait_for("/ 16k");
    screen.send(b"\x1b[200~some words\x1b[201~y\r/unsafe\r\x1b[Z\x03\x03\x1b[201~");
    screen.wait_for("some wordsy");
    std::thread::sleep(HELD);
    let shown = screen.wait_for("/unsafe");
    assert!(shown.contains("SAFE") && house.server().chats().is_empty(), "{shown}");
}
