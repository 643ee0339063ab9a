//! What replies say, wherever they are cut.

use super::super::reply::reply_of;
use crate::http::exchange::listen;
use crate::http::told::told;
use crate::http::{CALLS_LIMIT, REPLY_LIMIT, broken};
use agent_protocol::{ModelCall, ModelEvent, Phase, ServerError, Usage};
use bytes::Bytes;
use futures_util::stream::{self, StreamExt};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::time::Duration;

/// Two calls, with thinking, text, counts and timings, as llama.cpp's server streams them.
const CALLS: &str = concat!(
    ": keep-alive\n\n",
    r#"data: {"choices":[{"finish_reason":null,"index":0,"delta":{"role":"assistant","content":null}}]}"#,
    "\n\n",
    r#"data: {"choices":[{"index":0,"delta":{"reasoning_content":"hm é"}}]}"#,
    "\r\n\r\n",
    r#"data: {"choices":[{"index":0,"delta":{"content":"Lo"}}]}"#,
    "\n\n",
    r#"data:{"choices":[{"index":0,"delta":{"content":"ok","tool_calls":null}}]}"#,
    "\n\n",
    r#"data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","#,
    r#""function":{"name":"grep_search","arguments":"{"}}]}}]}"#,
    "\n\n",
    r#"data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\"pattern\":\"ü\"}"}}]}}]}"#,
    "\n\n",
    r#"data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"b","function":{"name":"pwd","arguments":""}}]}}]}"#,
    "\n\n",
    r#"data: {"choices":[{"finish_reason":"tool_calls","index":0,"delta":{}}]}"#,
    "\n\n",
    r#"data: {"choices":[],"usage":{"completion_tokens":9,"prompt_tokens":50,"prompt_tokens_details":{"cached_tokens":40}},"#,
    r#""timings":{"cache_n":40,"prompt_n":10,"prompt_ms":2.5,"predicted_n":9,"predicted_ms":4.0}}"#,
    "\n\ndata: [DONE]\n\n",
);

fn read(text: &str) -> Vec<ModelEvent> {
    read_in(&[text.as_bytes()])
}

fn read_in(pieces: &[&[u8]]) -> Vec<ModelEvent> {
    let mut reply = reply_of("tiny");
    let mut events = Vec::new();
    pieces.iter().for_each(|piece| reply.take(piece, &mut events));
    reply.end(&mut events);
    events
}

fn text(text: &str) -> ModelEvent {
    ModelEvent::Text { text: text.to_owned() }
}

fn call(id: &str, index: u64, name: &str, arguments: Value) -> ModelCall {
    ModelCall { server_id: Some(id.to_owned()), index: Some(index), name: name.to_owned(), arguments }
}

fn done(reason: &str) -> ModelEvent {
    ModelEvent::Done { reason: Some(reason.to_owned()), usage: Usage::default() }
}

#[test]
fn thinking_text_calls_and_counts_are_told_and_the_calls_when_the_reply_is_whole() {
    let usage = Usage {
        prompt_tokens: Some(50),
        cached_tokens: Some(40),
        reply_tokens: Some(9),
        prompt_ns: Some(2_500_000),
        reply_ns: Some(4_000_000),
        ..Usage::default()
    };
    let calls = vec![call("a", 0, "grep_search", json!({"pattern": "ü"})), call("b", 1, "pwd", Value::Null)];
    assert_eq!(
        read(CALLS),
        [
            ModelEvent::Thinking { text: "hm é".to_owned() },
            text("Lo"),
            text("ok"),
            ModelEvent::Calls { calls },
            ModelEvent::Done { reason: Some("tool_calls".to_owned()), usage },
        ]
    );
}

proptest! {
    #[test]
    fn wherever_it_is_cut_it_reads_the_same(mut cuts in prop::collection::vec(0..CALLS.len(), 0..12)) {
        cuts.sort_unstable();
        let mut pieces = Vec::new();
        let mut begin = 0;
        for cut in cuts {
            pieces.push(&CALLS.as_bytes()[begin..cut]);
            begin = cut;
        }
        pieces.push(&CALLS.as_bytes()[begin..]);
        prop_assert_eq!(read_in(&pieces), read(CALLS));
    }
}

#[test]
fn what_follows_done_is_not_read() {
    let said =
        "data: {\"choices\":[{\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\nrubbish\n";
    assert_eq!(read(said), [text("a"), done("stop")]);
}

#[test]
fn an_end_without_a_reason_is_none_and_its_calls_never_happened() {
    assert_eq!(read(""), [broken(ServerError::NotDone)]);
    let cut = &CALLS[..CALLS.find("\"finish_reason\":\"tool_calls\"").unwrap()];
    let cut = &cut[..cut.rfind("data:").unwrap()];
    let events = read(cut);
    assert_eq!(events.last(), Some(&broken(ServerError::NotDone)));
    assert!(!events.iter().any(|event| matches!(event, ModelEvent::Calls { .. })), "{events:?}");
}

#[test]
fn a_reason_and_an_end_are_enough() {
    let said = r#"data: {"choices":[{"delta":{"content":"a"},"finish_reason":"length"}]}"#;
    assert_eq!(read(said), [text("a"), done("length")]);
}

#[test]
fn a_server_that_does_not_stream_answers_as_well() {
    let whole = json!({"choices": [{"message": {"content": "Hello", "tool_calls": [
        {"id": "x", "function": {"name": "pwd", "arguments": "{}"}}]}, "finish_reason": "tool_calls"}]});
    let calls =
        vec![ModelCall { server_id: Some("x".to_owned()), index: None, name: "pwd".to_owned(), arguments: json!({}) }];
    assert_eq!(read(&whole.to_string()), [text("Hello"), ModelEvent::Calls { calls }, done("tool_calls")]);
}

#[test]
fn an_error_breaks_the_reply_in_every_shape_that_servers_give_it() {
    let of = |error: Value| read(&format!("data: {error}\n\ndata: [DONE]\n\n"));
    let boom = [broken(ServerError::MidReply { message: "boom".to_owned() })];
    assert_eq!(of(json!({"error": {"message": "boom", "code": 500}})), boom);
    assert_eq!(of(json!({"error": "boom"})), boom);
    assert_eq!(of(json!({"object": "error", "message": "boom", "code": 400})), boom);
    assert_eq!(
        read("error: {\"code\":500,\"message\":\"boom\",\"type\":\"server_error\"}\n\n"),
        boom,
        "older llama.cpp"
    );
    let overflow = json!({"error": {"code": 400, "message": "the request exceeds the available context size",
        "type": "exceed_context_size_error", "n_prompt_tokens": 5596, "n_ctx": 2048}});
    assert_eq!(of(overflow), [broken(ServerError::TooLong { prompt_tokens: Some(5596), window: Some(2048) })]);
}

#[test]
fn calls_that_had_begun_are_told_before_an_error_about_a_call_and_before_no_other() {
    let begun = &CALLS[..CALLS.find("\"finish_reason\":\"tool_calls\"").unwrap()];
    let begun = &begun[..begun.rfind("data:").unwrap()];
    let failing = |words: &str| read(&format!("{begun}data: {}\n\n", json!({"error": {"message": words}})));
    let words = "Failed to parse input at pos 7: </tool_call>";
    let calls = vec![call("a", 0, "grep_search", json!({"pattern": "ü"})), call("b", 1, "pwd", Value::Null)];
    let events = failing(words);
    let trouble = ServerError::BadCall { message: words.to_owned() };
    assert_eq!(events[3..], [ModelEvent::Calls { calls }, broken(trouble)]);
    assert_eq!(failing("boom")[3..], [broken(ServerError::MidReply { message: "boom".to_owned() })]);
}

#[test]
fn what_is_not_of_the_protocol_is_garbage() {
    for line in ["<html>", "[]", "data: {\"choices\":"] {
        let events = read(line);
        assert!(
            matches!(&events[..], [ModelEvent::Broken { trouble: ServerError::Garbage { .. } }]),
            "{line}: {events:?}"
        );
    }
}

#[test]
fn a_reply_of_too_much_text_or_too_many_calls_is_given_up() {
    let too_long = broken(ServerError::ReplyTooLong { limit: REPLY_LIMIT });
    let event = |delta: Value| format!("data: {}\n\n", json!({"choices": [{"delta": delta}]}));
    let quarter = event(json!({"content": "x".repeat(REPLY_LIMIT / 4)}));
    assert_eq!(read(&quarter.repeat(4)).last(), Some(&broken(ServerError::NotDone)), "as much as allowed");
    assert_eq!(read(&quarter.repeat(5)).last(), Some(&too_long));
    let calls: Vec<Value> = (0..=CALLS_LIMIT).map(|at| json!({"index": at, "function": {"name": "f"}})).collect();
    assert_eq!(read(&event(json!({"tool_calls": calls}))), [too_long]);
}

#[test]
fn events_that_say_nothing_are_not_listened_to_for_ever() {
    for line in ["\n", ": ping\n", "data: {\"choices\":[{\"delta\":{}}]}\n"] {
        let mut reply = reply_of("tiny");
        let mut events = Vec::new();
        let piece = line.repeat(100_000);
        for _ in 0..1_000 {
            reply.take(piece.as_bytes(), &mut events);
        }
        assert!(matches!(&events[..], [ModelEvent::Broken { trouble: ServerError::Garbage { .. } }]), "{events:?}");
    }
}

#[tokio::test]
async fn a_connection_that_breaks_after_the_server_said_why_it_stopped_loses_nothing() {
    let last = |finish: &str| format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"a\"}}{finish}}}]}}\n\n");
    let heard = |line: String| async {
        let cut = ServerError::Cut { why: "reset".to_owned() };
        let pieces = stream::iter([Ok(Bytes::from(line)), Err(cut)]);
        let all: Vec<_> =
            told(move |out| async move { listen(pieces, reply_of("tiny"), Duration::from_secs(5), &out).await })
                .collect()
                .await;
        all.last().cloned()
    };
    assert_eq!(heard(last(",\"finish_reason\":\"stop\"")).await, Some(done("stop")));
    let cut = heard(last("")).await;
    assert!(matches!(cut, Some(ModelEvent::Broken { trouble: ServerError::Cut { .. } })), "{cut:?}");
}

/// What llama.cpp's server sends while it reads a prompt of 2,721 tokens, 24 of which it knew.
const READING: [&str; 4] = [
    "data: {\"choices\":[{\"finish_reason\":null,\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":null}}]}\n\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":null}}],\"prompt_progress\":{\"total\":2721,\"cache\":24,\"processed\":2072,\"time_ms\":38516}}\n\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":null}}],\"prompt_progress\":{\"total\":2721,\"cache\":24,\"processed\":2721,\"time_ms\":52000}}\n\n",
    "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi\"}}]}\n\ndata: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
];

#[tokio::test(start_paused = true)]
async fn a_prompt_that_is_being_read_is_told_with_how_much_of_it_and_is_no_silence() {
    let pieces = stream::iter(READING).then(|piece| async move {
        tokio::time::sleep(Duration::from_secs(30)).await;
        Ok(Bytes::from(piece))
    });
    let silence = Duration::from_secs(5);
    let events: Vec<ModelEvent> =
        told(move |out| async move { listen(pieces, reply_of("tiny"), silence, &out).await }).collect().await;
    let waiting = |phase| ModelEvent::Waiting { phase };
    let part = |done, left_ms| waiting(Phase::ReadingPart { done, of: 2721, left_ms: Some(left_ms) });
    let reading = waiting(Phase::Reading { estimate: None });
    let expected = [
        reading.clone(),
        part(2072, 12_205),
        part(2721, 0),
        reading,
        waiting(Phase::Writing),
        text("Hi"),
        done("stop"),
    ];
    assert_eq!(events, expected);
}
