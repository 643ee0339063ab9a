//! A person reviews a change, and begins and ends with words on the command line.

use crate::stage::{House, call, text};
use serde_json::json;

/// Forty lines, of which these are others.
fn lines(others: &[(usize, &str)]) -> String {
    let line = |at: usize| match others.iter().find(|(place, _)| *place == at) {
        Some((_, text)) => format!("{text}\n"),
        None => format!("line {at}\n"),
    };
    (0..40).map(line).collect()
}

#[test]
fn of_a_change_only_what_was_approved_is_written_and_the_model_is_told() {
    let whole = lines(&[(3, "three"), (30, "thirty")]);
    let house = House::new(&[
        call("read_file", json!({"file_path": "a.txt"})),
        call("edit_file", json!({"file_path": "a.txt", "old_string": lines(&[]), "new_string": whole})),
        text("Done."),
    ]);
    house.write("a.txt", &lines(&[]));
    let mut screen = house.open();
    screen.keys("change it<enter>");
    screen.wait_for("hunk 1 of 2");
    screen.press_until("]", "▸ ✓ hunk 2 of 2");
    screen.press_until(" ", "✗ hunk 2 of 2");
    screen.press_until("y", "Done.");
    assert_eq!(house.read("a.txt"), lines(&[(3, "three")]));
    let told = house.server().chats()[2].body["messages"].to_string();
    assert!(told.contains("I left 1 of 2 hunks of this change out: a.txt, line 31 of your text."), "{told}");
}

#[test]
fn words_on_the_command_line_are_said_at_once() {
    let house = House::new(&[text("They are mended.")]);
    let screen = house.open_with(&["-m", "m", "mend the tests"], (100, 30));
    let shown = screen.wait_for("They are mended.");
    assert!(shown.contains("› mend the tests"), "{shown}");
    let one = house.headless(&["mend"]).output().unwrap();
    assert_eq!(one.status.code(), Some(2));
    let words = String::from_utf8(one.stderr).unwrap();
    assert!(words.contains("there is no command `mend`, and a message is more than one word"), "{words}");
}

#[test]
fn who_leaves_is_told_how_to_come_back() {
    let house = House::new(&[text("Hello.")]);
    let mut screen = house.open();
    screen.keys("hi<enter>");
    screen.wait_for("Hello.");
    house.wait_turns(1);
    screen.keys("/exit<enter>");
    let shown = screen.wait_for("agent --resume ");
    assert!(shown.contains("go on with: agent -c, or later: agent --resume 20"), "{shown}");
}
