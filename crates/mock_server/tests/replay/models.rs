//! Models that are installed, loaded, unloaded and pulled; and windows that are too small.

use crate::client::{PATIENCE, Reply, ask, chat, send};
use agent_mock_server::{End, Script, Server};
use serde_json::{Value, json};

fn start(script: Value) -> Server {
    Server::start(Script::from_value(script).unwrap()).unwrap()
}

fn request(text: &str, more: Value) -> Value {
    let mut body = json!({"model": "m", "messages": [{"role": "user", "content": text}]});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

fn loaded(server: &Server) -> Vec<(String, u64)> {
    let listed = ask(server.addr(), "GET", "/api/ps", &Value::Null).json();
    let entry = |model: &Value| (model["name"].as_str().unwrap().to_owned(), model["context_length"].as_u64().unwrap());
    listed["models"].as_array().unwrap().iter().map(entry).collect()
}

#[test]
fn a_model_that_is_being_loaded_is_not_listed_as_loaded() {
    let server = start(json!({"models": [{"name": "m"}], "load_ms": 3_600_000}));
    let exchange = send(server.addr(), "POST", "/api/chat", "127.0.0.1", &request("Hi", json!({})).to_string());
    server.wait_for_chat(1, PATIENCE).unwrap();
    assert_eq!(loaded(&server), []);
    drop(exchange);
    assert_eq!(server.wait_for_chat_end(1, PATIENCE).unwrap().ended.unwrap().how, End::ClientGone);
}

#[test]
fn the_window_is_what_was_asked_for_unless_the_model_was_trained_for_less() {
    let server = start(json!({"models": [{"name": "m", "context_length": 8192}], "loaded": ["m"]}));
    assert_eq!(loaded(&server), [("m:latest".to_owned(), 4096)]);
    chat(server.addr(), &request("Hi", json!({"options": {"num_ctx": 6000}})));
    assert_eq!(loaded(&server), [("m:latest".to_owned(), 6000)]);
    chat(server.addr(), &request("Hi", json!({"options": {"num_ctx": 200_000}})));
    assert_eq!(loaded(&server), [("m:latest".to_owned(), 8192)]);
    chat(server.addr(), &json!({"model": "m", "keep_alive": 0}));
    assert_eq!(loaded(&server), []);
}

#[test]
fn a_prompt_larger_than_the_window_is_refused_with_both_figures_where_truncation_is_off() {
    let server = start(json!({"models": [{"name": "m"}]}));
    let long = "word ".repeat(4000);
    let options = json!({"truncate": false, "options": {"num_ctx": 2048}});
    let refused = chat(server.addr(), &request(&long, options));
    assert_eq!((refused.status, refused.headers["Content-Type"].as_str()), (400, "application/json"));
    assert_eq!(
        refused.text(),
        r#"{"error":"{\"error\":{\"code\":400,\"message\":\"request (5000 tokens) exceeds the available context size (2048 tokens), try increasing it\",\"type\":\"exceed_context_size_error\",\"n_prompt_tokens\":5000,\"n_ctx\":2048}}"}"#
    );
    let cut_short = chat(server.addr(), &request(&long, json!({"options": {"num_ctx": 2048}})));
    assert_eq!(cut_short.lines().last().unwrap()["prompt_eval_count"], 2048);
}

#[test]
fn a_reply_that_reaches_the_end_of_the_window_ends_with_length() {
    let server = start(json!({"models": [{"name": "m"}], "replies": [{"say": [{"burst_tokens": 600}]}]}));
    let last = |more: Value| chat(server.addr(), &request("Hi", more)).lines().pop().unwrap();
    let full = last(json!({"shift": false, "options": {"num_ctx": 256}}));
    assert_eq!((full["done_reason"].as_str(), full["eval_count"].as_u64()), (Some("length"), Some(256)));
    assert_eq!(last(json!({"options": {"num_predict": 5}}))["done_reason"], "length");
    assert_eq!(last(json!({"options": {"num_predict": 0}}))["done_reason"], "stop");
}

#[test]
fn a_model_is_shown_with_its_length_and_what_it_can_do() {
    let server = start(json!({"models": [{"name": "m", "family": "mistral3", "context_length": 131_072}]}));
    let shown = ask(server.addr(), "POST", "/api/show", &json!({"model": "m"}));
    assert_eq!(shown.headers["Transfer-Encoding"], "chunked");
    let shown = shown.json();
    assert_eq!(shown["model_info"]["mistral3.context_length"], 131_072);
    assert_eq!(shown["capabilities"], json!(["completion", "tools"]));
}

#[test]
fn a_server_too_old_to_tell_capabilities_does_not_tell_them() {
    let server = start(json!({"models": [{"name": "m", "capabilities": null}]}));
    let model = &ask(server.addr(), "GET", "/api/tags", &Value::Null).json()["models"][0];
    assert_eq!((model.get("capabilities"), model["details"].get("context_length")), (None, None));
}

fn pull(server: &Server, name: &str) -> Reply {
    ask(server.addr(), "POST", "/api/pull", &json!({"model": name}))
}

fn tags(server: &Server) -> Vec<Value> {
    let listed = ask(server.addr(), "GET", "/api/tags", &Value::Null).json();
    listed["models"].as_array().unwrap().iter().map(|model| model["name"].clone()).collect()
}

#[test]
fn a_pulled_model_is_installed_when_the_last_line_has_come() {
    let server = start(json!({"models": [], "pulls": [{"model": {"name": "new:7b", "size": 4000}, "lines": 4}]}));
    assert!(tags(&server).is_empty());
    let lines = pull(&server, "new:7b").lines();
    let completed: Vec<u64> = lines.iter().filter_map(|line| line["completed"].as_u64()).collect();
    assert_eq!(completed, [1000, 2000, 3000, 4000]);
    assert_eq!(
        (&lines[0], lines.last().unwrap()),
        (&json!({"status": "pulling manifest"}), &json!({"status": "success"}))
    );
    assert_eq!(tags(&server), ["new:7b"]);
}

#[test]
fn a_pull_that_breaks_off_ends_with_its_error_and_installs_nothing() {
    let pulls = json!([{"model": {"name": "new:7b"}, "fails": "max retries exceeded: EOF"}]);
    let server = start(json!({"models": [], "pulls": pulls}));
    assert_eq!(pull(&server, "new:7b").lines().pop().unwrap(), json!({"error": "max retries exceeded: EOF"}));
    assert!(tags(&server).is_empty());
    let unknown = pull(&server, "other").lines().pop().unwrap();
    assert!(
        unknown["error"].as_str().unwrap().contains("https://registry.ollama.ai/v2/library/other/manifests/latest")
    );
}

#[test]
fn a_pull_that_is_left_stops_and_goes_on_where_it_was() {
    let pulls = json!([{"model": {"name": "new:7b", "size": 1000}, "lines": 10, "ms": 100}]);
    let server = start(json!({"models": [], "pulls": pulls}));
    let mut exchange = send(server.addr(), "POST", "/api/pull", "127.0.0.1", r#"{"model":"new:7b"}"#);
    exchange.head().unwrap();
    while !String::from_utf8(exchange.chunk().unwrap()).unwrap().contains("\"completed\":300") {}
    drop(exchange);
    let left = |requests: &[agent_mock_server::Recorded]| requests[0].ended.map(|ended| ended.how);
    assert_eq!(server.wait(PATIENCE, left), Some(End::ClientGone));
    assert!(tags(&server).is_empty());
    let again = pull(&server, "new:7b").lines();
    let first = again.iter().find_map(|line| line["completed"].as_u64()).unwrap();
    assert!(first >= 300, "begins at {first}");
}
