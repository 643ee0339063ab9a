//! What the server knows of itself and its models: version, list, details, which are loaded.

use super::wire::{Details, Listed, Models, Shown, Version, remote_host};
use crate::http::json::{LISTED_PIECES, PIECES};
use crate::http::server::Server;
use agent_protocol::{LoadedModel, LoadedWeights, ModelCard, ServerError};
use reqwest::Method;
use serde_json::{Map, Value, json};

/// Options of sampling, as Ollama names them.
const SAMPLING: [&str; 8] = [
    "temperature",
    "top_p",
    "top_k",
    "min_p",
    "presence_penalty",
    "frequency_penalty",
    "repeat_penalty",
    "repeat_last_n",
];

/// The version, as the server says it; `0.0.0` for one that was built by hand.
pub(super) async fn version(server: &Server) -> Result<String, ServerError> {
    Ok(server.get::<Version>("api/version", PIECES).await?.version)
}

/// All installed models, in the server's order: last changed first.
pub(super) async fn models(server: &Server) -> Result<Vec<ModelCard>, ServerError> {
    Ok(listed(server, "api/tags").await?.into_iter().map(card).collect())
}

/// The models that are loaded. One that is being loaded is not among them.
pub(super) async fn loaded(server: &Server) -> Result<Vec<LoadedModel>, ServerError> {
    Ok(listed(server, "api/ps").await?.into_iter().map(in_memory).collect())
}

fn in_memory(listed: Listed) -> LoadedModel {
    let name = listed.name().to_owned();
    let details = listed.details;
    LoadedModel {
        name,
        digest: said(listed.digest),
        size_bytes: listed.size,
        vram_bytes: listed.size_vram,
        context_length: listed.context_length,
        weights: details.map(|details| Box::new(weights(details))),
    }
}

fn weights(details: Details) -> LoadedWeights {
    LoadedWeights {
        family: said(details.family),
        parameter_size: said(details.parameter_size),
        quantization: said(details.quantization_level),
    }
}

/// Is the model in the server's memory? `None` if the server would not say, or if it may be, under the name of another that
/// shares its weights; also for a cloud model, which is never there.
pub(super) async fn is_loaded(server: &Server, model: &str) -> Option<bool> {
    let loaded = loaded(server).await.ok()?;
    if loaded.iter().any(|loaded| same_model(&loaded.name, model)) {
        return Some(true);
    }
    let installed = models(server).await.unwrap_or_default().into_iter().find(|card| same_model(&card.name, model));
    let Some(installed) = installed else { return loaded.is_empty().then_some(false) };
    if installed.remote_host.is_some() {
        return None;
    }
    if loaded.iter().any(|loaded| loaded.is(&installed)) {
        return Some(true);
    }
    if loaded.iter().any(|loaded| loaded.may_be(&installed)) { None } else { Some(false) }
}

/// What is known of one model: whether it is there and what it can do from its own page, the rest from the list.
pub(super) async fn describe(server: &Server, model: &str) -> Result<ModelCard, ServerError> {
    let shown: Shown = server.ask("api/show", &json!({ "name": model }), model).await?;
    let known = models(server).await.unwrap_or_default().into_iter().find(|card| same_model(&card.name, model));
    let mut card = known.unwrap_or_else(|| ModelCard { name: full_name(model), ..ModelCard::default() });
    if let Some(length) = shown.model_info.as_ref().and_then(context_length) {
        card.context_length = Some(length);
    }
    let parameters = shown.parameters.unwrap_or_default();
    card.own_window = own_window(&parameters);
    card.own_options = own_options(&parameters);
    if let Some(capabilities) = shown.capabilities.filter(|capabilities| !capabilities.is_empty()) {
        (card.tools, card.thinking, card.vision) = abilities(&capabilities);
    }
    card.remote_host = remote_host(shown.remote_host.as_deref(), shown.remote_model.as_deref()).or(card.remote_host);
    Ok(card)
}

/// Removes a model from the server's disk.
pub(super) async fn delete(server: &Server, model: &str) -> Result<(), ServerError> {
    server.order(Method::DELETE, "api/delete", &json!({ "name": model }), model).await
}

/// Gives a model another name besides its own.
pub(super) async fn copy(server: &Server, from: &str, to: &str) -> Result<(), ServerError> {
    server.order(Method::POST, "api/copy", &json!({ "source": from, "destination": to }), from).await
}

/// Do both names mean the same model? The tag `latest` and the home registry may be left out, and case does not count.
pub(super) fn same_model(one: &str, other: &str) -> bool {
    full_name(one).eq_ignore_ascii_case(&full_name(other))
}

async fn listed(server: &Server, path: &str) -> Result<Vec<Listed>, ServerError> {
    Ok(server.get::<Models>(path, LISTED_PIECES).await?.models.unwrap_or_default())
}

fn card(listed: Listed) -> ModelCard {
    let name = listed.name().to_owned();
    let details = listed.details.unwrap_or_default();
    let (tools, thinking, vision) = listed.capabilities.as_deref().map_or((None, None, None), abilities);
    // The list judges by Ollama's own templates alone: that a model lacks tools is known only from its page. Version 0.33 says
    // "completion" here and "tools" there of one that brings a template in its weights.
    let tools = tools.filter(|can| *can);
    ModelCard {
        name,
        size_bytes: listed.size,
        context_length: details.context_length,
        parameter_size: said(details.parameter_size),
        quantization: said(details.quantization_level),
        family: said(details.family),
        tools,
        thinking,
        vision,
        digest: said(listed.digest),
        own_window: None,
        own_options: Map::new(),
        remote_host: remote_host(listed.remote_host.as_deref(), listed.remote_model.as_deref()),
    }
}

fn abilities(capabilities: &[String]) -> (Option<bool>, Option<bool>, Option<bool>) {
    let can = |what: &str| Some(capabilities.iter().any(|capability| capability == what));
    (can("tools"), can("thinking"), can("vision"))
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

/// The window that the model's own file asks for; its parameters come as a padded table, one a line.
fn own_window(parameters: &str) -> Option<u64> {
    let mut rows = parameters.lines().map(str::split_whitespace);
    rows.find_map(|mut row| if row.next() == Some("num_ctx") { row.next()?.parse().ok() } else { None })
}

/// What of sampling the model's own file sets, as far as these are numbers.
fn own_options(parameters: &str) -> Map<String, Value> {
    let rows = parameters.lines().filter_map(|row| {
        let (name, value) = row.trim().split_once(char::is_whitespace)?;
        let value: Value = serde_json::from_str(value.trim()).ok()?;
        (SAMPLING.contains(&name) && value.is_number()).then(|| (name.to_owned(), value))
    });
    rows.collect()
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
        let listed: Listed = serde_json::from_value(json!({"name": "new", "capabilities": ["completion"]})).unwrap();
        let card = card(listed);
        assert_eq!((card.tools, card.thinking), (None, Some(false)), "its own page may say that it has tools");
    }
}
