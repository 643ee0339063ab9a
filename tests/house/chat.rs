//! A person at the screen: chat, approvals, interrupts, modes.

use crate::stage::{House, alive, call, text};
use serde_json::json;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(30);

fn edit(old: &str, new: &str) -> serde_json::Value {
    call("edit_file", json!({"file_path": "a.txt", "old_string": old, "new_string": new}))
}

#[test]
fn a_chat_shows_what_was_said_and_what_was_answered() {
    let house = House::new(&[text("Hello **there**, what shall we build?")]);
    let mut screen = house.open();
    screen.keys("hi<enter>");
    let shown = screen.wait_for("what shall we build?");
    assert!(shown.contains("Hello there") && shown.contains("› hi"), "{shown}");
}

#[test]
fn an_edit_is_shown_as_a_diff_and_written_after_yes() {
    let house = House::new(&[edit("two", "TWO"), text("Done.")]);
    house.write("a.txt", "one\ntwo\nthree\n");
    let mut screen = house.open();
    screen.keys("edit it<enter>");
    let shown = screen.wait_for("approve once");
    assert!(shown.contains("a.txt") && shown.contains("two") && shown.contains("TWO"), "{shown}");
    assert_eq!(house.read("a.txt"), "one\ntwo\nthree\n");
    screen.press_until("y", "Done.");
    assert_eq!(house.read("a.txt"), "one\nTWO\nthree\n");
}

#[test]
fn enter_a_paste_and_hasty_keys_answer_nothing() {
    let house = House::new(&[edit("two", "TWO"), text("Done.")]);
    house.write("a.txt", "two\n");
    let mut screen = house.open();
    screen.keys("edit it<enter>y<enter>y<enter>");
    screen.wait_for("approve once");
    screen.paste("y");
    screen.keys("<enter>");
    screen.wait_for("approve once");
    assert_eq!(house.read("a.txt"), "two\n");
}

#[test]
fn a_refusal_carries_its_word_to_the_model() {
    let house = House::new(&[edit("two", "TWO"), text("As you wish.")]);
    house.write("a.txt", "two\n");
    let mut screen = house.open();
    screen.keys("edit it<enter>");
    screen.wait_for("approve once");
    screen.press_until("<tab>", "word to the model");
    screen.keys("keep it lower case<enter>");
    screen.wait_for("approve once");
    screen.press_until("n", "As you wish.");
    assert_eq!(house.read("a.txt"), "two\n");
    let told = house.server().chats()[1].body["messages"].as_array().unwrap().last().unwrap()["content"].clone();
    assert_eq!(told, "refused by the user, who says: keep it lower case");
}

#[test]
fn a_proposal_edited_in_the_editor_is_asked_again_and_written_as_edited() {
    let house = House::new(&[edit("two", "TWO"), text("Done.")]);
    house.write("a.txt", "two\n");
    house.write("editor.sh", "#!/bin/sh\necho mine > \"$1\"\n");
    let mut command = house.command(&["--model", "m"]);
    command.env("EDITOR", format!("sh '{}'", house.project().join("editor.sh").display()));
    let mut screen = crate::terminal::Terminal::start(command, (120, 40));
    screen.keys("edit it<enter>");
    screen.wait_for("approve once");
    screen.press_until("e", "mine");
    assert_eq!(house.read("a.txt"), "two\n");
    screen.press_until("y", "Done.");
    assert_eq!(house.read("a.txt"), "mine\n");
}

#[test]
fn a_command_is_shown_with_its_folder_and_runs_after_yes() {
    let house = House::new(&[call("run_command", json!({"command": "echo ran > out.txt"})), text("Done.")]);
    let mut screen = house.open();
    screen.keys("run it<enter>");
    let shown = screen.wait_for("approve once");
    assert!(shown.contains("echo ran > out.txt") && shown.contains("project"), "{shown}");
    screen.press_until("y", "Done.");
    assert_eq!(house.read("out.txt"), "ran\n");
}

#[test]
fn always_for_a_command_is_not_asked_again() {
    let run = || call("run_command", json!({"command": "echo more >> out.txt"}));
    let house = House::new(&[run(), run(), text("Done.")]);
    let mut screen = house.open();
    screen.keys("run it<enter>");
    screen.wait_for("exactly this command");
    screen.press_until("a", "Done.");
    assert_eq!(house.read("out.txt"), "more\nmore\n");
}

#[test]
fn a_running_command_shows_its_output_and_esc_ends_it() {
    let stays = "sleep 1000 & echo pids $$ $! > pids.txt; echo it runs; wait";
    let house = House::new(&[call("run_command", json!({"command": stays})), text("never said")]);
    let mut screen = house.open();
    screen.keys("run it<enter>");
    screen.wait_for("approve once");
    screen.press_until_gone("y", "approve once");
    screen.wait("the command to start", |_| house.project().join("pids.txt").exists());
    screen.wait("its output to show", |shown| shown.lines().any(|line| line.trim_end().ends_with("it runs")));
    let said = house.read("pids.txt");
    let pids: Vec<&str> = said.split_whitespace().skip(1).collect();
    assert!(pids.len() == 2 && pids.iter().all(|pid| alive(pid)), "{pids:?}");
    screen.keys("<esc>");
    screen.wait_for("stopped");
    screen.wait("the processes to end", |_| !pids.iter().any(|pid| alive(pid)));
    assert_eq!(house.server().chats().len(), 1);
}

#[test]
fn esc_interrupts_the_model_and_keeps_what_arrived() {
    let slow = json!([{"text": "Once upon a time"}, {"wait_ms": 60000}, {"text": "never shown"}]);
    let house = House::new(&[slow, text("Back again.")]);
    let mut screen = house.open();
    screen.keys("tell me<enter>");
    screen.wait_for("Once upon a time");
    screen.keys("<esc>");
    screen.wait_for("interrupted");
    house.server().wait_for_chat_end(1, PATIENCE).expect("the request was cancelled");
    screen.keys("go on<enter>");
    let shown = screen.wait_for("Back again.");
    assert!(shown.contains("Once upon a time"), "{shown}");
}

#[test]
fn a_message_typed_meanwhile_is_queued_and_goes_out_at_the_next_step() {
    let read = json!([{"text": "Looking"}, {"wait_ms": 4000}, {"call": {"name": "read_file", "arguments": {"file_path": "a.txt"}}}]);
    let house = House::new(&[read, text("Heard both.")]);
    house.write("a.txt", "two\n");
    let mut screen = house.open();
    screen.keys("look<enter>");
    screen.wait_for("Looking");
    screen.keys("and hurry<enter>");
    screen.wait_for("queued");
    screen.wait_for("Heard both.");
    let chats = house.server().chats();
    let messages = chats[1].body["messages"].as_array().unwrap().clone();
    assert_eq!(messages.last().unwrap()["content"], "and hurry");
}

#[test]
fn a_queued_message_can_be_taken_back() {
    let slow = json!([{"text": "Working"}, {"wait_ms": 5000}, {"text": " done."}]);
    let house = House::new(&[slow]);
    let mut screen = house.open();
    screen.keys("go<enter>");
    screen.wait_for("Working");
    screen.keys("oops<enter>");
    screen.wait_for("queued");
    screen.keys("<up>");
    screen.wait_gone("queued");
    screen.wait_for("Working done.");
    let shown = screen.wait_for("oops");
    assert_eq!(house.server().chats().len(), 1, "{shown}");
}

#[test]
fn unsafe_mode_writes_unasked_and_still_asks_for_what_is_outside() {
    let house = House::new(&[
        edit("two", "TWO"),
        call("write_file", json!({"file_path": "../outside.txt", "content": "x"})),
        text("Done."),
    ]);
    house.write("a.txt", "two\n");
    let mut screen = house.open();
    screen.wait_for("SAFE");
    screen.keys("<s-tab>");
    screen.wait_for("EDITS");
    screen.keys("<s-tab>");
    screen.wait_for("PLAN");
    screen.keys("<s-tab>");
    screen.wait_for("UNSAFE");
    screen.keys("edit both<enter>");
    screen.wait_for("outside the project");
    assert_eq!(house.read("a.txt"), "TWO\n");
    screen.press_until("n", "Done.");
    assert!(!house.outside().join("outside.txt").exists());
}

#[test]
fn a_file_that_changed_meanwhile_is_not_overwritten() {
    let house = House::new(&[edit("two", "TWO"), text("I will read it again.")]);
    house.write("a.txt", "two\n");
    let mut screen = house.open();
    screen.keys("edit it<enter>");
    screen.wait_for("approve once");
    house.write("a.txt", "two, by hand\n");
    screen.press_until("y", "I will read it again.");
    assert_eq!(house.read("a.txt"), "two, by hand\n");
}

#[test]
fn a_file_outside_the_project_is_read_only_after_a_question() {
    let house = House::new(&[call("read_file", json!({"file_path": "../secret.txt"})), text("Read it.")]);
    std::fs::write(house.outside().join("secret.txt"), "the secret\n").unwrap();
    let mut screen = house.open();
    screen.keys("read it<enter>");
    let shown = screen.wait_for("outside the project");
    assert!(shown.contains("secret.txt"), "{shown}");
    screen.press_until("y", "Read it.");
    let chats = house.server().chats();
    let told = chats[1].body["messages"].as_array().unwrap().last().unwrap()["content"].to_string();
    assert!(told.contains("the secret"), "{told}");
}
