//! The same session at four sizes, in a dark and a light theme and without colour: a question, its answer, the end.

use crate::stage::{House, call, text};
use serde_json::json;

const SIZES: [(u16, u16); 4] = [(200, 50), (120, 40), (80, 24), (60, 20)];

fn lines(third: &str) -> String {
    (0..40).map(|at| if at == 3 { format!("{third}\n") } else { format!("line {at} of the file\n") }).collect()
}

/// Plays it; all that was sent to the terminal.
fn play(size: (u16, u16), settings: &str, no_colour: bool) -> String {
    let house = House::new(&[
        call("read_file", json!({"file_path": "a.txt"})),
        call(
            "edit_file",
            json!({"file_path": "a.txt", "old_string": "line 3 of the file", "new_string": "the third line"}),
        ),
        text("The third line is *mended*.\n\n```rust\nfn main() {}\n```"),
    ]);
    house.write("a.txt", &lines("line 3 of the file"));
    let config = format!("[harness]\nfacts = false\n{settings}");
    std::fs::write(house.config().join("config.toml"), config).unwrap();
    let mut command = house.command(&["--model", "m"]);
    if no_colour {
        command.env("NO_COLOR", "1");
    }
    let mut screen = crate::terminal::Terminal::start(command, size);
    screen.keys("mend the third line<enter>");
    let asked = screen.wait_for("approve once");
    for part in ["a.txt", "- line 3 of the file", "+ the third line", "n"] {
        assert!(asked.contains(part), "{part:?} at {size:?}:\n{asked}");
    }
    screen.press_until("y", "fn main() {}");
    house.wait_turns(1);
    let done = screen.wait_gone("Esc interrupts");
    assert!(done.lines().last().unwrap().contains("SAFE"), "the status line at {size:?}:\n{done}");
    assert!(done.lines().count() <= usize::from(size.1), "{done}");
    assert_eq!(house.read("a.txt"), lines("the third line"));
    String::from_utf8_lossy(&screen.raw()).into_owned()
}

#[test]
fn dark_at_every_size() {
    for size in SIZES {
        let sent = play(size, "[screen]\ntheme = \"dark\"\n", false);
        assert!(sent.contains("38;5;") || sent.contains("38;2;"), "there are colours");
    }
}

#[test]
fn light_at_every_size() {
    for size in SIZES {
        play(size, "[screen]\ntheme = \"light\"\n", false);
    }
}

#[test]
fn without_colour_at_every_size() {
    let coloured = regex::Regex::new("\x1b\\[[0-9;]*\\b(3[0-7]|38|4[0-7]|48|9[0-7]|10[0-7])\\b[0-9;]*m").unwrap();
    for size in SIZES {
        let sent = play(size, "", true);
        assert_eq!(coloured.find(&sent).map(|found| found.as_str().escape_debug().to_string()), None, "{size:?}");
    }
}
