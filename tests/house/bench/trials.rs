//! What the model server sees of trials, and what is seen of it.

use super::{out, run, tasks};
use crate::stage::House;
use crate::terminal::Terminal;
use serde_json::{Value, json};
use std::fs;

/// A server whose model solves the task, with these answers of its own to certain paths.
fn house(answers: Value) -> House {
    let write =
        json!({"call": {"name": "write_file", "arguments": {"file_path": "say.sh", "content": "echo hello\n"}}});
    House::scripted(json!({"models": [{"name": "m", "context_length": 32768}], "answers": answers, "replies": [
        {"when": {"after": "person"}, "say": [write]},
        {"when": {"after": "tool"}, "say": [{"text": "It says hello now."}]},
    ]}))
}

fn report(house: &House) -> Value {
    serde_json::from_slice(&run(house, &["bench", "show", "--json"]).stdout).unwrap()
}

/// What `/api/ps` tells of a model with this window.
fn loaded(window: u64) -> Value {
    json!({"models": [{"name": "m:latest", "model": "m:latest", "size": 100, "size_vram": 100, "context_length": window,
        "details": {"family": "llama", "parameter_size": "8.0B", "quantization_level": "Q4_K_M"}}]})
}

#[test]
fn a_window_that_became_another_one_stops_the_run_and_says_so() {
    let house = house(json!([
        {"path": "/api/ps", "status": 200, "times": 9, "body": loaded(16384)},
        {"path": "/api/ps", "status": 200, "body": loaded(4096)},
    ]));
    let folder = tasks(&house).display().to_string();
    let made = run(&house, &["bench", "--models", "m", "--dir", &folder, "--trials", "9", "--no-exam"]);
    assert_eq!(made.status.code(), Some(1), "{made:?}");
    let complaint = String::from_utf8_lossy(&made.stderr);
    assert!(complaint.contains("a window of 4096 tokens now; it had 16384"), "{complaint}");
    let servers = &report(&house)["servers"];
    assert_eq!((&servers["m"]["window"], &servers["m"]["product"]), (&json!(16384), &json!("Ollama")));
    let page = run(&house, &["bench", "show", "--markdown"]);
    assert!(out(&page).contains("8.0B, Q4_K_M, window 16384, 100 % on the graphics card"), "{}", out(&page));
}

#[test]
fn replies_that_break_off_and_a_server_in_trouble_are_no_failures_of_the_model() {
    for trouble in [json!({"error": "out of order"}), json!({"cut": true})] {
        let script = json!({"models": [{"name": "m", "context_length": 32768}],
            "replies": [{"say": [{"text": "So"}, trouble]}]});
        let house = House::scripted(script);
        let folder = tasks(&house).display().to_string();
        let made = run(&house, &["bench", "--models", "m", "--dir", &folder, "--no-exam"]);
        assert_eq!(made.status.code(), Some(1), "no result: {made:?}");
        let report = report(&house);
        assert_eq!((&report["done"], &report["spoiled"]), (&json!([0, 1]), &json!(true)));
        assert!(report["rows"].as_array().unwrap().iter().all(|row| row["class"] == "fault"), "{}", report["rows"]);
    }
}

#[test]
fn a_model_that_nobody_examined_is_examined_once_and_every_trial_begins_with_that() {
    let house = house(json!([]));
    let folder = tasks(&house).display().to_string();
    let args = ["bench", "--models", "m", "--dir", &folder, "--trials", "2"];
    let made = run(&house, &args);
    assert!(out(&made).contains("examining m, once"), "{}", out(&made));
    let learned = &report(&house)["learned"];
    assert!(learned[0]["examined"].is_object(), "{learned}");
    let again = run(&house, &args);
    assert!(!out(&again).contains("examining"), "{}", out(&again));
}

/// The requests of a trial. The names of their folders differ from run to run and say nothing.
fn requests(house: &House) -> Vec<String> {
    let folder = tasks(house).display().to_string();
    let made = run(house, &["bench", "--models", "m", "--dir", &folder, "--no-exam"]);
    assert_eq!(made.status.code(), Some(0), "{made:?}");
    house.server().chats().into_iter().map(|chat| without_folder(&chat.body.to_string())).collect()
}

fn without_folder(body: &str) -> String {
    const FOLDER: &str = "agent-bench-";
    let mut pieces = body.split(FOLDER);
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |all, piece| all + FOLDER + piece.trim_start_matches(|letter: char| letter.is_alphanumeric()))
}

#[test]
fn requests_of_a_trial_are_the_same_whatever_the_persons_own_files_hold() {
    let bare = requests(&house(json!([])));
    assert!(bare.len() >= 2 && bare[0].contains("Make say.sh say hello."), "{bare:?}");
    let full = house(json!([]));
    let config = "mode = \"plan\"\nkeep_alive = \"2h\"\n[limits]\nsteps = 7\n[tools]\ngroups = [\"core\"]\n";
    for (name, text) in [
        ("AGENTS.md", "Words of mine alone.\n"),
        ("config.toml", config),
        ("models.toml", "[[family]]\nmatch = [\"m\"]\ncalls = \"hermes\"\noptions = { temperature = 1.5 }\n"),
        ("skills/mine/SKILL.md", "---\nname: mine\ndescription: What I always do.\n---\nDo it my way.\n"),
        ("agents/mine.md", "---\nname: mine\ndescription: An agent of mine.\n---\nWork.\n"),
        ("memory/mine.md", "I like tabs.\n"),
    ] {
        let path = full.config().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    full.write("AGENTS.md", "Words of this project alone.\n");
    full.write(".agent/skills/theirs/SKILL.md", "---\nname: theirs\ndescription: Theirs.\n---\nDo it.\n");
    assert_eq!(requests(&full), bare);
}

#[test]
fn at_a_terminal_the_person_is_asked_which_models_and_for_how_long() {
    let house = house(json!([]));
    let folder = tasks(&house).display().to_string();
    let command = house.command(&["bench", "--dir", &folder, "--no-exam"]);
    let mut terminal = Terminal::spawn(command, (120, 40));
    terminal.wait_for("1  m:latest");
    terminal.wait_for("Numbers with commas between");
    terminal.send(b"2\r");
    terminal.wait_for("2 is no number of the list");
    terminal.send(b"\r");
    terminal.wait_for("How long may it take");
    terminal.send(b"1h\r");
    terminal.wait_for("m:latest solves 100 %");
    assert!(terminal.wait_exit().success());
}
