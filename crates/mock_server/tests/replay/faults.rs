//! Ways in which a reply can go wrong, as a client sees them.

use crate::client::{PATIENCE, Reply, ask, chat};
use agent_mock_server::{End, Script, ScriptError, Server};
use serde_json::{Value, json};

fn request() -> Value {
    json!({"model": "m", "messages": [{"role": "user", "content": "Hello"}]})
}

fn server(steps: Value) -> Server {
    let script = json!({"models": [{"name": "m"}], "replies": [{"say": steps}]});
    Server::start(Script::from_value(script).unwrap()).unwrap()
}

fn reply(steps: Value) -> Reply {
    chat(server(steps).addr(), &request())
}

#[test]
fn a_cut_reply_has_no_last_chunk() {
    let server = server(json!([{"text": "Half an"}, {"raw": "{\"model\":\"m\",\"mess"}, {"cut": true}]));
    let reply = chat(server.addr(), &request());
    assert_eq!((reply.status, reply.end), (200, "eof-without-last-chunk"));
    assert!(reply.text().ends_with("{\"model\":\"m\",\"mess"));
    let recorded = server.wait_for_chat_end(1, PATIENCE).unwrap();
    assert_eq!(recorded.ended.unwrap().how, End::Cut);
}

#[test]
fn a_reply_cut_before_its_first_token_is_no_answer_at_all() {
    assert_eq!(reply(json!([{"cut": true}])).end, "no-answer");
}

#[test]
fn a_status_comes_with_its_body_and_headers() {
    let found = reply(json!([{"status": 503, "body": {"error": "server busy"}, "headers": {"Retry-After": "1"}}]));
    assert_eq!((found.status, found.json()), (503, json!({"error": "server busy"})));
    assert_eq!(found.headers["Retry-After"], "1");
    let page = reply(json!([{"status": 500, "body": "<h1>boom</h1>", "headers": {"Content-Type": "text/html"}}]));
    assert_eq!((page.headers["Content-Type"].as_str(), page.text().as_str()), ("text/html", "<h1>boom</h1>"));
}

#[test]
fn a_status_after_text_is_refused_when_the_script_is_read() {
    let script = json!({"replies": [{"say": [{"wait_ms": 1}, {"text": "a"}, {"status": 500}]}]});
    assert!(matches!(Script::from_value(script), Err(ScriptError::Unplayable { reply: 1, .. })));
}

#[test]
fn garbage_and_broken_text_are_sent_as_they_stand() {
    let found = reply(json!([{"text": "a"}, {"garbage": "%%%"}, {"raw_hex": "fffe0a"}, {"text": "b"}]));
    assert_eq!(found.chunks[1], b"%%%\n");
    assert_eq!(found.chunks[2], b"\xff\xfe\n");
    assert_eq!(found.chunks.len(), 5);
}

#[test]
fn a_drip_comes_byte_by_byte() {
    let found = reply(json!([{"raw": "{\"a\":1}\n", "byte_ms": 1}, {"end_without_done": true}]));
    assert_eq!((found.chunks.len(), found.text().as_str(), found.end), (8, "{\"a\":1}\n", "last-chunk"));
}

#[test]
fn a_huge_line_is_one_line() {
    let found = reply(json!([{"huge_line_bytes": 3_000_000}]));
    assert!(found.chunks[0].len() > 3_000_000);
    assert_eq!(found.lines().len(), 2);
}

#[test]
fn a_reason_other_than_stop_can_be_given() {
    assert_eq!(reply(json!([{"text": "a"}, {"done_reason": "length"}])).lines()[1]["done_reason"], "length");
}

#[test]
fn a_burst_has_as_many_tokens_as_asked_for() {
    let found = reply(json!([{"burst_tokens": 20000}]));
    let lines = found.lines();
    assert_eq!((lines.len(), lines[20_000]["eval_count"].as_u64()), (20_001, Some(20_001)));
}

#[test]
fn a_rule_can_be_used_up() {
    let script = json!({"models": [{"name": "m"}], "replies": [
        {"times": 2, "say": [{"status": 503, "body": "busy"}]},
        {"say": [{"text": "now"}]},
    ]});
    let server = Server::start(Script::from_value(script).unwrap()).unwrap();
    let statuses: Vec<u16> = (0..3).map(|_| chat(server.addr(), &request()).status).collect();
    assert_eq!(statuses, [503, 503, 200]);
}

#[test]
fn any_path_can_be_given_a_fixed_answer() {
    let script = json!({"answers": [{"path": "/api/tags", "times": 1, "status": 500, "body": "no"}]});
    let server = Server::start(Script::from_value(script).unwrap()).unwrap();
    let statuses: Vec<u16> = (0..2).map(|_| ask(server.addr(), "GET", "/api/tags", &Value::Null).status).collect();
    assert_eq!(statuses, [500, 200]);
}

#[test]
fn a_script_with_a_word_it_does_not_know_is_refused() {
    let error = Script::from_json(r#"{"replys": []}"#).unwrap_err().to_string();
    assert!(error.contains("unknown field `replys`"), "{error}");
}
