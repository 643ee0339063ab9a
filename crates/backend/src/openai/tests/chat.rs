//! Chat over a real socket: keys, what is tried again, how it ends.

use crate::stand_in::{StandIn, request};
use crate::{Chat, Credentials, OpenAi};
use agent_protocol::{ModelEvent, Phase, ServerError};
use futures_util::StreamExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

const HELLO: &str =
    "data: {\"choices\":[{\"delta\":{\"content\":\"Hello\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";

async fn all(client: &OpenAi) -> Vec<ModelEvent> {
    client.chat(request()).collect().await
}

async fn trouble(client: &OpenAi) -> ServerError {
    match all(client).await.pop() {
        Some(ModelEvent::Broken { trouble }) => trouble,
        other => panic!("broken, not {other:?}"),
    }
}

#[tokio::test]
async fn the_key_goes_along_and_the_stream_is_read() {
    let server = StandIn::new(|visit| async move {
        let known = visit.head.to_lowercase().contains("authorization: bearer sk-1");
        let kind = "Content-Type: text/event-stream\r\n";
        if known { visit.answer_with(200, kind, HELLO).await } else { visit.answer(401, "no").await }
    })
    .await;
    let events = all(&server.open_ai(Credentials::default().with_key("sk-1").unwrap())).await;
    assert!(matches!(events.last(), Some(ModelEvent::Done { .. })), "{events:?}");
    assert_eq!(server.asked(), ["POST /v1/chat/completions"]);
    let locked = trouble(&server.open_ai(Credentials::default())).await;
    assert!(matches!(locked, ServerError::Locked { status: 401, has_key: false, .. }), "{locked:?}");
    let wrong = trouble(&server.open_ai(Credentials::default().with_key("sk-2").unwrap())).await;
    assert!(matches!(wrong, ServerError::Locked { status: 401, has_key: true, .. }), "{wrong:?}");
}

#[tokio::test]
async fn a_server_that_loads_its_model_is_waited_for_and_a_busy_one_asked_again_at_most_twice() {
    let visits = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&visits);
    let loading = StandIn::new(move |visit| {
        let number = counted.fetch_add(1, Ordering::Relaxed);
        let words = r#"{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}"#;
        let (status, body) = if number < 5 { (503, words) } else { (200, HELLO) };
        visit.answer(status, body)
    })
    .await;
    let mut client = loading.open_ai(Credentials::default());
    client.pace.next_look = std::time::Duration::from_millis(1);
    let events = all(&client).await;
    assert!(events.contains(&ModelEvent::Waiting { phase: Phase::Loading }), "{events:?}");
    assert!(matches!(events.last(), Some(ModelEvent::Done { .. })), "{events:?}");
    let busy = StandIn::saying(429, r#"{"error":{"message":"slow down"}}"#).await;
    let told = ServerError::Busy { status: 429, message: "slow down".to_owned() };
    assert_eq!(trouble(&busy.open_ai(Credentials::default())).await, told);
    assert_eq!(busy.asked().len(), 3);
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let server = StandIn::new(|visit| visit.answer_with(307, "Location: http://127.0.0.1:1/\r\n", "")).await;
    let told = trouble(&server.open_ai(Credentials::default().with_key("sk-1").unwrap())).await;
    assert!(matches!(told, ServerError::Redirected { .. }), "{told:?}");
    assert_eq!(server.asked().len(), 1);
}
