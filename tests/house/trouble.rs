//! What a person sees when things go wrong, and when they leave.

use crate::stage::{House, call, text};
use crate::terminal::Terminal;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use std::net::TcpListener;

fn signal(screen: &Terminal, signal: Signal) {
    let pid = Pid::from_raw(screen.pid().try_into().unwrap()).unwrap();
    kill_process(pid, signal).unwrap();
}

/// What restores a terminal: off the alternate screen, cursor shown, no bracketed paste, no mouse.
fn assert_restored(raw: &[u8]) {
    let sent = String::from_utf8_lossy(raw);
    for (on, off) in [("\x1b[?1049h", "\x1b[?1049l"), ("\x1b[?2004h", "\x1b[?2004l"), ("\x1b[?1000h", "\x1b[?1000l")] {
        let (last_on, last_off) = (sent.rfind(on), sent.rfind(off));
        assert!(last_on.is_none() || last_off > last_on, "{on:?} was not taken back");
    }
    assert!(sent.rfind("\x1b[?25h") > sent.rfind("\x1b[?25l"), "the cursor was left hidden");
}

#[test]
fn without_a_server_it_says_so_and_offers_what_can_be_done() {
    let house = House::without_server();
    let mut screen = house.open();
    screen.keys("my words");
    let shown = screen.wait_for("retry");
    assert!(shown.contains("no model server answers") && shown.contains("demo"), "{shown}");
    // What was typed is kept.
    screen.wait_for("my words");
}

#[test]
fn the_demo_is_one_key_away_when_there_is_no_server_and_keeps_what_was_typed() {
    let house = House::without_server();
    // It is looked for, and somebody types, before it is known that there is none.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut command = house.command(&["--model", "m"]);
    command.env("AGENT_HOST", silent.local_addr().unwrap().to_string());
    let mut screen = Terminal::start(command, (120, 40));
    screen.keys("zzz");
    screen.wait_for("› zzz");
    drop(silent);
    screen.wait_for("try the demo");
    screen.press_until("d", "The test fails. Find out why and fix it.");
    screen.press_until("<up>", "› zzz");
}

#[test]
fn a_model_that_is_not_installed_brings_the_picker_and_can_be_pulled() {
    let house = House::scripted(json!({
        "models": [{"name": "other:1b", "context_length": 8192}],
        "pulls": [{"model": {"name": "m:latest"}, "lines": 30, "ms": 4000}],
        "replies": [{"say": [{"text": "Pulled and here."}]}],
    }));
    let mut screen = house.open();
    let shown = screen.wait_for("not installed");
    assert!(shown.contains("other:1b"), "{shown}");
    screen.press_until("<down>", "› pull m");
    screen.keys("<enter>");
    screen.wait_for("downloading");
    // The download has other steps, too, and what is typed meanwhile is typed at it.
    screen.wait_gone("is being pulled");
    screen.wait_for("/ 16k");
    screen.keys("hello<enter>");
    screen.wait_for("Pulled and here.");
}

/// A reply with a call, cut before its end.
fn cut_short(words: &str) -> serde_json::Value {
    json!([
        {"text": words},
        {"call": {"name": "run_command", "arguments": {"command": "touch ran.txt"}}},
        {"cut": true}
    ])
}

#[test]
fn a_cut_stream_keeps_what_arrived_runs_nothing_and_is_asked_for_once_more() {
    let house = House::new(&[cut_short("I will run it"), text("It need not run.")]);
    let mut screen = house.open_with(&["--model", "m", "--unsafe"], (120, 40));
    screen.keys("go<enter>");
    let shown = screen.wait_for("It need not run.");
    assert!(shown.contains("I will run it") && shown.contains("cut off on its way"), "{shown}");
    assert!(!house.project().join("ran.txt").exists());
}

#[test]
fn a_stream_cut_twice_keeps_what_arrived_and_ends_the_turn() {
    let house = House::new(&[cut_short("I will run it"), cut_short("I try again")]);
    let mut screen = house.open_with(&["--model", "m", "--unsafe"], (120, 40));
    screen.keys("go<enter>");
    let shown = screen.wait_for("cut before the reply was complete");
    assert!(shown.contains("I will run it") && shown.contains("I try again"), "{shown}");
    assert!(!house.project().join("ran.txt").exists());
}

#[test]
fn it_survives_every_size_and_says_when_there_is_no_room() {
    let house = House::new(&[text("A long answer that has to be wrapped into a few more lines when it gets narrow.")]);
    let mut screen = house.open();
    screen.keys("hi<enter>");
    screen.wait_for("narrow.");
    for size in [(80, 24), (40, 12), (200, 60), (41, 13)] {
        screen.resize(size);
        screen.wait_for("SAFE");
    }
    screen.resize((30, 8));
    screen.wait_for("40x12");
    screen.resize((80, 24));
    screen.wait_for("narrow.");
}

#[test]
fn leaving_restores_the_terminal_and_leaves_the_last_words_there() {
    let house = House::new(&[text("The last words.")]);
    let mut screen = house.open();
    screen.keys("hi<enter>");
    screen.wait_for("The last words.");
    screen.keys("/exit<enter>");
    assert!(screen.wait_exit().success());
    assert!(screen.screen().contains("The last words."), "{}", screen.screen());
    assert_restored(&screen.raw());
    let modes = screen.modes();
    assert!(modes.contains("ECHO") && modes.contains("ICANON"), "lines are read and echoed again: {modes}");
}

#[test]
fn ctrl_c_twice_leaves() {
    let house = House::new(&[]);
    let mut screen = house.open();
    screen.wait_for("SAFE");
    screen.keys("<c-c>");
    screen.wait_for("again");
    screen.keys("<c-c>");
    assert!(screen.wait_exit().success());
    assert_restored(&screen.raw());
}

#[test]
fn signals_restore_the_terminal() {
    use Signal as S;
    for wanted in [S::TERM, S::HUP, S::INT, S::QUIT, S::USR2, S::ALARM, S::VTALARM, S::PROF, S::XCPU, S::XFSZ] {
        let house = House::new(&[]);
        let mut screen = house.open();
        screen.wait_for("SAFE");
        signal(&screen, wanted);
        assert_eq!(screen.wait_exit().exit_code(), 128 + u32::try_from(wanted.as_raw()).unwrap());
        assert_restored(&screen.raw());
    }
}

#[test]
fn a_panic_gives_the_terminal_back_before_it_speaks() {
    let house = House::new(&[]);
    let mut screen = house.open();
    signal(&screen, Signal::USR1);
    assert_eq!(screen.wait_exit().exit_code(), 101);
    assert!(screen.screen().contains("asked to panic"), "{}", screen.screen());
    assert_restored(&screen.raw());
}

#[test]
fn suspending_gives_the_terminal_back_and_continuing_draws_again() {
    let house = House::new(&[text("Hello.")]);
    let mut screen = house.open();
    screen.keys("hi<enter>");
    screen.wait_for("Hello.");
    screen.keys("<c-z>");
    // Where no shell lets it go on, it comes back by itself a second later.
    let left = "\x1b[?1049l";
    screen.wait_for_raw(left);
    let raw = screen.raw();
    let end = raw.windows(left.len()).position(|bytes| bytes == left.as_bytes()).unwrap() + left.len();
    assert_restored(&raw[..end]);
    signal(&screen, Signal::CONT);
    let shown = screen.wait_for("SAFE");
    assert!(shown.contains("Hello."), "{shown}");
}

/// Bytes that a terminal would obey, in one text.
const HOSTILE: &str = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{1b}[31mred\u{9b}5n\u{202e}txt.exe\u{200b}\u{8}\u{8}\rover";

/// What may be on the wire from us: no title, no report request, no raw controls of the text.
fn assert_honest(raw: &[u8]) {
    let sent = String::from_utf8_lossy(raw);
    for evil in ["\u{1b}]0;", "owned\u{7}", "\u{9b}", "\u{202e}", "\u{200b}", "\u{8}", "\u{1b}[5n"] {
        assert!(!sent.contains(evil), "{evil:?} reached the terminal");
    }
}

#[test]
fn hostile_text_from_model_tools_and_file_names_reaches_no_terminal() {
    let house = House::new(&[
        json!([{"text": format!("Look: {HOSTILE}")}, {"call": {"name": "read_file", "arguments": {"file_path": "evil.txt"}}}]),
        call("list_directory", json!({"path": "."})),
        call("run_command", json!({"command": "cat evil.txt"})),
        text("The end."),
    ]);
    house.write("evil.txt", HOSTILE);
    std::fs::write(house.project().join(format!("name{}", HOSTILE.replace('/', ""))), "x").unwrap();
    let mut screen = house.open_with(&["--model", "m", "--unsafe"], (120, 40));
    screen.keys("go<enter>");
    screen.wait_for("The end.");
    screen.keys("<c-o>");
    screen.wait_for("The end.");
    screen.keys("/exit<enter>");
    screen.wait_exit();
    assert_honest(&screen.raw());
}
