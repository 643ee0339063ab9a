//! What products tell of themselves, in their own shapes.
//!
//! Sources: llama.cpp's server and LiteLLM 1.108.7 as they were seen; vLLM's `entrypoints/openai` (`ModelCard`, `/version`);
//! SGLang's `/v1/models` and `/server_info` (sgl-project/sglang#21463); LM Studio's documentation of its REST API v0;
//! TabbyAPI's `endpoints/core/types/model.py`; llama-swap's documentation of its list, `/running` and `/upstream`; LocalAI's of
//! its own, `/system` and `/version`.

use crate::stand_in::StandIn;
use crate::{Chat, Credentials, OpenAi};
use agent_protocol::{Capability, LoadedModel, ModelCard, ServerCard, WindowsBy};
use serde_json::{Value, json};

/// A server that has these pages, and no other.
async fn server(pages: &[(&'static str, Value)]) -> (StandIn, OpenAi) {
    let pages: Vec<(String, String)> =
        pages.iter().map(|(path, page)| (format!("GET {path}"), page.to_string())).collect();
    let server = StandIn::new(move |visit| {
        let page = pages.iter().find(|(path, _)| *path == visit.request).map(|(_, page)| page.clone());
        let (status, body) = page.map_or((404, r#"{"detail":"Not Found"}"#.to_owned()), |page| (200, page));
        async move { visit.answer(status, body).await }
    })
    .await;
    let client = server.open_ai(Credentials::default());
    (server, client)
}

async fn card(client: &OpenAi) -> ServerCard {
    client.card().await.unwrap()
}

/// The name of each model and its window, as far as it is known.
async fn windows(client: &OpenAi) -> Vec<(String, Option<u64>)> {
    let loaded: Vec<LoadedModel> = client.models_host().unwrap().loaded().await.unwrap();
    let models: Vec<ModelCard> = client.models().await.unwrap();
    let window = |model: &ModelCard| loaded.iter().find(|loaded| loaded.is(model))?.context_length;
    models.iter().map(|model| (model.name.clone(), window(model))).collect()
}

fn told(model: &str, window: impl Into<Option<u64>>) -> (String, Option<u64>) {
    (model.to_owned(), window.into())
}

fn by(setting: &str) -> WindowsBy {
    WindowsBy::Server { setting: Some(setting.to_owned()).filter(|setting| !setting.is_empty()) }
}

#[tokio::test]
async fn llama_cpp_tells_its_slots_and_the_window_of_each() {
    let model = json!({"id": "tiny", "aliases": ["tiny"], "owned_by": "llamacpp", "meta": {"n_ctx": 8192}});
    let props = json!({"default_generation_settings": {"n_ctx": 4096}, "total_slots": 2, "build_info": "b1-x",
        "modalities": {"vision": false, "audio": false}});
    let (_server, client) = server(&[("/v1/models", json!({"data": [model]})), ("/props", props)]).await;
    let card = card(&client).await;
    assert_eq!((card.product.as_str(), card.version.as_str(), card.slots), ("llama.cpp", "b1-x", Some(2)));
    assert_eq!((card.windows, windows(&client).await), (by("--ctx-size"), vec![told("tiny", 4096)]));
    assert_eq!(client.describe("tiny").await.unwrap().vision, Some(false));
}

#[tokio::test]
async fn vllm_tells_the_longest_request() {
    let model = json!({"id": "Qwen/Qwen3-Coder-30B", "object": "model", "created": 1, "owned_by": "vllm",
        "root": "Qwen/Qwen3-Coder-30B", "parent": null, "max_model_len": 65536, "permission": [{"id": "modelperm-1"}]});
    let version = json!({"version": "0.15.0"});
    let (_server, client) = server(&[("/v1/models", json!({"data": [model]})), ("/version", version)]).await;
    let card = card(&client).await;
    assert_eq!((card.product.as_str(), card.version.as_str(), card.windows), ("vLLM", "0.15.0", by("--max-model-len")));
    assert_eq!(windows(&client).await, [told("Qwen/Qwen3-Coder-30B", 65_536)]);
    assert!(card.can.contains(&Capability::ListLoaded));
}

#[tokio::test]
async fn sglang_tells_its_settings_under_the_new_name_and_the_old() {
    for page in ["/server_info", "/get_server_info"] {
        let model = json!({"id": "m", "owned_by": "sglang", "root": "m", "max_model_len": 40960});
        let info = json!({"version": "0.5.20", "max_running_requests": 48, "context_length": null,
            "tool_call_parser": "qwen25", "internal_states": [{}]});
        let (_server, client) = server(&[("/v1/models", json!({"data": [model]})), (page, info)]).await;
        let card = card(&client).await;
        assert_eq!((card.product.as_str(), card.version.as_str(), card.slots), ("SGLang", "0.5.20", Some(48)));
        assert_eq!((card.windows, windows(&client).await), (by("--context-length"), vec![told("m", 40_960)]));
    }
}

#[tokio::test]
async fn lm_studio_tells_only_of_what_is_loaded() {
    let list = json!({"data": [{"id": "qwen", "object": "model", "owned_by": "organization_owner"},
        {"id": "embed", "object": "model", "owned_by": "organization_owner"}]});
    let own = json!({"object": "list", "data": [
        {"id": "qwen", "type": "vlm", "arch": "qwen2_vl", "quantization": "4bit", "state": "loaded",
            "max_context_length": 32768, "loaded_context_length": 4096},
        {"id": "llama", "type": "llm", "arch": "llama", "state": "not-loaded", "max_context_length": 131072},
        {"id": "embed", "type": "embeddings", "state": "not-loaded", "max_context_length": 2048}]});
    let (_server, client) = server(&[("/v1/models", list), ("/api/v0/models", own)]).await;
    assert_eq!(card(&client).await.product, "LM Studio");
    assert_eq!(windows(&client).await, [told("qwen", 4096), told("llama", None)]);
}

#[tokio::test]
async fn tabby_tells_of_the_loaded_model_on_a_page_of_its_own() {
    let list = json!({"object": "list", "data": [
        {"id": "a", "object": "model", "owned_by": "tabbyAPI", "logging": null, "parameters": null},
        {"id": "b", "object": "model", "owned_by": "tabbyAPI", "logging": null, "parameters": null}]});
    let loaded = json!({"id": "b", "object": "model", "owned_by": "tabbyAPI",
        "parameters": {"max_seq_len": 32768, "cache_size": 65536, "cache_mode": "Q8", "rope_scale": 1.0}});
    let (_server, client) = server(&[("/v1/models", list), ("/v1/model", loaded)]).await;
    assert_eq!((card(&client).await.product.as_str(), card(&client).await.windows), ("TabbyAPI", by("max_seq_len")));
    assert_eq!(windows(&client).await, [told("a", None), told("b", 32_768)]);
}

#[tokio::test]
async fn litellm_tells_what_its_configuration_says() {
    let list = json!({"data": [{"id": "coder", "object": "model", "created": 1677610602, "owned_by": "openai"},
        {"id": "plain", "object": "model", "created": 1677610602, "owned_by": "openai"}], "object": "list"});
    let info = json!({"data": [
        {"model_name": "coder", "litellm_params": {"model": "openai/coder"},
            "model_info": {"id": "a", "db_model": false, "max_input_tokens": 16384, "supports_vision": true}},
        {"model_name": "plain", "model_info": {"max_input_tokens": null, "supports_function_calling": null}}]});
    let (_server, client) = server(&[("/v1/models", list.clone()), ("/model/info", info)]).await;
    assert_eq!((card(&client).await.product.as_str(), card(&client).await.windows), ("LiteLLM", by("")));
    assert_eq!(windows(&client).await, [told("coder", 16_384), told("plain", None)]);
    assert_eq!(client.describe("coder").await.unwrap().vision, Some(true));
    let (_server, client) = server(&[("/v1/models", list)]).await;
    assert_eq!(card(&client).await.product, "OpenAI-compatible server", "many say that they are OpenAI's");
}

#[tokio::test]
async fn llama_swap_is_asked_for_the_window_of_what_runs_and_starts_nothing() {
    let model = |id: &str| json!({"id": id, "object": "model", "owned_by": "llama-swap"});
    let list = json!({"data": [model("a"), model("org/b"), model("c"), model("d")]});
    let state = |model: &str, state: &str| json!({"model": model, "state": state, "cmd": "llama-server", "ttl": 60});
    let running = json!({"running": [state("org/b", "ready"), state("c", "starting"), state("d", "ready")]});
    let props = json!({"default_generation_settings": {"n_ctx": 16384}, "modalities": {"vision": true}});
    let pages = [("/v1/models", list), ("/running", running), ("/upstream/org/b/props", props)];
    let (server, client) = server(&pages).await;
    assert_eq!(windows(&client).await, [told("a", None), told("org/b", 16_384), told("c", None), told("d", None)]);
    assert_eq!(client.describe("org/b").await.unwrap().vision, Some(true));
    let started = server.asked().iter().any(|asked| asked.contains("/upstream/a") || asked.contains("/upstream/c"));
    assert!(!started, "{:?}", server.asked());
}

#[tokio::test]
async fn local_ai_is_known_by_its_page_of_itself() {
    let list = json!({"object": "list", "data": [{"id": "gpt-4", "object": "model"}]});
    let system = json!({"backends": ["llama-cpp"], "loaded_models": [{"id": "gpt-4"}]});
    let version = json!({"version": "v2.28.0 (abc)"});
    let pages = [("/v1/models", list.clone()), ("/system", system), ("/version", version)];
    let (_server, client) = server(&pages).await;
    let told_of = card(&client).await;
    assert_eq!((told_of.product.as_str(), told_of.version.as_str()), ("LocalAI", "v2.28.0 (abc)"));
    assert_eq!(windows(&client).await, [told("gpt-4", None)]);
    let (_server, client) = server(&[("/v1/models", list), ("/system", json!({"status": "ok"}))]).await;
    assert_eq!(card(&client).await.product, "OpenAI-compatible server");
}

#[tokio::test]
async fn lists_with_strange_fields_are_read_all_the_same() {
    let swap = json!({"data": [{"id": "q", "object": "model", "owned_by": "llama-swap", "name": "Q", "description": "d",
        "meta": {"llamaswap": {"ttl": 60}}, "capabilities": {"vision": true}, "aliases": null}]});
    let (_server, client) = server(&[("/v1/models", swap)]).await;
    assert_eq!((card(&client).await.product.as_str(), windows(&client).await), ("llama-swap", vec![told("q", None)]));
    let local_ai =
        json!({"object": "list", "data": [{"id": "gpt-4", "object": "model"}, {"id": "whisper-1", "object": "model"}]});
    let (_server, client) = server(&[("/v1/models", local_ai)]).await;
    assert_eq!(windows(&client).await, [told("gpt-4", None), told("whisper-1", None)]);
    assert!(card(&client).await.can.is_empty());
}

#[tokio::test]
async fn a_wrong_key_is_known_also_where_the_gateway_answers_with_another_status() {
    for (status, body) in [
        (
            401,
            r#"{"error":{"message":"Authentication Error, Invalid proxy server token passed","type":"auth_error","code":"401"}}"#,
        ),
        (400, r#"{"error":{"message":"No connected db.","type":"no_db_connection","param":null,"code":"400"}}"#),
        (401, r#"{"error":"Unauthorized"}"#),
    ] {
        let server = StandIn::saying(status, body).await;
        let refused = server.open_ai(Credentials::default()).card().await.unwrap_err();
        assert!(matches!(refused, agent_protocol::ServerError::Locked { .. }), "{refused:?}");
    }
}
