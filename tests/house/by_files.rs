//! Models that work by files, from a person's hands and from a script's: down to files, up to calls again, with questions,
//! undo, summaries, a session that goes on, and a window that the files would burst.

use crate::stage::{House, call, text};
use serde_json::{Value, json};
use std::process::{Output, Stdio};

/// Small enough to work by files from the start.
const SMALL: &str = "coder:1.5b";
const WINDOW: u64 = 8192;
const AREA: &str = "def area(a, b):\n    return a + b\n\n\ndef side(a):\n    return a\n";

/// A house with a small model and these replies, in order.
fn house(replies: &[Value], window: u64) -> House {
    let replies: Vec<Value> = replies.iter().map(|steps| json!({"times": 1, "say": steps})).collect();
    let house = House::scripted(json!({
        "models": [
            {"name": SMALL, "context_length": window, "parameter_size": "1.5B"},
            {"name": "m", "context_length": window, "parameter_size": "3B"},
        ],
        "replies": replies,
    }));
    house.write("shapes.py", AREA);
    house
}

/// An answer with the whole file, mended.
fn mended() -> Value {
    text(&format!("shapes.py\n```python\n{}```\n", AREA.replace("a + b", "a * b")))
}

fn run(house: &House, args: &[&str]) -> Output {
    house.headless(args).stdin(Stdio::null()).output().unwrap()
}

fn messages(house: &House, chat: usize) -> Vec<(String, String)> {
    let body = house.server().chats()[chat].body.clone();
    let messages = body["messages"].as_array().unwrap().clone();
    let word = |message: &Value, key: &str| message[key].as_str().unwrap_or_default().to_owned();
    messages.iter().map(|message| (word(message, "role"), word(message, "content"))).collect()
}

fn has_tools(house: &House, chat: usize) -> bool {
    house.server().chats()[chat].body.get("tools").is_some_and(|tools| !tools.as_array().unwrap().is_empty())
}

const SUMMARY: &str = "## Goal\nknow what shapes.py does\n\n## Decisions\nnone\n\n## Files\n- shapes.py\n\n\
                       ## Commands\nnone\n\n## Open\nnone";
const WISH: &str = "area in shapes.py adds, it should multiply";

#[test]
fn a_script_gets_the_change_from_a_small_model() {
    let house = house(&[mended()], WINDOW);
    let output = run(&house, &["--model", SMALL, "-p", WISH, "--allow", "write"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(house.read("shapes.py").contains("a * b"));
    assert!(!has_tools(&house, 0));
    let sent = messages(&house, 0);
    assert_eq!(sent.len(), 4, "instructions, the example and what is asked: {sent:?}");
    assert!(sent[3].1.contains("return a + b") && sent[3].1.contains(WISH), "{:?}", sent[3]);
}

#[test]
fn a_wish_that_changed_nothing_is_said_with_an_exit_code_of_its_own() {
    let house = house(&[text("Multiply them, then it is right."), text("As I said.")], WINDOW);
    let output = run(&house, &["--model", SMALL, "-p", WISH, "--allow", "write"]);
    assert_eq!(output.status.code(), Some(9), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stderr).contains("nothing was changed"));
}

#[test]
fn without_leave_to_write_a_script_changes_nothing_and_says_which_flag_allows_it() {
    let house = house(&[mended(), text("I could not.")], WINDOW);
    let output = run(&house, &["--model", SMALL, "-p", WISH]);
    assert_eq!(house.read("shapes.py"), AREA);
    assert!(String::from_utf8_lossy(&output.stderr).contains("--allow write"));
}

#[test]
fn calls_that_lead_nowhere_go_down_to_files_within_the_turn_of_a_script() {
    let broken =
        || text("<tool_call>\n{\"name\": \"edit_file\", \"arguments\": {\"file_path\": \"shapes.py\", \n</tool_call>");
    let house = house(&[broken(), broken(), mended()], WINDOW);
    let output = run(&house, &["--model", "m", "-p", WISH, "--allow", "write"]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(house.read("shapes.py").contains("a * b"), "{told}");
    assert!(told.contains("works by files from here on"), "{told}");
    assert_eq!((has_tools(&house, 0), has_tools(&house, 2)), (true, false));
}

#[test]
fn the_flag_chooses_the_form_for_this_run() {
    let house = house(&[mended()], WINDOW);
    run(&house, &["--model", "m", "--form", "files", "-p", WISH, "--allow", "write"]);
    assert!(house.read("shapes.py").contains("a * b"));
    assert!(!has_tools(&house, 0));
}

#[test]
fn a_person_is_asked_sees_the_diff_and_can_take_it_back() {
    let house = house(&[mended()], WINDOW);
    let mut screen = house.open_with(&["--model", SMALL], (100, 30));
    screen.wait_for("files");
    screen.keys(&format!("{WISH}<enter>"));
    let asked = screen.wait_for("approve once");
    assert!(asked.contains("return a * b"), "{asked}");
    screen.press_until_gone("y", "approve once");
    house.wait_turns(1);
    screen.wait_gone("Esc interrupts");
    assert!(house.read("shapes.py").contains("a * b"));
    screen.keys("/undo<enter>");
    screen.wait_for("y undo");
    screen.keys("y");
    screen.wait_gone("y undo");
    screen.wait_for("undone: 1 file");
    assert_eq!(house.read("shapes.py"), AREA);
}

#[test]
fn a_refusal_leaves_the_file_and_the_turn_ends() {
    let house = house(&[mended()], WINDOW);
    let mut screen = house.open_with(&["--model", SMALL], (80, 24));
    screen.wait_for("files");
    screen.keys(&format!("{WISH}<enter>"));
    screen.wait_for("approve once");
    screen.press_until_gone("n", "approve once");
    house.wait_turns(1);
    assert_eq!(house.read("shapes.py"), AREA);
}

#[test]
fn the_form_can_be_changed_to_calls_and_the_conversation_goes_on() {
    let house =
        house(&[mended(), call("read_file", json!({"file_path": "shapes.py"})), text("It multiplies.")], WINDOW);
    let mut screen = house.open_with(&["--model", SMALL, "--unsafe"], (100, 30));
    screen.wait_for("files");
    screen.keys(&format!("{WISH}<enter>"));
    house.wait_turns(1);
    screen.wait_gone("Esc interrupts");
    screen.keys("/form calls<enter>");
    screen.wait_for("calls");
    screen.keys("what does area do now?<enter>");
    screen.wait_for("It multiplies.");
    assert_eq!((has_tools(&house, 0), has_tools(&house, 1)), (false, true));
    let sent = messages(&house, 1);
    assert!(sent.iter().any(|(_, content)| content.contains("a * b")), "what was done is still known: {sent:?}");
}

#[test]
fn a_session_by_files_goes_on_where_it_was() {
    let house = house(&[mended(), text("It multiplies since then.")], WINDOW);
    run(&house, &["--model", SMALL, "-p", WISH, "--allow", "write"]);
    let output = run(&house, &["-c", "--model", SMALL, "-p", "what did you do?"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("since then"));
    let (first, second) = (messages(&house, 0), messages(&house, 1));
    assert_eq!(second[..4], first[..4], "what was sent is sent again as it was");
    assert!(second[4].0 == "assistant" && second[4].1.contains("a * b"), "{second:?}");
    assert!(!has_tools(&house, 1));
}

#[test]
fn a_summary_is_made_without_tools_and_the_work_goes_on_by_files() {
    let house = house(&[text("It adds two numbers."), text(SUMMARY), mended()], WINDOW);
    let mut screen = house.open_with(&["--model", SMALL, "--unsafe"], (100, 30));
    screen.wait_for("files");
    screen.keys("what does area in shapes.py do?<enter>");
    screen.wait_for("It adds two numbers.");
    screen.wait_gone("Esc interrupts");
    screen.keys("/compact<enter>");
    screen.wait_for("compacted");
    screen.keys(&format!("{WISH}<enter>"));
    house.wait_turns(3);
    assert!(house.read("shapes.py").contains("a * b"));
    assert!(!has_tools(&house, 1) && !has_tools(&house, 2));
    assert!(messages(&house, 2).iter().any(|(_, content)| content.contains("know what shapes.py does")));
}

#[test]
fn files_that_would_burst_a_small_window_are_left_out_and_the_answer_has_room() {
    let house = house(&[text("They are long.")], 4096);
    for name in ["one.py", "two.py", "three.py", "four.py"] {
        let lines: Vec<String> = (0..240).map(|at| format!("value_{at} = compute(\"{name}\", {at})")).collect();
        house.write(name, &(lines.join("\n") + "\n"));
    }
    let wish = "what do one.py, two.py, three.py and four.py do?";
    let output = run(&house, &["--model", SMALL, "-p", wish]);
    assert!(String::from_utf8_lossy(&output.stdout).contains("They are long."));
    let sent: usize = messages(&house, 0).iter().map(|(_, content)| content.len()).sum();
    assert!(sent < 3 * 4096, "{sent} characters leave no room for an answer");
    assert!(messages(&house, 0).last().unwrap().1.contains(wish), "the words are whole");
}
