//! One script, served in Ollama's language and in OpenAI's: the same session comes of it.

use crate::stage::{House, call, text};
use serde_json::{Value, json};
use std::process::Stdio;

/// What is printed, and what the model was told: who spoke, what was said, what was called.
fn session(house: &House, host: &str) -> (String, Vec<Value>) {
    house.write("a.txt", "two\n");
    let args = ["--host", host, "--model", "m", "-p", "what does it say?", "--allow", "write"];
    let output = house.headless(&args).stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let last = house.server().chats().pop().expect("the model was asked");
    let said =
        |message: &Value| json!([message["role"], message["content"], message["tool_calls"][0]["function"]["name"]]);
    let messages = last.body["messages"].as_array().expect("there are messages").iter().skip(1).map(said).collect();
    (String::from_utf8(output.stdout).unwrap(), messages)
}

#[test]
fn a_session_is_the_same_over_both_kinds_of_server() {
    let replies = [
        call("read_file", json!({"file_path": "a.txt"})),
        call("write_file", json!({"file_path": "b.txt", "content": "three\n"})),
        text("It says two; b.txt says three."),
    ];
    let replies: Vec<Value> = replies.iter().map(|say| json!({"times": 1, "say": say})).collect();
    let script = |speaks: &str| json!({"speaks": speaks, "models": [{"name": "m"}], "default_window": 32768, "replies": replies});
    let ollama = House::scripted(script("ollama"));
    let openai = House::scripted(script("openai"));
    let one = session(&ollama, &ollama.server().url());
    let other = session(&openai, &openai.server().v1_url());
    assert_eq!(one, other);
    assert_eq!((ollama.read("b.txt"), openai.read("b.txt")), ("three\n".to_owned(), "three\n".to_owned()));
    let paths: Vec<String> = openai.server().requests().into_iter().map(|request| request.path).collect();
    assert!(paths.iter().any(|path| path == "/v1/chat/completions"), "{paths:?}");
}
