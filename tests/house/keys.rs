//! The key of a model server: it goes along with every request to its own address, and stands nowhere else.

use crate::stage::{House, call, text};
use serde_json::json;
use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};

const KEY: &str = "team-4711-very-secret";

fn house() -> House {
    let run = call("run_command", json!({"command": "env; cat notes.txt"}));
    let house = House::new(&[call("read_file", json!({"file_path": "notes.txt"})), run, text("Done.")]);
    house.write("notes.txt", &format!("the key is {KEY}\n"));
    configure(&house, &house.server().url());
    house
}

/// The config names a server at `host` and the variable that holds its key.
fn configure(house: &House, host: &str) {
    fs::create_dir_all(house.config()).unwrap();
    let text =
        format!("host = {host:?}\n[server]\napi_key_env = \"TEAM\"\nheaders_env = {{ \"X-Team\" = \"TEAM\" }}\n");
    fs::write(house.config().join("config.toml"), text).unwrap();
}

fn run(house: &House, args: &[&str]) -> Output {
    house.headless(args).env("TEAM", KEY).env("AGENT_LOG", "trace").stdin(Stdio::null()).output().unwrap()
}

/// The values of the headers that hold the key, over all requests so far.
fn sent(house: &House) -> Vec<Vec<String>> {
    let keys = |(name, _): &&(String, String)| {
        name.eq_ignore_ascii_case("authorization") || name.eq_ignore_ascii_case("x-team")
    };
    let requests = house.server().requests();
    requests
        .iter()
        .map(|request| request.headers.iter().filter(keys).map(|(_, value)| value.clone()).collect())
        .collect()
}

/// The files below `folder` that hold the key.
fn holding_the_key(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(holding_the_key(&path));
        } else if fs::read(&path).is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(KEY)) {
            found.push(path.display().to_string());
        }
    }
    found
}

#[test]
fn it_goes_along_with_every_request_and_is_written_down_nowhere() {
    let house = house();
    let args = ["--model", "m", "-p", "go on", "--allow", "run", "--output-format", "stream-json"];
    let output = run(&house, &args);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let sent = sent(&house);
    assert!(!sent.is_empty());
    for keys in sent {
        let (mut keys, mut expected) = (keys, vec![format!("Bearer {KEY}"), KEY.to_owned()]);
        keys.sort();
        expected.sort();
        assert_eq!(keys, expected);
    }
    let bodies: Vec<String> = house.server().requests().iter().map(|request| request.body.to_string()).collect();
    assert!(bodies.iter().any(|body| body.contains("the key is")), "the file was read");
    assert!(bodies.iter().all(|body| !body.contains(KEY)), "no model is told");
    let printed = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(!printed.contains(KEY), "{printed}");
    let mut written = holding_the_key(&house.state());
    // What undo keeps is the project's own file, byte for byte.
    written.retain(|path| !path.contains("/state/agent/undo/"));
    assert_eq!(written, Vec::<String>::new());
}

#[test]
fn no_other_address_sees_it() {
    let house = house();
    configure(&house, "https://elsewhere.example");
    let output = run(&house, &["models", "--host", &house.server().url()]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(sent(&house).iter().all(Vec::is_empty), "{:?}", sent(&house));
}

#[test]
fn nothing_starts_where_it_would_go_for_others_to_read() {
    let house = house();
    configure(&house, "http://192.0.2.7:8000/v1");
    let output =
        house.headless(&["-p", "hi"]).env_remove("AGENT_HOST").env("TEAM", KEY).stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("unencrypted") && said.contains("allow_plain_key"), "{said}");
}
