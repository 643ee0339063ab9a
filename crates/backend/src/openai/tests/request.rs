//! What is sent, to the byte.

use super::super::wire::{Progress, chat_body};
use agent_protocol::{ChatRequest, Image, Message, ModelCall, Role, Think, ToolSpec};
use serde_json::{Value, json};

fn request(messages: Vec<Message>) -> ChatRequest {
    ChatRequest {
        model: "tiny".to_owned(),
        messages,
        tools: Vec::new(),
        window: 4096,
        max_reply_tokens: Some(100),
        options: serde_json::Map::new(),
        keep_alive: Some("30m".to_owned()),
        format: None,
        think: None,
    }
}

fn sent(request: &ChatRequest) -> Value {
    serde_json::from_slice(&chat_body(request, Progress::NotTold)).unwrap()
}

fn call(server_id: Option<&str>, name: &str, arguments: Value) -> ModelCall {
    ModelCall { server_id: server_id.map(str::to_owned), index: None, name: name.to_owned(), arguments }
}

#[test]
fn a_plain_request_names_nothing_of_other_products() {
    let mut said = Message::text(Role::User, "Hello");
    said.push(agent_protocol::PartOrigin::Program, "\n\n(go on)");
    let body = sent(&request(vec![Message::text(Role::System, "s"), said]));
    let messages = json!([{"role": "system", "content": "s"}, {"role": "user", "content": "Hello\n\n(go on)"}]);
    let expected = json!({"model": "tiny", "messages": messages, "stream": true,
        "stream_options": {"include_usage": true}, "max_tokens": 100});
    assert_eq!(body, expected);
}

#[test]
fn calls_and_results_name_each_other_also_where_the_server_gave_no_id() {
    let one = call(Some("abc"), "f", json!({"b": 1, "a": 2}));
    let two = call(None, "g", Value::Null);
    let reply = Message { calls: vec![one.clone(), two.clone()], ..Message::text(Role::Assistant, "") };
    let messages = vec![Message::text(Role::User, "go"), reply, Message::result(&one, "1"), Message::result(&two, "2")];
    let body = sent(&request(messages));
    let messages = body["messages"].as_array().unwrap();
    assert_eq!(messages[1]["tool_calls"][0]["function"]["arguments"], r#"{"b":1,"a":2}"#);
    assert_eq!(messages[1]["tool_calls"][1]["id"], "call_1_1");
    assert_eq!(messages[2], json!({"role": "tool", "tool_call_id": "abc", "content": "1"}));
    assert_eq!(messages[3], json!({"role": "tool", "tool_call_id": "call_1_1", "content": "2"}));
}

#[test]
fn the_next_request_begins_with_the_bytes_of_the_last() {
    let mut messages = vec![Message::text(Role::System, "s"), Message::text(Role::User, "go")];
    let first = sent(&request(messages.clone()))["messages"].to_string();
    let made = call(None, "f", json!({}));
    messages.push(Message { calls: vec![made.clone()], ..Message::text(Role::Assistant, "") });
    messages.push(Message::result(&made, "1"));
    let second = sent(&request(messages))["messages"].to_string();
    assert!(second.starts_with(first.trim_end_matches(']')), "{first}\n{second}");
}

#[test]
fn tools_schemas_thinking_pictures_and_options_have_their_places() {
    let image = Image { mime: "image/png".to_owned(), width: 1, height: 1, base64: "AAAA".to_owned() };
    let look = Message { images: vec![image], ..Message::text(Role::User, "look") };
    let spec = ToolSpec { parameters: Value::Null, ..tool() };
    let options = json!({"temperature": 0.1, "max_tokens": 7}).as_object().cloned().unwrap();
    let whole = ChatRequest {
        tools: vec![spec],
        format: Some(json!({"type": "object"})),
        think: Some(Think::Off),
        options,
        ..request(vec![look])
    };
    let body = sent(&whole);
    assert_eq!(body["tools"][0]["function"]["parameters"], json!({"type": "object", "properties": {}}));
    assert_eq!(body["response_format"]["json_schema"]["schema"], json!({"type": "object"}));
    assert_eq!(body["chat_template_kwargs"], json!({"enable_thinking": false}));
    assert_eq!(body["messages"][0]["content"][1]["image_url"]["url"], "data:image/png;base64,AAAA");
    assert_eq!((&body["temperature"], &body["max_tokens"]), (&json!(0.1), &json!(7)), "what the user set wins");
}

fn tool() -> ToolSpec {
    serde_json::from_value(json!({"name": "f", "description": "d", "parameters": {}})).unwrap()
}
