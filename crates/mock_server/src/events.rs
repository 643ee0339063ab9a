//! The JSON of `/v1/chat/completions` on its way out: the events of a stream, a reply in one object, errors.
//!
//! The forms are those of llama.cpp's server and vLLM: a call comes in two pieces, its name and then its arguments as text;
//! the counts come last, in an event of their own without a choice, and only where they were asked for.

use crate::http::{AnswerHead, JSON, Outlet};
use crate::wire::{MessageLine, ReplyFigures, WireCall, made_up_id};
use serde_json::{Value, json};
use std::io::Result;
use std::time::{SystemTime, UNIX_EPOCH};

/// The type of a stream.
pub(crate) const EVENTS: &str = "text/event-stream";

/// A reply that is being written.
#[derive(Debug)]
pub(crate) struct Completion<'a> {
    id: String,
    model: &'a str,
    /// Whether the client wants to be told counts.
    counted: bool,
    begun: bool,
    called: bool,
}

impl<'a> Completion<'a> {
    /// The `number`-th reply of the server.
    pub(crate) fn new(model: &'a str, number: u64, counted: bool) -> Self {
        Completion { id: format!("chatcmpl-{}", made_up_id(number, 24)), model, counted, begun: false, called: false }
    }

    /// What `message` adds, as events.
    pub(crate) fn piece(&mut self, message: &MessageLine<'_>) -> String {
        let mut events = self.beginning();
        if !message.thinking.is_empty() {
            events += &self.delta(&json!({"reasoning_content": message.thinking}));
        }
        if !message.content.is_empty() {
            events += &self.delta(&json!({"content": message.content}));
        }
        for call in message.tool_calls {
            events += &self.call(call);
        }
        events
    }

    /// The calls that were held back, why the reply ends, and the counts.
    pub(crate) fn last(&mut self, calls: &[WireCall], reason: &str, counts: ReplyFigures) -> String {
        let mut events = self.piece(&MessageLine::calls(calls));
        events += &self.chunk(json!([{"index": 0, "delta": {}, "finish_reason": self.finish(reason)}]), None);
        if self.counted {
            events += &self.chunk(json!([]), Some(usage(counts)));
        }
        events + "data: [DONE]\n\n"
    }

    /// All of it in one object.
    pub(crate) fn whole(&self, said: &MessageLine<'_>, end: Option<(&str, ReplyFigures)>) -> String {
        let mut message = json!({"role": "assistant", "content": said.content});
        if !said.thinking.is_empty() {
            message["reasoning_content"] = said.thinking.into();
        }
        if !said.tool_calls.is_empty() {
            message["tool_calls"] = said.tool_calls.iter().map(whole_call).collect();
        }
        let reason = end.map(|(reason, _)| if said.tool_calls.is_empty() { reason } else { called(reason) });
        let choice = json!({"index": 0, "message": message, "finish_reason": reason});
        self.object("chat.completion", json!([choice]), end.map(|(_, counts)| usage(counts))).to_string()
    }

    /// A stream begins with who speaks.
    fn beginning(&mut self) -> String {
        if std::mem::replace(&mut self.begun, true) {
            return String::new();
        }
        self.delta(&json!({"role": "assistant", "content": null}))
    }

    fn call(&mut self, call: &WireCall) -> String {
        self.called = true;
        let index = call.function.index;
        let name = json!({"name": call.function.name, "arguments": ""});
        let begun = json!({"index": index, "id": call.id, "type": "function", "function": name});
        let arguments = json!({"arguments": call.function.arguments.to_string()});
        let rest = json!({"index": index, "function": arguments});
        self.delta(&json!({"tool_calls": [begun]})) + &self.delta(&json!({"tool_calls": [rest]}))
    }

    fn finish<'b>(&self, reason: &'b str) -> &'b str {
        if self.called { called(reason) } else { reason }
    }

    fn delta(&self, delta: &Value) -> String {
        self.chunk(json!([{"index": 0, "delta": delta, "finish_reason": null}]), None)
    }

    fn chunk(&self, choices: Value, usage: Option<Value>) -> String {
        event(&self.object("chat.completion.chunk", choices, usage))
    }

    fn object(&self, object: &str, choices: Value, usage: Option<Value>) -> Value {
        let created = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        let mut written = json!({
            "id": self.id,
            "object": object,
            "created": created,
            "model": self.model,
            "choices": choices,
        });
        if let Some(usage) = usage {
            written["usage"] = usage;
        }
        written
    }
}

/// A reply that stopped by itself and has calls ends because of them.
fn called(reason: &str) -> &str {
    if reason == "stop" { "tool_calls" } else { reason }
}

fn whole_call(call: &WireCall) -> Value {
    let function = json!({"name": call.function.name, "arguments": call.function.arguments.to_string()});
    json!({"id": call.id, "type": "function", "function": function})
}

fn usage(counts: ReplyFigures) -> Value {
    json!({
        "prompt_tokens": counts.prompt_eval_count,
        "completion_tokens": counts.eval_count,
        "total_tokens": counts.prompt_eval_count + counts.eval_count,
        "prompt_tokens_details": {"cached_tokens": counts.cached},
    })
}

/// One event of a stream.
pub(crate) fn event(data: &Value) -> String {
    format!("data: {data}\n\n")
}

/// An error. What the runner says has this form already.
pub(crate) fn error(status: u16, message: &str) -> Value {
    let runners = serde_json::from_str::<Value>(message).ok().filter(|told| told["error"].is_object());
    let kind = if status < 500 { "invalid_request_error" } else { "server_error" };
    runners.unwrap_or_else(|| json!({"error": {"code": status, "message": message, "type": kind}}))
}

/// Tells a client why there is no reply.
pub(crate) async fn refuse(outlet: &mut Outlet, status: u16, message: &str) -> Result<()> {
    outlet.whole(AnswerHead::new(status, JSON), error(status, message).to_string().as_bytes()).await
}
