//! What a server of this kind tells of itself: which product it is, which models it has, and how large their windows are.
//!
//! Every product answers the list of models in its own way, and some have a page of their own beside it. A page that is not
//! there, or says something else, is no failure: less is known then.
//!
//! Sources: llama.cpp's `tools/server` (seen with a real one: `/props`, `meta` of its list), vLLM's and SGLang's
//! `/v1/models` (`owned_by`, `max_model_len`), LM Studio's REST API v0 (`state`, `loaded_context_length`), TabbyAPI's
//! `/v1/model` (`parameters`), llama-swap's `/running` and `/upstream/MODEL` (its README and
//! `proxymanager.go`), LiteLLM's `/model/info` (seen with a real one), LocalAI's `/system` and `/version` (its reference).

use super::listed::{GatewayModels, Listed, ListedModel, Props, Running, ServerInfo, SystemInfo, Versioned};
use crate::http::json::{LISTED_PIECES, PIECES};
use crate::http::server::Server;
use crate::owners::Owner;
use agent_protocol::{LoadedModel, ModelCard, ServerError};

/// Where Ollama's cloud models run.
const OLLAMA_CLOUD: &str = "ollama.com";

/// A server and its models.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Survey {
    /// What the product is called.
    pub(super) product: String,
    /// Its version, where it tells one.
    pub(super) version: String,
    /// What a person changes where it runs for a larger window, where that is known.
    pub(super) window_setting: Option<&'static str>,
    /// Requests that it works on at once, where it tells.
    pub(super) slots: Option<u64>,
    /// It tells how far it has read a prompt, where it is asked to.
    pub(super) tells_progress: bool,
    /// Its models, in its own order.
    pub(super) models: Vec<Surveyed>,
}

/// A model, and how it lies in memory where the server tells.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Surveyed {
    pub(super) card: ModelCard,
    /// Other names that mean it.
    aliases: Vec<String>,
    /// Tokens that the server gives it, whatever is asked for; `None`: the server does not say.
    pub(super) window: Option<u64>,
}

impl Survey {
    /// The model of this name.
    pub(super) fn model(&self, name: &str) -> Option<&Surveyed> {
        let is_called = |model: &&Surveyed| model.card.name == name || model.aliases.iter().any(|alias| alias == name);
        self.models.iter().find(is_called)
    }

    /// The models of which the server tells how large their window is.
    pub(super) fn loaded(&self) -> Vec<LoadedModel> {
        let in_memory = self.models.iter().filter(|model| model.window.is_some());
        let loaded = in_memory.map(|model| LoadedModel {
            name: model.card.name.clone(),
            digest: model.card.digest.clone(),
            size_bytes: model.card.size_bytes,
            context_length: model.window,
            ..LoadedModel::default()
        });
        loaded.collect()
    }
}

/// Asks the server at the address of its `/v1` for all that it tells.
///
/// # Errors
/// Its list of models cannot be had.
pub(super) async fn survey(server: &Server) -> Result<Survey, ServerError> {
    let listed: Listed = server.get("models", LISTED_PIECES).await?;
    let owner = listed.data.iter().find_map(|model| model.owned_by.clone()).unwrap_or_default();
    let known = listed.data.iter().find_map(|model| Owner::of(model.owned_by.as_deref()?));
    let mut survey = Survey { models: listed.data.into_iter().map(surveyed).collect(), ..Survey::default() };
    survey.product = known.map_or("OpenAI-compatible server", Owner::product).to_owned();
    match known {
        Some(Owner::LlamaCpp) => of_llama_cpp(server, &mut survey).await,
        Some(Owner::Vllm) => of_vllm(server, &mut survey).await,
        Some(Owner::Sglang) => of_sglang(server, &mut survey).await,
        Some(Owner::Tabby) => of_tabby(server, &mut survey).await,
        Some(Owner::LlamaSwap) => of_llama_swap(server, &mut survey).await,
        Some(Owner::Ollama) => of_ollama(&mut survey),
        None if owner == "openai" && of_litellm(server, &mut survey).await => {}
        None if of_lm_studio(server, &mut survey).await => {}
        None => of_local_ai(server, &mut survey).await,
    }
    let address = server.shown().to_owned();
    survey.models.iter_mut().for_each(|model| model.card.digest = Some(identity(&address, model)));
    Ok(survey)
}

/// What stands for the digest that such a server has none of: another model, window or size is another identity.
fn identity(address: &str, model: &Surveyed) -> String {
    let figure = |figure: Option<u64>| figure.map_or_else(|| "?".to_owned(), |figure| figure.to_string());
    format!("{address} {} {} {}", model.card.name, figure(model.window), figure(model.card.size_bytes))
}

/// An Ollama whose own API is out of reach tells no more here than its list: only a name's ending says that the model runs
/// elsewhere.
fn of_ollama(survey: &mut Survey) {
    let far = |name: &str| name.ends_with("-cloud") || name.ends_with(":cloud");
    for model in survey.models.iter_mut().filter(|model| far(&model.card.name)) {
        model.card.remote_host = Some(OLLAMA_CLOUD.to_owned());
    }
}

/// One model at a time, in as many slots as it was started with; each has the window that is told.
async fn of_llama_cpp(server: &Server, survey: &mut Survey) {
    survey.window_setting = Some("--ctx-size");
    survey.tells_progress = true;
    let Ok(props) = server.get_beside::<Props>("props", PIECES).await else { return };
    survey.version = props.build_info.unwrap_or_default();
    survey.slots = props.total_slots;
    let window = props.default_generation_settings.unwrap_or_default().n_ctx;
    for model in &mut survey.models {
        model.window = window.or(model.window);
        model.card.vision = props.modalities.as_ref().and_then(|modalities| modalities.vision);
    }
}

async fn of_vllm(server: &Server, survey: &mut Survey) {
    survey.window_setting = Some("--max-model-len");
    let told = server.get_beside::<Versioned>("version", PIECES).await;
    survey.version = told.ok().and_then(|told| told.version).unwrap_or_default();
}

/// The page was renamed in 2026 (sgl-project/sglang#21463).
async fn of_sglang(server: &Server, survey: &mut Survey) {
    survey.window_setting = Some("--context-length");
    let told = match server.get_beside::<ServerInfo>("server_info", PIECES).await {
        Ok(told) => told,
        Err(_) => server.get_beside::<ServerInfo>("get_server_info", PIECES).await.unwrap_or_default(),
    };
    survey.version = told.version.unwrap_or_default();
    survey.slots = told.max_running_requests;
}

/// Its list names what lies in its folder; another page tells of the one that is loaded.
async fn of_tabby(server: &Server, survey: &mut Survey) {
    survey.window_setting = Some("max_seq_len");
    let Ok(loaded) = server.get::<ListedModel>("model", PIECES).await else { return };
    let loaded = surveyed(loaded);
    match survey.models.iter_mut().find(|model| model.card.name == loaded.card.name) {
        Some(model) => model.window = loaded.window,
        None if loaded.card.name.is_empty() => {}
        None => survey.models.insert(0, loaded),
    }
}

/// It starts a server for each model when it is asked for. What runs is asked through it: asking another would start that.
async fn of_llama_swap(server: &Server, survey: &mut Survey) {
    survey.window_setting = Some("--ctx-size in its configuration");
    let Ok(told) = server.get_beside::<Running>("running", LISTED_PIECES).await else { return };
    for model in &mut survey.models {
        let name = &model.card.name;
        let is_plain = name.chars().all(|letter| letter.is_ascii_alphanumeric() || "._-:/".contains(letter));
        let runs = told.running.iter().any(|one| one.model == *name && one.state.as_deref() == Some("ready"));
        if !runs || !is_plain {
            continue;
        }
        if let Ok(props) = server.get_beside::<Props>(&format!("upstream/{name}/props"), PIECES).await {
            model.window = props.default_generation_settings.unwrap_or_default().n_ctx;
            model.card.vision = props.modalities.and_then(|modalities| modalities.vision);
        }
    }
}

/// A gateway, which says that everything is OpenAI's. What it tells of a window is what its configuration says.
async fn of_litellm(server: &Server, survey: &mut Survey) -> bool {
    let Ok(told) = server.get_beside::<GatewayModels>("model/info", LISTED_PIECES).await else { return false };
    let known = |model: &Surveyed| told.data.iter().find(|known| known.model_name == model.card.name);
    if !survey.models.iter().any(|model| known(model).is_some()) {
        return false;
    }
    survey.product = "LiteLLM".to_owned();
    for model in &mut survey.models {
        let Some(info) = known(model).and_then(|known| known.model_info.as_ref()) else { continue };
        model.window = info.max_input_tokens;
        model.card.vision = info.supports_vision;
        model.card.tools = info.supports_function_calling;
    }
    true
}

/// Its own list says which models are loaded, and with which window; any other server has no such list.
async fn of_lm_studio(server: &Server, survey: &mut Survey) -> bool {
    let Ok(listed) = server.get_beside::<Listed>("api/v0/models", LISTED_PIECES).await else { return false };
    if listed.data.iter().all(|model| model.state.is_none()) {
        return false;
    }
    survey.product = "LM Studio".to_owned();
    survey.window_setting = Some("context length of the model");
    let chats = listed.data.into_iter().filter(|model| model.kind.as_deref() != Some("embeddings"));
    survey.models = chats.map(surveyed).collect();
    true
}

/// Its list says nothing of it, but a page of its own does; windows it does not tell.
async fn of_local_ai(server: &Server, survey: &mut Survey) {
    let Ok(told) = server.get_beside::<SystemInfo>("system", LISTED_PIECES).await else { return };
    if !told.backends.is_array() || !told.loaded_models.is_array() {
        return;
    }
    survey.product = "LocalAI".to_owned();
    survey.window_setting = Some("context_size of the model");
    let told = server.get_beside::<Versioned>("version", PIECES).await;
    survey.version = told.ok().and_then(|told| told.version).unwrap_or_default();
}

fn surveyed(listed: ListedModel) -> Surveyed {
    let meta = listed.meta.unwrap_or_default();
    let is_loaded = listed.state.as_deref() == Some("loaded");
    let capabilities = listed.capabilities;
    let of_tabby = listed.parameters.and_then(|parameters| parameters.max_seq_len);
    Surveyed {
        window: listed.max_model_len.or(meta.n_ctx).or(of_tabby).or(listed.loaded_context_length.filter(|_| is_loaded)),
        aliases: listed.aliases,
        card: ModelCard {
            name: listed.id,
            size_bytes: meta.size,
            context_length: meta.n_ctx_train.or(listed.max_context_length).or(listed.max_model_len),
            parameter_size: meta.n_params.map(in_letters),
            quantization: listed.quantization.or(meta.ftype).filter(|text| !text.is_empty()),
            family: listed.arch.filter(|text| !text.is_empty()),
            tools: capabilities.as_ref().map(|all| all.iter().any(|one| one == "tool_use")),
            vision: (listed.kind.as_deref() == Some("vlm")).then_some(true),
            ..ModelCard::default()
        },
    }
}

/// A number of parameters as people write it: `1.5B`, `24B`, `135M`.
fn in_letters(parameters: u64) -> String {
    let of = |unit: u64, letter: char| {
        let tenths = parameters.saturating_add(unit / 20) / (unit / 10);
        match (tenths / 10, tenths % 10) {
            (whole, 0) => format!("{whole}{letter}"),
            (whole, tenth) if whole >= 100 => format!("{}{letter}", whole + u64::from(tenth >= 5)),
            (whole, tenth) => format!("{whole}.{tenth}{letter}"),
        }
    };
    if parameters >= 1_000_000_000 { of(1_000_000_000, 'B') } else { of(1_000_000, 'M') }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn read(model: Value) -> Surveyed {
        surveyed(serde_json::from_value(model).unwrap())
    }

    #[test]
    fn llama_cpp_tells_window_size_and_parameters() {
        let told = read(json!({"id": "tiny.gguf", "aliases": ["tiny"], "owned_by": "llamacpp", "meta": {"n_ctx": 4096,
            "n_ctx_train": 32768, "n_params": 1_041_536, "size": 4_166_144, "ftype": "all F32"}}));
        assert_eq!((told.window, told.card.context_length), (Some(4096), Some(32768)));
        assert_eq!(told.card.parameter_size.as_deref(), Some("1M"));
        assert_eq!(told.card.quantization.as_deref(), Some("all F32"));
        let survey = Survey { models: vec![told], ..Survey::default() };
        assert!(survey.model("tiny").is_some() && survey.model("other").is_none());
    }

    #[test]
    fn lm_studio_tells_the_window_of_what_is_loaded() {
        let model = |state: &str| {
            read(json!({"id": "qwen", "type": "vlm", "arch": "qwen2_vl", "quantization": "4bit", "state": state,
                "max_context_length": 32768, "loaded_context_length": 8192, "capabilities": ["tool_use"]}))
        };
        let loaded = model("loaded");
        assert_eq!((loaded.window, loaded.card.context_length), (Some(8192), Some(32768)));
        assert_eq!((loaded.card.tools, loaded.card.vision), (Some(true), Some(true)));
        assert_eq!(model("not-loaded").window, None);
    }

    #[test]
    fn models_of_ollamas_cloud_are_known_by_how_their_names_end() {
        let names = ["gpt-oss:120b-cloud", "glm-4.6:cloud", "cloud-coder:7b", "qwen3:8b"];
        let models = names.map(|name| read(json!({"id": name, "owned_by": "library"}))).to_vec();
        let mut survey = Survey { models, ..Survey::default() };
        of_ollama(&mut survey);
        let far: Vec<bool> = survey.models.iter().map(|model| model.card.remote_host.is_some()).collect();
        assert_eq!(far, [true, true, false, false]);
    }

    #[test]
    fn parameters_are_written_as_people_write_them() {
        let numbers = [1_540_000_000, 24_000_000_000, 134_515_008, 999_960_000, 1_777_088_000, 30_532_122_624];
        assert_eq!(numbers.map(in_letters), ["1.5B", "24B", "135M", "1000M", "1.8B", "30.5B"]);
    }

    #[test]
    fn a_list_of_something_else_is_empty() {
        for odd in [json!({}), json!({"data": null}), json!({"data": [1, {"id": 7}, {"name": "x"}]})] {
            let listed: Listed = serde_json::from_value(odd).unwrap();
            assert!(listed.data.is_empty());
        }
    }
}
