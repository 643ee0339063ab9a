//! Every call lands: calls written as text, calls that need mending, calls that the server lost.

use crate::stage::{House, call, text};
use serde_json::{Value, json};

/// The messages of the `index`th request.
fn messages(house: &House, index: usize) -> Vec<Value> {
    house.server().chats()[index].body["messages"].as_array().expect("a request has messages").clone()
}

/// The content of the last message that the server was sent.
fn last_told(house: &House) -> String {
    let requests = house.server().chats().len();
    let messages = messages(house, requests - 1);
    messages.last().expect("there are messages")["content"].as_str().expect("content is text").to_owned()
}

#[test]
fn a_call_written_as_text_is_carried_out_and_says_so() {
    let written = "I'll look.\n\n[TOOL_CALLS]read_file[ARGS]{\"file_path\": \"a.txt\"}";
    let house = House::new(&[text(written), text("It says one.")]);
    house.write("a.txt", "one\n");
    let mut screen = house.open();
    screen.keys("read it<enter>");
    let shown = screen.wait_for("It says one.");
    assert!(shown.contains("from text · mistral"), "{shown}");
    assert!(shown.contains("I'll look.") && !shown.contains("TOOL_CALLS"), "{shown}");
    assert!(last_told(&house).contains("one"), "{}", last_told(&house));
    screen.keys("<c-o>");
    screen.wait_for("[TOOL_CALLS]read_file[ARGS]");
}

#[test]
fn a_call_that_had_to_be_mended_says_what_was_mended_before_it_is_approved() {
    let written = "<tool_call>\n{'name': 'Edit', 'arguments': {'path': 'a.txt', 'old_str': 'two', 'new_str': 'TWO',}}\n</tool_call>";
    let house = House::new(&[text(written), text("Done.")]);
    house.write("a.txt", "one\ntwo\n");
    let mut screen = house.open();
    screen.keys("edit it<enter>");
    let shown = screen.wait_for("approve once");
    assert!(shown.contains("hermes") && shown.contains("2 repairs"), "{shown}");
    assert!(shown.contains("Edit") && shown.contains("edit_file"), "{shown}");
    assert_eq!(house.read("a.txt"), "one\ntwo\n");
    screen.press_until("y", "Done.");
    assert_eq!(house.read("a.txt"), "one\nTWO\n");
    screen.keys("<c-o>");
    screen.wait_for("single quotes read as double");
}

#[test]
fn a_call_is_rescued_from_the_error_of_a_server_that_could_not_read_it() {
    let raw = "{\"name\": \"read_file\", \"arguments\": {\"file_path\": \"a.txt\"}}]";
    let error = format!("error parsing tool call: raw='{raw}', err=invalid character ']' after top-level value");
    let house = House::new(&[json!([{"error": error}]), text("It says one.")]);
    house.write("a.txt", "one\n");
    let mut screen = house.open();
    screen.keys("read it<enter>");
    let shown = screen.wait_for("It says one.");
    assert!(shown.contains("from a server error"), "{shown}");
    assert!(last_told(&house).contains("one"), "{}", last_told(&house));
}

#[test]
fn a_made_up_result_is_neither_shown_nor_sent_back() {
    let written = "<tool_call>\n{\"name\": \"read_file\", \"arguments\": {\"file_path\": \"a.txt\"}}\n</tool_call>\n\
                   <tool_response>\nforty-two\n</tool_response>\nThe file says forty-two.";
    let house = House::new(&[text(written), text("It says one.")]);
    house.write("a.txt", "one\n");
    let mut screen = house.open();
    screen.keys("read it<enter>");
    let shown = screen.wait_for("It says one.");
    assert!(shown.contains("the model began to make up a result") && !shown.contains("forty-two"), "{shown}");
    let sent = serde_json::to_string(&messages(&house, 1)).expect("messages can be written");
    assert!(!sent.contains("forty-two") && sent.contains("one"), "{sent}");
}

#[test]
fn a_model_without_tool_support_does_a_whole_task_by_text() {
    let calls = |name: &str, arguments: Value| {
        text(&format!("<tool_call>\n{}\n</tool_call>", json!({"name": name, "arguments": arguments})))
    };
    let replies = [
        calls("list_directory", json!({})),
        calls("read_file", json!({"file_path": "a.txt"})),
        calls("edit_file", json!({"file_path": "a.txt", "old_string": "two", "new_string": "TWO"})),
        calls("run_command", json!({"command": "cat a.txt"})),
        text("Changed and checked."),
    ];
    let replies: Vec<Value> = replies.iter().map(|steps| json!({"times": 1, "say": steps})).collect();
    let house = House::scripted(json!({
        "models": [{"name": "m", "context_length": 32768, "family": "qwen2", "capabilities": ["completion"]}],
        "replies": replies,
    }));
    house.write("a.txt", "one\ntwo\n");
    let mut screen = house.open();
    screen.wait_for("tools by text");
    screen.keys("make two large<enter>");
    screen.wait_for("approve once");
    screen.press_until("y", "cat a.txt");
    screen.press_until("y", "Changed and checked.");
    assert_eq!(house.read("a.txt"), "one\nTWO\n");
    let first = &house.server().chats()[0].body;
    assert!(first["tools"].as_array().is_none_or(Vec::is_empty), "{first}");
    let system = first["messages"][0]["content"].as_str().expect("a system message");
    assert!(system.contains("<tool_call>") && system.contains("edit_file"), "{system}");
    let sent = messages(&house, 4);
    assert!(sent.iter().all(|message| message["role"] != "tool"), "{sent:?}");
    assert!(
        last_told(&house).contains("<tool_response>") && last_told(&house).contains("TWO"),
        "{}",
        last_told(&house)
    );
}

#[test]
fn a_model_that_goes_in_circles_is_told_so_and_then_the_person_is_asked() {
    let same = || call("read_file", json!({"file_path": "a.txt"}));
    let replies: Vec<Value> = (0..12).map(|_| same()).collect();
    let house = House::new(&replies);
    house.write("a.txt", "one\n");
    let mut screen = house.open();
    screen.keys("read it<enter>");
    let shown = screen.wait_for("Go on?");
    assert!(shown.contains("read_file"), "{shown}");
    screen.press_until("n", "repeated itself");
    let nudged = messages(&house, house.server().chats().len() - 1);
    let told = nudged.iter().filter(|message| message["role"] == "user").count();
    assert_eq!(told, 3, "the user's words and two warnings: {nudged:?}");
}

#[test]
fn the_tools_and_the_ways_of_their_calls_are_listed_on_request() {
    let written = "<tool_call>\n{\"name\": \"read_file\", \"arguments\": {\"file_path\": \"a.txt\"}}\n</tool_call>";
    let house = House::new(&[text(written), text("It says one.")]);
    house.write("a.txt", "one\n");
    let mut screen = house.open();
    screen.keys("read it<enter>");
    screen.wait_for("It says one.");
    screen.keys("/tools<enter>");
    let shown = screen.wait_for("run_command");
    assert!(shown.contains("hermes 1") && shown.contains("in every prompt: 8 tools"), "{shown}");
}

#[test]
fn a_group_that_is_switched_on_goes_along_with_the_next_request() {
    let house = House::new(&[text("Nothing new."), text("On main.")]);
    let mut screen = house.open();
    screen.keys("hello<enter>");
    screen.wait_for("Nothing new.");
    screen.keys("/tools<enter>");
    screen.wait_for("[ ] git");
    screen.keys("<down><down> ");
    screen.wait_for("[x] git");
    screen.press_until_gone("<esc>", "[x] git");
    screen.keys("which branch?<enter>");
    screen.wait_for("On main.");
    let offered = |chat: usize| house.server().chats()[chat].body["tools"].to_string();
    assert!(!offered(0).contains("git_status") && offered(1).contains("git_status"), "{}", offered(1));
}
