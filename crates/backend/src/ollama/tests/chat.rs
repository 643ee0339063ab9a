//! Chat over a real socket: how it ends, what is tried again, that dropping it closes the connection.

use crate::stand_in::{StandIn, Visit, impatient};
use crate::{Chat, Host};
use agent_protocol::{ModelEvent, Phase, ServerError, Usage};
use futures_util::StreamExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::{Notify, mpsc};

const HELLO: &str = r#"{"message":{"role":"assistant","content":"Hello"},"done":false}"#;
const DONE: &str = r#"{"message":{"content":""},"done":true,"done_reason":"stop"}"#;

pub(super) use crate::stand_in::request;

async fn all(client: &impl Chat) -> Vec<ModelEvent> {
    client.chat(request()).collect().await
}

async fn trouble(client: &impl Chat) -> ServerError {
    match all(client).await.pop() {
        Some(ModelEvent::Broken { trouble }) => trouble,
        other => panic!("broken, not {other:?}"),
    }
}

fn waiting(phase: Phase) -> ModelEvent {
    ModelEvent::Waiting { phase }
}

fn retrying(attempt: u32, trouble: &ServerError) -> ModelEvent {
    waiting(Phase::Retrying { attempt, wait_ms: 1, trouble: trouble.clone() })
}

fn broken(trouble: &ServerError) -> ModelEvent {
    ModelEvent::Broken { trouble: trouble.clone() }
}

fn hello_and_done() -> [ModelEvent; 3] {
    [
        waiting(Phase::Writing),
        ModelEvent::Text { text: "Hello".to_owned() },
        ModelEvent::Done { reason: Some("stop".to_owned()), usage: Usage::default() },
    ]
}

async fn say_hello(mut visit: Visit) {
    visit.begin().await;
    visit.line(HELLO).await;
    visit.line(DONE).await;
    visit.finish().await;
}

#[tokio::test]
async fn a_reply_is_told_as_it_comes() {
    let server = StandIn::new(say_hello).await;
    let mut expected = vec![waiting(Phase::Sending)];
    expected.extend(hello_and_done());
    assert_eq!(all(&server.client()).await, expected);
    assert_eq!(server.asked(), ["POST /api/chat"]);
}

#[tokio::test]
async fn a_base_path_goes_before_everything() {
    let server = StandIn::new(say_hello).await;
    let client = impatient(Host::parse(&format!("{}/ollama/", server.host())).unwrap());
    all(&client).await;
    assert_eq!(server.asked(), ["POST /ollama/api/chat"]);
}

#[tokio::test]
async fn a_refusal_carries_the_servers_words() {
    let cases = [
        (404, r#"{"error":"model 'tiny' not found"}"#, ServerError::ModelMissing { model: "tiny".to_owned() }),
        (400, r#"{"error":"x/tiny:latest does not support tools"}"#, ServerError::NoTools { model: "tiny".to_owned() }),
        (500, r#"{"error":"boom"}"#, ServerError::Refused { status: 500, message: "boom".to_owned() }),
        (405, "", ServerError::Refused { status: 405, message: "method not allowed".to_owned() }),
    ];
    for (status, body, expected) in cases {
        let server = StandIn::saying(status, body).await;
        assert_eq!(all(&server.client()).await, [waiting(Phase::Sending), broken(&expected)]);
        assert_eq!(server.asked().len(), 1, "{status} is not tried again");
    }
}

#[tokio::test]
async fn a_cut_connection_is_not_an_end() {
    let server = StandIn::new(|mut visit| async move {
        visit.begin().await;
        visit.line(HELLO).await;
    })
    .await;
    let events = all(&server.client()).await;
    assert_eq!(events[..3], [waiting(Phase::Sending), hello_and_done()[0].clone(), hello_and_done()[1].clone()]);
    let [ModelEvent::Broken { trouble: ServerError::Cut { why } }] = &events[3..] else { panic!("{events:?}") };
    assert_eq!(why, "the server closed it");
}

#[tokio::test]
async fn a_reply_cut_before_its_first_byte_is_not_tried_again() {
    let server = StandIn::new(|mut visit| async move { visit.begin().await }).await;
    assert!(matches!(trouble(&server.client()).await, ServerError::Cut { .. }));
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn a_request_on_a_connection_that_is_closed_unanswered_is_tried_twice_more() {
    let deaf = StandIn::new(|visit| async move { drop(visit) }).await;
    assert!(matches!(trouble(&deaf.client()).await, ServerError::Cut { .. }));
    assert_eq!(deaf.asked().len(), 3);
}

#[tokio::test]
async fn a_clean_end_without_done_is_not_done() {
    let server = StandIn::new(|mut visit| async move {
        visit.begin().await;
        visit.line(HELLO).await;
        visit.finish().await;
    })
    .await;
    assert_eq!(trouble(&server.client()).await, ServerError::NotDone);
    let silent = StandIn::saying(200, "").await;
    assert_eq!(trouble(&silent.client()).await, ServerError::NotDone, "nothing at all");
    let whole = StandIn::saying(200, r#"{"message":{"content":"ha"},"done":false}"#).await;
    assert_eq!(trouble(&whole.client()).await, ServerError::NotDone, "one object");
}

#[tokio::test]
async fn a_single_object_with_done_is_a_reply() {
    let server = StandIn::saying(200, r#"{"message":{"content":""},"done":true,"done_reason":"load"}"#).await;
    let done = ModelEvent::Done { reason: Some("load".to_owned()), usage: Usage::default() };
    assert_eq!(all(&server.client()).await, [waiting(Phase::Sending), done]);
}

#[tokio::test]
async fn a_page_instead_of_a_reply_is_garbage() {
    let server = StandIn::saying(200, "<html>\n<p>welcome</p>").await;
    assert_eq!(trouble(&server.client()).await, ServerError::Garbage { line: "<html>".to_owned() });
}

#[tokio::test]
async fn a_busy_server_is_tried_twice_more() {
    let tries = Arc::new(AtomicUsize::new(0));
    let server = StandIn::new(move |visit| {
        let earlier = tries.fetch_add(1, Ordering::SeqCst);
        async move {
            match earlier {
                0 => visit.answer(503, r#"{"error":"server busy"}"#).await,
                1 => visit.answer(429, "slow down").await,
                _ => say_hello(visit).await,
            }
        }
    })
    .await;
    let busy = |status, message: &str| ServerError::Busy { status, message: message.to_owned() };
    let mut expected = vec![
        waiting(Phase::Sending),
        retrying(2, &busy(503, "server busy")),
        waiting(Phase::Sending),
        retrying(3, &busy(429, "slow down")),
        waiting(Phase::Sending),
    ];
    expected.extend(hello_and_done());
    assert_eq!(all(&server.client()).await, expected);
}

#[tokio::test]
async fn a_place_in_a_full_queue_is_waited_for() {
    const FULL: &str = r#"{"error":"server busy, please try again.  maximum pending requests exceeded"}"#;
    let tries = Arc::new(AtomicUsize::new(0));
    let server = StandIn::new(move |visit| {
        let earlier = tries.fetch_add(1, Ordering::SeqCst);
        async move {
            match earlier {
                0..6 => visit.answer(503, FULL).await,
                6 => visit.answer_with(429, "Retry-After: 0\r\n", "slow down").await,
                _ => say_hello(visit).await,
            }
        }
    })
    .await;
    let busy = |status, message: &str| ServerError::Busy { status, message: message.to_owned() };
    let full = busy(503, "server busy, please try again.  maximum pending requests exceeded");
    let mut expected = vec![waiting(Phase::Sending)];
    expected.extend(std::iter::repeat_n(waiting(Phase::Queued { trouble: full }), 6));
    expected.push(waiting(Phase::Queued { trouble: busy(429, "slow down") }));
    expected.extend(hello_and_done());
    assert_eq!(all(&server.client()).await, expected);
}

#[tokio::test]
async fn a_server_that_wants_nobody_to_ask_for_hours_is_not_waited_for() {
    let server = StandIn::new(|visit| visit.answer_with(429, "Retry-After: 18000\r\n", "usage limit reached")).await;
    let busy = ServerError::Busy { status: 429, message: "usage limit reached".to_owned() };
    assert_eq!(trouble(&server.client()).await, busy);
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn after_the_third_try_it_is_given_up() {
    let server = StandIn::saying(502, "<h1>Bad Gateway</h1>").await;
    let busy = ServerError::Busy { status: 502, message: "<h1>Bad Gateway</h1>".to_owned() };
    assert_eq!(trouble(&server.client()).await, busy);
    assert_eq!(server.asked().len(), 3);
}

#[tokio::test]
async fn where_nobody_listens_it_is_tried_twice_more() {
    // Bound and not listening: the port is ours and refuses.
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let address = socket.local_addr().unwrap().to_string();
    let client = impatient(Host::parse(&address).unwrap());
    let refused = ServerError::Unreachable {
        host: format!("http://{address}"),
        why: "connection refused".to_owned(),
        program: Some(Box::new(super::super::product::program())),
    };
    assert_eq!(
        all(&client).await,
        [
            waiting(Phase::Sending),
            retrying(2, &refused),
            waiting(Phase::Sending),
            retrying(3, &refused),
            waiting(Phase::Sending),
            broken(&refused),
        ]
    );
    assert_eq!(client.card().await.map(|card| card.version), Err(refused));
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let server = StandIn::new(|visit| visit.answer_with(307, "Location: http://127.0.0.1:1/elsewhere\r\n", "")).await;
    let told = trouble(&server.client()).await;
    assert_eq!(told, ServerError::Redirected { to: "http://127.0.0.1:1/elsewhere".to_owned() });
    assert_eq!(told.to_string(), "the server tried to redirect to http://127.0.0.1:1/elsewhere; not followed");
    assert_eq!(server.asked(), ["POST /api/chat"]);
    assert!(matches!(server.client().card().await, Err(ServerError::Redirected { .. })), "nor for anything else");
}

#[tokio::test]
async fn dropping_the_stream_in_the_middle_closes_the_connection() {
    let (closed, mut told) = mpsc::unbounded_channel();
    let server = StandIn::new(move |mut visit| {
        let closed = closed.clone();
        async move {
            visit.begin().await;
            visit.line(HELLO).await;
            visit.gone().await;
            closed.send(()).unwrap();
        }
    })
    .await;
    let mut stream = server.client().chat(request());
    while !matches!(stream.next().await, Some(ModelEvent::Text { .. })) {}
    assert!(told.try_recv().is_err(), "still open");
    drop(stream);
    assert_eq!(told.recv().await, Some(()));
}

#[tokio::test]
async fn dropping_the_stream_before_the_first_byte_closes_the_connection() {
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
    let mut stream = client.chat(request());
    assert_eq!(stream.next().await, Some(waiting(Phase::Sending)));
    tokio::select! {
        event = stream.next() => panic!("{event:?}"),
        asked = told.recv() => assert_eq!(asked, Some("asked")),
    }
    drop(stream);
    assert_eq!(told.recv().await, Some("closed"));
}

#[tokio::test]
async fn loading_and_reading_are_told_apart_while_nothing_arrives() {
    let seen = Arc::new(Notify::new());
    let looks = Arc::new(AtomicUsize::new(0));
    let server = StandIn::new(move |visit| {
        let (seen, looks) = (Arc::clone(&seen), Arc::clone(&looks));
        async move {
            if visit.request == "POST /api/chat" {
                seen.notified().await;
                return say_hello(visit).await;
            }
            if visit.request == "GET /api/tags" {
                let installed = r#"{"models":[{"name":"tiny:latest","details":{"family":"llama"}}]}"#;
                return visit.answer(200, installed).await;
            }
            match looks.fetch_add(1, Ordering::SeqCst) {
                0 | 1 => {
                    let other = r#"{"models":[{"name":"other:latest","details":{"family":"qwen3"}}]}"#;
                    visit.answer(200, other).await
                }
                2 => visit.answer(500, "").await,
                3 | 4 => visit.answer(200, r#"{"models":[{"name":"tiny:latest"}]}"#).await,
                _ => seen.notify_one(),
            }
        }
    })
    .await;
    let mut client = server.client();
    client.pace.first_look = Duration::from_millis(1);
    client.pace.next_look = Duration::from_millis(1);
    let mut expected =
        vec![waiting(Phase::Sending), waiting(Phase::Loading), waiting(Phase::Reading { estimate: None })];
    expected.extend(hello_and_done());
    assert_eq!(all(&client).await, expected);
}
