//! `agent models` and `agent doctor`, as a person and as a script use them.

use crate::stage::House;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::io::Read;
use std::process::{Output, Stdio};

fn run(house: &House, args: &[&str]) -> Output {
    house.headless(args).stdin(Stdio::null()).output().unwrap()
}

fn out(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn err(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

fn house() -> House {
    House::scripted(json!({
        "models": [{"name": "m", "context_length": 32_768, "parameter_size": "8.2B"}, {"name": "old:1b", "context_length": 8192}],
        "pulls": [{"model": {"name": "new:1b"}, "lines": 5, "ms": 50}],
        "replies": [{"say": [{"text": "Said."}]}],
    }))
}

#[test]
fn models_are_listed_shown_pulled_and_removed() {
    let house = house();
    let listed = run(&house, &["models"]);
    assert!(out(&listed).contains("m:latest") && out(&listed).contains("8.2B"), "{}", out(&listed));
    let shown = run(&house, &["models", "show", "m", "--json"]);
    let shown: Value = serde_json::from_str(out(&shown)).unwrap();
    assert!(shown.to_string().contains("32768"), "{shown}");
    assert_eq!(run(&house, &["models", "pull", "new:1b"]).status.code(), Some(0));
    assert!(out(&run(&house, &["models"])).contains("new:1b"));
    let refused = run(&house, &["models", "rm", "old:1b"]);
    assert!(refused.status.code() != Some(0) && err(&refused).contains("--yes"), "{}", err(&refused));
    assert_eq!(run(&house, &["models", "rm", "old:1b", "--yes"]).status.code(), Some(0));
    assert!(!out(&run(&house, &["models"])).contains("old:1b"));
    assert_eq!(run(&house, &["models", "show", "nope"]).status.code(), Some(4));
    let missing = run(&house, &["models", "rm", "nope"]);
    assert_eq!(missing.status.code(), Some(4), "{}", err(&missing));
    assert!(err(&missing).contains("nope is not installed") && !err(&missing).contains("--yes"), "{}", err(&missing));
    assert!(
        house.server().requests().iter().all(|request| !request.is_chat() && !request.is_load()),
        "nothing is loaded"
    );
}

#[test]
fn where_the_home_is_the_project_the_rules_in_it_are_no_matter_of_the_models() {
    let house = house();
    let home = house.outside().join("home");
    std::fs::create_dir_all(house.config()).unwrap();
    let in_home = |args: &[&str]| house.headless(args).current_dir(&home).stdin(Stdio::null()).output().unwrap();
    let listed = in_home(&["models"]);
    assert!(out(&listed).contains("m:latest"), "{}", err(&listed));
    assert!(!err(&listed).contains("lies in this project"), "{}", err(&listed));
    let asked = in_home(&["--model", "m", "-p", "hello"]);
    assert!(err(&asked).contains("lies in this project"), "{}", err(&asked));
}

#[test]
fn an_interrupted_download_is_stopped_and_says_how_it_goes_on() {
    let house = House::scripted(json!({
        "models": [], "pulls": [{"model": {"name": "new:1b"}, "lines": 200, "ms": 60_000}], "replies": []
    }));
    let mut pull = house.headless(&["models", "pull", "new:1b"]).stderr(Stdio::piped()).spawn().unwrap();
    let mut progress = pull.stderr.take().unwrap();
    let mut told = vec![0; 1];
    // Once it tells how far it is, signals are heard.
    progress.read_exact(&mut told).unwrap();
    kill_process(Pid::from_child(&pull), Signal::INT).unwrap();
    progress.read_to_end(&mut told).unwrap();
    assert_eq!(pull.wait().unwrap().code(), Some(130));
    let told = String::from_utf8(told).unwrap();
    let last = told.lines().last().unwrap();
    assert_eq!(last, "stopped; what has arrived stays, and `agent models pull new:1b` goes on from there");
    let stopped = house.server().wait(std::time::Duration::from_secs(30), |requests| {
        requests.iter().find(|request| request.path == "/api/pull" && request.ended.is_some()).cloned()
    });
    assert!(stopped.is_some(), "the server saw the end of it");
}

#[test]
fn doctor_without_a_server_says_all_it_can_and_how_to_start_one() {
    let house = House::without_server();
    let output = run(&house, &["doctor"]);
    assert_eq!(output.status.code(), Some(3));
    let said = format!("{}{}", out(&output), err(&output));
    assert!(said.contains("ollama serve") && said.contains("127.0.0.1:1"), "{said}");
}

#[test]
fn doctor_examines_the_model_and_the_next_session_knows_it() {
    let house = house();
    let output = run(&house, &["doctor", "--model", "m", "--json"]);
    let found: Value = serde_json::from_str(out(&output)).unwrap();
    // This model only ever says the same word.
    assert_eq!(output.status.code(), Some(1), "{found}");
    let kept = std::fs::read_to_string(house.state().join("models.json")).unwrap();
    assert!(kept.contains("one_call"), "{kept}");
    let hosts: std::collections::BTreeSet<String> = house
        .server()
        .requests()
        .iter()
        .flat_map(|request| request.headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case("host")))
        .map(|(_, value)| value.clone())
        .collect();
    assert_eq!(hosts.len(), 1, "{hosts:?}");
}

#[test]
fn the_json_of_one_answer_tells_window_and_usage() {
    let house = house();
    let output = run(&house, &["--model", "m", "--num-ctx", "8192", "-p", "hello", "--output-format", "json"]);
    let told: Value = serde_json::from_str(out(&output)).unwrap();
    assert_eq!(told["window"]["asked"], 8192, "{told}");
    assert!(told["usage"]["prompt_tokens"].as_u64().is_some_and(|tokens| tokens > 0), "{told}");
}

#[test]
fn a_turn_without_a_person_takes_no_more_replies_than_it_may() {
    let call = json!({"call": {"name": "list_directory", "arguments": {"path": "."}}});
    let house =
        House::scripted(json!({"models": [{"name": "m", "context_length": 32_768}], "replies": [{"say": [call]}]}));
    let output = run(&house, &["--model", "m", "-p", "look around", "--max-turns", "2"]);
    assert_eq!(output.status.code(), Some(6), "{}", err(&output));
    assert_eq!(house.server().chats().len(), 2);
}
