//! Replies that are well formed and far too much: the rows break what a server says, these only multiply it.

use crate::room::Room;
use crate::seat::QUESTION;
use serde_json::{Value, json};

/// A name, what is played, and what the screen has to say of it in the end.
pub(crate) fn all() -> Vec<(&'static str, Value, &'static str)> {
    vec![
        ("two hundred thousand tokens", words(200_000, 1), "word 199999.0"),
        ("half a million tokens", words(500_000, 1), "reply too long"),
        ("lines of a megabyte, six of them", words(6, 80_000), "reply too long"),
        (
            "nine hundred calls in one line",
            json!([["calls", 900, "read_file", {"file_path": "a{i}.txt"}], ["done"]]),
            "",
        ),
        (
            "two thousand calls",
            json!([["calls", 2000, "read_file", {"file_path": "a.txt"}], ["done"]]),
            "too many calls",
        ),
        ("arguments nested without end", json!([["call_rawargs", "read_file", "[*100000 ]"], ["done"]]), "unreadable"),
        ("a file of three megabytes", json!([["call_big", "write_file", "content", 3_000_000], ["done"]]), QUESTION),
        ("a file of four", json!([["call_big", "write_file", "content", 4_000_000], ["done"]]), "reply too long"),
    ]
}

/// So many tokens of so many words each, no two of them alike: the same again and again would be stopped as a loop.
fn words(count: usize, each: usize) -> Value {
    let token = |number: usize| (0..each).map(|word| format!("word {number}.{word} ")).collect::<String>();
    let said = (0..count).map(|number| json!(["tok", token(number)]));
    said.chain([json!(["done"])]).collect()
}

/// Plays one of them, and leaves.
pub(crate) fn play(room: &Room, words: &str) {
    let mut seat = room.open();
    seat.say("go");
    room.player.wait_chats(1);
    seat.wait_for_long(words);
    if seat.screen().contains(QUESTION) {
        seat.press_until_gone("n", QUESTION);
    }
    // Once only: at rest it would mean something else.
    seat.keys("<esc>");
    seat.wait_idle();
    seat.leave();
}
