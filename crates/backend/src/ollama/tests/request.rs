//! The exact bytes of a chat request, and of those that only load the model or ask for the prompt.

use super::super::wire::{chat_body, load_body, render_body};
use super::chat::request;
use agent_protocol::{ChatRequest, Image, Message, ModelCall, Role, Think, ToolSpec};
use serde_json::{Value, json};

fn text(request: &ChatRequest) -> String {
    String::from_utf8(chat_body(request).to_vec()).unwrap()
}

fn body(request: &ChatRequest) -> Value {
    serde_json::from_slice(&chat_body(request)).unwrap()
}

/// A conversation with all that can be in one.
fn whole() -> ChatRequest {
    let call = ModelCall {
        server_id: Some("call_x10i6xsa".to_owned()),
        index: Some(0),
        name: "read_file".to_owned(),
        arguments: json!({"limit": 10, "file_path": "a.rs"}),
    };
    let nameless =
        ModelCall { server_id: None, index: None, name: "list_directory".to_owned(), arguments: Value::Null };
    let answer = Message {
        thinking: Some("Let me see.".to_owned()),
        calls: vec![call.clone(), nameless.clone()],
        ..Message::text(Role::Assistant, "")
    };
    ChatRequest {
        messages: vec![
            Message::text(Role::System, "Be brief."),
            Message::text(Role::User, "Grüße <&>"),
            answer,
            Message::result(&call, "fn main() {}"),
            Message::result(&nameless, "a.rs"),
        ],
        tools: vec![ToolSpec {
            name: "read_file".to_owned(),
            description: "Reads a file.".to_owned(),
            parameters: json!({
                "type": "object",
                "properties": {"file_path": {"type": "string"}, "a": {"type": "integer", "description": "1-based"}},
                "required": ["file_path"],
            }),
            aliases: Vec::new(),
        }],
        window: 16384,
        max_reply_tokens: None,
        options: json!({"temperature": 0.7}).as_object().unwrap().clone(),
        keep_alive: Some("30m".to_owned()),
        format: Some(json!({"type": "object"})),
        think: Some(Think::High),
        ..request()
    }
}

#[test]
fn the_request_is_exactly_this() {
    insta::assert_snapshot!("whole", text(&whole()));
    insta::assert_snapshot!("small", text(&request()));
}

#[test]
fn a_request_that_only_loads_is_the_same_without_all_that_is_said() {
    let load = String::from_utf8(load_body(&whole()).to_vec()).unwrap();
    let expected = r#"{"model":"tiny","messages":[],"stream":true,"truncate":false,"shift":false,"options":{"num_ctx":16384,"temperature":0.7},"keep_alive":"30m"}"#;
    assert_eq!(load, expected);
    let mut chat = body(&whole());
    for said in ["tools", "format", "think"] {
        chat.as_object_mut().unwrap().shift_remove(said);
    }
    chat["messages"] = json!([]);
    assert_eq!(load, chat.to_string());
}

#[test]
fn a_request_for_the_prompt_is_the_chat_and_asks_for_one_token_at_most() {
    let mut chat = body(&whole());
    chat["options"]["num_predict"] = 1.into();
    chat["_debug_render_only"] = true.into();
    let render: Value = serde_json::from_slice(&render_body(&whole())).unwrap();
    assert_eq!(render, chat);
}

/// The options of a request as they stand in it.
fn sent_options(body: &[u8]) -> String {
    let text = std::str::from_utf8(body).unwrap();
    let options = &text[text.find("\"options\":").unwrap()..];
    options[..=options.find('}').unwrap()].to_owned()
}

#[test]
fn what_a_model_is_loaded_with_goes_out_the_same_with_every_kind_of_request() {
    let options = json!({"num_batch": 256, "num_predict": 4096, "num_gpu": 20, "use_mmap": false, "num_thread": 4,
        "temperature": 0.7, "top_k": 20, "num_ctx": 7, "unheard_of": [1]});
    let sent = r#""options":{"num_ctx":16384,"num_batch":256,"num_predict":4096,"num_gpu":20,"use_mmap":false,"num_thread":4,"temperature":0.7,"top_k":20,"unheard_of":[1]}"#;
    let request = ChatRequest { options: options.as_object().unwrap().clone(), ..whole() };
    let chat = sent_options(&chat_body(&request));
    assert_eq!(chat, sent);
    assert_eq!(sent_options(&load_body(&request)), chat);
    assert_eq!(sent_options(&render_body(&request)).replace("\"num_predict\":1,", "\"num_predict\":4096,"), chat);
    for body in [chat_body(&request), load_body(&request), render_body(&request)] {
        let body: Value = serde_json::from_slice(&body).unwrap();
        let fixed = ["stream", "truncate", "shift", "keep_alive"].map(|field| body[field].clone());
        assert_eq!(fixed, [json!(true), json!(false), json!(false), json!("30m")]);
    }
}

#[test]
fn pictures_go_along_in_bare_base64() {
    let picture = Image { mime: "image/png".to_owned(), width: 2, height: 1, base64: "iVBORw0KGgo=".to_owned() };
    let call = ModelCall { server_id: None, index: None, name: "read_file".to_owned(), arguments: json!({}) };
    let message = Message { images: vec![picture], ..Message::result(&call, "a picture") };
    let body: Value =
        serde_json::from_slice(&chat_body(&ChatRequest { messages: vec![message], ..request() })).unwrap();
    let expected =
        json!({"role": "tool", "content": "a picture", "tool_name": "read_file", "images": ["iVBORw0KGgo="]});
    assert_eq!(body["messages"][0], expected);
}

#[test]
fn a_longer_conversation_begins_with_the_same_bytes() {
    let mut longer = whole();
    let shorter = longer.messages.split_off(2);
    let first = text(&longer);
    longer.messages.extend(shorter);
    let second = text(&longer);
    let messages = |body: &str| body[..body.find("],\"tools\"").unwrap()].to_owned();
    assert!(second.starts_with(&messages(&first)));
}

#[test]
fn each_word_for_thinking_has_its_value() {
    let cases = [
        (None, json!(null)),
        (Some(Think::Off), json!(false)),
        (Some(Think::On), json!(true)),
        (Some(Think::Low), json!("low")),
        (Some(Think::Medium), json!("medium")),
        (Some(Think::High), json!("high")),
        (Some(Think::Max), json!("max")),
    ];
    for (think, value) in cases {
        assert_eq!(body(&ChatRequest { think, ..request() })["think"], value);
    }
}

#[test]
fn keep_alive_goes_out_as_the_server_reads_it() {
    let cases =
        [("30m", json!("30m")), ("-1", json!(-1)), ("0", json!(0)), ("300", json!(300)), ("1h30m", json!("1h30m"))];
    for (text, value) in cases {
        assert_eq!(body(&ChatRequest { keep_alive: Some(text.to_owned()), ..request() })["keep_alive"], value);
    }
}

#[test]
fn all_options_go_out_and_num_ctx_once() {
    let sent = |options: Value| {
        body(&ChatRequest { options: options.as_object().unwrap().clone(), ..request() })["options"].clone()
    };
    let given = json!({"num_ctx": 7, "temperature": 0.1, "num_predict": 5, "num_batch": 512, "stop": ["x"]});
    let mut expected = given.clone();
    expected["num_ctx"] = json!(2048);
    assert_eq!(sent(given), expected);
    let wrong = json!({"num_ctx": 2048, "temperature": "hot", "top_k": 3});
    assert_eq!(sent(wrong.clone()), wrong, "the server says best what is wrong with it");
    assert_eq!(text(&whole()).matches("num_ctx").count(), 1);
}

#[test]
fn arguments_that_are_no_object_go_out_as_an_empty_one() {
    for arguments in [json!(null), json!("{\"cut"), json!([1])] {
        let call = ModelCall { server_id: None, index: None, name: "f".to_owned(), arguments };
        let message = Message { calls: vec![call], ..Message::text(Role::Assistant, "") };
        let sent = body(&ChatRequest { messages: vec![message], ..request() });
        assert_eq!(sent["messages"][0]["tool_calls"][0]["function"]["arguments"], json!({}));
    }
}

#[test]
fn a_tool_without_a_schema_takes_nothing() {
    let spec =
        ToolSpec { name: "f".to_owned(), description: String::new(), parameters: Value::Null, aliases: Vec::new() };
    let sent = body(&ChatRequest { tools: vec![spec], ..request() });
    assert_eq!(sent["tools"][0]["function"]["parameters"], json!({"type": "object", "properties": {}}));
}
