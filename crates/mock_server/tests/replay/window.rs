//! Windows that are smaller than was asked for, servers that cut in silence, and what makes a server load a model again.

use crate::client::{Reply, ask, chat};
use agent_mock_server::{Script, Server};
use serde_json::{Value, json};

fn start(script: Value) -> Server {
    Server::start(Script::from_value(script).unwrap()).unwrap()
}

fn request(messages: &Value, more: &Value) -> Value {
    let mut body = json!({"model": "m", "messages": messages});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

/// What our client says with every request.
fn careful(num_ctx: u64) -> Value {
    json!({"truncate": false, "shift": false, "options": {"num_ctx": num_ctx}})
}

fn hi() -> Value {
    json!([{"role": "user", "content": "Hi"}])
}

fn loaded(server: &Server) -> Value {
    ask(server.addr(), "GET", "/api/ps", &Value::Null).json()["models"][0].clone()
}

fn prompt_count(reply: &Reply) -> u64 {
    reply.lines().last().unwrap()["prompt_eval_count"].as_u64().unwrap()
}

#[test]
fn a_window_is_capped_without_a_word_and_only_ps_tells() {
    let server = start(json!({"models": [{"name": "m"}], "most_window": 4096, "counts": "words"}));
    assert_eq!(chat(server.addr(), &request(&hi(), &careful(16384))).status, 200);
    assert_eq!(loaded(&server)["context_length"], 4096);
    let long = json!([{"role": "user", "content": "word ".repeat(5000)}]);
    let refused = chat(server.addr(), &request(&long, &careful(16384)));
    assert_eq!((refused.status, refused.text().contains(r#"\"n_prompt_tokens\":5003,\"n_ctx\":4096"#)), (400, true));
    assert_eq!(server.loads(), 1, "a refusal loads nothing");
}

#[test]
fn a_request_without_a_window_gets_the_models_own_or_else_the_servers() {
    let models = json!([{"name": "m", "parameters": {"num_ctx": 8192}}, {"name": "other"}]);
    let server = start(json!({"models": models, "default_window": 2048, "loaded": ["other"]}));
    assert_eq!(loaded(&server)["context_length"], 2048);
    chat(server.addr(), &request(&hi(), &json!({})));
    assert_eq!(loaded(&server)["context_length"], 8192);
    chat(server.addr(), &request(&hi(), &careful(3000)));
    assert_eq!(loaded(&server)["context_length"], 3000);
}

#[test]
fn a_models_own_parameters_are_shown_as_a_table() {
    let parameters = json!({"num_ctx": 8192, "stop": ["<|end|>", "<|user|>"], "temperature": 0.2});
    let server = start(json!({"models": [{"name": "m", "parameters": parameters}, {"name": "other"}]}));
    let table =
        |name: &str| ask(server.addr(), "POST", "/api/show", &json!({"model": name})).json()["parameters"].clone();
    assert_eq!(
        table("m"),
        "num_ctx                        8192\nstop                           \"<|end|>\"\nstop                           \"<|user|>\"\ntemperature                    0.2"
    );
    assert_eq!(table("other"), "temperature                    0");
}

#[test]
fn a_share_of_a_model_can_lie_on_the_graphics_card() {
    let models = json!([{"name": "m", "size": 1000, "vram_percent": 63}]);
    let server = start(json!({"models": models, "loaded": ["m"]}));
    assert_eq!((&loaded(&server)["size"], &loaded(&server)["size_vram"]), (&json!(1000), &json!(630)));
}

#[test]
fn what_a_model_is_loaded_with_cannot_change_without_a_load() {
    let server = start(json!({"models": [{"name": "m"}]}));
    let loads = |more: &Value| {
        chat(server.addr(), &request(&hi(), more));
        server.loads()
    };
    assert_eq!(loads(&json!({})), 1);
    let kept = [
        json!({"options": {"temperature": 0.5, "num_predict": 1}}),
        json!({"options": {"num_ctx": 4096}}),
        json!({"keep_alive": "1h"}),
        json!({"truncate": false}),
    ];
    assert_eq!(kept.map(|more| loads(&more)), [1; 4]);
    assert_eq!(loads(&json!({"options": {"num_batch": 256}})), 2);
    assert_eq!(loads(&json!({"options": {"num_thread": 1}})), 3);
    assert_eq!(loads(&json!({"shift": false})), 4);
    assert_eq!(loads(&json!({})), 5, "what is not said any more is another wish too");
    assert_eq!(loads(&json!({"options": {"num_ctx": 8192}})), 6);
}

#[test]
fn a_model_can_be_loaded_for_somebody_else_from_the_start() {
    let from_the_start = json!([{"model": "m", "num_ctx": 16384, "shift": false}]);
    let server = start(json!({"models": [{"name": "m"}], "loaded": from_the_start}));
    assert_eq!(loaded(&server)["context_length"], 16384);
    chat(server.addr(), &request(&hi(), &careful(16384)));
    assert_eq!(server.loads(), 0);
    chat(server.addr(), &request(&hi(), &careful(8192)));
    assert_eq!(server.loads(), 1);
}

/// A history of `turns` turns of 13 tokens each after a system message of 5, and a last message of `last` tokens.
fn history(turns: usize, last: usize) -> Value {
    let said = |role: &str, words: usize| json!({"role": role, "content": "word ".repeat(words)});
    let mut messages = vec![said("system", 2)];
    messages.extend((0..turns).flat_map(|_| [said("user", 3), said("assistant", 4)]));
    messages.push(said("user", last - 3));
    messages.into()
}

fn old(more: Value) -> Server {
    let mut script = json!({"models": [{"name": "m"}], "old": true, "counts": "words"});
    script.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    start(script)
}

#[test]
fn an_old_server_drops_the_oldest_messages_in_silence_and_keeps_the_system_message() {
    let server = old(json!({}));
    let count = |turns| prompt_count(&chat(server.addr(), &request(&history(turns, 10), &careful(100))));
    assert_eq!(count(6), 5 + 6 * 13 + 10);
    assert_eq!(count(7), 5 + 6 * 13 + 7 + 10, "the rest may begin with a reply");
    assert_eq!(count(8), 5 + 6 * 13 + 7 + 10);
}

#[test]
fn an_old_server_fills_half_the_window_with_the_end_of_what_is_too_long_alone() {
    let server = old(json!({}));
    let count = |window| prompt_count(&chat(server.addr(), &request(&history(2, 9000), &careful(window))));
    assert_eq!([count(2048), count(4096)], [1026, 2050]);
}

#[test]
fn an_old_server_knows_neither_shift_nor_rendering_nor_capabilities() {
    let server = old(json!({"replies": [{"say": [{"burst_tokens": 600}]}]}));
    let reply = chat(server.addr(), &request(&hi(), &careful(256)));
    assert_eq!(reply.lines().pop().unwrap()["done_reason"], "stop", "it goes on past the window");
    chat(server.addr(), &request(&hi(), &json!({"options": {"num_ctx": 256}})));
    assert_eq!(server.loads(), 1);
    let generated = chat(server.addr(), &request(&hi(), &json!({"_debug_render_only": true})));
    assert!(generated.lines().len() > 600);
    let address = server.addr();
    let shown = ask(address, "POST", "/api/show", &json!({"model": "m"})).json();
    assert_eq!((shown.get("capabilities"), loaded(&server).get("context_length")), (None, None));
    assert_eq!(ask(address, "GET", "/api/version", &Value::Null).json(), json!({"version": "0.5.4"}));
    assert_eq!(server.chats().len(), 2, "asking for a prompt is no chat, whatever comes of it");
}

#[test]
fn a_prompt_can_be_asked_for_without_a_reply() {
    let server = start(json!({"models": [{"name": "m"}], "drops_thinking": true}));
    let call = json!({"function": {"name": "ls", "arguments": {"path": "."}}});
    let messages = json!([
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Hi"},
        {"role": "assistant", "content": "Hello", "thinking": "one"},
        {"role": "user", "content": "Look"},
        {"role": "assistant", "content": "", "thinking": "two", "tool_calls": [call]},
        {"role": "tool", "content": "a.rs"},
    ]);
    let more = json!({"_debug_render_only": true, "tools": [{"type": "function"}]});
    let found = chat(server.addr(), &request(&messages, &more));
    assert_eq!(found.headers["Content-Type"], "application/json; charset=utf-8");
    assert_eq!(
        found.json()["_debug_info"]["rendered_template"],
        concat!(
            r#"<|tools|>[{"type": "function"}]<|end|><|system|>Be brief.<|end|><|user|>Hi<|end|><|assistant|>Hello<|end|>"#,
            r#"<|user|>Look<|end|><|assistant|><think>two</think><tool_call>{"name": "ls", "arguments": {"path": "."}}</tool_call>"#,
            "<|end|><|tool|>a.rs<|end|><|assistant|>",
        )
    );
    assert!(server.chats().is_empty() && server.requests()[0].is_render());
    assert_eq!(server.loads(), 1, "the model is loaded for it all the same");
}

#[test]
fn a_model_can_be_removed_once() {
    let server = start(json!({"models": [{"name": "m:7b"}, {"name": "other"}]}));
    let remove = |name: &str| ask(server.addr(), "DELETE", "/api/delete", &json!({"model": name}));
    let removed = remove("m:7b");
    assert_eq!((removed.status, removed.text().as_str()), (200, ""));
    let again = remove("m:7b");
    assert_eq!((again.status, again.json()), (404, json!({"error": "model 'm:7b' not found"})));
    assert_eq!(remove("").status, 400);
    let listed = ask(server.addr(), "GET", "/api/tags", &Value::Null).json();
    assert_eq!(listed["models"].as_array().unwrap().len(), 1);
    assert_eq!(ask(server.addr(), "GET", "/api/delete", &Value::Null).headers["Allow"], "DELETE");
}
