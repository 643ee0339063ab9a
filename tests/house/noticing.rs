//! What the terminal is told beside the screen: its title, what goes on, and what somebody should know who looks elsewhere.

use crate::stage::{House, call, text};
use crate::terminal::Terminal;
use serde_json::json;

/// The terminal lost the focus.
const ELSEWHERE: &[u8] = b"\x1b[O";

fn asks() -> House {
    House::new(&[call("run_command", json!({"command": "echo it runs > out.txt"})), text("Done.")])
}

fn sent(screen: &Terminal) -> String {
    String::from_utf8_lossy(&screen.raw()).into_owned()
}

#[test]
fn the_title_says_what_goes_on_and_is_given_back() {
    let house = asks();
    let mut command = house.command(&["--model", "m"]);
    command.env("WT_SESSION", "1");
    let mut screen = Terminal::start(command, (120, 40));
    screen.wait_for_raw("\x1b]2;agent · project · ready\x1b\\");
    screen.keys("go<enter>");
    screen.wait_for("approve once");
    screen.wait_for_raw("\x1b]2;agent · project · asks\x1b\\");
    screen.wait_for_raw("\x1b]9;4;3;\x1b\\");
    screen.press_until("y", "Done.");
    screen.wait_for_raw("\x1b]9;4;0;\x1b\\");
    house.wait_turns(1);
    screen.keys("/exit<enter>");
    screen.wait_exit();
    let sent = sent(&screen);
    assert!(sent.rfind("\x1b[22;2t") < sent.rfind("\x1b[23;2t"), "the title is put aside and comes back");
    assert!(sent.rfind("\x1b[?1004h") < sent.rfind("\x1b[?1004l"));
    assert!(!sent.contains("\x1b]777") && !sent.contains('\u{7}'), "nobody looked elsewhere");
}

#[test]
fn who_looks_elsewhere_is_told_of_a_question_also_through_tmux() {
    for (tmux, told) in [
        (None, "\x1b]777;notify;agent;project asks: Run echo it runs > out.txt\x1b\\"),
        (Some("/tmp/x,1,0"), "\x1bPtmux;\x1b\x1b]777;notify;agent;project asks: Run"),
    ] {
        let house = asks();
        std::fs::write(house.config().join("config.toml"), "[screen]\nnotify = \"osc777\"\n").unwrap();
        let mut command = house.command(&["--model", "m"]);
        tmux.into_iter().for_each(|tmux| command.env("TMUX", tmux));
        let mut screen = Terminal::start(command, (120, 40));
        screen.send(ELSEWHERE);
        screen.keys("go<enter>");
        screen.wait_for("approve once");
        screen.wait_for_raw(told);
    }
}

#[test]
fn a_title_that_is_to_stay_is_never_touched() {
    let house = asks();
    std::fs::write(house.config().join("config.toml"), "[screen]\ntitle = false\n").unwrap();
    let mut screen = house.open();
    screen.wait_for("/ 16k");
    screen.keys("/exit<enter>");
    screen.wait_exit();
    let sent = sent(&screen);
    assert!(!sent.contains("\x1b]2;") && !sent.contains("\x1b[22;2t") && !sent.contains("\x1b[23;2t"), "{sent:?}");
}

#[test]
fn what_is_copied_in_tmux_is_handed_through_to_the_terminal() {
    let house = House::new(&[text("Do this:\n\n```sh\nls -la\n```\n")]);
    let mut command = house.command(&["--model", "m"]);
    command.env("TMUX", "/tmp/x,1,0");
    let mut screen = Terminal::start(command, (120, 40));
    screen.keys("hi<enter>");
    screen.wait_for("ls -la");
    screen.wait_gone("Esc interrupts");
    screen.keys("/copy 1<enter>");
    screen.wait_for_raw("\x1bPtmux;\x1b\x1b]52;c;bHMgLWxh");
}
