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

/// The same session over both kinds of server: the object that `-p` prints, and the requests for a reply.
fn played(replies: &[Value], config: &str) -> Vec<(Value, Vec<Value>)> {
    let kinds = ["ollama", "openai"].map(|speaks| {
        let replies: Vec<Value> = replies.iter().map(|say| json!({"times": 1, "say": say})).collect();
        let script = json!({"speaks": speaks, "models": [{"name": "m", "capabilities": ["completion", "tools", "thinking"]}], "default_window": 32768, "replies": replies});
        let house = House::scripted(script);
        house.write("a.txt", "two\n");
        std::fs::write(house.config().join("config.toml"), format!("{config}[harness]\nfacts = false\n")).unwrap();
        let host = if speaks == "ollama" { house.server().url() } else { house.server().v1_url() };
        let args = ["--host", &host, "--model", "m", "-p", "what does it say?", "--output-format", "json"];
        let output = house.headless(&args).stdin(Stdio::null()).output().unwrap();
        let summary = serde_json::from_slice(&output.stdout).expect("one object");
        (summary, house.server().chats().into_iter().map(|chat| chat.body).collect())
    });
    kinds.into()
}

#[test]
fn an_answer_that_stands_only_in_the_thinking_is_printed_over_both_kinds_of_server() {
    let thought = || json!([{"thinking": "It says two."}]);
    for (summary, chats) in played(&[thought(), thought(), text("too much")], "") {
        let (answer, code) = (&summary["answer"], &summary["exit_code"]);
        assert_eq!((answer, code, chats.len()), (&json!("It says two."), &json!(0), 2), "{summary:#}");
        assert!(summary["notices"].to_string().contains("only in its thinking"), "{summary:#}");
    }
}

#[test]
fn a_call_that_an_error_quotes_runs_over_both_kinds_of_server() {
    let call = "<tool_call>\n{\"name\": \"read_file\", \"arguments\": {\"file_path\": \"a.txt\"}}\n</tool_call>";
    let words = format!("Failed to parse input at pos 17: {call}");
    for failing in [json!([{"error": words}]), json!([{"text": "I look."}, {"error": words}])] {
        for (summary, _) in played(&[failing.clone(), text("It says two.")], "") {
            assert_eq!((&summary["answer"], &summary["exit_code"]), (&json!("It says two."), &json!(0)), "{summary:#}");
            assert_eq!(summary["calls"][0]["name"], "read_file", "{summary:#}");
        }
    }
}

#[test]
fn refused_thinking_is_asked_for_once_over_both_kinds_of_server() {
    let refused = |message: &str| json!([{"status": 400, "body": {"error": {"message": message}}}]);
    let message = "think value \"low\" is not supported for this model";
    for (summary, chats) in played(&[refused(message), text("It says two.")], "think = \"low\"\n") {
        assert_eq!((&summary["answer"], &summary["exit_code"]), (&json!("It says two."), &json!(0)), "{summary:#}");
        let asks =
            |chat: &Value| ["think", "reasoning_effort", "chat_template_kwargs"].iter().any(|key| !chat[key].is_null());
        assert_eq!(chats.iter().map(asks).collect::<Vec<_>>(), [true, false], "{summary:#}");
        assert!(summary["notices"].to_string().contains("think = \\\"low\\\" for m"), "{summary:#}");
    }
}
