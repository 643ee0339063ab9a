//! How it behaves on a person's machine: the demo, colours, clipboard, folders, logs, the mouse.

use crate::stage::{House, call, text};
use crate::terminal::Terminal;
use serde_json::json;

#[test]
fn the_demo_runs_to_its_end_with_real_tools_and_approvals() {
    let house = House::without_server();
    let mut screen = house.open_with(&["demo"], (120, 40));
    screen.wait_for("The test fails. Find out why and fix it.");
    screen.keys("<enter>");
    screen.wait_for("Run this command?");
    screen.press_until_gone("y", "Run this command?");
    screen.wait_for("Edit total.sh?");
    screen.press_until_gone("y", "Edit total.sh?");
    screen.wait_for("Run this command?");
    screen.press_until_gone("y", "Run this command?");
    screen.wait_for("passes all its checks");
}

#[test]
fn a_refusal_in_the_demo_leads_somewhere() {
    let house = House::without_server();
    let mut screen = house.open_with(&["demo"], (80, 24));
    screen.keys("<enter>");
    screen.wait_for("Run this command?");
    screen.press_until_gone("n", "Run this command?");
    screen.wait_for("Edit total.sh?");
}

#[test]
fn without_colour_everything_still_reads() {
    let write = call("write_file", json!({"file_path": "a.txt", "content": "new\n"}));
    let house = House::new(&[call("read_file", json!({"file_path": "a.txt"})), write, text("`code`")]);
    house.write("a.txt", "old\n");
    let mut command = house.command(&["--model", "m"]);
    command.env("NO_COLOR", "1");
    let mut screen = Terminal::start(command, (120, 40));
    screen.keys("go<enter>");
    let shown = screen.wait_for("approve once");
    assert!(shown.contains("- old") && shown.contains("+ new") && shown.contains("SAFE"), "{shown}");
    screen.press_until("y", "`code`");
    screen.keys("<s-tab>");
    screen.wait_for("EDITS");
    screen.keys("<s-tab>");
    screen.wait_for("PLAN");
    screen.keys("<s-tab>");
    screen.wait_for("UNSAFE");
    let raw = String::from_utf8_lossy(&screen.raw()).into_owned();
    let colours = raw.split("\x1b[").skip(1).filter_map(|rest| rest.split_once('m').map(|(codes, _)| codes));
    let painted: Vec<&str> = colours
        .filter(|codes| codes.chars().all(|c| c.is_ascii_digit() || c == ';'))
        .filter(|codes| codes.split(';').any(|code| matches!(code.parse(), Ok(30..=38 | 40..=48 | 90..=107))))
        .collect();
    assert_eq!(painted, Vec::<&str>::new());
}

#[test]
fn the_last_answer_and_its_code_can_be_copied() {
    let house = House::new(&[text("Do this:\n\n```sh\nls -la\n```\n")]);
    let mut screen = house.open();
    screen.keys("hi<enter>");
    screen.wait_for("ls -la");
    // The block may not be over yet.
    screen.wait_gone("Esc interrupts");
    screen.keys("/copy 1<enter>");
    screen.wait_for_raw("\x1b]52;c;bHMgLWxh");
    screen.send(b"\x1bc");
    screen.wait_for("copied the code block 1 of 1");
    assert_eq!(String::from_utf8_lossy(&screen.raw()).matches("\x1b]52;c;bHMgLWxh").count(), 2);
}

#[test]
fn a_home_folder_is_asked_about_once() {
    let house = House::new(&[text("Hello.")]);
    let home = house.outside().join("home").display().to_string();
    let mut screen = house.open_with(&["--model", "m", "-C", &home], (120, 40));
    screen.wait_for("hardly a project");
    screen.press_slowly_until("y", "what shall we do");
    screen.keys("hi<enter>");
    screen.wait_for("Hello.");
}

#[test]
fn the_log_goes_to_the_state_folder_and_never_to_the_screen() {
    let house = House::new(&[json!([{"status": 503, "body": {"error": "server busy"}}]), text("At last.")]);
    let mut command = house.command(&["--model", "m"]);
    command.env("AGENT_LOG", "info");
    let mut screen = Terminal::start(command, (120, 40));
    screen.keys("hi<enter>");
    screen.wait_for("At last.");
    let log = std::fs::read_to_string(house.state().join("agent.log")).unwrap();
    assert!(log.contains("trying again"), "{log}");
    assert!(!String::from_utf8_lossy(&screen.raw()).contains("trying again"));
}

#[test]
fn a_command_edited_in_place_is_the_one_that_runs() {
    let house = House::new(&[call("run_command", json!({"command": "echo model > out.txt"})), text("Done.")]);
    let mut screen = house.open();
    screen.keys("run it<enter>");
    screen.wait_for("approve once");
    screen.press_until_gone("e", "approve once");
    screen.keys("<c-u>echo person > out.txt<enter>");
    screen.wait_for("approve once");
    screen.press_until("y", "Done.");
    assert_eq!(house.read("out.txt"), "person\n");
}

#[test]
fn a_download_can_be_stopped() {
    let house = House::scripted(json!({
        "models": [{"name": "other:1b", "context_length": 8192}],
        "pulls": [{"model": {"name": "m:latest"}, "lines": 200, "ms": 60000}],
        "replies": []
    }));
    let mut screen = house.open();
    screen.wait_for("not installed");
    screen.press_until("<down>", "› pull m");
    screen.keys("<enter>");
    screen.wait_for("%");
    screen.keys("<esc>");
    screen.wait_gone("%");
    let pull = house.server().wait(std::time::Duration::from_secs(30), |requests| {
        requests.iter().find(|request| request.path == "/api/pull" && request.ended.is_some()).cloned()
    });
    assert!(pull.is_some(), "the server saw the end of it");
}

#[test]
fn the_wheel_scrolls_and_the_mouse_can_be_given_away() {
    let long: String = (1..=80).map(|line| format!("{line}. item\n")).collect();
    let house = House::new(&[text(&long)]);
    let mut screen = house.open();
    screen.keys("hi<enter>");
    screen.wait_for("80. item");
    for _ in 0..5 {
        screen.send(b"\x1b[<64;10;10M");
    }
    screen.wait_gone("80. item");
    screen.send(b"\x1bm");
    screen.wait_for_raw("\x1b[?1000l");
}

#[test]
fn a_drag_selects_and_copies_and_a_click_unfolds() {
    let count = "for at in 1 2 3 4 5 6 7 8 9 10 11 12; do echo line $at; done";
    let house = House::new(&[call("run_command", json!({"command": count})), text("All is counted.")]);
    let mut screen = house.open_with(&["--model", "m", "--unsafe"], (120, 40));
    screen.keys("count<enter>");
    screen.wait_for("All is counted.");
    house.wait_turns(1);
    let shown = screen.wait_gone("Esc interrupts");
    let place = |words: &str| {
        let (row, line) = shown.lines().enumerate().find(|(_, line)| line.contains(words)).unwrap();
        (line.find(words).unwrap() + 1, row + 1)
    };
    let (column, row) = place("All is counted.");
    let mouse = |code: u8, column: usize, row: usize, end: char| format!("\x1b[<{code};{column};{row}{end}");
    screen.send(mouse(0, column, row, 'M').as_bytes());
    screen.send(mouse(32, column + 5, row, 'M').as_bytes());
    screen.send(mouse(0, column + 5, row, 'm').as_bytes());
    // "All is", in Base64.
    screen.wait_for_raw("\x1b]52;c;QWxsIGlz\x1b\\");
    screen.wait_for("copied the selection, 6 characters");
    assert!(!shown.contains("line 2"), "{shown}");
    let (column, row) = place("more lines");
    screen.send(mouse(0, column, row, 'M').as_bytes());
    screen.send(mouse(0, column, row, 'm').as_bytes());
    screen.wait_for("line 2");
}

#[test]
fn a_change_opens_in_the_editor_at_its_line() {
    let lines = |last: &str| (0..20).map(|at| format!("{at}\n")).collect::<String>() + last + "\n";
    let (before, after) = (lines("old"), lines("new"));
    let edit = call("edit_file", json!({"file_path": "a.txt", "old_string": "old", "new_string": "new"}));
    let house = House::new(&[call("read_file", json!({"file_path": "a.txt"})), edit, text("Done.")]);
    house.write("a.txt", &before);
    let editor = house.outside().join("vi");
    let seen = house.outside().join("seen.txt");
    std::fs::write(&editor, format!("#!/bin/sh\nprintf '%s' \"$1\" > '{}'\n", seen.display())).unwrap();
    std::fs::set_permissions(&editor, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    let mut command = house.command(&["--model", "m"]);
    command.env("VISUAL", editor.display().to_string());
    let mut screen = Terminal::start(command, (120, 40));
    screen.keys("change it<enter>");
    screen.wait_for("approve once");
    screen.press_slowly_until("E", "the text is unchanged");
    assert_eq!(std::fs::read_to_string(&seen).unwrap(), "+21");
    screen.press_until("y", "Done.");
    assert_eq!(house.read("a.txt"), after);
}

#[test]
fn where_little_is_to_move_nothing_beats_while_the_model_works() {
    let house = House::new(&[call("run_command", json!({"command": "echo it runs > out.txt"})), text("Done.")]);
    std::fs::write(house.config().join("config.toml"), "[screen]\nreduced_motion = true\n").unwrap();
    let mut command = house.command(&["--model", "m", "--unsafe"]);
    command.env("WT_SESSION", "1");
    let mut screen = Terminal::start(command, (120, 40));
    screen.keys("go<enter>");
    screen.wait_for("Done.");
    let raw = String::from_utf8_lossy(&screen.raw()).into_owned();
    assert!(!raw.contains('○') && !raw.contains("\x1b]9;4;3"), "nothing beats, and no progress goes round");
}
