//! Which kind answers, by what it answers.

use super::*;
use crate::stand_in::{StandIn, request};

/// What a server is taken for that answers these paths with these bodies and all others with 404.
async fn taken_for(pages: &'static [(&'static str, &'static str)], below: &str) -> (&'static str, Vec<String>) {
    let server = StandIn::new(move |visit| async move {
        let path = visit.request.split_once(' ').map(|(_, path)| path.to_owned()).unwrap_or_default();
        match pages.iter().find(|(page, _)| *page == path) {
            Some((_, body)) => visit.answer(200, body).await,
            None => visit.answer(404, "no such page").await,
        }
    })
    .await;
    let host = Host::parse(&format!("{}{below}", server.host())).unwrap();
    let chat = connect(host, Kind::Auto, Way::Straight, Credentials::default());
    // Whatever it answers: by then it is known what it is.
    let _card = chat.card().await;
    let kind = if chat.written(&request()).contains("num_ctx") { "ollama" } else { "openai" };
    (kind, server.asked())
}

const VERSION: (&str, &str) = ("/api/version", r#"{"version":"0.33.0"}"#);
const PROPS: (&str, &str) = ("/props", r#"{"default_generation_settings":{"n_ctx":4096}}"#);
const MODELS: (&str, &str) = ("/v1/models", r#"{"object":"list","data":[{"id":"m"}]}"#);

#[tokio::test]
async fn what_answers_says_which_kind_it_is() {
    type Pages = &'static [(&'static str, &'static str)];
    let cases: [(Pages, &str, &str); 7] = [
        (&[VERSION, MODELS], "", "ollama"),
        (&[VERSION, MODELS], "/v1", "ollama"),
        (&[PROPS, MODELS, ("/api/tags", r#"{"models":[]}"#)], "", "openai"),
        (&[MODELS], "", "openai"),
        (&[MODELS], "/v1", "openai"),
        (&[], "/v1", "openai"),
        (&[("/api/version", "<html>a page</html>")], "", "ollama"),
    ];
    for (pages, below, kind) in cases {
        assert_eq!(taken_for(pages, below).await.0, kind, "{pages:?} {below}");
    }
}

#[tokio::test]
async fn it_is_asked_once() {
    let (_, asked) = taken_for(&[VERSION], "").await;
    assert_eq!(asked, ["GET /api/version", "GET /api/version"], "what it is, and its card");
}

#[tokio::test]
async fn a_kind_that_is_named_is_not_asked_for() {
    let server = StandIn::saying(200, r#"{"data":[]}"#).await;
    let chat = connect(server.host(), Kind::OpenAi, Way::Straight, Credentials::default());
    assert_eq!(chat.models().await, Ok(Vec::new()));
    assert!(server.asked().iter().all(|asked| !asked.contains("version")), "{:?}", server.asked());
    assert!(!chat.written(&request()).contains("num_ctx"));
}

#[tokio::test]
async fn what_does_not_answer_is_asked_again_the_next_time() {
    let nobody = Host::parse("127.0.0.1:1").unwrap();
    let chat = connect(nobody, Kind::Auto, Way::Straight, Credentials::default());
    for _ in 0..2 {
        assert!(matches!(chat.card().await, Err(ServerError::Unreachable { program: Some(_), .. })));
    }
    let last = chat.chat(request()).collect::<Vec<_>>().await.pop();
    assert!(matches!(last, Some(ModelEvent::Broken { trouble: ServerError::Unreachable { .. } })), "{last:?}");
}
