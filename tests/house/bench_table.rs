//! The table of `agent bench` on a terminal: a person pauses, skips and stops, and the terminal is given back.

use crate::stage::House;
use crate::terminal::Terminal;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Stdio;

const SHEET: &str = r#"
kind = "write"
language = "shell"
hidden = "bash unseen.sh"
reader = "tap"
tests = ["says it"]
may_change = ["say.sh"]
"#;
const UNSEEN: &str = "if [ \"$(bash say.sh)\" = hello ]; then echo 'ok 1 - says it'; else exit 1; fi\n";
/// Longer than any test: whoever waits for it is stopped.
const FOR_EVER: u64 = 3_600_000;

/// A house whose model keeps the first trials waiting, each so many milliseconds, and solves every one.
fn house(waits: &[u64]) -> House {
    let writes =
        json!({"call": {"name": "write_file", "arguments": {"file_path": "say.sh", "content": "echo hello\n"}}});
    let waits =
        waits.iter().map(|ms| json!({"when": {"after": "person"}, "times": 1, "say": [{"wait_ms": ms}, writes]}));
    let mut replies: Vec<Value> = waits.collect();
    replies.push(json!({"when": {"after": "person"}, "say": [writes]}));
    replies.push(json!({"say": [{"text": "It says hello now."}]}));
    House::scripted(json!({"models": [{"name": "m", "context_length": 32768}], "replies": replies}))
}

/// Three tasks, and how to measure the model with them.
fn bench(house: &House) -> Vec<String> {
    let folder: PathBuf = house.outside().join("tasks");
    for task in ["one", "two", "three"] {
        for (name, text) in [
            ("task.toml", SHEET),
            ("prompt.md", "Make say.sh say hello."),
            ("start/say.sh", "true\n"),
            ("hidden/unseen.sh", UNSEEN),
        ] {
            let path = folder.join(task).join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }
    ["bench", "--models", "m", "--no-exam", "--dir", folder.to_str().unwrap()].map(str::to_owned).into()
}

fn open(house: &House, size: (u16, u16)) -> Terminal {
    let args = bench(house);
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let screen = Terminal::spawn(house.command(&args), size);
    screen.wait_for(" now  ");
    screen
}

/// Which trials were made, and what became of them.
fn made(house: &House) -> Vec<(String, u64, String)> {
    let run = fs::read_dir(house.state().join("bench")).unwrap().flatten().find(|entry| entry.path().is_dir()).unwrap();
    let rows = fs::read_to_string(run.path().join("trials.jsonl")).unwrap();
    let rows = rows.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let text = |row: &Value, key: &str| row[key].as_str().unwrap().to_owned();
    let mut rows: Vec<_> =
        rows.map(|row| (text(&row, "task"), row["trial"].as_u64().unwrap(), text(&row, "class"))).collect();
    rows.sort();
    rows
}

fn all_solved() -> Vec<(String, u64, String)> {
    ["one", "three", "two"].map(|task| (task.to_owned(), 1, "solved".to_owned())).into()
}

/// The last thing that is sent gives the cursor and the wrapping back, and what is typed is a line again.
fn is_given_back(screen: &Terminal) -> bool {
    let modes = screen.modes();
    assert!(modes.contains("ICANON") && modes.contains("ISIG"), "{modes}");
    let raw = String::from_utf8_lossy(&screen.raw()).into_owned();
    raw.rfind("\x1b[?25h") > raw.rfind("\x1b[?25l") && raw.rfind("\x1b[?7h") > raw.rfind("\x1b[?7l")
}

#[test]
fn a_person_skips_and_stops_and_resume_makes_the_rest() {
    let house = house(&[FOR_EVER, FOR_EVER]);
    let mut screen = open(&house, (120, 40));
    let task =
        screen.wait_for("asking the model").split(" now  ").nth(1).unwrap().split(' ').next().unwrap().to_owned();
    screen.keys(" ");
    screen.wait_for("paused after this trial");
    screen.keys(" ");
    screen.wait_gone("paused after this trial");
    screen.keys("s");
    screen.wait_for(&format!("{task} is skipped"));
    screen.wait("the next task to ask the model", |screen| {
        screen.contains(" now  ") && !screen.contains(&format!(" now  {task}")) && screen.contains("asking the model")
    });
    screen.keys("q");
    assert_eq!(screen.wait_exit().exit_code(), 130);
    assert!(is_given_back(&screen));
    assert!(made(&house).is_empty(), "what was under way is thrown away");

    let resumed = house.headless(&["bench", "resume"]).stdin(Stdio::null()).output().unwrap();
    assert_eq!(resumed.status.code(), Some(0), "{resumed:?}");
    assert_eq!(made(&house), all_solved());
}

#[test]
fn a_paused_run_begins_nothing_until_it_goes_on_and_has_the_rows_of_one_that_was_left_alone() {
    let house = house(&[3_000]);
    let mut screen = open(&house, (80, 24));
    screen.keys(" ");
    screen.wait_for(" paused · space goes on");
    let asked = house.server().chats().len();
    screen.resize((60, 20));
    screen.wait("the table to fit", |screen| screen.lines().all(|line| line.chars().count() <= 60));
    assert_eq!(house.server().chats().len(), asked, "nothing begins");
    screen.keys(" ");
    assert_eq!(screen.wait_exit().exit_code(), 0);
    let shown = screen.screen();
    assert!(shown.contains("3/3") && shown.contains("m solves 100 %"), "the last table stays: {shown}");
    assert!(is_given_back(&screen));
    assert_eq!(made(&house), all_solved());
}

#[test]
fn every_way_out_gives_the_terminal_back() {
    for signal in [Some(Signal::TERM), Some(Signal::HUP), Some(Signal::INT), None] {
        let house = house(&[FOR_EVER]);
        let mut screen = open(&house, (80, 24));
        match signal {
            Some(signal) => {
                let pid = Pid::from_raw(i32::try_from(screen.pid()).unwrap()).unwrap();
                kill_process(pid, signal).unwrap();
            }
            None => screen.keys("<c-c>"),
        }
        assert_eq!(screen.wait_exit().exit_code(), 130, "{signal:?}");
        assert!(is_given_back(&screen), "{signal:?}");
    }
}

#[test]
fn the_demo_makes_a_whole_run_and_keeps_nothing() {
    let house = House::without_server();
    let shown = house.headless(&["bench", "--demo"]).stdin(Stdio::null()).output().unwrap();
    let text = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert_eq!(shown.status.code(), Some(0), "{text}");
    let ended = |model: &str, class: &str| -> BTreeSet<String> {
        let marked = format!("  {class}  ");
        let lines = text.lines().filter(|line| line.contains(model) && line.contains(&marked));
        lines.map(|line| line.split(" · ").next().unwrap().rsplit(' ').next().unwrap().to_owned()).collect()
    };
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<_>>();
    let large = [
        "py-cannot-comments",
        "py-find-tiles",
        "py-mend-laps",
        "py-mend-postage",
        "py-write-columns",
        "py-write-watering",
    ];
    assert_eq!(ended("demo-large", "solved"), names(&large), "{text}");
    assert_eq!(ended("demo-large", "wrong"), names(&["sh-write-tally"]), "{text}");
    assert_eq!(ended("demo-small", "solved"), names(&["py-mend-laps", "py-write-watering"]), "{text}");
    assert_eq!(ended("demo-small", "said done, was not"), names(&["py-find-tiles", "py-mend-postage"]), "{text}");
    assert!(text.contains("per solved task") && text.contains("This was the demo"), "{text}");
    assert!(!house.state().join("bench").exists(), "it is kept nowhere");
}
