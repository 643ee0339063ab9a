//! The same script in the language of OpenAI's servers.

use crate::client::{PATIENCE, Reply, ask, chat};
use agent_mock_server::{End, Script, Server};
use serde_json::{Value, json};

fn script() -> Script {
    let replies = json!([
        {"when": {"after": "tool", "tool": "read_file"}, "say": [{"text": "It says hello."}]},
        {"when": {"user_contains": "story"}, "say": [{"thinking": "Hm, a story."}, {"text": "Once upon a time."}]},
        {"when": {"user_contains": "break"}, "say": [{"text": "Well"}, {"error": "out of memory"}]},
        {"when": {"user_contains": "silent"}, "say": [{"text": "Well"}, {"end_without_done": true}]},
        {"say": [
            {"text": "I look."},
            {"call": {"name": "read_file", "arguments": {"path": "a"}}},
            {"call": {"name": "list", "arguments": {}}},
        ]},
    ]);
    let capabilities = json!(["completion", "tools", "thinking"]);
    let models = json!([{"name": "m", "capabilities": capabilities}]);
    Script::from_value(json!({"models": models, "default_window": 500, "replies": replies})).unwrap()
}

fn server() -> Server {
    Server::start(script().over_v1()).unwrap()
}

fn completion(server: &Server, messages: &Value) -> Reply {
    let counts = json!({"include_usage": true});
    let body = json!({"model": "m", "messages": messages, "stream": true, "stream_options": counts});
    ask(server.addr(), "POST", "/v1/chat/completions", &body)
}

fn says(words: &str) -> Value {
    json!([{"role": "user", "content": words}])
}

/// The events of a stream; the last one need not be JSON.
fn events(reply: &Reply) -> Vec<Value> {
    let text = reply.text();
    let data = text.split_terminator("\n\n").map(|event| event.strip_prefix("data: ").expect("an event"));
    data.map(|data| serde_json::from_str(data).unwrap_or_else(|_| data.into())).collect()
}

fn joined(events: &[Value], field: &str) -> String {
    events.iter().filter_map(|event| event["choices"][0]["delta"][field].as_str()).collect()
}

#[test]
fn a_reply_comes_as_events_and_counts_in_one_of_their_own() {
    let server = server();
    let reply = completion(&server, &says("a story"));
    assert_eq!((reply.status, reply.headers["Content-Type"].as_str()), (200, "text/event-stream"));
    let events = events(&reply);
    assert_eq!(events[0]["choices"][0]["delta"]["role"], "assistant");
    assert_eq!(joined(&events, "reasoning_content"), "Hm, a story.");
    assert_eq!(joined(&events, "content"), "Once upon a time.");
    let [.., end, counts, done] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!(end["choices"][0]["finish_reason"], "stop");
    assert_eq!(
        (&counts["choices"], &counts["usage"]["prompt_tokens_details"]["cached_tokens"]),
        (&json!([]), &json!(0))
    );
    assert_eq!(done, "[DONE]");
    assert_eq!(server.chats().len(), 1);
}

#[test]
fn calls_come_in_pieces_by_index_with_arguments_as_text() {
    let events = events(&completion(&server(), &says("look")));
    let pieces: Vec<&Value> =
        events.iter().flat_map(|event| event["choices"][0]["delta"]["tool_calls"].as_array()).flatten().collect();
    let [first, rest, second, last] = pieces.as_slice() else { panic!("{pieces:?}") };
    assert_eq!((&first["index"], &first["function"]["name"]), (&json!(0), &json!("read_file")));
    assert_eq!((&rest["index"], &rest["function"]["arguments"]), (&json!(0), &json!("{\"path\":\"a\"}")));
    assert_eq!((&second["index"], &second["function"]["name"]), (&json!(1), &json!("list")));
    assert_eq!((&last["index"], &last["function"]["arguments"]), (&json!(1), &json!("{}")));
    assert!(first["id"].as_str().is_some_and(|id| id.starts_with("call_")), "{first}");
    let reasons = events.iter().filter_map(|event| event["choices"][0]["finish_reason"].as_str());
    assert_eq!(reasons.collect::<Vec<_>>(), ["tool_calls"]);
}

#[test]
fn a_session_is_the_same_as_in_ollamas_language() {
    let (ollama, openai) = (Server::start(script()).unwrap(), server());
    let call = |arguments: Value| json!({"id": "c1", "type": "function", "function": {"name": "read_file", "arguments": arguments}});
    let session = |arguments: Value| {
        json!([
            {"role": "user", "content": "look"},
            {"role": "assistant", "content": "I look.", "tool_calls": [call(arguments)]},
            {"role": "tool", "tool_call_id": "c1", "content": "hello"},
        ])
    };
    for (one, other) in [
        (says("look"), says("look")),
        (session(json!({"path": "a"})), session(json!("{\"path\":\"a\"}"))),
        (says("a story"), says("a story")),
    ] {
        let lines = chat(ollama.addr(), &json!({"model": "m", "messages": one}));
        let events = events(&completion(&openai, &other));
        assert_eq!(lines.content(), joined(&events, "content"));
        let (lines, usage) = (lines.lines(), &events[events.len() - 2]["usage"]);
        let last = lines.last().unwrap();
        assert_eq!(last["prompt_eval_count"], usage["prompt_tokens"]);
        assert_eq!(last["eval_count"], usage["completion_tokens"]);
    }
    let read = |server: &Server| server.chats().iter().map(|chat| chat.prompt).collect::<Vec<_>>();
    let tokens = |server: &Server| read(server).into_iter().map(|read| read.map(|read| (read.tokens, read.new)));
    assert!(tokens(&ollama).eq(tokens(&openai)));
}

#[test]
fn what_is_still_in_mind_is_told_as_cached() {
    let server = server();
    completion(&server, &says("a story"));
    let again = events(&completion(&server, &says("a story")));
    let usage = &again[again.len() - 2]["usage"];
    let cached = usage["prompt_tokens_details"]["cached_tokens"].as_u64().unwrap();
    let read = server.chats()[1].prompt.unwrap();
    assert_eq!((usage["prompt_tokens"].as_u64(), cached), (Some(read.tokens), read.tokens - read.new));
    assert!(cached > 0);
}

#[test]
fn without_being_asked_no_counts_are_told_and_without_a_stream_there_is_one_object() {
    let server = server();
    let body = json!({"model": "m", "messages": says("a story"), "stream": true});
    let reply = ask(server.addr(), "POST", "/v1/chat/completions", &body);
    assert!(!reply.text().contains("usage") && reply.text().ends_with("data: [DONE]\n\n"));
    let body = json!({"model": "m", "messages": says("look")});
    let whole = ask(server.addr(), "POST", "/v1/chat/completions", &body).json();
    let choice = &whole["choices"][0];
    assert_eq!((&whole["object"], &choice["finish_reason"]), (&json!("chat.completion"), &json!("tool_calls")));
    assert_eq!(choice["message"]["content"], "I look.");
    assert_eq!(choice["message"]["tool_calls"][0]["function"]["arguments"], "{\"path\":\"a\"}");
    assert!(whole["usage"]["total_tokens"].as_u64().is_some_and(|total| total > 0));
}

#[test]
fn a_reply_that_fills_what_it_may_ends_with_length() {
    let body = json!({"model": "m", "messages": says("a story"), "stream": true, "max_tokens": 2});
    let events = events(&ask(server().addr(), "POST", "/v1/chat/completions", &body));
    assert!(events.iter().any(|event| event["choices"][0]["finish_reason"] == "length"), "{events:?}");
}

#[test]
fn errors_have_the_form_of_such_servers() {
    let server = server();
    let missing = json!({"model": "other", "messages": says("Hi")});
    let missing = ask(server.addr(), "POST", "/v1/chat/completions", &missing);
    assert_eq!((missing.status, missing.json()["error"]["message"].clone()), (404, json!("model 'other' not found")));
    let long = completion(&server, &says(&"word ".repeat(900)));
    let told = &long.json()["error"];
    assert_eq!((long.status, &told["type"], &told["n_ctx"]), (400, &json!("exceed_context_size_error"), &json!(500)));
    let broken = events(&completion(&server, &says("break")));
    assert_eq!(broken.last().unwrap()["error"]["message"], "out of memory");
    let silent = completion(&server, &says("silent"));
    assert_eq!((silent.end, silent.text().contains("[DONE]")), ("last-chunk", false));
    let last = server.wait_for_chat_end(4, PATIENCE).and_then(|chat| chat.ended);
    assert_eq!(last.map(|ended| ended.how), Some(End::Complete));
}

#[test]
fn it_lists_its_models_with_the_window_and_has_nothing_of_ollamas() {
    let server = server();
    let listed = ask(server.addr(), "GET", "/v1/models", &Value::Null).json();
    assert_eq!((&listed["data"][0]["id"], &listed["data"][0]["max_model_len"]), (&json!("m"), &json!(500)));
    for path in ["/", "/api/version", "/api/tags", "/api/ps", "/props"] {
        assert_eq!(ask(server.addr(), "GET", path, &Value::Null).status, 404, "{path}");
    }
    let ollama = Server::start(script()).unwrap();
    assert_eq!(ask(ollama.addr(), "GET", "/v1/models", &Value::Null).status, 404);
}

#[test]
fn a_script_says_in_which_language_it_is_served() {
    let spoken = Script::from_value(json!({"speaks": "openai"})).unwrap();
    let server = Server::start(spoken).unwrap();
    assert_eq!(ask(server.addr(), "GET", "/v1/models", &Value::Null).status, 200);
    assert_eq!(server.v1_url(), format!("{}/v1", server.url()));
}
