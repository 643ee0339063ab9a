//! Loading a model, letting it go, and asking what it would be given.

use super::captures::capture;
use super::chat::request;
use crate::stand_in::StandIn;
use crate::{Chat, ModelHost};
use agent_protocol::{ChatRequest, ServerError};
use serde_json::Value;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::mpsc;

/// A server that answers as recorded, and the body it was sent.
async fn recorded(case: &'static str) -> (StandIn, Arc<Mutex<String>>) {
    let sent = Arc::new(Mutex::new(String::new()));
    let seen = Arc::clone(&sent);
    let server = StandIn::new(move |visit| {
        seen.lock().unwrap().clone_from(&visit.body);
        visit.answer(200, &capture(case).body)
    })
    .await;
    (server, sent)
}

/// A server that begins a reply and never ends it, and who tells when its client is gone.
async fn generating(line: &'static str) -> (StandIn, mpsc::UnboundedReceiver<()>) {
    let (closed, told) = mpsc::unbounded_channel();
    let server = StandIn::new(move |mut visit| {
        let closed = closed.clone();
        async move {
            visit.begin().await;
            visit.line(line).await;
            visit.gone().await;
            closed.send(()).unwrap();
        }
    })
    .await;
    (server, told)
}

#[tokio::test]
async fn a_model_is_loaded_without_a_word_to_it() {
    let (server, sent) = recorded("load-empty-messages").await;
    assert_eq!(server.client().load(request()).await, Ok(()));
    assert_eq!(server.asked(), ["POST /api/chat"]);
    let sent: Value = serde_json::from_str(&sent.lock().unwrap()).unwrap();
    assert_eq!((&sent["messages"], &sent["options"]["num_ctx"]), (&Value::Array(vec![]), &2048.into()));
}

#[tokio::test]
async fn a_load_may_take_as_long_as_it_takes() {
    let server = StandIn::new(|visit| async move {
        // The clock of the whole test: whatever waits with a limit would be told now.
        tokio::time::pause();
        tokio::time::advance(Duration::from_secs(6 * 3600)).await;
        tokio::time::resume();
        for _ in 0..100 {
            tokio::task::yield_now().await;
        }
        visit.answer(200, &capture("load-empty-messages").body).await;
    })
    .await;
    assert_eq!(server.client().load(request()).await, Ok(()));
}

#[tokio::test]
async fn letting_go_is_not_waited_for_without_end() {
    let server = StandIn::new(|visit| async move {
        tokio::time::pause();
        tokio::time::advance(Duration::from_secs(60)).await;
        tokio::time::resume();
        visit.gone().await;
    })
    .await;
    assert!(matches!(server.client().unload("tiny").await, Err(ServerError::Unreachable { .. })));
}

#[tokio::test]
async fn a_load_that_fails_says_why() {
    let missing = ServerError::ModelMissing { model: "tiny".to_owned() };
    let server = StandIn::saying(404, r#"{"error":"model 'tiny' not found"}"#).await;
    assert_eq!(server.client().load(request()).await, Err(missing.clone()));
    assert_eq!(server.client().unload("tiny").await, Err(missing));
    let full = r#"{"error":"model requires more system memory (9.0 GiB) than is available (4.1 GiB)"}"#;
    let refused = server_words(500, full).await;
    assert!(
        matches!(refused, ServerError::Refused { status: 500, message } if message.starts_with("model requires more"))
    );
    assert!(
        matches!(server_words(200, r#"{"error":"boom"}"#).await, ServerError::MidReply { message } if message == "boom")
    );
    assert_eq!(server_words(200, "[]").await, ServerError::Garbage { line: "[]".to_owned() });
}

async fn server_words(status: u16, body: &'static str) -> ServerError {
    StandIn::saying(status, body).await.client().load(request()).await.unwrap_err()
}

#[tokio::test]
async fn a_server_that_replies_to_a_load_is_not_listened_to() {
    let (server, mut closed) = generating(r#"{"message":{"content":"Hello"},"done":false}"#).await;
    assert_eq!(server.client().load(request()).await, Ok(()));
    assert_eq!(closed.recv().await, Some(()));
}

#[tokio::test]
async fn dropping_a_load_closes_the_connection() {
    let (state, mut told) = mpsc::unbounded_channel();
    let server = StandIn::new(move |visit| {
        let state = state.clone();
        async move {
            state.send("asked").unwrap();
            visit.gone().await;
            state.send("closed").unwrap();
        }
    })
    .await;
    let client = server.client();
    tokio::select! {
        loaded = client.load(request()) => panic!("{loaded:?}"),
        asked = told.recv() => assert_eq!(asked, Some("asked")),
    }
    assert_eq!(told.recv().await, Some("closed"));
}

#[tokio::test]
async fn a_model_is_let_go_by_a_request_that_does_not_load_it() {
    let (server, sent) = recorded("unload").await;
    assert_eq!(server.client().unload("tiny").await, Ok(()));
    assert_eq!(*sent.lock().unwrap(), r#"{"model":"tiny","messages":[],"keep_alive":0}"#);
}

#[tokio::test]
async fn the_prompt_is_what_the_server_says_it_is() {
    let prompt = async |case| {
        let (server, sent) = recorded(case).await;
        let rendered = server.client().render(request()).await.unwrap();
        assert!(sent.lock().unwrap().contains("\"_debug_render_only\":true"));
        rendered
    };
    assert_eq!(
        prompt("debug-render-tiny").await,
        "<|H|><|user|>Read README.md and tell me what it says.<|end|><|assistant|><tool_call> read_file<|end|><|tool|>read_file<|end|><|assistant|>"
    );
    assert!(prompt("debug-render-tiny-full").await.starts_with("SYS\n[{\"type\":\"function\""));
    for case in ["debug-render-tiny-mistral", "debug-render-tiny-native", "ctx-overflow-history-render"] {
        assert!(prompt(case).await.ends_with("<|end|><|assistant|>"), "{case}");
    }
}

#[tokio::test]
async fn a_server_too_old_to_tell_the_prompt_is_told_so_at_its_first_line_and_left() {
    let (server, mut closed) = generating(r#"{"message":{"content":"Hello"},"done":false}"#).await;
    let trouble = server.client().render(request()).await.unwrap_err();
    assert_eq!(
        trouble.to_string(),
        "the server sent something unreadable: a reply where the prompt was asked for; this server may be too old to tell it"
    );
    assert_eq!(closed.recv().await, Some(()));
}

#[tokio::test]
async fn whatever_else_comes_instead_of_a_prompt_is_told() {
    let of = |status: u16, body: &'static str| async move {
        StandIn::saying(status, body).await.client().render(request()).await.unwrap_err()
    };
    let old = of(200, &capture("tool-nonstream-mistral").body).await;
    assert!(matches!(old, ServerError::Garbage { line } if line.starts_with("a reply where the prompt")));
    assert_eq!(of(200, "<html>").await, ServerError::Garbage { line: "<html>".to_owned() });
    assert_eq!(of(200, r#"{"error":"boom"}"#).await, ServerError::MidReply { message: "boom".to_owned() });
    assert_eq!(
        of(400, &capture("chat-tools-on-notools").body).await,
        ServerError::NoTools { model: "tiny".to_owned() }
    );
}

#[test]
fn what_is_written_down_is_what_is_sent() {
    let client = crate::Ollama::new(crate::Host::default());
    let request = ChatRequest { keep_alive: Some("30m".to_owned()), ..request() };
    let sent: Value = serde_json::from_str(&client.written(&request)).unwrap();
    assert_eq!(
        (&sent["keep_alive"], &sent["truncate"], sent.get("_debug_render_only")),
        (&"30m".into(), &false.into(), None)
    );
}
