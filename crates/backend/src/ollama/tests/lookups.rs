//! What needs no model: version, lists, details, download, removal and copy.

use super::super::catalogue::is_loaded;
use super::captures::capture;
use crate::http::server::{Server, Way};
use crate::stand_in::StandIn;
use crate::{Chat, ModelHost};
use agent_protocol::{LoadedModel, LoadedWeights, ModelCard, PullState, ServerError};
use futures_util::StreamExt;

async fn recorded() -> StandIn {
    StandIn::new(|visit| async move {
        let case = match (visit.request.as_str(), visit.body.contains("think")) {
            ("GET /api/version", _) => "version",
            ("GET /api/tags", _) => "tags",
            ("GET /api/ps", _) => "ps-loaded",
            ("POST /api/show", true) => "show-think",
            ("POST /api/show", false) => "show-notools",
            ("POST /api/pull", _) => "pull-unreachable",
            (other, _) => panic!("{other}"),
        };
        visit.answer(200, &capture(case).body).await;
    })
    .await
}

/// A recorded model that can call tools and think.
fn tiny_think() -> ModelCard {
    ModelCard {
        name: "tiny-think:latest".to_owned(),
        size_bytes: Some(4_187_322),
        context_length: Some(32768),
        parameter_size: Some("1.04M".to_owned()),
        quantization: None,
        family: Some("llama".to_owned()),
        tools: Some(true),
        thinking: Some(true),
        vision: Some(false),
        digest: Some("9259cdde632bd59008f07b6b051f084ccfdeacb5ff1f3e7855da4944d9498e9f".to_owned()),
        own_window: None,
        own_options: serde_json::Map::new(),
        remote_host: None,
    }
}

/// As Ollama lists models that it passes on to its cloud, and shows one.
#[tokio::test]
async fn a_cloud_model_is_known_by_where_it_runs_and_not_by_its_name() {
    const TAGS: &str = r#"{"models":[
        {"name":"gpt-oss:120b-cloud","remote_model":"gpt-oss:120b","remote_host":"https://ollama.com:443","size":384},
        {"name":"mine:latest","remote_model":"gpt-oss:120b","remote_host":"https://ollama.com"},
        {"name":"odd:latest","remote_model":"x","remote_host":""},
        {"name":"my-cloud:latest","size":5000000000}]}"#;
    let server = StandIn::new(|visit| async move {
        let show = r#"{"remote_host":"https://ollama.com:443","remote_model":"gpt-oss:120b","parameters":null}"#;
        let body = match visit.request.as_str() {
            "POST /api/show" => show,
            "GET /api/ps" => r#"{"models":[]}"#,
            _ => TAGS,
        };
        visit.answer(200, body).await;
    })
    .await;
    let listed = server.client().models().await.unwrap();
    let hosts: Vec<Option<&str>> = listed.iter().map(|card| card.remote_host.as_deref()).collect();
    assert_eq!(hosts, [Some("ollama.com"), Some("ollama.com"), Some("another machine"), None]);
    let unlisted = server.client().describe("new:cloud").await.unwrap();
    assert_eq!(unlisted.remote_host.as_deref(), Some("ollama.com"));
    let way = Server::at(server.host(), Way::Straight, None);
    assert_eq!(is_loaded(&way, "mine").await, None, "it is in nobody's memory, and is not being loaded");
    assert_eq!(is_loaded(&way, "my-cloud").await, Some(false));
}

#[tokio::test]
async fn the_version_is_as_the_server_says() {
    assert_eq!(recorded().await.client().card().await.map(|card| card.version), Ok("0.0.0".to_owned()));
}

#[tokio::test]
async fn what_is_no_model_server_is_told() {
    let garbage = ServerError::Garbage { line: "<html>".to_owned() };
    assert_eq!(StandIn::saying(200, "<html>").await.client().card().await.map(|card| card.version), Err(garbage));
    let refused = ServerError::Refused { status: 404, message: "404 page not found".to_owned() };
    assert_eq!(
        StandIn::saying(404, "404 page not found").await.client().card().await.map(|card| card.version),
        Err(refused)
    );
}

#[tokio::test]
async fn the_list_has_all_that_a_picker_shows() {
    let models = recorded().await.client().models().await.unwrap();
    assert_eq!(models.len(), 8);
    assert!(models.contains(&tiny_think()), "{models:?}");
    assert_eq!(StandIn::saying(200, r#"{"models":null}"#).await.client().models().await, Ok(Vec::new()));
}

#[tokio::test]
async fn a_model_is_described_by_its_page_and_the_list() {
    let server = recorded().await;
    // The list does not say what the model's own file sets.
    let own_options = [("temperature".to_owned(), 0.into())].into_iter().collect();
    assert_eq!(server.client().describe("tiny-think").await, Ok(ModelCard { own_options, ..tiny_think() }));
    assert_eq!(server.asked(), ["POST /api/show", "GET /api/tags"]);
    let no_tools = server.client().describe("tiny-notools").await.unwrap();
    assert_eq!((no_tools.tools, no_tools.thinking), (Some(false), Some(false)));
}

#[tokio::test]
async fn the_window_of_a_models_own_file_is_found_among_its_parameters() {
    let own = |parameters: &'static str| async move {
        let shown = serde_json::json!({ "parameters": parameters }).to_string();
        let server = StandIn::new(move |visit| visit.answer(200, shown.clone())).await;
        server.client().describe("tiny").await.unwrap().own_window
    };
    let table = "stop                           \"num_ctx 1\"\nnum_ctx                        8192\ntemperature                    0.2";
    assert_eq!(own(table).await, Some(8192));
    assert_eq!(own("num_ctx").await, None);
    assert_eq!(own("num_ctx                        many\nnum_ctx_x 5").await, None);
    assert_eq!(own("").await, None);
}

#[tokio::test]
async fn what_a_models_own_file_says_of_sampling_is_told() {
    let table = "stop                           \"<end>\"\ntemperature                    1\npresence_penalty               1.5\nnum_ctx 8";
    let shown = serde_json::json!({ "parameters": table }).to_string();
    let server = StandIn::new(move |visit| visit.answer(200, shown.clone())).await;
    let own = server.client().describe("tiny").await.unwrap().own_options;
    assert_eq!(serde_json::Value::from(own), serde_json::json!({"temperature": 1, "presence_penalty": 1.5}));
}

#[tokio::test]
async fn a_loaded_model_is_told_with_its_window_and_its_share_on_the_card() {
    let tiny = LoadedModel {
        name: "tiny:latest".to_owned(),
        digest: Some("56171d8854a182b91702eca5b692d708f9b8bd5d2ac8b6909412619596bb73cd".to_owned()),
        size_bytes: Some(20_164_115),
        vram_bytes: Some(0),
        context_length: Some(4096),
        weights: Some(Box::new(LoadedWeights {
            family: Some("llama".to_owned()),
            parameter_size: Some("1.04M".to_owned()),
            quantization: None,
        })),
    };
    let loaded = recorded().await.client().loaded().await.unwrap();
    assert_eq!((loaded.len(), &loaded[0]), (2, &tiny));
    let none = StandIn::saying(200, &capture("ps-empty").body).await;
    assert_eq!(none.client().loaded().await, Ok(Vec::new()));
}

#[tokio::test]
async fn what_a_server_does_not_tell_of_a_loaded_model_is_left_open() {
    let old = r#"{"models":[{"name":null,"model":"tiny:latest","digest":"","size":7,"size_vram":null,"context_length":"all"}]}"#;
    let tiny = LoadedModel { name: "tiny:latest".to_owned(), size_bytes: Some(7), ..LoadedModel::default() };
    assert_eq!(StandIn::saying(200, old).await.client().loaded().await, Ok(vec![tiny]));
    assert_eq!(StandIn::saying(200, "{}").await.client().loaded().await, Ok(Vec::new()));
}

/// What is said of `alias` while `first` is loaded, which is of this family.
async fn alias_is_loaded(digest: &str, family: &str) -> Option<bool> {
    let installed = r#"{"models":[{"name":"alias:latest","digest":"b","details":{"family":"llama"}}]}"#;
    let loaded = format!(r#"{{"models":[{{"name":"first","digest":"{digest}","details":{{"family":"{family}"}}}}]}}"#);
    let server = StandIn::new(move |visit| {
        let answer = if visit.request == "GET /api/tags" { installed.to_owned() } else { loaded.clone() };
        visit.answer(200, answer)
    })
    .await;
    is_loaded(&Server::at(server.host(), Way::Straight, None), "alias").await
}

#[tokio::test]
async fn a_model_that_shares_weights_with_a_loaded_one_is_not_said_to_be_loading() {
    assert_eq!(alias_is_loaded("b", "llama").await, Some(true), "a copy has the digest of its model");
    assert_eq!(alias_is_loaded("a", "llama").await, None, "it may be loaded under the other's name");
    assert_eq!(alias_is_loaded("a", "qwen3").await, Some(false));
}

#[tokio::test]
async fn a_model_that_is_not_there_is_missing() {
    let missing = ServerError::ModelMissing { model: "nope".to_owned() };
    let server = StandIn::saying(404, r#"{"error":"model 'nope:latest' not found"}"#).await;
    assert_eq!(server.client().describe("nope").await, Err(missing.clone()));
    assert_eq!(server.client().remove("nope").await, Err(missing.clone()));
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
async fn removing_and_copying_end_quietly() {
    let server = StandIn::saying(200, "").await;
    assert_eq!(server.client().remove("a").await, Ok(()));
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
    let [first, PullState::Failed { trouble: ServerError::PullFailed { message } }] = &states[..] else {
        panic!("{states:?}")
    };
    assert_eq!(*first, progress("pulling manifest", 0, 0));
    assert!(message.starts_with("pull model manifest: ") && message.ends_with("connection refused"), "{message}");
}

#[tokio::test]
async fn a_download_that_ends_early_or_is_refused_has_failed() {
    let early = StandIn::saying(200, "{\"status\":\"pulling manifest\"}\n").await;
    let last = early.client().pull("tiny").collect::<Vec<_>>().await.pop();
    assert!(matches!(last, Some(PullState::Failed { trouble: ServerError::PullFailed { .. } })), "{last:?}");
    let refusing = StandIn::saying(400, r#"{"error":"invalid model name"}"#).await;
    let trouble = ServerError::PullFailed { message: "invalid model name".to_owned() };
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
