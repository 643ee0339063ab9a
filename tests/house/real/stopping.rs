//! Replies without an end, and servers that end before them.

use super::server::Llama;
use super::{journal, out, patient_house, progress, said};
use crate::terminal::Terminal;
use rustix::process::{Pid, Signal, kill_process};
use std::process::Stdio;

/// More tokens than the server would write if nobody stopped it: half of its window.
const UNSTOPPED: u64 = 8_000;

fn open(house: &crate::stage::House, llama: &Llama) -> Terminal {
    house.open_with(&["--host", &llama.host(), "--model", "tiny"], (120, 40))
}

#[test]
#[ignore = "needs AGENT_LLAMA_PYTHON"]
fn esc_stops_an_endless_reply_and_the_slot_is_free_for_the_next() {
    let (house, llama) = (patient_house(), Llama::start(16_384, 1));
    let mut screen = open(&house, &llama);
    screen.keys("Stream forever<enter>");
    screen.wait_for("tick tock");
    assert_eq!(llama.at_work(), [true]);
    screen.keys("<esc>");
    screen.wait_for("interrupted");
    llama.wait_at_work(0);
    assert!(llama.counted("n_tokens_max") < UNSTOPPED, "the server saw that nobody listens");
    let next = said(&house, &llama, &["-p", "Hello"]);
    assert!(out(&next).starts_with("Hello! I am a tiny test model."), "{}", progress(&next));
}

#[test]
#[ignore = "needs AGENT_LLAMA_PYTHON"]
fn a_signal_stops_an_endless_reply_and_frees_the_slot() {
    let (house, llama) = (patient_house(), Llama::start(16_384, 1));
    let host = llama.host();
    let mut child = house
        .headless(&["--host", &host, "--model", "tiny", "-p", "Stream forever"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    llama.wait_at_work(1);
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    llama.wait_at_work(0);
    assert!(llama.counted("n_tokens_max") < UNSTOPPED, "the server saw that nobody listens");
}

#[test]
#[ignore = "needs AGENT_LLAMA_PYTHON"]
fn a_server_that_is_killed_in_the_middle_and_started_again_goes_on_with_the_conversation() {
    let (house, mut llama) = (patient_house(), Llama::start(16_384, 1));
    let mut screen = open(&house, &llama);
    screen.keys("Hello<enter>");
    screen.wait_for("I am a tiny test model");
    house.wait_turns(1);
    screen.keys("Stream forever<enter>");
    screen.wait_for("tick tock");
    llama.kill();
    screen.wait_for("d try the demo");
    let llama = llama.again();
    screen.press_until_gone("r", "d try the demo");
    // The conversation went along, which the new server read whole. What it answers to half a reply may be short.
    llama.wait_counted("prompt_tokens_total", 30);
    screen.keys("<esc>");
    llama.wait_at_work(0);
    house.wait_turns(3);
    let events = journal(&house);
    let started: Vec<&str> = events
        .iter()
        .filter(|event| event["type"] == "turn_started")
        .filter_map(|event| event["text"].as_str())
        .collect();
    assert_eq!(started, ["Hello", "Stream forever", ""], "the last one takes up what broke off");
}
