//! The pages on which servers of this kind tell of themselves. Forgiving: whatever else stands there is passed over.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Listed {
    #[serde(deserialize_with = "models")]
    pub(super) data: Vec<ListedModel>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ListedModel {
    pub(super) id: String,
    #[serde(deserialize_with = "maybe_many")]
    pub(super) aliases: Vec<String>,
    #[serde(deserialize_with = "maybe")]
    pub(super) owned_by: Option<String>,
    /// vLLM, SGLang: the window of every request.
    #[serde(deserialize_with = "maybe")]
    pub(super) max_model_len: Option<u64>,
    /// TabbyAPI, of the model that is loaded.
    #[serde(deserialize_with = "maybe")]
    pub(super) parameters: Option<Parameters>,
    #[serde(deserialize_with = "maybe")]
    pub(super) meta: Option<Meta>,
    /// LM Studio: `llm`, `vlm` or `embeddings`.
    #[serde(rename = "type", deserialize_with = "maybe")]
    pub(super) kind: Option<String>,
    #[serde(deserialize_with = "maybe")]
    pub(super) arch: Option<String>,
    #[serde(deserialize_with = "maybe")]
    pub(super) quantization: Option<String>,
    #[serde(deserialize_with = "maybe")]
    pub(super) state: Option<String>,
    #[serde(deserialize_with = "maybe")]
    pub(super) loaded_context_length: Option<u64>,
    #[serde(deserialize_with = "maybe")]
    pub(super) max_context_length: Option<u64>,
    #[serde(deserialize_with = "maybe")]
    pub(super) capabilities: Option<Vec<String>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Meta {
    #[serde(deserialize_with = "maybe")]
    pub(super) n_ctx: Option<u64>,
    #[serde(deserialize_with = "maybe")]
    pub(super) n_ctx_train: Option<u64>,
    #[serde(deserialize_with = "maybe")]
    pub(super) n_params: Option<u64>,
    #[serde(deserialize_with = "maybe")]
    pub(super) size: Option<u64>,
    #[serde(deserialize_with = "maybe")]
    pub(super) ftype: Option<String>,
}

/// Source: `endpoints/core/types/model.py` of TabbyAPI.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Parameters {
    #[serde(deserialize_with = "maybe")]
    pub(super) max_seq_len: Option<u64>,
}

/// Source: `/props` of llama.cpp's server, seen.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Props {
    #[serde(deserialize_with = "maybe")]
    pub(super) total_slots: Option<u64>,
    #[serde(deserialize_with = "maybe")]
    pub(super) default_generation_settings: Option<Generation>,
    #[serde(deserialize_with = "maybe")]
    pub(super) modalities: Option<Modalities>,
    #[serde(deserialize_with = "maybe")]
    pub(super) build_info: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Generation {
    #[serde(deserialize_with = "maybe")]
    pub(super) n_ctx: Option<u64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Modalities {
    #[serde(deserialize_with = "maybe")]
    pub(super) vision: Option<bool>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Versioned {
    #[serde(deserialize_with = "maybe")]
    pub(super) version: Option<String>,
}

/// SGLang's settings, flat beside its version.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct ServerInfo {
    #[serde(deserialize_with = "maybe")]
    pub(super) version: Option<String>,
    #[serde(deserialize_with = "maybe")]
    pub(super) max_running_requests: Option<u64>,
}

/// llama-swap's page of what runs.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Running {
    #[serde(deserialize_with = "maybe_many")]
    pub(super) running: Vec<RunningModel>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct RunningModel {
    pub(super) model: String,
    /// `ready` when it answers.
    #[serde(deserialize_with = "maybe")]
    pub(super) state: Option<String>,
}

/// LocalAI's page of itself; of what is in it only the form counts.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct SystemInfo {
    pub(super) backends: Value,
    pub(super) loaded_models: Value,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct GatewayModels {
    #[serde(deserialize_with = "maybe_many")]
    pub(super) data: Vec<GatewayModel>,
}

/// A name of the gateway and what its configuration says of it; everything may be null (seen with 1.108.7).
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct GatewayModel {
    pub(super) model_name: String,
    #[serde(deserialize_with = "maybe")]
    pub(super) model_info: Option<GatewayInfo>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct GatewayInfo {
    #[serde(deserialize_with = "maybe")]
    pub(super) max_input_tokens: Option<u64>,
    #[serde(deserialize_with = "maybe")]
    pub(super) supports_vision: Option<bool>,
    #[serde(deserialize_with = "maybe")]
    pub(super) supports_function_calling: Option<bool>,
}

/// The models that can be read; one that cannot is passed over, and so is a list that is none.
fn models<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<ListedModel>, D::Error> {
    let Value::Array(listed) = Value::deserialize(deserializer)? else { return Ok(Vec::new()) };
    let read = listed.into_iter().filter_map(|model| serde_json::from_value::<ListedModel>(model).ok());
    Ok(read.filter(|model| !model.id.is_empty()).collect())
}

/// What has another form than expected is as good as missing: products give one name to different things (`capabilities` is a
/// list in LM Studio and an object in llama-swap).
fn maybe<'de, D: Deserializer<'de>, T: DeserializeOwned>(deserializer: D) -> Result<Option<T>, D::Error> {
    Ok(serde_json::from_value(Value::deserialize(deserializer)?).ok())
}

fn maybe_many<'de, D: Deserializer<'de>, T: DeserializeOwned>(deserializer: D) -> Result<Vec<T>, D::Error> {
    Ok(maybe::<D, Vec<T>>(deserializer)?.unwrap_or_default())
}
