//! What the server knows of itself and its models: version, list, details, which are loaded.

use super::server::Server;
use super::trouble;
use super::wire::{Listed, Models, Version};
use agent_protocol::{ModelCard, Trouble};
use ollama_rs::error::OllamaError;
use serde_json::{Map, Value};

/// `ollama-rs` keeps the body of an error and drops the status; this stands for it where the words are not known.
const STATUS_UNTOLD: u16 = 400;

/// The version, as the server says it; `0.0.0` for one that was built by hand.
pub(super) async fn version(server: &Server) -> Result<String, Trouble> {
    Ok(server.get::<Version>("api/version").await?.version)
}

/// All installed models, in the server's order: last changed first.
pub(super) async fn models(server: &Server) -> Result<Vec<ModelCard>, Trouble> {
    Ok(listed(server, "api/tags").await?.into_iter().map(card).collect())
}

/// The names of the models that are loaded. One that is being loaded is not among them.
pub(super) async fn loaded(server: &Server) -> Result<Vec<String>, Trouble> {
    Ok(listed(server, "api/ps").await?.iter().map(|model| model.name().to_owned()).collect())
}

/// What is known of one model: whether it is there and what it can do from its own page, the rest from the list.
pub(super) async fn describe(server: &Server, model: &str) -> Result<ModelCard, Trouble> {
    let client = server.ollama_rs();
    let show = async {
        let shown = client.show_model_info(model.to_owned()).await;
        shown.map_err(|error| of_ollama_rs(error, server, model))
    };
    let shown = server.in_time(show).await?;
    let known = models(server).await.unwrap_or_default().into_iter().find(|card| same_model(&card.name, model));
    let mut card = known.unwrap_or_else(|| ModelCard { name: full_name(model), ..ModelCard::default() });
    if let Some(length) = context_length(&shown.model_info) {
        card.context_length = Some(length);
    }
    if !shown.capabilities.is_empty() {
        (card.tools, card.thinking) = abilities(&shown.capabilities);
    }
    Ok(card)
}

/// Removes a model from the server's disk.
pub(super) async fn delete(server: &Server, model: &str) -> Result<(), Trouble> {
    let deleted = server.ollama_rs().delete_model(model.to_owned()).await;
    deleted.map_err(|error| of_ollama_rs(error, server, model))
}

/// Gives a model another name besides its own.
pub(super) async fn copy(server: &Server, from: &str, to: &str) -> Result<(), Trouble> {
    let copied = server.ollama_rs().copy_model(from.to_owned(), to.to_owned()).await;
    copied.map_err(|error| of_ollama_rs(error, server, from))
}

/// Do both names mean the same model? The tag `latest` and the home registry may be left out, and case does not count.
pub(super) fn same_model(one: &str, other: &str) -> bool {
    full_name(one).eq_ignore_ascii_case(&full_name(other))
}

/// An error of `ollama-rs` before it had anything to tell.
pub(super) fn of_ollama_rs(error: OllamaError, server: &Server, model: &str) -> Trouble {
    match error {
        OllamaError::ReqwestError(error) => trouble::of_request(error, server.shown()),
        OllamaError::JsonError(error) => Trouble::Garbage { line: error.to_string() },
        OllamaError::Other(body) => missing_or_refused(&body, model),
        OllamaError::InternalError(error) => missing_or_refused(&error.message, model),
        OllamaError::ToolCallError(error) => Trouble::Garbage { line: error.to_string() },
    }
}

fn missing_or_refused(body: &str, model: &str) -> Trouble {
    match trouble::of_status(404, body.as_bytes(), model) {
        Trouble::Refused { message, .. } => Trouble::Refused { status: STATUS_UNTOLD, message },
        known => known,
    }
}

async fn listed(server: &Server, path: &str) -> Result<Vec<Listed>, Trouble> {
    Ok(server.get::<Models>(path).await?.models.unwrap_or_default())
}

fn card(listed: Listed) -> ModelCard {
    let name = listed.name().to_owned();
    let details = listed.details.unwrap_or_default();
    let (tools, thinking) = listed.capabilities.as_deref().map_or((None, None), abilities);
    ModelCard {
        name,
        size_bytes: listed.size,
        context_length: details.context_length,
        parameter_size: said(details.parameter_size),
        quantization: said(details.quantization_level),
        family: said(details.family),
        tools,
        thinking,
    }
}

fn abilities(capabilities: &[String]) -> (Option<bool>, Option<bool>) {
    let can = |what: &str| Some(capabilities.iter().any(|capability| capability == what));
    (can("tools"), can("thinking"))
}

/// A detail, unless the server put an empty string or the word `unknown` in its place.
fn said(detail: Option<String>) -> Option<String> {
    detail.filter(|text| !text.is_empty() && text != "unknown")
}

/// The trained length stands under the name of the architecture: `llama.context_length`.
fn context_length(model_info: &Map<String, Value>) -> Option<u64> {
    let architecture = model_info.get("general.architecture").and_then(Value::as_str);
    let own = architecture.and_then(|name| model_info.get(&format!("{name}.context_length")));
    own.or_else(|| model_info.iter().find(|(key, _)| key.ends_with(".context_length")).map(|(_, value)| value))?
        .as_u64()
}

fn full_name(name: &str) -> String {
    let name = name.trim();
    let name = name.strip_prefix("registry.ollama.ai/").unwrap_or(name);
    let name = name.strip_prefix("library/").unwrap_or(name);
    let last = name.rsplit('/').next().unwrap_or(name);
    if last.contains(':') { name.to_owned() } else { format!("{name}:latest") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_model_is_the_same_under_its_short_and_its_full_name() {
        for other in ["tiny", "tiny:latest", "Tiny", "library/tiny", "registry.ollama.ai/library/tiny:latest"] {
            assert!(same_model("tiny:latest", other), "{other}");
        }
        for other in ["tiny:7b", "me/tiny", "tin", "localhost:5000/tiny"] {
            assert!(!same_model("tiny:latest", other), "{other}");
        }
        assert!(same_model("localhost:5000/tiny", "localhost:5000/tiny:latest"));
    }

    #[test]
    fn the_trained_length_is_that_of_the_models_own_architecture() {
        let info = |value: Value| context_length(value.as_object().unwrap());
        let both = json!({"clip.context_length": 77, "general.architecture": "llama", "llama.context_length": 32768});
        assert_eq!(info(both), Some(32768));
        assert_eq!(info(json!({"llama.context_length": 4096})), Some(4096));
        assert_eq!(info(json!({"general.architecture": "llama"})), None);
    }

    #[test]
    fn a_server_that_lists_no_capabilities_leaves_them_open() {
        let old: Listed = serde_json::from_value(json!({"model": "old:7b", "size": 7, "details": null})).unwrap();
        let expected = ModelCard { name: "old:7b".to_owned(), size_bytes: Some(7), ..ModelCard::default() };
        assert_eq!(card(old), expected);
        let none: Listed = serde_json::from_value(json!({"name": "new", "capabilities": []})).unwrap();
        assert_eq!((card(none).tools), Some(false));
    }
}
