//! A person who takes something back: changes of files, and what was said. What they see of it beforehand and after,
//! and of what a turn really did.

use crate::stage::{House, call, text};
use crate::terminal::Terminal;
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

const SMALL: (u16, u16) = (80, 24);

fn edit(old: &str, new: &str) -> Value {
    call("edit_file", json!({"file_path": "a.txt", "old_string": old, "new_string": new}))
}

fn run_command(command: &str) -> Value {
    call("run_command", json!({"command": command}))
}

/// Says something and waits until it was answered, and the turn is over.
fn say(screen: &mut Terminal, words: &str, answer: &str) -> String {
    screen.keys(&format!("{words}<enter>"));
    screen.wait_for(answer);
    screen.wait_gone("Esc interrupts")
}

/// Says something that has to be agreed to, and agrees.
fn say_and_agree(screen: &mut Terminal, words: &str, answer: &str) -> String {
    screen.keys(&format!("{words}<enter>"));
    screen.wait_for("approve once");
    screen.press_until("y", answer);
    screen.wait_gone("Esc interrupts")
}

/// The last message that the model was sent.
fn last_told(house: &House) -> String {
    let chats = house.server().chats();
    let messages = chats.last().unwrap().body["messages"].as_array().unwrap().clone();
    messages.last().unwrap()["content"].as_str().unwrap().to_owned()
}

/// Two escapes, one after the other: two at once are another key.
fn escape_twice(screen: &mut Terminal) -> String {
    const AGAIN: &str = "again: go back to an earlier message";
    const LIST: &str = "Go back to an earlier message";
    loop {
        screen.keys("<esc>");
        screen.wait_for(AGAIN);
        screen.keys("<esc>");
        if let Ok(shown) = screen.wait_at_most(Duration::from_secs(5), |screen| screen.contains(LIST)) {
            return shown;
        }
        // The machine took more than a second between the two: the second was another first one.
        screen.wait_gone(AGAIN);
    }
}

#[test]
fn an_edit_is_shown_before_it_is_taken_back_and_can_be_made_again() {
    let house = House::new(&[edit("two", "TWO"), text("It is in capitals."), text("I see.")]);
    house.write("a.txt", "one\ntwo\nthree\n");
    let mut screen = house.open_with(&["--model", "m"], SMALL);
    let shown = say_and_agree(&mut screen, "capitals please", "It is in capitals.");
    assert!(shown.contains("a.txt +1 −1"), "the receipt: {shown}");
    screen.keys("/undo<enter>");
    let shown = screen.wait_for("y undo");
    assert!(shown.contains("back to before “capitals please”: 1 file, +1 −1"), "{shown}");
    assert!(shown.contains("TWO") && shown.contains("two"), "{shown}");
    assert_eq!(house.read("a.txt"), "one\nTWO\nthree\n", "nothing happens before y");
    screen.keys("y");
    screen.wait_gone("y undo");
    screen.wait_for("undone: 1 file is as before “capitals please”");
    assert_eq!(house.read("a.txt"), "one\ntwo\nthree\n");
    screen.keys("/redo<enter>");
    screen.wait_for("y redo");
    screen.keys("y");
    screen.wait_gone("y redo");
    screen.wait_for("done again: 1 file is as after “capitals please”");
    assert_eq!(house.read("a.txt"), "one\nTWO\nthree\n");
    say(&mut screen, "what now?", "I see.");
    let told = last_told(&house);
    assert_eq!(told, "what now?", "all is as the model knows it");
}

#[test]
fn what_a_command_did_is_taken_back_to_the_last_file() {
    let mess = "rm -rf src && sed -i s/one/ONE/ a.txt && echo new > new.txt && chmod 755 run.sh";
    let house = House::new(&[run_command(mess), text("All clean.")]);
    for (name, text) in [("src/main.rs", "fn main() {}\n"), ("a.txt", "one\n"), ("run.sh", "true\n")] {
        house.write(name, text);
    }
    let mode = || house.project().join("run.sh").metadata().unwrap().permissions().mode() & 0o777;
    let before = mode();
    let mut screen = house.open_with(&["--model", "m"], SMALL);
    screen.keys("clean up<enter>");
    let shown = screen.wait_for("approve once");
    assert!(shown.contains("undo covers"), "{shown}");
    screen.press_until("y", "All clean.");
    screen.wait_gone("Esc interrupts");
    assert_eq!((house.read("a.txt"), house.project().join("src").exists(), mode()), ("ONE\n".into(), false, 0o755));
    screen.keys("/undo<enter>");
    let shown = screen.wait_for("y undo");
    assert!(shown.contains("4 files"), "{shown}");
    screen.keys("y");
    screen.wait_gone("y undo");
    screen.wait_for("undone: ");
    assert_eq!(
        (house.read("a.txt"), house.read("src/main.rs"), mode()),
        ("one\n".into(), "fn main() {}\n".into(), before)
    );
    assert!(!house.project().join("new.txt").exists());
}

/// An edit by the model and one by hand since, with `/undo` open.
fn conflict(house: &House) -> Terminal {
    house.write("a.txt", "one\ntwo\nthree\nfour\nfive\n");
    let mut screen = house.open_with(&["--model", "m"], SMALL);
    say_and_agree(&mut screen, "capitals please", "It is in capitals.");
    house.write("a.txt", "one\nTWO\nthree\nfour\nFIVE\n");
    screen.keys("/undo<enter>");
    let shown = screen.wait_for("y undo");
    assert!(shown.contains("changed since") && shown.contains("l leave"), "{shown}");
    assert!(shown.contains("r restore") && shown.contains("m merge"), "{shown}");
    screen
}

#[test]
fn a_file_that_was_changed_by_hand_since_is_left_merged_or_restored() {
    for (key, chosen, becomes) in
        [("m", "● m merge", "one\ntwo\nthree\nfour\nFIVE\n"), ("r", "● r restore", "one\ntwo\nthree\nfour\nfive\n")]
    {
        let house = House::new(&[edit("two", "TWO"), text("It is in capitals.")]);
        let mut screen = conflict(&house);
        screen.keys("y");
        screen.wait_for("every file is left as it is");
        assert_eq!(house.read("a.txt"), "one\nTWO\nthree\nfour\nFIVE\n", "nothing is guessed");
        screen.keys(key);
        screen.wait_for(chosen);
        screen.keys("y");
        screen.wait_gone("y undo");
        screen.wait_for("undone: ");
        assert_eq!(house.read("a.txt"), becomes);
    }
}

#[test]
fn changes_of_an_earlier_visit_are_taken_back_too() {
    let house = House::new(&[edit("two", "TWO"), text("It is in capitals.")]);
    house.write("a.txt", "two\n");
    let mut screen = house.open();
    say_and_agree(&mut screen, "capitals please", "It is in capitals.");
    screen.keys("<c-d>");
    screen.wait_exit();
    let mut screen = house.open_with(&["-c"], SMALL);
    screen.wait_for("resumed: capitals please");
    screen.keys("/undo<enter>");
    screen.wait_for("y undo");
    screen.keys("y");
    screen.wait_gone("y undo");
    screen.wait_for("undone: ");
    assert_eq!(house.read("a.txt"), "two\n");
}

#[test]
fn where_nothing_was_changed_there_is_nothing_to_undo() {
    let house = House::new(&[text("Hello.")]);
    let mut screen = house.open_with(&["--model", "m"], SMALL);
    say(&mut screen, "hi", "Hello.");
    screen.keys("/undo<enter>");
    screen.wait_for("nothing was changed in this session yet");
    screen.keys("/redo<enter>");
    screen.wait_for("nothing to redo");
}

/// Two edits, and the list of what can be gone back to open before the second.
fn before_the_second(house: &House) -> Terminal {
    house.write("a.txt", "one\n");
    let mut screen = house.open_with(&["--model", "m"], SMALL);
    say_and_agree(&mut screen, "make it two", "It says two.");
    say_and_agree(&mut screen, "make it three", "It says three.");
    let shown = escape_twice(&mut screen);
    assert!(shown.contains("› make it three") && shown.contains("  make it two"), "{shown}");
    screen.keys("<enter>");
    screen.wait_for("c the conversation only");
    screen
}

fn two_edits() -> House {
    House::new(&[
        edit("one", "two"),
        text("It says two."),
        edit("two", "three"),
        text("It says three."),
        text("As you say."),
    ])
}

#[test]
fn going_back_in_the_conversation_brings_the_words_back_and_leaves_files() {
    let house = two_edits();
    let mut screen = before_the_second(&house);
    screen.keys("c");
    let shown = screen.wait_for("went back to before “make it three”");
    assert!(shown.contains("It says two.") && !shown.contains("It says three."), "{shown}");
    assert!(shown.lines().any(|line| line.trim_end().ends_with("› make it three")), "in the composer: {shown}");
    assert_eq!(house.read("a.txt"), "three\n");
    say(&mut screen, ", or four?", "As you say.");
    let chats = house.server().chats();
    let messages = |chat: usize| chats[chat].body["messages"].as_array().unwrap().clone();
    let (before, now) = (messages(2), messages(4));
    assert_eq!(now[..now.len() - 1], before[..before.len() - 1], "the model reads the same up to there");
    let told = last_told(&house);
    assert!(told.contains("the files did not") && told.ends_with("make it three, or four?"), "{told}");
}

#[test]
fn going_back_in_both_shows_what_becomes_of_files_first() {
    let house = two_edits();
    let mut screen = before_the_second(&house);
    screen.keys("b");
    let shown = screen.wait_for("y go back");
    assert!(shown.contains("1 file, +1 −1") && shown.contains("the conversation and the files go back"), "{shown}");
    assert_eq!(house.read("a.txt"), "three\n");
    screen.keys("y");
    screen.wait_for("went back to before “make it three”");
    assert_eq!(house.read("a.txt"), "two\n");
    say(&mut screen, ", or four?", "As you say.");
    assert_eq!(last_told(&house), "make it three, or four?");
}

#[test]
fn going_back_with_files_only_leaves_the_conversation() {
    let house = two_edits();
    let mut screen = before_the_second(&house);
    screen.keys("f");
    screen.wait_for("y go back");
    screen.keys("y");
    screen.wait_gone("y go back");
    let shown = screen.wait_for("undone: ");
    assert!(shown.contains("It says three."), "{shown}");
    assert_eq!(house.read("a.txt"), "two\n");
    say(&mut screen, "what now?", "As you say.");
    assert!(
        last_told(&house).starts_with("(the user took changes back or brought them back: a.txt;"),
        "{}",
        last_told(&house)
    );
}

#[test]
fn a_receipt_tells_what_a_turn_really_did() {
    let house = House::new(&[edit("one", "two"), run_command("echo more >> a.txt; exit 3"), text("Both done.")]);
    house.write("a.txt", "one\n");
    let mut screen = house.open_with(&["--model", "m"], SMALL);
    screen.keys("do both<enter>");
    screen.wait_for("approve once");
    screen.press_until("y", "exit 3");
    screen.press_until("y", "Both done.");
    let shown = screen.wait_gone("Esc interrupts");
    assert!(shown.contains("a.txt +2 −1") && shown.contains("exit 3"), "{shown}");
}

#[test]
fn a_claim_that_is_not_so_is_marked_and_the_model_is_told_once() {
    let claim = || text("I have fixed the bug in `a.txt`.");
    let house = House::new(&[claim(), claim()]);
    house.write("a.txt", "one\n");
    let mut screen = house.open_with(&["--model", "m"], SMALL);
    screen.keys("fix a.txt<enter>");
    screen.wait_for("not so: it says that a.txt was changed, but it was not; the model is");
    let shown = screen.wait("the receipt", |screen| screen.matches("it says that a.txt was changed").count() == 2);
    assert_eq!(house.server().chats().len(), 2, "{shown}");
    assert!(last_told(&house).starts_with("(your answer is not so"), "{}", last_told(&house));
}

#[test]
fn a_question_about_a_command_says_what_is_not_covered() {
    let house = House::new(&[run_command("rm -f *"), text("As you wish.")]);
    house.write("a.txt", "one\n");
    house.write("large.bin", &"x".repeat(2 << 20));
    let mut screen = house.open_with(&["--model", "m"], SMALL);
    screen.keys("clean up<enter>");
    let shown = screen.wait_for("approve once");
    assert!(shown.contains("undo covers 1 file of the project; not 1 large one"), "{shown}");
    screen.press_until("y", "As you wish.");
    screen.wait_gone("Esc interrupts");
    screen.keys("/undo<enter>");
    let shown = screen.wait_for("y undo");
    assert!(shown.contains("1 file cannot be brought back"), "{shown}");
    screen.keys("y");
    screen.wait_gone("y undo");
    screen.wait_for("undone: 1 file");
    assert_eq!(house.read("a.txt"), "one\n");
    assert!(!house.project().join("large.bin").exists());
}

#[test]
fn in_unsafe_mode_too_a_file_that_was_never_read_is_not_written_over() {
    let write = || call("write_file", json!({"file_path": "a.txt", "content": "new\n"}));
    let read = call("read_file", json!({"file_path": "a.txt"}));
    let house = House::new(&[write(), read, write(), text("It is new.")]);
    house.write("a.txt", "one\ntwo\n");
    let mut screen = house.open_with(&["--model", "m", "--unsafe"], (120, 40));
    let shown = say(&mut screen, "make it new", "It is new.");
    assert!(shown.contains("was not read in this session, so nothing was written"), "{shown}");
    assert_eq!(house.read("a.txt"), "new\n");
    screen.keys("/undo<enter>");
    let shown = screen.wait_for("back to before “make it new”: 1 file");
    assert!(shown.contains("+ one"), "{shown}");
}
