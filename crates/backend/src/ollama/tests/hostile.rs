//! A server that means harm, or is none: what it sends is refused in words, and in bounds.

use super::chat::request;
use crate::stand_in::{StandIn, Visit};
use crate::{Chat, ModelHost};
use agent_protocol::{ModelEvent, ServerError};
use futures_util::StreamExt;
use std::sync::{Arc, Mutex};

async fn trouble(server: &StandIn) -> ServerError {
    match server.client().chat(request()).collect::<Vec<_>>().await.pop() {
        Some(ModelEvent::Broken { trouble }) => trouble,
        other => panic!("broken, not {other:?}"),
    }
}

/// Answers with this header and body.
async fn answering(status: u16, header: &'static str, body: &'static str) -> StandIn {
    StandIn::new(move |visit| visit.answer_with(status, header, body)).await
}

#[tokio::test]
async fn a_server_that_wants_credentials_is_told_so_once() {
    for status in [401, 403, 407] {
        let server = answering(status, "WWW-Authenticate: Basic\r\n", "unauthorized").await;
        let host = server.host().to_string();
        let locked = ServerError::Locked { host, status, has_key: false, message: None, sign_in: None };
        assert_eq!(trouble(&server).await, locked);
        assert_eq!(server.client().card().await.map(|card| card.version), Err(locked));
        assert_eq!(server.asked().len(), 2, "{status} is not tried again");
    }
}

/// The first as told by users, the second captured, the third from ollama#15990.
#[tokio::test]
async fn a_cloud_model_that_may_not_be_used_is_told_in_the_servers_words_with_what_helps() {
    for (status, body, words, step) in [
        (
            401,
            r#"{"error":"unauthorized","signin_url":"https://ollama.com/connect?name=a&key=b"}"#,
            "unauthorized",
            "`ollama signin`",
        ),
        (
            403,
            r#"{"error":"ollama cloud is disabled: remote model is unavailable"}"#,
            "ollama cloud is disabled: remote model is unavailable",
            "/model",
        ),
        (
            403,
            r#"{"error":{"type":"permission_error","message":"this model requires a subscription"}}"#,
            "this model requires a subscription",
            "/model",
        ),
    ] {
        let server = StandIn::saying(status, body).await;
        let told = trouble(&server).await;
        assert_eq!(told.to_string(), format!("the server at {} refused ({status}: {words})", server.host()));
        assert!(told.advice().contains(step) && !told.advice().contains("--api-key-env"), "{}", told.advice());
    }
}

#[tokio::test]
async fn what_sends_something_else_does_not_look_like_ollama() {
    let server = answering(200, "Content-Type: Text/HTML; charset=utf-8\r\n", "<!doctype html>").await;
    let told = ServerError::Foreign { host: server.host().to_string(), sends: "text/html".to_owned() };
    assert_eq!(trouble(&server).await, told);
    assert_eq!(server.client().models().await, Err(told.clone()));
    assert_eq!(told.to_string(), format!("{} does not look like a model server: it sends text/html", server.host()));
}

#[tokio::test]
async fn known_content_types_are_no_matter() {
    for header in ["", "Content-Type: application/json\r\n", "Content-Type: application/x-ndjson; charset=utf-8\r\n"] {
        let server = StandIn::new(move |visit| visit.answer_with(200, header, r#"{"version":"1"}"#)).await;
        assert_eq!(server.client().card().await.map(|card| card.version), Ok("1".to_owned()), "{header:?}");
    }
}

#[tokio::test]
async fn packed_data_is_not_unpacked_and_not_asked_for() {
    let heads = Arc::new(Mutex::new(String::new()));
    let seen = Arc::clone(&heads);
    let server = StandIn::new(move |visit| {
        seen.lock().unwrap().push_str(&visit.head);
        visit.answer_with(200, "Content-Encoding: gzip\r\n", "xxxx")
    })
    .await;
    let packed = ServerError::Garbage { line: "data packed with gzip, which nobody asked for".to_owned() };
    assert_eq!(trouble(&server).await, packed);
    assert!(!heads.lock().unwrap().to_lowercase().contains("accept-encoding"));
}

#[tokio::test]
async fn cookies_are_not_kept() {
    let heads = Arc::new(Mutex::new(String::new()));
    let seen = Arc::clone(&heads);
    let server = StandIn::new(move |visit| {
        seen.lock().unwrap().push_str(&visit.head);
        visit.answer_with(200, "Set-Cookie: id=1\r\n", r#"{"version":"1"}"#)
    })
    .await;
    let client = server.client();
    for _ in 0..2 {
        client.card().await.unwrap();
    }
    assert!(!heads.lock().unwrap().to_lowercase().contains("cookie"));
}

#[tokio::test]
async fn of_a_hundred_thousand_models_some_thousand_are_kept_and_none_with_an_endless_name() {
    let server = StandIn::new(|visit| async move {
        let endless = format!(r#"{{"name":"{}"}}"#, "x".repeat(100_000));
        let others = (0..100_000).map(|number| format!(r#"{{"name":"\u001b]0;x\u0007m{number}\u202e","size":[]}}"#));
        let list: Vec<String> = std::iter::once(endless).chain(others).collect();
        visit.answer(200, format!(r#"{{"models":[{}]}}"#, list.join(","))).await;
    })
    .await;
    let models = server.client().models().await.unwrap();
    assert_eq!(models.len(), 5_000);
    assert_eq!(models[0].name, "\u{1b}]0;x\u{7}m0\u{202e}", "cleaned by who shows it");
}

/// Sends `piece` until nobody takes it any more, and tells how often that was.
async fn flood(mut visit: Visit, header: &str, piece: Vec<u8>, taken: Arc<Mutex<usize>>) {
    visit.bytes(header.as_bytes()).await;
    while visit.bytes(&piece).await {
        *taken.lock().unwrap() += piece.len();
    }
}

/// A server that answers everything with this head and then without end, and how much of that was taken.
async fn endless(status: u16) -> (StandIn, Arc<Mutex<usize>>) {
    let taken = Arc::new(Mutex::new(0));
    let counted = Arc::clone(&taken);
    let server = StandIn::new(move |visit| {
        let head = format!("HTTP/1.1 {status} X\r\nConnection: close\r\n\r\n");
        let counted = Arc::clone(&counted);
        async move { flood(visit, &head, vec![b' '; 65_536], counted).await }
    })
    .await;
    (server, taken)
}

#[tokio::test]
async fn an_answer_without_end_is_given_up() {
    // What was read, and what the system holds of each connection.
    const PLENTY: usize = 256 * 1024 * 1024;
    let (server, taken) = endless(200).await;
    assert!(matches!(trouble(&server).await, ServerError::LineTooLong { .. }));
    assert!(matches!(server.client().card().await, Err(ServerError::ReplyTooLong { .. })));
    assert!(matches!(server.client().describe("tiny").await, Err(ServerError::ReplyTooLong { .. })));
    assert!(matches!(server.client().load(request()).await, Err(ServerError::LineTooLong { .. })));
    assert!(matches!(server.client().render(request()).await, Err(ServerError::LineTooLong { .. })));
    server.client().unload("tiny").await.unwrap();
    let last = server.client().pull("tiny").collect::<Vec<_>>().await.pop();
    assert!(format!("{last:?}").contains("reply line too long"), "{last:?}");
    server.client().remove("tiny").await.unwrap();
    assert!(*taken.lock().unwrap() < PLENTY);
    let (failing, taken) = endless(500).await;
    assert!(matches!(trouble(&failing).await, ServerError::Refused { status: 500, .. }));
    assert!(*taken.lock().unwrap() < PLENTY);
}
