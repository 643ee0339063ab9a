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

/// A session that changed a file in two places, and what the model says then.
fn two_hunks() -> House {
    let whole = lines(&[(3, "three"), (30, "thirty")]);
    let house = House::new(&[
        call("read_file", json!({"file_path": "a.txt"})),
        call("edit_file", json!({"file_path": "a.txt", "old_string": lines(&[]), "new_string": whole})),
        text("Done."),
        text("I see."),
    ]);
    house.write("a.txt", &lines(&[]));
    house
}

#[test]
fn a_hunk_of_what_the_session_changed_is_taken_back_told_and_brought_back() {
    let house = two_hunks();
    let mut screen = house.open();
    screen.keys("change it<enter>");
    screen.wait_for("hunk 1 of 2");
    screen.press_until("y", "Done.");
    screen.wait_gone("Esc interrupts");
    screen.keys("/diff<enter>");
    screen.wait_for("▸ hunk 1 of 2 · line 4");
    // Each key once, when the last one has done what it does: two in a row would be words.
    screen.keys("h");
    screen.wait_for("not against git HEAD: this folder is no git repository");
    screen.wait_for("▸ hunk 1 of 2 · line 4");
    screen.keys("]");
    screen.wait_for("▸ hunk 2 of 2 · line 31");
    screen.keys("b");
    screen.wait_for("y take it back");
    let shown = screen.wait_for("Take line 31 of a.txt back?  +1 −1");
    assert!(shown.contains("- thirty") && shown.contains("+ line 30"), "{shown}");
    assert_eq!(house.read("a.txt"), lines(&[(3, "three"), (30, "thirty")]), "nothing happens before y");
    screen.keys("y");
    screen.wait_for("▸ hunk 1 of 1 · line 4");
    assert_eq!(house.read("a.txt"), lines(&[(3, "three")]));
    screen.press_until_gone("<esc>", "This session changed");
    screen.wait_for("taken back: +1 −1 in a.txt; /redo makes it again");
    screen.keys("what now?<enter>");
    screen.wait_for("I see.");
    screen.wait_gone("Esc interrupts");
    let chats = house.server().chats();
    let told = chats.last().unwrap().body["messages"].to_string();
    assert!(told.contains("the user took changes back or brought them back: a.txt;"), "{told}");
    screen.keys("/redo<enter>");
    screen.wait_for("y redo");
    screen.keys("y");
    screen.wait_for("done again: 1 file");
    assert_eq!(house.read("a.txt"), lines(&[(3, "three"), (30, "thirty")]));
}

#[test]
fn what_the_session_changed_is_held_against_the_last_commit() {
    let house = two_hunks();
    // What was there before the session is no commit's.
    let git = |args: &[&str]| {
        let who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com", "-c", "init.defaultBranch=main"];
        let mut git = std::process::Command::new("git");
        let git = git.args(who).args(args).current_dir(house.project()).env("GIT_CONFIG_GLOBAL", "/dev/null");
        assert!(git.output().unwrap().status.success(), "{args:?}");
    };
    git(&["init", "-q"]);
    house.write("a.txt", &lines(&[(30, "committed")]));
    git(&["add", "."]);
    git(&["commit", "-qm", "Begin"]);
    house.write("a.txt", &lines(&[]));
    let mut screen = house.open();
    screen.keys("change it<enter>");
    screen.wait_for("hunk 1 of 2");
    screen.press_until("y", "Done.");
    screen.wait_gone("Esc interrupts");
    screen.keys("/diff<enter>");
    let shown = screen.wait_for("This session changed 1 file  +2 −2");
    assert!(shown.contains("- line 30") && shown.contains("h against git HEAD"), "{shown}");
    screen.keys("h");
    let shown = screen.wait_for("Against git HEAD, of what this session changed: 1 file  +2 −2");
    assert!(shown.contains("- committed") && shown.contains("+ thirty"), "{shown}");
    screen.keys("]");
    screen.wait_for("▸ hunk 2 of 2 · line 31");
    screen.keys("b");
    screen.wait_for("y take it back");
    let shown = screen.wait_for("Take line 31 of a.txt back to git HEAD?  +1 −1");
    assert!(shown.contains("these lines become what git HEAD holds") && shown.contains("+ committed"), "{shown}");
    screen.keys("y");
    screen.wait_for("Against git HEAD, of what this session changed: 1 file  +1 −1");
    assert_eq!(house.read("a.txt"), lines(&[(3, "three"), (30, "committed")]));
    screen.keys("h");
    screen.wait_for("This session changed 1 file  +2 −2");
    screen.press_until_gone("<esc>", "This session changed");
    screen.keys("/redo<enter>");
    screen.wait_for("y redo");
    screen.keys("y");
    screen.wait_for("done again: 1 file");
    assert_eq!(house.read("a.txt"), lines(&[(3, "three"), (30, "thirty")]));
}

#[test]
fn the_whole_file_is_shown_around_a_change_and_its_folds_are_opened() {
    let house = House::new(&[
        call("read_file", json!({"file_path": "a.txt"})),
        call("edit_file", json!({"file_path": "a.txt", "old_string": "row 2\n", "new_string": "row two\n"})),
        text("Done."),
    ]);
    let long: String = (1..=200).map(|row| format!("row {row}\n")).collect();
    house.write("a.txt", &long);
    let mut screen = house.open();
    screen.keys("change it<enter>");
    let shown = screen.wait_for("f whole file");
    assert!(shown.contains("E at the line that changes"), "{shown}");
    screen.press_until("f", "row 10");
    screen.keys("<pgdn><pgdn>");
    screen.wait_for("… 175 lines …");
    screen.press_until_gone("o", "o open folded lines");
    screen.keys("<pgdn>");
    screen.wait_for("row 40");
    screen.press_until("f", "f whole file");
    screen.press_until("y", "Done.");
    assert_eq!(house.read("a.txt"), long.replace("row 2\n", "row two\n"));
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
