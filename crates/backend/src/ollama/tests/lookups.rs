//! All but chat: version, list, details, download, delete and copy.

use super::captures::capture;
use super::stand_in::StandIn;
use crate::Backend;
use agent_protocol::{ModelCard, PullState, Trouble};
use futures_util::StreamExt;

async fn recorded() -> StandIn {
    StandIn::new(|visit| async move {
        let case = match (visit.request.as_str(), visit.body.contains("think")) {
            ("GET /api/version", _) => "version",
            ("GET /api/tags", _) => "tags",
            ("POST /api/show", true) => "show-think",
            ("POST /api/show", false) => "show-notools",
            ("POST /api/pull", _) => "pull-unreachable",
            (other, _) => panic!("{other}"),
        };
        visit.answer(200, &capture(case).body).await;
    })
    .await
}

fn tiny(name: &str, size: u64, tools: bool, thinking: bool) -> ModelCard {
    ModelCard {
        name: format!("{name}:latest"),
        size_bytes: Some(size),
        context_length: Some(32768),
        parameter_size: Some("1.04M".to_owned()),
        quantization: None,
        family: Some("llama".to_owned()),
        tools: Some(tools),
        thinking: Some(thinking),
    }
}

#[tokio::test]
async fn the_version_is_as_the_server_says() {
    assert_eq!(recorded().await.client().version().await, Ok("0.0.0".to_owned()));
}

#[tokio::test]
async fn what_is_no_model_server_is_told() {
    let garbage = Trouble::Garbage { line: "<html>".to_owned() };
    assert_eq!(StandIn::saying(200, "<html>").await.client().version().await, Err(garbage));
    let refused = Trouble::Refused { status: 404, message: "404 page not found".to_owned() };
    assert_eq!(StandIn::saying(404, "404 page not found").await.client().version().await, Err(refused));
}

#[tokio::test]
async fn the_list_has_all_that_a_picker_shows() {
    let models = recorded().await.client().models().await.unwrap();
    assert_eq!(models.len(), 8);
    assert!(models.contains(&tiny("tiny-think", 4_187_322, true, true)), "{models:?}");
    assert_eq!(StandIn::saying(200, r#"{"models":null}"#).await.client().models().await, Ok(Vec::new()));
}

#[tokio::test]
async fn a_model_is_described_by_its_page_and_the_list() {
    let server = recorded().await;
    assert_eq!(server.client().describe("tiny-think").await, Ok(tiny("tiny-think", 4_187_322, true, true)));
    assert_eq!(server.asked(), ["POST /api/show", "GET /api/tags"]);
    let no_tools = server.client().describe("tiny-notools").await.unwrap();
    assert_eq!((no_tools.tools, no_tools.thinking), (Some(false), Some(false)));
}

#[tokio::test]
async fn a_model_that_is_not_there_is_missing() {
    let missing = Trouble::ModelMissing { model: "nope".to_owned() };
    let server = StandIn::saying(404, r#"{"error":"model 'nope:latest' not found"}"#).await;
    assert_eq!(server.client().describe("nope").await, Err(missing.clone()));
    assert_eq!(server.client().delete("nope").await, Err(missing.clone()));
    assert_eq!(server.client().copy("nope", "other").await, Err(missing));
    assert_eq!(server.asked(), ["POST /api/show", "DELETE /api/delete", "POST /api/copy"]);
}

#[tokio::test]
async fn an_old_server_leaves_abilities_open() {
    let server = StandIn::new(|visit| async move {
        let known = visit.request == "POST /api/show";
        visit.answer(if known { 200 } else { 500 }, r#"{"template":"{{ .Prompt }}"}"#).await;
    })
    .await;
    let card = ModelCard { name: "old:latest".to_owned(), ..ModelCard::default() };
    assert_eq!(server.client().describe("old").await, Ok(card));
}

#[tokio::test]
async fn deleting_and_copying_end_quietly() {
    let server = StandIn::saying(200, "").await;
    assert_eq!(server.client().delete("a").await, Ok(()));
    assert_eq!(server.client().copy("a", "b").await, Ok(()));
}

fn progress(status: &str, done: u64, total: u64) -> PullState {
    PullState::Progress { status: status.to_owned(), done, total }
}

#[tokio::test]
async fn a_download_tells_how_far_it_is_and_ends_once() {
    let server = StandIn::new(|mut visit| async move {
        visit.begin().await;
        visit.line(r#"{"status":"pulling manifest"}"#).await;
        visit.line(r#"{"status":"pulling a","digest":"a","total":100,"completed":40}"#).await;
        visit.line(r#"{"status":"pulling a","digest":"a","total":100,"completed":40}"#).await;
        visit.line(r#"{"status":"pulling b","digest":"b","total":10,"completed":10}"#).await;
        visit.line(r#"{"status":"success"}"#).await;
        visit.finish().await;
    })
    .await;
    assert_eq!(
        server.client().pull("tiny").collect::<Vec<_>>().await,
        [
            progress("pulling manifest", 0, 0),
            progress("pulling a", 40, 100),
            progress("pulling b", 50, 110),
            PullState::Done,
        ]
    );
}

#[tokio::test]
async fn a_download_that_fails_says_why() {
    let states: Vec<PullState> = recorded().await.client().pull("127.0.0.1:9/library/foo").collect().await;
    let [first, PullState::Failed { trouble: Trouble::PullFailed { message } }] = &states[..] else {
        panic!("{states:?}")
    };
    assert_eq!(*first, progress("pulling manifest", 0, 0));
    assert!(message.starts_with("pull model manifest: ") && message.ends_with("connection refused"), "{message}");
}

#[tokio::test]
async fn a_download_that_ends_early_or_is_refused_has_failed() {
    let early = StandIn::saying(200, "{\"status\":\"pulling manifest\"}\n").await;
    let last = early.client().pull("tiny").collect::<Vec<_>>().await.pop();
    assert!(matches!(last, Some(PullState::Failed { trouble: Trouble::PullFailed { .. } })), "{last:?}");
    let refusing = StandIn::saying(400, r#"{"error":"invalid model name"}"#).await;
    let trouble = Trouble::PullFailed { message: "invalid model name".to_owned() };
    assert_eq!(refusing.client().pull("?").collect::<Vec<_>>().await, [PullState::Failed { trouble }]);
}

#[tokio::test]
async fn dropping_a_download_closes_the_connection() {
    let (closed, mut told) = tokio::sync::mpsc::unbounded_channel();
    let server = StandIn::new(move |mut visit| {
        let closed = closed.clone();
        async move {
            visit.begin().await;
            visit.line(r#"{"status":"pulling manifest"}"#).await;
            visit.gone().await;
            closed.send(()).unwrap();
        }
    })
    .await;
    let mut stream = server.client().pull("tiny");
    assert_eq!(stream.next().await, Some(progress("pulling manifest", 0, 0)));
    drop(stream);
    assert_eq!(told.recv().await, Some(()));
}
