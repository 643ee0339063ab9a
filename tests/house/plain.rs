//! Where there is no terminal that could draw: pipes and files get no escape sequences, and a plain terminal lines.

use crate::stage::{House, call, text};
use crate::terminal::Terminal;
use serde_json::json;
use std::fs::File;
use std::process::Stdio;

/// What a terminal obeys: it begins a sequence in seven bits, or in eight.
const OBEYED: &str = "\u{1b}[31mred\u{1b}]0;title\u{7}\u{9b}2J\u{90}q";

/// With a model, a file, a command and a session that are full of it.
fn hostile() -> House {
    let say = |steps| json!({"times": 1, "say": steps});
    let replies = [
        say(call("run_command", json!({"command": "printf '\\033[31mred\\033[0m'; cat hostile.txt"}))),
        say(call("read_file", json!({"file_path": "hostile.txt"}))),
        say(call(OBEYED, json!({OBEYED: OBEYED}))),
        say(text(&format!("The answer: {OBEYED} and `{OBEYED}`\n"))),
    ];
    let script = json!({"models": [{"name": "m", "context_length": 32768}], "replies": replies});
    let house = House::scripted(script);
    house.write("hostile.txt", OBEYED);
    house
}

/// Runs it with both outputs in files and colours forced; what stands in them.
fn written(house: &House, args: &[&str]) -> String {
    let at = |name: &str| house.outside().join(name);
    let mut command = house.headless(args);
    command.envs([("CLICOLOR_FORCE", "1"), ("FORCE_COLOR", "1"), ("CLICOLOR", "1"), ("COLORTERM", "truecolor")]);
    command.stdin(Stdio::null()).stdout(File::create(at("out")).unwrap()).stderr(File::create(at("err")).unwrap());
    command.status().unwrap();
    let both = ["out", "err"].map(|name| std::fs::read(at(name)).unwrap());
    String::from_utf8(both.concat()).unwrap()
}

fn assert_obeys_nothing(args: &[&str], text: &str) {
    assert!(!text.is_empty(), "{args:?} says something");
    let obeyed = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    assert!(!text.contains(obeyed), "{args:?}: {text:?}");
}

#[test]
fn a_run_writes_no_escape_sequence_into_a_file_whoever_wants_one() {
    for format in ["text", "json", "stream-json"] {
        let house = hostile();
        let args = ["--model", "m", "--unsafe", "-p", "say it", "--output-format", format];
        let text = written(&house, &args);
        assert_obeys_nothing(&args, &text);
        assert_eq!(house.server().chats().len(), 4, "all of it was gone through: {text}");
        for args in [&["sessions"][..], &["sessions", "--json"], &["-c", "-p", "more"]] {
            assert_obeys_nothing(args, &written(&house, args));
        }
        let listed: serde_json::Value = serde_json::from_str(&written(&house, &["sessions", "--json"])).unwrap();
        let id = listed["sessions"][0]["id"].as_str().unwrap_or_else(|| panic!("{listed}")).to_owned();
        for args in [&["sessions", "show", &id][..], &["sessions", "show", &id, "--markdown"]] {
            assert_obeys_nothing(args, &written(&house, args));
        }
    }
}

#[test]
fn neither_do_help_faults_and_the_errands() {
    let house = hostile();
    for args in [
        &["--help"][..],
        &["-p", "hi", "--nonsense"],
        &["-c", "demo"],
        &["-p", "hi", "--model", OBEYED],
        &["-p", "hi", "--host", OBEYED],
        &["-p"],
        &["models"],
        &["models", "show", "m"],
        &["models", "show", OBEYED],
        &["models", "pull", OBEYED],
        &["doctor", "--no-probes", "--model", "m"],
        &["doctor", "--model", "m"],
        &["sessions", "show", OBEYED],
        &["mcp", "list"],
    ] {
        assert_obeys_nothing(args, &written(&house, args));
    }
}

#[test]
fn a_terminal_that_cannot_draw_gets_lines_and_is_told_why() {
    for (term, told) in [(Some("dumb"), "TERM is dumb"), (Some(""), "TERM is not set"), (None, "TERM is not set")] {
        for args in [&["--model", "m"][..], &["demo"]] {
            let house = House::new(&[]);
            let mut command = house.command(args);
            match term {
                Some(term) => command.env("TERM", term),
                None => command.env_remove("TERM"),
            }
            let mut screen = Terminal::spawn(command, (120, 40));
            screen.wait("a prompt", |shown| shown.ends_with("\n>"));
            screen.keys("/quit<enter>");
            assert_eq!(screen.wait_exit().exit_code(), 0);
            let raw = String::from_utf8_lossy(&screen.raw()).into_owned();
            assert!(raw.contains(told) && !raw.contains('\u{1b}'), "{raw:?}");
        }
    }
}
