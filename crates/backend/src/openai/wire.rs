//! The JSON of `/v1/chat/completions`: what we send and what comes back.
//!
//! Forgives on the way in (nulls and missing fields everywhere, unknown ones ignored) and is exact on the way out: the same
//! conversation is written to the same bytes, so that a server's prompt cache matches.

use crate::http::json;
use agent_protocol::{ChatRequest, Image, Message, ModelCall, Phase, Role, Think, ToolSpec, Usage};
use bytes::Bytes;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value, json};
use std::borrow::Cow;

/// The body of a request for one reply. Counts are asked for in the stream, where servers leave them out otherwise.
pub(super) fn chat_body(request: &ChatRequest, progress: Progress) -> Bytes {
    let body = body(request, progress);
    serde_json::to_vec(&body).expect("all keys are strings and nothing in it can fail to be written").into()
}

/// Does the server tell how far it has read a prompt, where it is asked to? One that does not know the field may refuse it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    Told,
    NotTold,
}

fn body(request: &ChatRequest, progress: Progress) -> Value {
    let mut body = Map::new();
    body.insert("model".into(), request.model.as_str().into());
    body.insert("messages".into(), messages(&request.messages));
    if !request.tools.is_empty() {
        body.insert("tools".into(), request.tools.iter().map(tool).collect());
    }
    body.insert("stream".into(), true.into());
    body.insert("stream_options".into(), json!({ "include_usage": true }));
    if progress == Progress::Told {
        body.insert("return_progress".into(), true.into());
    }
    if let Some(tokens) = request.max_reply_tokens {
        body.insert("max_tokens".into(), tokens.into());
    }
    if let Some(schema) = &request.format {
        body.insert("response_format".into(), format(schema));
    }
    if let Some(think) = request.think {
        body.extend(thinking(think));
    }
    // What the user set wins: they know their server.
    body.extend(request.options.clone());
    Value::Object(body)
}

/// All messages. A call that came without an id gets one by its place, which its result repeats: servers of this kind want
/// both to agree.
fn messages(messages: &[Message]) -> Value {
    let mut open: Vec<Cow<'_, str>> = Vec::new();
    let mut written = Vec::with_capacity(messages.len());
    for (at, message) in messages.iter().enumerate() {
        match message.role {
            Role::Assistant => {
                open = message.calls.iter().enumerate().map(|(number, call)| id_of(call, at, number)).collect();
                written.push(reply(message, &open));
                open.reverse();
            }
            Role::Tool => {
                let answered = message.tool_call_id.as_deref().map(Cow::Borrowed);
                let next = open.pop();
                written.push(result(message, answered.or(next)));
            }
            Role::System => written.push(json!({ "role": "system", "content": message.content.as_str() })),
            Role::User => written.push(json!({ "role": "user", "content": content(message) })),
        }
    }
    Value::Array(written)
}

fn id_of(call: &ModelCall, message: usize, number: usize) -> Cow<'_, str> {
    call.server_id.as_deref().map_or_else(|| Cow::Owned(format!("call_{message}_{number}")), Cow::Borrowed)
}

fn reply(message: &Message, ids: &[Cow<'_, str>]) -> Value {
    let mut written = Map::new();
    written.insert("role".into(), "assistant".into());
    written.insert("content".into(), message.content.as_str().into());
    if let Some(thinking) = &message.thinking {
        written.insert("reasoning_content".into(), thinking.as_str().into());
    }
    if !message.calls.is_empty() {
        let calls = message.calls.iter().zip(ids).map(|(call, id)| call_out(call, id));
        written.insert("tool_calls".into(), calls.collect());
    }
    Value::Object(written)
}

/// Arguments are JSON inside a string here; anything but an object would be refused, which would end the conversation for
/// good.
fn call_out(call: &ModelCall, id: &str) -> Value {
    let arguments = if call.arguments.is_object() { call.arguments.to_string() } else { "{}".to_owned() };
    json!({ "id": id, "type": "function", "function": { "name": call.name, "arguments": arguments } })
}

fn result(message: &Message, id: Option<Cow<'_, str>>) -> Value {
    let mut written = Map::new();
    written.insert("role".into(), "tool".into());
    if let Some(id) = id {
        written.insert("tool_call_id".into(), id.into());
    }
    written.insert("content".into(), content(message));
    Value::Object(written)
}

/// The text alone, or with its pictures as parts.
fn content(message: &Message) -> Value {
    if message.images.is_empty() {
        return message.content.as_str().into();
    }
    let text = json!({ "type": "text", "text": message.content.as_str() });
    std::iter::once(text).chain(message.images.iter().map(picture)).collect()
}

fn picture(image: &Image) -> Value {
    json!({ "type": "image_url", "image_url": { "url": format!("data:{};base64,{}", image.mime, image.base64) } })
}

fn tool(spec: &ToolSpec) -> Value {
    let parameters = match &spec.parameters {
        Value::Object(_) => spec.parameters.clone(),
        _ => json!({ "type": "object", "properties": {} }),
    };
    json!({
        "type": "function",
        "function": { "name": spec.name, "description": spec.description, "parameters": parameters },
    })
}

/// `"json"` asks for any JSON, an object is a schema.
fn format(format: &Value) -> Value {
    match format {
        Value::Object(_) => {
            json!({ "type": "json_schema", "json_schema": { "name": "reply", "strict": true, "schema": format } })
        }
        _ => json!({ "type": "json_object" }),
    }
}

/// Templates are told by `enable_thinking` (Qwen and others, in vLLM, SGLang and llama.cpp), models with steps by
/// `reasoning_effort`; a server that knows neither passes over both.
fn thinking(think: Think) -> Vec<(String, Value)> {
    let effort = |word: &str| ("reasoning_effort".to_owned(), Value::from(word));
    let template = |on: bool| ("chat_template_kwargs".to_owned(), json!({ "enable_thinking": on }));
    match think {
        Think::Off => vec![template(false)],
        Think::On => vec![template(true)],
        Think::Low => vec![effort("low"), template(true)],
        Think::Medium => vec![effort("medium"), template(true)],
        Think::High | Think::Max => vec![effort("high"), template(true)],
    }
}

/// One event of a reply, or a whole reply where the server does not stream.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Chunk {
    pub(super) choices: Option<Vec<Choice>>,
    usage: Option<UsageIn>,
    timings: Option<Timings>,
    pub(super) prompt_progress: Option<PromptProgress>,
    pub(super) error: Option<Value>,
    /// `error` where the rest is the error itself (vLLM).
    object: Option<String>,
    message: Option<Value>,
}

/// What one choice adds; only the first choice is asked for.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Choice {
    delta: Option<Delta>,
    message: Option<Delta>,
    pub(super) finish_reason: Option<String>,
}

impl Choice {
    /// What is said, as a piece or as the whole of it.
    pub(super) fn said(&mut self) -> Delta {
        self.delta.take().or_else(|| self.message.take()).unwrap_or_default()
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Delta {
    #[serde(deserialize_with = "words")]
    pub(super) content: Option<String>,
    #[serde(deserialize_with = "words")]
    reasoning_content: Option<String>,
    #[serde(deserialize_with = "words")]
    reasoning: Option<String>,
    pub(super) tool_calls: Option<Vec<CallPiece>>,
    pub(super) function_call: Option<FunctionPiece>,
}

impl Delta {
    /// Thinking, by whichever of its two names the server uses; some repeat it under both.
    pub(super) fn thinking(&mut self) -> Option<String> {
        let (first, second) = (self.reasoning_content.take(), self.reasoning.take());
        first.filter(|text| !text.is_empty()).or(second).filter(|text| !text.is_empty())
    }
}

/// A piece of a call.
#[derive(Debug, Default, Clone, Deserialize)]
#[serde(default)]
pub(super) struct CallPiece {
    #[serde(deserialize_with = "count")]
    pub(super) index: Option<u64>,
    #[serde(deserialize_with = "words")]
    pub(super) id: Option<String>,
    pub(super) function: Option<FunctionPiece>,
}

/// The name and the arguments of a call, or pieces of them.
#[derive(Debug, Default, Clone, Deserialize)]
#[serde(default)]
pub(super) struct FunctionPiece {
    #[serde(deserialize_with = "words")]
    pub(super) name: Option<String>,
    pub(super) arguments: Value,
}

#[derive(Debug, Default, Clone, Deserialize)]
#[serde(default)]
struct UsageIn {
    #[serde(deserialize_with = "count")]
    prompt_tokens: Option<u64>,
    #[serde(deserialize_with = "count")]
    completion_tokens: Option<u64>,
    prompt_tokens_details: Option<PromptDetails>,
}

#[derive(Debug, Default, Clone, Deserialize)]
#[serde(default)]
struct PromptDetails {
    #[serde(deserialize_with = "count")]
    cached_tokens: Option<u64>,
}

/// llama.cpp's own counts, times in milliseconds.
#[derive(Debug, Default, Clone, Deserialize)]
#[serde(default)]
struct Timings {
    #[serde(deserialize_with = "count")]
    cache_n: Option<u64>,
    #[serde(deserialize_with = "count")]
    prompt_n: Option<u64>,
    #[serde(deserialize_with = "count")]
    predicted_n: Option<u64>,
    #[serde(deserialize_with = "number")]
    prompt_ms: Option<f64>,
    #[serde(deserialize_with = "number")]
    predicted_ms: Option<f64>,
}

/// How far llama.cpp has read a prompt; what it knew counts as read, and takes no time.
///
/// Source: `server_task_result_cmpl_partial` of llama.cpp's server, seen.
#[derive(Debug, Default, Clone, Deserialize)]
#[serde(default)]
pub(super) struct PromptProgress {
    #[serde(deserialize_with = "count")]
    total: Option<u64>,
    #[serde(deserialize_with = "count")]
    cache: Option<u64>,
    #[serde(deserialize_with = "count")]
    processed: Option<u64>,
    #[serde(deserialize_with = "number")]
    time_ms: Option<f64>,
}

impl PromptProgress {
    /// What is to be said of it; `None` where it says nothing.
    pub(super) fn phase(&self) -> Option<Phase> {
        let (of, done) = (self.total?, self.processed?);
        let read = done.saturating_sub(self.cache.unwrap_or(0));
        let left = of.saturating_sub(done) as f64;
        let left_ms = self.time_ms.filter(|ms| *ms > 0.0 && read > 0).map(|ms| (left * ms / read as f64) as u64);
        Some(Phase::ReadingPart { done: done.min(of), of, left_ms })
    }

    /// Is there more to read?
    pub(super) fn goes_on(&self) -> bool {
        self.processed < self.total
    }
}

impl Chunk {
    /// What went wrong, in the server's words or as its object.
    pub(super) fn error(&mut self) -> Option<Value> {
        let told = self.error.take().filter(|error| !error.is_null());
        told.or_else(|| self.message.take().filter(|_| self.object.as_deref() == Some("error")))
    }

    /// Adds the counts that came with this event; later ones are more complete and win.
    pub(super) fn count_in(&self, usage: &mut Usage) {
        if let Some(counts) = &self.usage {
            usage.prompt_tokens = counts.prompt_tokens.or(usage.prompt_tokens);
            usage.reply_tokens = counts.completion_tokens.or(usage.reply_tokens);
            let details = counts.prompt_tokens_details.as_ref();
            usage.cached_tokens = details.and_then(|details| details.cached_tokens).or(usage.cached_tokens);
        }
        if let Some(timings) = &self.timings {
            let whole = timings.prompt_n.map(|read| read.saturating_add(timings.cache_n.unwrap_or(0)));
            usage.prompt_tokens = usage.prompt_tokens.or(whole);
            usage.reply_tokens = usage.reply_tokens.or(timings.predicted_n);
            usage.cached_tokens = timings.cache_n.or(usage.cached_tokens);
            usage.prompt_ns = timings.prompt_ms.map(nanoseconds).or(usage.prompt_ns);
            usage.reply_ns = timings.predicted_ms.map(nanoseconds).or(usage.reply_ns);
        }
    }
}

/// Milliseconds as whole nanoseconds; what is no time is none.
fn nanoseconds(milliseconds: f64) -> u64 {
    if milliseconds.is_finite() && milliseconds > 0.0 { (milliseconds * 1e6) as u64 } else { 0 }
}

/// Text; anything else in its place is as good as missing, and no reason to lose the event. A list of text parts is the text
/// of its parts (Mistral).
fn words<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(match Value::deserialize(deserializer)? {
        Value::String(text) => Some(text),
        Value::Array(parts) => {
            let texts = parts.iter().filter_map(|part| part.get("text").and_then(Value::as_str));
            Some(texts.collect::<String>())
        }
        _ => None,
    })
}

/// A count that is not one is as good as missing.
fn count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    Ok(Value::deserialize(deserializer)?.as_u64())
}

fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    Ok(Value::deserialize(deserializer)?.as_f64())
}

/// Arguments as they were put together: an object where they are one, `null` where there were none, else their text.
pub(super) fn arguments(text: &str) -> Value {
    if text.trim().is_empty() {
        return Value::Null;
    }
    match json::read::<Value>(text.as_bytes(), json::PIECES) {
        Some(object @ Value::Object(_)) => object,
        _ => Value::String(text.to_owned()),
    }
}
