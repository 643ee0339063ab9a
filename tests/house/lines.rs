//! A session in lines: on a terminal that only prints, or because somebody hears what others see.

use crate::stage::{House, call, text};
use crate::terminal::Terminal;
use portable_pty::CommandBuilder;
use serde_json::json;
use std::time::Duration;

/// A question takes no answer in the first half second after its prompt.
const READ_IT: Duration = Duration::from_millis(700);
/// Longer than lines of one paste are apart.
const BY_ITSELF: Duration = Duration::from_millis(200);

fn plain(house: &House, args: &[&str]) -> CommandBuilder {
    let mut command = house.command(args);
    command.env("TERM", "dumb");
    command
}

/// Answers the question whose prompt is there, once it can have been read.
fn answer(screen: &mut Terminal, words: &str) {
    screen.wait("a prompt for the answer", |shown| shown.ends_with("answer>"));
    std::thread::sleep(READ_IT);
    screen.keys(words);
    screen.keys("<enter>");
}

/// Forty lines, of which these are others.
fn lines(others: &[(usize, &str)]) -> String {
    let line = |at: usize| match others.iter().find(|(place, _)| *place == at) {
        Some((_, text)) => format!("{text}\n"),
        None => format!("line {at}\n"),
    };
    (0..40).map(line).collect()
}

fn changes() -> House {
    let whole = lines(&[(3, "three"), (30, "thirty")]);
    let house = House::new(&[
        call("read_file", json!({"file_path": "a.txt"})),
        call("edit_file", json!({"file_path": "a.txt", "old_string": lines(&[]), "new_string": whole})),
        text("It is done."),
    ]);
    house.write("a.txt", &lines(&[]));
    house
}

#[test]
fn a_change_is_reviewed_in_words_undone_and_left_without_one_escape_sequence() {
    let house = changes();
    let mut screen = Terminal::spawn(plain(&house, &["-m", "m"]), (100, 60));
    screen.wait("a prompt", |shown| shown.ends_with("\n>"));
    screen.keys("change it<enter>");
    let shown = screen.wait_for("hunk 2 of 2, line 31, removed 1 line, added 1 line:");
    assert!(shown.contains("removed: line 30") && shown.contains("added: thirty"), "{shown}");
    answer(&mut screen, "2: too much");
    answer(&mut screen, "y");
    screen.wait_for("answer:\n| It is done.");
    assert_eq!(house.read("a.txt"), lines(&[(3, "three")]));
    let told = house.server().chats()[2].body["messages"].to_string();
    assert!(told.contains("a.txt, line 31 of your text (too much)"), "{told}");
    house.wait_turns(1);
    screen.keys("/diff 1<enter>");
    screen.wait_for("question: take this part of the changes back?");
    answer(&mut screen, "n");
    screen.wait_for("the files stay as they are");
    screen.keys("/undo<enter>");
    screen.wait_for("question: undo the changes to 1 file?");
    answer(&mut screen, "y");
    screen.wait_for("undone: 1 file");
    assert_eq!(house.read("a.txt"), lines(&[]));
    screen.keys("<c-d>");
    assert_eq!(screen.wait_exit().exit_code(), 0);
    assert!(screen.screen().contains("go on with: agent -c"), "{}", screen.screen());
    let raw = String::from_utf8_lossy(&screen.raw()).into_owned();
    let obeyed = |c: char| c.is_control() && !matches!(c, '\n' | '\r');
    assert!(!raw.contains(obeyed), "{raw:?}");
}

#[test]
fn what_was_typed_before_the_question_answers_it_by_no_later_enter() {
    let house = House::new(&[call("write_file", json!({"file_path": "a.txt", "content": "x\n"})), text("It is done.")]);
    let mut screen = Terminal::spawn(plain(&house, &["-m", "m"]), (100, 40));
    screen.wait("a prompt", |shown| shown.ends_with("\n>"));
    screen.keys("write it<enter>y");
    answer(&mut screen, "");
    screen.wait_for("nothing was answered");
    assert!(!house.project().join("a.txt").exists());
    answer(&mut screen, "n not now");
    screen.wait_for("It is done.");
    let told = house.server().chats()[1].body["messages"].to_string();
    assert!(told.contains("not now") && !house.project().join("a.txt").exists(), "{told}");
}

#[test]
fn a_paste_is_one_message_and_ctrl_c_twice_leaves() {
    let house = House::new(&[text("All three.")]);
    let mut screen = Terminal::spawn(house.command(&["-m", "m", "--screen-reader"]), (100, 40));
    screen.wait("a prompt", |shown| shown.ends_with("\n>"));
    screen.keys("one<enter>two<enter>three<enter>");
    screen.wait_for("All three.");
    let said = house.server().chats()[0].body["messages"].to_string();
    assert!(said.contains(r"one\ntwo\nthree"), "{said}");
    house.wait_turns(1);
    screen.keys("<c-c>");
    screen.wait_for("Ctrl+C again leaves");
    std::thread::sleep(BY_ITSELF);
    screen.keys("<c-c>");
    assert_eq!(screen.wait_exit().exit_code(), 0);
    assert!(screen.screen().contains("go on with: agent -c"), "{}", screen.screen());
}

#[test]
fn the_config_chooses_lines_too_and_commands_of_the_screen_name_what_to_use() {
    let house = House::new(&[]);
    std::fs::write(house.config().join("config.toml"), "[screen]\nscreen_reader = true\n").unwrap();
    let mut screen = Terminal::spawn(house.command(&["-m", "m"]), (100, 60));
    screen.wait("a prompt", |shown| shown.ends_with("\n>"));
    screen.keys("/theme<enter>");
    screen.wait_for("lines have no colours");
    screen.keys("/help<enter>");
    screen.wait_for("/undo: take the last change back");
    screen.keys("/quit<enter>");
    assert_eq!(screen.wait_exit().exit_code(), 0);
    assert!(!screen.raw().contains(&0x1b));
}
