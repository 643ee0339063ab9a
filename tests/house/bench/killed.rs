//! A run whose process is killed wherever it is goes on as if nothing had been.

use super::{out, run, tasks};
use crate::stage::House;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::process::{Child, Stdio};
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(120);

/// A model that solves the task, however often it is asked: two requests a trial.
fn house() -> House {
    let write =
        json!({"call": {"name": "write_file", "arguments": {"file_path": "say.sh", "content": "echo hello\n"}}});
    House::scripted(json!({"models": [{"name": "m", "context_length": 32768}], "replies": [
        {"when": {"after": "person"}, "say": [write]},
        {"when": {"after": "tool"}, "say": [{"text": "It says hello now."}]},
    ]}))
}

/// A new run of three trials.
fn wish(house: &House) -> Vec<String> {
    let words = ["bench", "--models", "m", "--trials", "3", "--no-exam", "--dir"].map(str::to_owned);
    words.into_iter().chain([tasks(house).display().to_string()]).collect()
}

fn begun(house: &House, args: &[String]) -> Child {
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    house.headless(&args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn report(house: &House) -> Value {
    serde_json::from_slice(&run(house, &["bench", "show", "--json"]).stdout).unwrap()
}

/// What of the rows that count does not depend on the clock.
fn rows(report: &Value) -> Vec<String> {
    let counted = report["rows"].as_array().unwrap().iter().filter(|row| row["class"] != "fault");
    counted.map(|row| format!("{} {} {} {}", row["arm"], row["task"], row["trial"], row["class"])).collect()
}

/// The processes that `parent` started.
fn children(parent: u32) -> Vec<i32> {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let is_child = |pid: &i32| {
        let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let after = text.rsplit_once(") ").map(|(_, rest)| rest.to_owned()).unwrap_or_default();
        after.split(' ').nth(1) == Some(&parent.to_string())
    };
    pids.filter(is_child).collect()
}

#[test]
fn bench_that_is_killed_at_request_after_request_comes_to_the_same_rows_and_figures() {
    let undisturbed = house();
    assert_eq!(begun(&undisturbed, &wish(&undisturbed)).wait().unwrap().code(), Some(0));
    let expected = report(&undisturbed);

    let house = house();
    let mut bench = begun(&house, &wish(&house));
    let mut seen = 0;
    // A trial takes two requests: one that was killed in the middle of it is made again.
    for further in [1, 2, 2, 3, 1] {
        seen += further;
        house.server().wait_for_chat(seen, PATIENCE).expect("it goes on");
        bench.kill().unwrap();
        bench.wait().unwrap();
        seen = house.server().chats().len();
        bench = begun(&house, &["bench", "resume"].map(str::to_owned));
    }
    assert_eq!(bench.wait().unwrap().code(), Some(0));
    let found = report(&house);
    assert_eq!(rows(&found), rows(&expected));
    assert_eq!(found["figures"][0]["share"], expected["figures"][0]["share"]);
    assert_eq!(found["done"], json!([3, 3]));
}

#[test]
fn a_trial_whose_own_process_is_killed_is_made_again_and_not_counted() {
    let house = house();
    let mut bench = begun(&house, &wish(&house));
    house.server().wait_for_chat(1, PATIENCE).expect("the first trial begins");
    for child in children(bench.id()) {
        // It may have ended by itself meanwhile.
        let _ = kill_process(Pid::from_raw(child).unwrap(), Signal::KILL);
    }
    assert_eq!(bench.wait().unwrap().code(), Some(0));
    let found = report(&house);
    assert_eq!(found["done"], json!([3, 3]));
    let first = &found["rows"][0];
    assert_eq!((&first["class"], found["rows"].as_array().unwrap().len()), (&json!("fault"), 4), "{first}");
    assert!(out(&run(&house, &["bench", "show"])).contains("SPOILED"), "one of four is more than one of ten");
}
