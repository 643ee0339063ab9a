//! A chat request as the server reads it, and what the server says to one that it cannot take.
//!
//! Every check here was seen on a real server, with these status codes and words; what a real server lets pass, passes.

use crate::Model;
use serde_json::{Map, Value};

/// Options with which a model is loaded; a request that wants one of them otherwise loads it again. The window is
/// another.
pub(crate) const OF_THE_RUNNER: [&str; 5] = ["num_batch", "num_gpu", "main_gpu", "use_mmap", "num_thread"];

/// An answer that is not what was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RequestRefusal {
    pub(crate) status: u16,
    pub(crate) message: String,
    /// When the request was refused.
    pub(crate) stage: Stage,
}

/// When a request was refused; the headers tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Before the model was asked.
    Early,
    /// By the model, before its first token.
    Late,
}

impl RequestRefusal {
    pub(crate) fn new(status: u16, message: impl Into<String>) -> Self {
        RequestRefusal { status, message: message.into(), stage: Stage::Early }
    }

    pub(crate) fn late(status: u16, message: impl Into<String>) -> Self {
        RequestRefusal { stage: Stage::Late, ..RequestRefusal::new(status, message) }
    }
}

/// What a request to `/api/chat` wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChatWish {
    Reply,
    /// The model in memory, or out of it: there are no messages.
    Load,
    /// The text that the model would be given.
    Render,
}

impl ChatWish {
    pub(crate) fn of(body: &Value) -> Self {
        let Value::Object(fields) = body else { return ChatWish::Reply };
        match fields.get("messages") {
            None | Some(Value::Null) => ChatWish::Load,
            Some(Value::Array(messages)) if messages.is_empty() => ChatWish::Load,
            _ if body["_debug_render_only"] == true => ChatWish::Render,
            _ => ChatWish::Reply,
        }
    }
}

#[derive(Debug)]
pub(crate) struct Chat {
    pub(crate) model: String,
    pub(crate) messages: Vec<Heard>,
    pub(crate) tools: Vec<Value>,
    pub(crate) streamed: bool,
    pub(crate) truncate: bool,
    pub(crate) shift: Option<bool>,
    pub(crate) keep_alive: Option<Value>,
    /// Counts are to come with the stream, in a language where they do not come by themselves.
    pub(crate) counted: bool,
    think: Value,
    options: Map<String, Value>,
}

/// A message of the request.
#[derive(Debug)]
pub(crate) struct Heard {
    pub(crate) role: String,
    pub(crate) content: String,
    pub(crate) calls: Vec<HeardCall>,
    pub(crate) thinking: String,
    pub(crate) tool_name: Option<String>,
    tool_call_id: Option<String>,
    has_images: bool,
}

/// A call in an assistant message.
#[derive(Debug)]
pub(crate) struct HeardCall {
    pub(crate) name: String,
    pub(crate) arguments: Value,
    id: Option<String>,
}

/// Reads any JSON request, with Go's words for what is wrong with it.
pub(crate) fn read_json(body: &[u8]) -> Result<Value, RequestRefusal> {
    if body.iter().all(u8::is_ascii_whitespace) {
        return Err(RequestRefusal::new(400, "missing request body"));
    }
    serde_json::from_slice(body).map_err(|error| {
        let text = String::from_utf8_lossy(body);
        let found = text.lines().nth(error.line().saturating_sub(1));
        let found = found.and_then(|line| line.chars().nth(error.column().saturating_sub(1)));
        RequestRefusal::new(
            400,
            match found {
                Some(found) if !error.is_eof() => format!("invalid character '{found}' looking for beginning of value"),
                _ => "unexpected EOF".into(),
            },
        )
    })
}

/// The `model` field of any request, or `name` as older clients say.
pub(crate) fn read_name(body: &Value) -> Option<&str> {
    [&body["model"], &body["name"]].into_iter().filter_map(Value::as_str).find(|name| !name.is_empty())
}

/// Could a model have this name?
pub(crate) fn is_possible_name(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || "._-:/".contains(c)) && name.starts_with(char::is_alphanumeric)
}

impl Chat {
    pub(crate) fn read(body: &Value) -> Result<Self, RequestRefusal> {
        let messages = list(&body["messages"], "messages", "[]api.Message")?;
        let messages = messages.iter().map(Heard::read).collect::<Result<_, _>>()?;
        let tools = list(&body["tools"], "tools", "api.Tools")?.to_vec();
        check_think(&body["think"])?;
        check_keep_alive(&body["keep_alive"])?;
        let model = read_name(body).ok_or_else(|| RequestRefusal::new(400, "model is required"))?.to_owned();
        if !is_possible_name(&model) {
            return Err(RequestRefusal::new(400, "invalid model name"));
        }
        let options = body["options"].as_object().cloned().unwrap_or_default();
        Ok(Chat {
            model,
            messages,
            tools,
            streamed: body["stream"].as_bool().unwrap_or(true),
            truncate: body["truncate"].as_bool().unwrap_or(true),
            shift: body["shift"].as_bool(),
            keep_alive: body.get("keep_alive").filter(|value| !value.is_null()).cloned(),
            counted: body["stream_options"]["include_usage"] == true,
            think: body["think"].clone(),
            options,
        })
    }

    /// Can this model take this request?
    pub(crate) fn check_against(&self, model: &Model) -> Result<(), RequestRefusal> {
        if !self.tools.is_empty() && !model.can("tools") {
            let name = Model::full_name(&model.name);
            return Err(RequestRefusal::new(400, format!("registry.ollama.ai/library/{name} does not support tools")));
        }
        let asks_to_think = !matches!(self.think, Value::Null | Value::Bool(false));
        if asks_to_think && !model.can("thinking") {
            return Err(RequestRefusal::new(400, format!("\"{}\" does not support thinking", self.model)));
        }
        for (name, kind) in [("num_ctx", "integer"), ("num_predict", "integer"), ("temperature", "float32")] {
            if self.options.get(name).is_some_and(|value| !value.is_number() && !value.is_null()) {
                return Err(RequestRefusal::new(500, format!("option \"{name}\" must be of type {kind}")));
            }
        }
        if !model.can("vision") && self.messages.iter().any(|message| message.has_images) {
            let words = "Multimodal data provided, but model does not support multimodal requests.";
            let inner = serde_json::json!({"error": {"code": 400, "message": words, "type": "invalid_request_error"}});
            return Err(RequestRefusal::new(400, inner.to_string()));
        }
        Ok(())
    }

    /// A number among the options: the request's, or else the model's own.
    pub(crate) fn number(&self, name: &str, model: &Model) -> Option<f64> {
        self.option(name, model).as_f64()
    }

    /// What the model is to be loaded with, besides its window.
    pub(crate) fn of_the_runner(&self, model: &Model) -> Vec<Value> {
        OF_THE_RUNNER.iter().map(|name| self.option(name, model)).collect()
    }

    fn option(&self, name: &str, model: &Model) -> Value {
        let own = || model.parameters.get(name).cloned();
        self.options.get(name).filter(|value| !value.is_null()).cloned().or_else(own).unwrap_or_default()
    }

    pub(crate) fn person_last(&self) -> Option<&Heard> {
        self.messages.iter().rfind(|message| message.role == "user")
    }

    /// Where the messages begin that came after the user's last.
    pub(crate) fn turn_start(&self) -> usize {
        self.messages.iter().rposition(|message| message.role == "user").map_or(0, |at| at + 1)
    }

    /// What came after the user's last message.
    pub(crate) fn this_turn(&self) -> &[Heard] {
        &self.messages[self.turn_start()..]
    }

    /// The results after the model's last reply, where nobody spoke since.
    pub(crate) fn results(&self) -> impl Iterator<Item = &Heard> {
        self.messages.iter().rev().take_while(|message| message.role == "tool")
    }

    /// Did the user speak last, right after a result?
    pub(crate) fn was_queued(&self) -> bool {
        let mut latest = self.messages.iter().rev().skip_while(|message| message.role == "user");
        self.messages.last().is_some_and(|message| message.role == "user")
            && latest.next().is_some_and(|message| message.role == "tool")
    }

    /// The tool that gave this result: as it says, or through the id of the call.
    pub(crate) fn tool_of<'a>(&'a self, result: &'a Heard) -> Option<&'a str> {
        let by_id = || {
            let id = result.tool_call_id.as_ref()?;
            let mut calls = self.messages.iter().flat_map(|message| &message.calls);
            calls.find(|call| call.id.as_ref() == Some(id)).map(|call| call.name.as_str())
        };
        result.tool_name.as_deref().or_else(by_id)
    }
}

impl Heard {
    fn read(message: &Value) -> Result<Self, RequestRefusal> {
        let calls = message["tool_calls"].as_array().map(Vec::as_slice).unwrap_or_default();
        let images = message["images"].as_array().map(Vec::as_slice).unwrap_or_default();
        if images.iter().filter_map(Value::as_str).any(|image| image.starts_with("data:")) {
            let words = "json: cannot unmarshal string into Alias.images.0 of type api.ImageData: illegal base64 data at input byte 4";
            return Err(RequestRefusal::new(400, words));
        }
        Ok(Heard {
            role: text(&message["role"], "role")?.to_lowercase(),
            content: text(&message["content"], "content")?,
            calls: calls.iter().map(HeardCall::read).collect::<Result<_, _>>()?,
            thinking: text(&message["thinking"], "thinking")?,
            tool_name: message["tool_name"].as_str().map(str::to_owned),
            tool_call_id: message["tool_call_id"].as_str().map(str::to_owned),
            has_images: !images.is_empty(),
        })
    }

    /// A reply, as it will be heard again when it is sent back as it was.
    pub(crate) fn reply() -> Self {
        Heard {
            role: "assistant".to_owned(),
            content: String::new(),
            calls: Vec::new(),
            thinking: String::new(),
            tool_name: None,
            tool_call_id: None,
            has_images: false,
        }
    }
}

impl HeardCall {
    fn read(call: &Value) -> Result<Self, RequestRefusal> {
        let function = &call["function"];
        match &function["arguments"] {
            Value::Object(_) | Value::Null => {}
            _ => return Err(RequestRefusal::new(400, "Value looks like object, but can't find closing '}' symbol")),
        }
        Ok(HeardCall {
            name: function["name"].as_str().unwrap_or_default().to_owned(),
            arguments: function["arguments"].clone(),
            id: call["id"].as_str().map(str::to_owned),
        })
    }

    /// A call of the model's own.
    pub(crate) fn written(name: &str, arguments: &Value) -> Self {
        HeardCall { name: name.to_owned(), arguments: arguments.clone(), id: None }
    }
}

/// A list, or nothing; else Go's complaint.
fn list<'a>(value: &'a Value, field: &str, kind: &str) -> Result<&'a [Value], RequestRefusal> {
    match value {
        Value::Array(items) => Ok(items),
        Value::Null => Ok(&[]),
        other => Err(RequestRefusal::new(
            400,
            format!(
                "json: cannot unmarshal {} into Go struct field ChatRequest.{field} of type {kind}",
                kind_of(other)
            ),
        )),
    }
}

/// A text, or nothing; else Go's complaint.
fn text(value: &Value, field: &str) -> Result<String, RequestRefusal> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Null => Ok(String::new()),
        other => Err(RequestRefusal::new(
            400,
            format!("json: cannot unmarshal {} into Go struct field Alias.{field} of type string", kind_of(other)),
        )),
    }
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

fn check_think(think: &Value) -> Result<(), RequestRefusal> {
    match think {
        Value::Null | Value::Bool(_) => Ok(()),
        Value::String(level) if ["high", "medium", "low", "max", "true", "false"].contains(&level.as_str()) => Ok(()),
        other => Err(RequestRefusal::new(
            400,
            format!("invalid think value: {other} (must be \"high\", \"medium\", \"low\", \"max\", true, or false)"),
        )),
    }
}

/// A number of seconds, or a Go duration: figures with units, like `1h30m`. A bare figure in quotes is none.
fn check_keep_alive(keep_alive: &Value) -> Result<(), RequestRefusal> {
    let Value::String(text) = keep_alive else { return Ok(()) };
    let mut rest = text.strip_prefix(['-', '+']).unwrap_or(text);
    if rest == "0" {
        return Ok(());
    }
    if rest.is_empty() {
        return Err(RequestRefusal::new(400, format!("time: invalid duration {text:?}")));
    }
    while !rest.is_empty() {
        let unit = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        if unit.len() == rest.len() {
            return Err(RequestRefusal::new(400, format!("time: invalid duration {text:?}")));
        }
        if unit.is_empty() {
            return Err(RequestRefusal::new(400, format!("time: missing unit in duration {text:?}")));
        }
        let Some(length) = ["ns", "us", "ms", "s", "m", "h"].iter().find(|known| unit.starts_with(**known)) else {
            return Err(RequestRefusal::new(400, format!("time: invalid duration {text:?}")));
        };
        rest = &unit[length.len()..];
    }
    Ok(())
}
