//! Ollama's JSON: what we send and what comes back.
//!
//! Forgives on the way in (nulls and missing fields everywhere, unknown ones ignored) and is exact on the way out.

use crate::http::json;
use agent_protocol::{ChatRequest, Message, ModelCall, Role, Think, ToolSpec, Usage};
use bytes::Bytes;
use ollama_rs::generation::chat::MessageRole;
use ollama_rs::generation::parameters::KeepAlive;
use ollama_rs::generation::tools::{ToolFunctionInfo, ToolInfo, ToolType};
use ollama_rs::models::pull::PullModelStatus;
use serde::de::{IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::fmt;

/// The body of a chat request. `truncate:false` makes an overflow an error with figures instead of a silent loss of the
/// oldest messages; `shift:false` lets a reply end at the window's end instead of eating the prompt. Both are sent
/// always, as a change of `shift` would load the model again.
pub(super) fn chat_body(request: &ChatRequest) -> Bytes {
    written(&ChatBody::of(request))
}

/// A request that only loads the model, with the options of `request`: without messages nothing is generated.
pub(super) fn load_body(request: &ChatRequest) -> Bytes {
    let body = ChatBody { messages: Vec::new(), tools: Vec::new(), format: None, think: None, ..ChatBody::of(request) };
    written(&body)
}

/// The same as a chat, but the server only tells the text it would give to the model. One that does not know the field
/// replies to it, with tools in silence to the end: so at most one token is asked for. That loads nothing again, as
/// `num_predict` is not among what a model is loaded with.
pub(super) fn render_body(request: &ChatRequest) -> Bytes {
    let options = options(request, Some(1));
    written(&ChatBody { options, render_only: Some(true), ..ChatBody::of(request) })
}

/// Takes the model out of memory once nobody uses it.
pub(super) fn unload_body(model: &str) -> Bytes {
    serde_json::json!({ "model": model, "messages": [], "keep_alive": 0 }).to_string().into()
}

fn written(body: &ChatBody<'_>) -> Bytes {
    serde_json::to_vec(body).expect("all keys are strings and nothing in it can fail to be written").into()
}

#[derive(Serialize)]
struct ChatBody<'a> {
    model: &'a str,
    messages: Vec<WireMessage<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<ToolInfo>,
    stream: bool,
    truncate: bool,
    shift: bool,
    options: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    keep_alive: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<&'a Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    think: Option<Value>,
    #[serde(rename = "_debug_render_only", skip_serializing_if = "Option::is_none")]
    render_only: Option<bool>,
}

impl<'a> ChatBody<'a> {
    fn of(request: &'a ChatRequest) -> Self {
        ChatBody {
            model: &request.model,
            messages: request.messages.iter().map(WireMessage::from).collect(),
            tools: request.tools.iter().map(tool_info).collect(),
            stream: true,
            truncate: false,
            shift: false,
            options: options(request, request.max_reply_tokens),
            keep_alive: request.keep_alive.as_deref().map(keep_alive),
            format: request.format.as_ref(),
            think: request.think.map(think),
            render_only: None,
        }
    }
}

#[derive(Serialize)]
struct WireMessage<'a> {
    role: MessageRole,
    content: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<CallOut<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<&'a str>,
    /// In bare Base64; a `data:` address is answered with 400.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    images: Vec<&'a str>,
}

#[derive(Serialize)]
struct CallOut<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    function: FunctionOut<'a>,
}

#[derive(Serialize)]
struct FunctionOut<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<u64>,
    name: &'a str,
    arguments: Cow<'a, Value>,
}

impl<'a> From<&'a Message> for WireMessage<'a> {
    fn from(message: &'a Message) -> Self {
        WireMessage {
            role: match message.role {
                Role::System => MessageRole::System,
                Role::User => MessageRole::User,
                Role::Assistant => MessageRole::Assistant,
                Role::Tool => MessageRole::Tool,
            },
            content: &message.content,
            thinking: message.thinking.as_deref(),
            tool_calls: message.calls.iter().map(CallOut::from).collect(),
            tool_name: message.tool_name.as_deref(),
            tool_call_id: message.tool_call_id.as_deref(),
            images: message.images.iter().map(|image| image.base64.as_str()).collect(),
        }
    }
}

impl<'a> From<&'a ModelCall> for CallOut<'a> {
    fn from(call: &'a ModelCall) -> Self {
        // Anything but an object is answered with 400, which would end the conversation for good.
        let arguments = if call.arguments.is_object() {
            Cow::Borrowed(&call.arguments)
        } else {
            Cow::Owned(Value::Object(Map::new()))
        };
        CallOut {
            id: call.server_id.as_deref(),
            function: FunctionOut { index: call.index, name: &call.name, arguments },
        }
    }
}

fn tool_info(spec: &ToolSpec) -> ToolInfo {
    let no_parameters = || {
        let schema = serde_json::json!({"type": "object", "properties": {}});
        serde_json::from_value(schema).expect("an object is a schema")
    };
    ToolInfo {
        tool_type: ToolType::Function,
        function: ToolFunctionInfo {
            name: spec.name.clone(),
            description: spec.description.clone(),
            parameters: serde_json::from_value(spec.parameters.clone()).unwrap_or_else(|_| no_parameters()),
        },
    }
}

/// The window first, then what the user set as they gave it, also what is of a wrong type: the server's words for it
/// are better than ours. `ollama-rs` would put those it has no field for in another order each time.
fn options(request: &ChatRequest, max_reply_tokens: Option<u64>) -> Map<String, Value> {
    let mut options = Map::from_iter([("num_ctx".to_owned(), request.window.into())]);
    let further = request.options.iter().filter(|(name, _)| *name != "num_ctx");
    options.extend(further.map(|(name, value)| (name.clone(), value.clone())));
    options.extend(max_reply_tokens.map(|tokens| ("num_predict".to_owned(), tokens.into())));
    options
}

/// The server reads plain numbers as seconds and refuses them as text.
fn keep_alive(text: &str) -> Value {
    let known = serde_json::from_value::<KeepAlive>(Value::from(text)).ok();
    known
        .and_then(|known| serde_json::to_value(known).ok())
        .or_else(|| text.parse::<i64>().ok().map(Value::from))
        .unwrap_or_else(|| Value::from(text))
}

/// `ollama-rs` has no word for `max`, so none of its words are used.
fn think(think: Think) -> Value {
    match think {
        Think::Off => Value::Bool(false),
        Think::On => Value::Bool(true),
        Think::Low => "low".into(),
        Think::Medium => "medium".into(),
        Think::High => "high".into(),
        Think::Max => "max".into(),
    }
}

/// One line of a reply.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Line {
    pub(super) message: Option<MessageIn>,
    pub(super) done: Option<bool>,
    pub(super) done_reason: Option<String>,
    pub(super) error: Option<Value>,
    #[serde(deserialize_with = "count")]
    prompt_eval_count: Option<u64>,
    #[serde(deserialize_with = "count")]
    eval_count: Option<u64>,
    #[serde(deserialize_with = "count")]
    load_duration: Option<u64>,
    #[serde(deserialize_with = "count")]
    prompt_eval_duration: Option<u64>,
    #[serde(deserialize_with = "count")]
    eval_duration: Option<u64>,
    #[serde(deserialize_with = "count")]
    total_duration: Option<u64>,
}

impl Line {
    /// The counts; the server leaves out those that are 0.
    pub(super) fn usage(&self) -> Usage {
        Usage {
            prompt_tokens: self.prompt_eval_count,
            cached_tokens: None,
            reply_tokens: self.eval_count,
            load_ns: self.load_duration,
            prompt_ns: self.prompt_eval_duration,
            reply_ns: self.eval_duration,
            total_ns: self.total_duration,
        }
    }
}

/// The `message` of a line.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct MessageIn {
    pub(super) content: Option<String>,
    pub(super) thinking: Option<String>,
    pub(super) tool_calls: Option<Vec<CallIn>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct CallIn {
    id: Option<String>,
    function: Option<FunctionIn>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct FunctionIn {
    index: Option<u64>,
    name: Option<String>,
    arguments: Value,
}

impl From<CallIn> for ModelCall {
    fn from(call: CallIn) -> Self {
        let function = call.function.unwrap_or_default();
        ModelCall {
            server_id: call.id.filter(|id| !id.is_empty()),
            index: function.index,
            name: function.name.unwrap_or_default(),
            arguments: object_inside(function.arguments),
        }
    }
}

/// Some gateways send the arguments as JSON inside a string.
fn object_inside(arguments: Value) -> Value {
    let Value::String(text) = &arguments else { return arguments };
    match json::read::<Value>(text.as_bytes(), json::PIECES) {
        Some(object @ Value::Object(_)) => object,
        _ => arguments,
    }
}

/// A count that is not one is as good as missing, and no reason to lose the line.
fn count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    Ok(Value::deserialize(deserializer)?.as_u64())
}

/// The answer of `/api/tags` and `/api/ps`.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Models {
    #[serde(deserialize_with = "some_models")]
    pub(super) models: Option<Vec<Listed>>,
}

/// So many models are kept of a list: more than anybody has, and few enough to search while typing.
pub(super) const MODELS_KEPT: usize = 5_000;

/// The longest name that is kept. One that was cut would name another model, so longer ones are left out.
const NAME_LIMIT: usize = 300;

/// The models of a list as far as they are kept; what follows is read past.
fn some_models<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<Listed>>, D::Error> {
    struct Kept;
    impl<'de> Visitor<'de> for Kept {
        type Value = Option<Vec<Listed>>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list of models")
        }

        fn visit_unit<E>(self) -> Result<Self::Value, E> {
            Ok(None)
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
            let mut kept: Vec<Listed> = Vec::new();
            while kept.len() < MODELS_KEPT {
                match list.next_element::<Listed>()? {
                    Some(listed) if listed.name().len() <= NAME_LIMIT => kept.push(listed),
                    Some(_) => {}
                    None => return Ok(Some(kept)),
                }
            }
            while list.next_element::<IgnoredAny>()?.is_some() {}
            Ok(Some(kept))
        }
    }
    deserializer.deserialize_any(Kept)
}

/// One model in such a list.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Listed {
    pub(super) name: Option<String>,
    pub(super) model: Option<String>,
    #[serde(deserialize_with = "count")]
    pub(super) size: Option<u64>,
    #[serde(deserialize_with = "count")]
    pub(super) size_vram: Option<u64>,
    #[serde(deserialize_with = "count")]
    pub(super) context_length: Option<u64>,
    pub(super) digest: Option<String>,
    pub(super) details: Option<Details>,
    pub(super) capabilities: Option<Vec<String>>,
    pub(super) remote_model: Option<String>,
    pub(super) remote_host: Option<String>,
}

/// The answer of `/api/show`, as far as it is of use.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Shown {
    pub(super) parameters: Option<String>,
    pub(super) model_info: Option<Map<String, Value>>,
    pub(super) capabilities: Option<Vec<String>>,
    pub(super) remote_model: Option<String>,
    pub(super) remote_host: Option<String>,
}

impl Listed {
    /// Its name; older servers give only one of the two.
    pub(super) fn name(&self) -> &str {
        self.name.as_deref().or(self.model.as_deref()).unwrap_or_default()
    }
}

/// Where a cloud model runs, as a person would name it; `None` for a model that runs where the server is.
///
/// Source: `ListModelResponse` and `ShowResponse` in `api/types.go` of Ollama.
pub(super) fn remote_host(host: Option<&str>, model: Option<&str>) -> Option<String> {
    let said = |text: &&str| !text.is_empty();
    let host = host.filter(said).map(|host| {
        let name = host.strip_prefix("https://").unwrap_or(host).trim_end_matches('/');
        name.strip_suffix(":443").unwrap_or(name).to_owned()
    });
    host.or_else(|| model.filter(said).map(|_| "another machine".to_owned()))
}

/// What a list says of the model itself.
#[derive(Debug, Default, Clone, Deserialize)]
#[serde(default)]
pub(super) struct Details {
    pub(super) family: Option<String>,
    pub(super) parameter_size: Option<String>,
    pub(super) quantization_level: Option<String>,
    #[serde(deserialize_with = "count")]
    pub(super) context_length: Option<u64>,
}

/// The answer to a request that only asks what the model would be given.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct RenderedIn {
    pub(super) error: Option<Value>,
    #[serde(rename = "_debug_info")]
    pub(super) debug: Option<DebugIn>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct DebugIn {
    pub(super) rendered_template: Option<String>,
}

/// The answer of `/api/version`.
#[derive(Debug, Deserialize)]
pub(super) struct Version {
    pub(super) version: String,
}

/// One line of a download: how far it is, or what went wrong.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum PullLine {
    Error { error: Value },
    Status(PullModelStatus),
}
