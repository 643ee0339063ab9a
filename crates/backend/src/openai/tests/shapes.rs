//! Streams in the shapes of real products.
//!
//! Sources: LiteLLM 1.108.7 before llama.cpp's server, as it was seen; vLLM's `entrypoints/openai/serving_chat.py`; SGLang's
//! `entrypoints/openai/serving_chat.py` and `serving_base.py`; LM Studio's documentation of its OpenAI-compatible endpoints.

use super::super::reply::reply_of;
use agent_protocol::{ModelCall, ModelEvent, ServerError, Usage};
use serde_json::{Value, json};

fn read(events: &[Value]) -> Vec<ModelEvent> {
    let mut reply = reply_of("m");
    let mut told = Vec::new();
    let lines: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
    reply.take(format!("{lines}data: [DONE]\n\n").as_bytes(), &mut told);
    reply.end(&mut told);
    told
}

fn delta(delta: Value) -> Value {
    json!({"id": "chatcmpl-1", "object": "chat.completion.chunk", "model": "m",
        "choices": [{"index": 0, "delta": delta, "logprobs": null, "finish_reason": null}]})
}

fn finish(reason: &str) -> Value {
    json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason, "stop_reason": null}]})
}

fn counted(prompt: u64, reply: u64, cached: Option<u64>) -> Usage {
    Usage { prompt_tokens: Some(prompt), reply_tokens: Some(reply), cached_tokens: cached, ..Usage::default() }
}

fn end(reason: &str, usage: Usage) -> ModelEvent {
    ModelEvent::Done { reason: Some(reason.to_owned()), usage }
}

fn called(id: &str, index: u64, name: &str, arguments: Value) -> ModelCall {
    ModelCall { server_id: Some(id.to_owned()), index: Some(index), name: name.to_owned(), arguments }
}

#[test]
fn litellm_leaves_out_names_after_the_first_piece_and_counts_in_an_event_with_an_empty_choice() {
    let piece =
        |text: &str| delta(json!({"tool_calls": [{"function": {"arguments": text}, "type": "function", "index": 0}]}));
    let said = [
        delta(json!({"role": "assistant"})),
        delta(json!({"tool_calls": [{"id": "aAS", "function": {"arguments": "{", "name": "read_file"}, "index": 0}]})),
        piece("\"file_path\": "),
        piece("\"README.md\"}"),
        finish("tool_calls"),
        json!({"choices": [{"index": 0, "delta": {}}], "usage": {"completion_tokens": 26, "prompt_tokens": 18,
            "total_tokens": 44, "prompt_tokens_details": {"cached_tokens": 2}}}),
    ];
    let calls = vec![called("aAS", 0, "read_file", json!({"file_path": "README.md"}))];
    assert_eq!(read(&said), [ModelEvent::Calls { calls }, end("tool_calls", counted(18, 26, Some(2)))]);
}

#[test]
fn vllm_says_reasoning_by_either_name_and_counts_with_no_choice() {
    for name in ["reasoning_content", "reasoning"] {
        let said = [
            delta(json!({"role": "assistant", "content": ""})),
            delta(json!({ name: "hm" })),
            delta(json!({"content": "Hello", "reasoning_content": null})),
            finish("stop"),
            json!({"choices": [], "usage": {"prompt_tokens": 9, "total_tokens": 12, "completion_tokens": 3,
                "prompt_tokens_details": null}}),
        ];
        let expected = [
            ModelEvent::Thinking { text: "hm".to_owned() },
            ModelEvent::Text { text: "Hello".to_owned() },
            end("stop", counted(9, 3, None)),
        ];
        assert_eq!(read(&said), expected, "{name}");
    }
}

/// `--enable-cache-report` is off unless it is set; usage of each event grows where `continuous_usage_stats` is asked for.
#[test]
fn sglang_counts_in_every_event_and_the_last_count_holds() {
    let with = |event: Value, prompt: u64, reply: u64, details: Value| {
        let mut event = event;
        event["usage"] = json!({"prompt_tokens": prompt, "completion_tokens": reply, "prompt_tokens_details": details});
        event
    };
    let said = [
        with(delta(json!({"content": "a", "tool_calls": null})), 30, 1, Value::Null),
        with(finish("length"), 30, 2, json!({"cached_tokens": 28})),
    ];
    assert_eq!(read(&said), [ModelEvent::Text { text: "a".to_owned() }, end("length", counted(30, 2, Some(28)))]);
}

/// Two calls whose pieces come in turn, the second before the first is whole, with an id that is null after the first piece.
#[test]
fn calls_in_turn_come_together() {
    let piece = |index: u64, id: Value, name: Value, text: &str| {
        delta(json!({"tool_calls": [{"index": index, "id": id, "type": "function",
            "function": {"name": name, "arguments": text}}]}))
    };
    let said = [
        piece(1, json!("call_b"), json!("glob_files"), ""),
        piece(0, json!("call_a"), json!("grep_search"), "{\"pattern\""),
        piece(1, Value::Null, Value::Null, "{\"pattern\":\"*.rs\"}"),
        piece(0, Value::Null, json!(""), ":\"TODO\"}"),
        finish("tool_calls"),
    ];
    let calls = vec![
        called("call_b", 1, "glob_files", json!({"pattern": "*.rs"})),
        called("call_a", 0, "grep_search", json!({"pattern": "TODO"})),
    ];
    assert_eq!(read(&said), [ModelEvent::Calls { calls }, end("tool_calls", Usage::default())]);
}

/// LM Studio names the event and says its words as text or as an object.
#[test]
fn an_error_event_in_the_middle_breaks_the_reply() {
    for error in [json!({"error": "Model unloaded."}), json!({"error": {"message": "Model unloaded."}})] {
        let mut reply = reply_of("m");
        let mut told = Vec::new();
        let begun = delta(json!({"content": "a"}));
        reply.take(format!("data: {begun}\n\nevent: error\ndata: {error}\n\n").as_bytes(), &mut told);
        reply.end(&mut told);
        let trouble = ServerError::MidReply { message: "Model unloaded.".to_owned() };
        assert_eq!(told, [ModelEvent::Text { text: "a".to_owned() }, ModelEvent::Broken { trouble }]);
    }
}
