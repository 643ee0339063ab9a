//! The window as a person meets it: small, overflowing, on an old server, slow to load, silent.

use crate::stage::House;
use crate::terminal::Terminal;
use serde_json::{Value, json};

const SUMMARY: &str =
    "## Goal\nread the files\n\n## Decisions\nnone\n\n## Files\n- a.txt\n\n## Commands\nnone\n\n## Open\n- read on";

/// A model that reads `a.txt` when it is told to, and summarises when it is asked to.
fn reader(further: Value) -> Value {
    let mut script = json!({
        "models": [{"name": "m", "context_length": 32_768, "vram_percent": 63}],
        "counts": "pieces",
        "replies": [
            {"when": {"user_contains": "## Goal"}, "say": [{"text": SUMMARY}]},
            {"when": {"user_contains": "read", "after": "person"},
                "say": [{"call": {"name": "read_file", "arguments": {"file_path": "a.txt"}}}]},
            {"when": {"after": "tool"}, "say": [{"text": "That was the file."}]},
            {"say": [{"text": "As you say."}]},
        ],
    });
    script.as_object_mut().unwrap().extend(further.as_object().unwrap().clone());
    script
}

fn with_file(script: Value, lines: usize) -> House {
    let house = House::scripted(script);
    let text: String = (0..lines).map(|line| format!("line {line} of the file, with some words in it\n")).collect();
    house.write("a.txt", &text);
    house
}

/// Says it for the `turn`-th time, counted from 0, and waits until the turn is over.
fn read(house: &House, screen: &mut Terminal, turn: usize) {
    screen.keys(&format!("read it, number {turn}<enter>"));
    house.wait_turns(turn + 1);
    screen.wait_gone("Esc interrupts");
}

#[test]
fn a_conversation_that_overflows_is_made_shorter_and_goes_on() {
    let house = with_file(reader(json!({})), 150);
    let mut screen = house.open_with(&["--model", "m", "--num-ctx", "8192"], (120, 40));
    for turn in 0..5 {
        read(&house, &mut screen, turn);
    }
    let shown = screen.wait_for("compacted:");
    assert!(shown.contains("tokens"), "{shown}");
    for chat in house.server().chats() {
        let prompt = chat.prompt.unwrap();
        assert!(prompt.tokens <= prompt.window, "{prompt:?}");
    }
    assert_eq!(house.server().loads(), 1);
}

#[test]
fn a_window_smaller_than_asked_for_is_said_with_the_setting_to_change() {
    let house = with_file(reader(json!({"most_window": 4096})), 5);
    let mut screen = house.open_with(&["--model", "m", "--num-ctx", "16384"], (120, 40));
    let shown = screen.wait_for("4,096");
    assert!(shown.contains("16,384"), "{shown}");
    screen.wait_for("/ 4k  gpu 6");
    screen.keys("/context<enter>");
    let shown = screen.wait_for("Where the tokens go");
    assert!(shown.contains("kept for a reply") && shown.contains("tools"), "{shown}");
}

#[test]
fn an_old_server_that_cuts_in_silence_is_told_of() {
    let house = with_file(reader(json!({"old": true, "counts": "words"})), 400);
    let mut screen = house.open_with(&["--model", "m", "--num-ctx", "4096"], (120, 40));
    for turn in 0..6 {
        read(&house, &mut screen, turn);
    }
    let told = |body: &Value| body["messages"].to_string().contains("number 5");
    assert!(house.server().chats().iter().any(|chat| told(&chat.body)), "the last words arrived");
}

#[test]
fn a_slow_load_is_told_from_reading_and_can_be_stopped() {
    let house = House::scripted(reader(json!({"load_ms": 20_000})));
    let mut screen = house.open();
    screen.keys("hello<enter>");
    screen.wait_for("loading m");
    screen.keys("<esc>");
    screen.wait_gone("Esc interrupts");
    screen.wait_for("hello");
}

#[test]
fn the_reading_of_a_prompt_is_told_with_what_is_left() {
    let house = with_file(reader(json!({"reading_per_second": 1_500})), 150);
    let mut screen = house.open();
    screen.keys("hello<enter>");
    screen.wait_for("As you say.");
    screen.wait_gone("Esc interrupts");
    screen.keys("read it<enter>");
    screen.wait("what is read, and of how much", |screen| {
        screen.contains("reading") && screen.contains("new of") && screen.contains("tokens")
    });
    screen.wait_for("That was the file.");
}

#[test]
fn a_silence_in_the_middle_of_a_reply_is_explained_and_can_be_stopped() {
    let say = json!([{"text": "Let me write"}, {"wait_ms": 60_000}, {"text": " it."}]);
    let house = House::new(&[say]);
    let mut screen = house.open();
    screen.keys("go<enter>");
    screen.wait_for("nothing has arrived for");
    screen.keys("<esc>");
    screen.wait_gone("nothing has arrived");
    screen.wait_for("interrupted");
}

#[test]
fn the_exact_prompt_and_request_can_be_read() {
    let house = with_file(reader(json!({})), 5);
    let mut screen = house.open();
    screen.keys("hello<enter>");
    screen.wait_for("As you say.");
    screen.wait_gone("Esc interrupts");
    screen.keys("/prompt<enter>");
    screen.wait_for("The prompt, as the model reads it");
    screen.press_until("<pgdn>", "Look before you change");
    screen.keys("<tab>");
    screen.wait_for("The prompt, as it is sent");
    screen.press_until("<pgdn>", "\"truncate\"");
    screen.keys("<esc>");
    screen.wait_gone("\"truncate\"");
}

#[test]
fn the_conversation_can_be_made_shorter_by_hand() {
    let house = with_file(reader(json!({})), 200);
    let mut screen = house.open();
    for turn in 0..3 {
        read(&house, &mut screen, turn);
    }
    screen.keys("/compact keep the names<enter>");
    screen.wait_for("became a summary");
    screen.wait_gone("Esc interrupts");
    let asked = house.server().chats().last().unwrap().body["messages"].to_string();
    assert!(asked.contains("keep the names"), "{asked}");
    screen.keys("hello<enter>");
    screen.wait_for("As you say.");
    let told = house.server().chats().last().unwrap().body["messages"].to_string();
    assert!(told.contains("read the files") && told.contains("number 0"), "{told}");
}

#[test]
fn thinking_is_switched_for_a_model_that_has_it() {
    let script = json!({
        "models": [{"name": "m", "context_length": 32_768, "capabilities": ["completion", "tools", "thinking"]}],
        "replies": [{"say": [{"text": "Said."}]}],
    });
    let house = House::scripted(script);
    let mut screen = house.open();
    screen.keys("/think low<enter>");
    screen.wait_for("think low");
    screen.keys("hello<enter>");
    screen.wait_for("Said.");
    assert_eq!(house.server().chats()[0].body["think"], "low");
}

#[test]
fn another_model_takes_the_conversation_over() {
    let script = json!({
        "models": [{"name": "m", "context_length": 32_768}, {"name": "other", "context_length": 32_768}],
        "replies": [{"say": [{"text": "Said."}]}],
    });
    let house = House::scripted(script);
    let mut screen = house.open();
    screen.keys("the first words<enter>");
    screen.wait_for("Said.");
    screen.wait_gone("Esc interrupts");
    screen.keys("/model other<enter>");
    screen.wait(" the other model", |screen| screen.lines().last().is_some_and(|line| line.contains("other")));
    screen.keys("more<enter>");
    house.server().wait_for_chat(2, std::time::Duration::from_secs(30)).unwrap();
    let body = house.server().chats()[1].body.clone();
    assert_eq!(body["model"], "other");
    assert!(body["messages"].to_string().contains("the first words"), "{body}");
}
