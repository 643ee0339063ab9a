//! What can be written besides plain words: files by `@`, commands of one's own by `!`, facts by `#`, long pastes.

use crate::stage::{House, text};
use crate::terminal::Terminal;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use std::os::unix::fs::PermissionsExt;

/// A picture of one pixel.
const DOT: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

#[test]
fn a_file_is_named_completed_and_attached() {
    let house = House::new(&[text("It adds.")]);
    house.write("src/adding.rs", "fn add(a: u8, b: u8) -> u8 {\n    a + b\n}\n");
    house.write("src/other.rs", "fn other() {}\n");
    let mut screen = house.open();
    screen.wait_for("/ 16k");
    screen.keys("explain @adn");
    screen.wait_for("› @src/adding.rs");
    screen.keys("<tab>");
    screen.wait_for("› explain @src/adding.rs");
    screen.keys("<enter>");
    screen.wait_for("It adds.");
    let chats = house.server().chats();
    let told = chats.last().unwrap().body.to_string();
    assert!(told.contains("fn add(a: u8, b: u8)") && told.contains("explain @src/adding.rs"), "{told}");
    assert!(!told.contains("fn other()"), "{told}");
    assert!(screen.screen().contains("Attach src/adding.rs"), "{}", screen.screen());
}

#[test]
fn a_command_of_ones_own_runs_outside_the_sandbox_and_the_model_is_told_next_time() {
    let house = House::new(&[text("I see.")]);
    let outside = house.outside().join("made.txt");
    let mut screen = house.open();
    screen.wait_for("/ 16k");
    screen.keys("!");
    screen.wait_for("your shell · no sandbox");
    screen.keys(&format!("echo from-my-shell; echo x > '{}'<enter>", outside.display()));
    // What was typed shows the same words; how it ended does not.
    screen.wait_for("exit code 0");
    house.wait_turns(1);
    assert!(outside.exists() && house.server().chats().is_empty(), "no model is asked");
    screen.wait_gone("your shell · no sandbox");
    screen.wait_gone("interrupts");
    screen.keys("!!echo between-us<enter>");
    house.wait_turns(2);
    screen.wait_gone("interrupts");
    screen.keys("what came out?<enter>");
    screen.wait_for("I see.");
    let told = house.server().chats().last().unwrap().body.to_string();
    assert!(told.contains("from-my-shell") && told.contains("what came out?"), "{told}");
    assert!(!told.contains("between-us"), "{told}");
}

#[test]
fn esc_stops_a_command_of_ones_own() {
    let house = House::new(&[]);
    let mut screen = house.open();
    screen.wait_for("/ 16k");
    screen.keys("!echo begun; sleep 600<enter>");
    screen.wait_for("Esc interrupts");
    screen.wait("the command to have begun", |screen| {
        screen.lines().any(|line| line.trim_start_matches([' ', '│']) == "begun")
    });
    screen.keys("<esc>");
    house.wait_turns(1);
    assert!(screen.wait_for("stopped").contains("SAFE"));
}

#[test]
fn a_long_paste_is_one_thing_that_can_be_opened_and_is_sent_whole() {
    let house = House::new(&[text("Long.")]);
    let mut screen = house.open();
    screen.wait_for("/ 16k");
    let lines: String = (1..=42).map(|number| format!("line {number}\n")).collect();
    screen.paste(&lines);
    screen.wait_for("[pasted 42 lines]");
    screen.keys("<backspace>");
    screen.wait_gone("[pasted 42 lines]");
    screen.paste(&lines);
    screen.wait_for("[pasted 42 lines]");
    std::thread::sleep(std::time::Duration::from_millis(200));
    screen.keys("<enter>");
    screen.wait_for("Long.");
    let told = house.server().chats().last().unwrap().body.to_string();
    assert!(told.contains("line 1\\nline 2") && told.contains("line 42"), "{told}");
}

#[test]
fn what_a_person_wants_to_be_remembered_is_asked_about_and_written_down() {
    let house = House::new(&[]);
    let mut screen = house.open();
    screen.wait_for("/ 16k");
    screen.keys("#the tests run with make check<enter>");
    screen.wait_for("approve once");
    screen.press_until_gone("y", "approve once");
    house.wait_turns(1);
    assert!(house.read(".agent/memory.md").contains("the tests run with make check"));
    assert!(house.server().chats().is_empty(), "no model is asked");
}

#[test]
fn a_draft_is_there_again_after_a_crash() {
    let house = House::new(&[text("Hello.")]);
    let mut screen = house.open();
    screen.wait_for("/ 16k");
    screen.keys("half a thought");
    let kept = || std::fs::read_to_string(house.state().join("drafts.json")).is_ok_and(|text| text.contains("half a"));
    screen.wait("the draft to be kept", |_| kept());
    let pid = Pid::from_raw(i32::try_from(screen.pid()).unwrap()).unwrap();
    kill_process(pid, Signal::KILL).unwrap();
    screen.wait_exit();
    let mut again = house.open();
    again.wait_for("› half a thought");
    again.wait_for("this is what you were writing");
    again.keys("<enter>");
    again.wait_for("Hello.");
    again.wait("the draft to be forgotten", |_| !kept());
}

#[test]
fn a_markdown_file_is_a_slash_command() {
    let house = House::new(&[text("Fixed.")]);
    let folder = house.config().join("commands");
    std::fs::create_dir_all(&folder).unwrap();
    let file = "---\ndescription: Fix an issue\nargument-hint: \"[number]\"\n---\nFix issue $1.\n";
    std::fs::write(folder.join("mend.md"), file).unwrap();
    let mut screen = house.open();
    screen.wait_for("/ 16k");
    screen.keys("/men");
    screen.wait_for("Fix an issue (yours)");
    screen.keys("<tab>12<enter>");
    screen.wait_for("Fixed.");
    assert!(house.server().chats().last().unwrap().body.to_string().contains("Fix issue 12."));
}

#[test]
fn a_command_in_a_markdown_file_is_asked_about_and_its_output_stands_in_the_message() {
    let house = House::new(&[text("Committed.")]);
    let folder = house.config().join("commands");
    std::fs::create_dir_all(&folder).unwrap();
    let made = house.project().join("made.txt");
    let file = "State: !`echo from-the-file > made.txt; cat made.txt`\nCommit it.\n";
    std::fs::write(folder.join("save.md"), file).unwrap();
    let mut screen = house.open();
    screen.wait_for("/ 16k");
    screen.keys("/save !`echo never`<enter>");
    let asked = screen.wait_for("approve once");
    assert!(asked.contains("cat made.txt") && !made.exists(), "{asked}");
    screen.press_until("y", "Committed.");
    assert!(made.exists() && house.server().chats().len() == 1);
    let told = house.server().chats()[0].body["messages"].as_array().unwrap().last().unwrap()["content"].clone();
    let told = told.as_str().unwrap();
    assert!(told.starts_with("State: \nWhat follows is from the command `echo from-the-file"), "{told}");
    assert!(told.contains("\nfrom-the-file\n") && told.ends_with("Commit it.\n\n!`echo never`"), "{told}");
}

#[test]
fn a_dropped_picture_is_named_asked_about_and_shown_to_a_model_that_sees() {
    let model = json!({"name": "m", "context_length": 32768, "capabilities": ["completion", "tools", "vision"]});
    let replies = json!([{"times": 1, "say": text("A dot.")}]);
    let house = House::scripted(json!({"models": [model], "replies": replies}));
    let shot = house.outside().join("my shot.png");
    std::fs::write(&shot, STANDARD.decode(DOT).unwrap()).unwrap();
    let mut screen = house.open();
    screen.wait_for("/ 16k");
    screen.paste(&format!("'{}'", shot.display()));
    screen.wait_for("my shot.png\"");
    std::thread::sleep(std::time::Duration::from_millis(200));
    screen.keys("what is this?<enter>");
    screen.wait_for("approve once");
    screen.press_until("y", "A dot.");
    let message = house.server().chats()[0].body["messages"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(message["images"].as_array().map(Vec::len), Some(1), "{message}");
    assert!(message["content"].as_str().unwrap().ends_with("what is this?"), "{message}");
}

#[test]
fn a_picture_on_the_clipboard_is_put_into_the_message_and_shown_to_a_model_that_sees() {
    let model = json!({"name": "m", "context_length": 32768, "capabilities": ["completion", "tools", "vision"]});
    let replies = json!([{"times": 1, "say": text("A dot.")}]);
    let house = House::scripted(json!({"models": [model], "replies": replies}));
    let (programs, shot) = (house.outside().join("bin"), house.outside().join("shot.png"));
    std::fs::create_dir(&programs).unwrap();
    let wl_paste = programs.join("wl-paste");
    std::fs::write(&wl_paste, format!("#!/bin/sh\nexec cat '{}'\n", shot.display())).unwrap();
    std::fs::set_permissions(&wl_paste, std::fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = house.command(&["--model", "m"]);
    command.env("PATH", format!("{}:/usr/bin:/bin", programs.display()));
    let mut screen = Terminal::start(command, (120, 40));
    screen.wait_for("/ 16k");
    screen.keys("<c-v>");
    screen.wait_for("no picture is on the clipboard");
    std::fs::write(&shot, STANDARD.decode(DOT).unwrap()).unwrap();
    screen.keys("<c-v>");
    screen.wait_for("clipboard-2.png");
    screen.keys("what is this?<enter>");
    screen.wait_for("approve once");
    screen.press_until("y", "A dot.");
    let message = house.server().chats()[0].body["messages"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(message["images"].as_array().map(Vec::len), Some(1), "{message}");
}

#[test]
fn a_model_that_does_not_see_is_said_when_a_picture_is_dropped() {
    let house = House::new(&[]);
    let mut screen = house.open();
    screen.wait_for("/ 16k");
    screen.paste("/shots/a.png");
    screen.wait_for("m does not understand pictures");
    assert!(screen.screen().contains("› @/shots/a.png"), "{}", screen.screen());
}

#[test]
fn every_setting_is_listed_with_its_value_and_where_it_is_from() {
    let house = House::new(&[]);
    std::fs::write(house.config().join("config.toml"), "[limits]\nsteps = 31\n").unwrap();
    let mut screen = house.open();
    screen.wait_for("/ 16k");
    screen.keys("/config<enter>");
    screen.wait_for("Settings");
    screen.keys("limits.st");
    screen.wait("the setting with its place", |shown| {
        let is_it = |row: &str| ["limits.steps", "31", "your config.toml"].iter().all(|part| row.contains(part));
        shown.lines().any(is_it)
    });
    screen.keys("<esc>");
    screen.wait_for("what shall we do?");
}
