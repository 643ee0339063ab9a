//! The paths of a server of OpenAI's kind: `/v1/models` and `/v1/chat/completions`.
//!
//! A request is put into Ollama's form and answered by the same code, so that one script is the same session in both
//! languages. What only Ollama has (loading, pulling, a window by request) is not there.

use crate::chat::{Arrival, accept, refuse, reply};
use crate::http::{AnswerHead, Outlet, Request};
use crate::journal::Ticket;
use crate::player::Finish;
use crate::request::{RequestRefusal, read_json};
use crate::state::House;
use crate::{Model, Wire};
use serde_json::{Map, Value, json};
use std::io::Result;
use tokio::time::Instant;

pub(crate) async fn answer(house: &House, request: &Request, ticket: &Ticket, outlet: &mut Outlet) -> Result<Finish> {
    match (request.method.as_str(), request.path.as_str()) {
        ("GET" | "HEAD", "/v1/models") => outlet.json(200, &models(house)).await?,
        ("POST", "/v1/chat/completions") => return completion(house, &request.body, ticket, outlet).await,
        (_, _) => outlet.whole(AnswerHead::new(404, "text/plain"), b"404 page not found").await?,
    }
    Ok(Finish::Complete)
}

/// The window of every request stands beside each model, as vLLM has it.
fn models(house: &House) -> Value {
    let models = house.models();
    let entry = |model: &Model| {
        let name = &model.name;
        let window = house.given_window(model, None);
        json!({"id": name, "object": "model", "created": 0, "owned_by": "agent-mock-server", "max_model_len": window})
    };
    json!({"object": "list", "data": models.iter().map(entry).collect::<Vec<_>>()})
}

async fn completion(house: &House, body: &[u8], ticket: &Ticket, outlet: &mut Outlet) -> Result<Finish> {
    let arrival = Arrival { at: Instant::now(), number: house.next_chat_number(), ticket };
    let accepted = read_json(body).and_then(in_ollamas_form).and_then(|body| accept(house, &body));
    match accepted {
        Ok((chat, model)) => reply(house, &chat, &model, arrival, outlet).await,
        Err(refusal) => refuse(outlet, Wire::OpenAi, &refusal).await,
    }
}

/// What does not fit is refused and a reply that fills the window ends, as on servers of this kind.
fn in_ollamas_form(body: Value) -> std::result::Result<Value, RequestRefusal> {
    let Value::Object(mut fields) = body else {
        return Err(RequestRefusal::new(400, "the request is no object"));
    };
    if fields.get("messages").and_then(Value::as_array).is_none_or(Vec::is_empty) {
        return Err(RequestRefusal::new(400, "'messages' is required"));
    }
    let messages = fields.get_mut("messages").and_then(Value::as_array_mut).into_iter().flatten();
    messages.filter_map(Value::as_object_mut).for_each(message_in_ollamas_form);
    let longest = ["max_completion_tokens", "max_tokens"].into_iter().find_map(|name| fields.remove(name));
    let streamed = fields.get("stream").and_then(Value::as_bool).unwrap_or(false);
    fields.insert("options".into(), longest.map_or(json!({}), |longest| json!({"num_predict": longest})));
    fields.insert("stream".into(), streamed.into());
    fields.insert("truncate".into(), false.into());
    fields.insert("shift".into(), false.into());
    fields.remove("keep_alive");
    Ok(Value::Object(fields))
}

fn message_in_ollamas_form(message: &mut Map<String, Value>) {
    if let Some(thinking) = message.remove("reasoning_content") {
        message.insert("thinking".into(), thinking);
    }
    if let Some(Value::Array(parts)) = message.get("content") {
        let text: String = parts.iter().filter_map(|part| part["text"].as_str()).collect();
        let pictures = parts.iter().filter_map(|part| part["image_url"]["url"].as_str());
        let images: Value = pictures.map(|url| url.rsplit(',').next().unwrap_or(url)).collect();
        message.insert("content".into(), text.into());
        message.insert("images".into(), images);
    }
    let calls = message.get_mut("tool_calls").and_then(Value::as_array_mut).into_iter().flatten();
    for arguments in calls.filter_map(|call| call.get_mut("function")?.get_mut("arguments")) {
        // Text that is no JSON stays what it is, and is refused as on other servers.
        if let Some(read) = arguments.as_str().and_then(|text| serde_json::from_str(text).ok()) {
            *arguments = read;
        }
    }
}
