//! The built binary against a real server: llama.cpp's own, with the tiny model in `model/`.
//!
//! The server comes in a Python package (`pip install xllamacpp`). `AGENT_LLAMA_PYTHON` names a Python that has it; `.ci/run`
//! makes one where it can. All of these tests count as ignored in a plain `cargo test`, and run with
//! `cargo test --test house -- --ignored real::`.
//!
//! The model answers the prompts it was trained on word for word, whatever the instructions are: its template leaves them
//! out, and of each message all but its first 64 characters.

mod bench;
mod replies;
mod reuse;
mod server;
mod slots;
mod stopping;
mod windows;

use crate::stage::House;
use serde_json::Value;
use server::Llama;
use std::process::{Output, Stdio};

/// A house whose settings leave nothing of what the model writes to chance.
fn house() -> House {
    let house = House::without_server();
    std::fs::create_dir_all(house.config()).unwrap();
    // The tiny model was taught calls, though a model of its size works by files.
    // Facts are no part of the script that it knows.
    let config = "[harness]\nfacts = false\n[options]\ntemperature = 0\nseed = 1\n[tools]\nmode = \"native\"\n";
    std::fs::write(house.config().join("config.toml"), config).unwrap();
    // It knows its script word for word: what git ignores is not read ahead, and stands before no message.
    house.write(".gitignore", "README.md\n");
    house
}

/// The same, where a reply that says one thing again and again is not ended for it: it runs until somebody stops it.
fn patient_house() -> House {
    let house = house();
    let config = house.config().join("config.toml");
    let settings = std::fs::read_to_string(&config).unwrap();
    std::fs::write(&config, settings + "[limits]\nsame_words = 1000000\n").unwrap();
    house
}

/// One turn without a screen.
fn said(house: &House, llama: &Llama, args: &[&str]) -> Output {
    let host = llama.host();
    house.headless(&[&["--host", &host, "--model", "tiny"], args].concat()).stdin(Stdio::null()).output().unwrap()
}

fn out(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn progress(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The events of one turn without a screen.
fn events(house: &House, llama: &Llama, prompt: &str) -> Vec<Value> {
    let output = said(house, llama, &["--output-format", "stream-json", "-p", prompt]);
    out(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Those of this type.
fn of<'a>(events: &'a [Value], kind: &str) -> Vec<&'a Value> {
    events.iter().filter(|event| event["type"] == kind).collect()
}

/// What the journals of a house tell, in order.
fn journal(house: &House) -> Vec<Value> {
    let records = house.journals().into_iter().flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>());
    let events = records.filter_map(|line| {
        let mut record: Value = serde_json::from_str(&line).ok()?;
        Some(record["record"]["event"].take()).filter(Value::is_object)
    });
    events.collect()
}
