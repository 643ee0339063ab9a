//! Answers compared with those of a real server, which were recorded (`captures.jsonl`, long ones shortened).

use crate::client::{Reply, send};
use agent_mock_server::{Script, Server};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

struct Capture {
    case: String,
    method: String,
    path: String,
    body: String,
    status: u16,
    headers: BTreeMap<String, String>,
    end: String,
    chunks: Vec<String>,
}

fn captures() -> Vec<Capture> {
    include_str!("captures.jsonl").lines().map(|line| read(&serde_json::from_str(line).unwrap())).collect()
}

fn read(recorded: &Value) -> Capture {
    let text = |field: &str| recorded[field].as_str().unwrap().to_owned();
    let request = &recorded["request"];
    Capture {
        case: text("case"),
        method: text("method"),
        path: text("path"),
        body: match request {
            Value::Null => String::new(),
            request => request["_raw"].as_str().map_or_else(|| request.to_string(), str::to_owned),
        },
        status: recorded["status"].as_u64().unwrap() as u16,
        headers: serde_json::from_value(recorded["headers"].clone()).unwrap(),
        end: text("end"),
        chunks: serde_json::from_value(recorded["chunks"].clone()).unwrap(),
    }
}

/// A script with the models that were installed there, which says what was said there.
fn script(capture: &Capture) -> Script {
    let model = |name: &str, capabilities: &[&str]| json!({"name": name, "capabilities": capabilities});
    let mut native = model("tiny-native:latest", &["completion", "tools"]);
    native["calls"] = "in_last_line".into();
    let loaded: &[&str] = if capture.case == "ps-loaded" { &["tiny"] } else { &[] };
    let models = match capture.case.as_str() {
        "tags" => vec![model("tiny-plain:latest", &["completion"])],
        _ => vec![
            model("tiny:latest", &["completion", "tools"]),
            model("tiny-notools:latest", &["completion"]),
            model("tiny-think:latest", &["completion", "tools", "thinking"]),
            model("tiny-mistral:latest", &["completion", "tools"]),
            native,
        ],
    };
    Script::from_value(json!({
        "version": "0.0.0",
        "models": models,
        "loaded": loaded,
        "replies": [{"say": steps(&capture.chunks)}],
    }))
    .unwrap()
}

fn steps(chunks: &[String]) -> Vec<Value> {
    let mut steps = Vec::new();
    let mut ended = false;
    for line in chunks.iter().filter_map(|chunk| serde_json::from_str::<Value>(chunk).ok()) {
        let message = &line["message"];
        if let Some(text) = message["thinking"].as_str() {
            steps.push(json!({"thinking": text}));
        }
        if let Some(text) = message["content"].as_str().filter(|text| !text.is_empty()) {
            steps.push(json!({"pieces": [text]}));
        }
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            let function = &call["function"];
            steps.push(json!({"call": {"name": function["name"], "arguments": function["arguments"]}}));
        }
        if let Some(error) = line["error"].as_str() {
            steps.push(json!({"error": error}));
        }
        ended |= line["done"] == true || !line["error"].is_null();
    }
    if !ended {
        steps.push(json!({"end_without_done": true}));
    }
    steps
}

/// Takes out what differs from run to run, and keeps its kind.
fn masked(text: &str) -> String {
    let Ok(value) = serde_json::from_str::<Value>(text) else { return text.to_owned() };
    mask(value, "").to_string()
}

fn mask(value: Value, field: &str) -> Value {
    const TIMES: [&str; 3] = ["created_at", "modified_at", "expires_at"];
    const OF_THE_MODEL: [&str; 9] = [
        "name",
        "model",
        "digest",
        "family",
        "families",
        "parameter_size",
        "quantization_level",
        "size",
        "embedding_length",
    ];
    match value {
        Value::Object(fields) => {
            let listed = fields.contains_key("digest") || fields.contains_key("parent_model");
            let fields = fields.into_iter().map(|(name, value)| {
                let value =
                    if listed && OF_THE_MODEL.contains(&name.as_str()) { "…".into() } else { mask(value, &name) };
                (name, value)
            });
            Value::Object(fields.collect::<Map<_, _>>())
        }
        Value::Array(items) => items.into_iter().map(|item| mask(item, "")).collect(),
        Value::String(time) if TIMES.contains(&field) => format!("a time ending in {:?}", time.chars().last()).into(),
        Value::String(id) if field == "id" => {
            format!("{} and {} more", id.strip_prefix("call_").map_or("", |_| "call_"), id.len()).into()
        }
        // What it says depends on the model's template.
        Value::String(_) if field == "rendered_template" => "a prompt".into(),
        Value::Number(_) if field.ends_with("_duration") || field.ends_with("_count") => "a figure".into(),
        other => other,
    }
}

/// What can be compared of an answer.
fn comparable(
    status: u16,
    headers: &BTreeMap<String, String>,
    end: &str,
    chunks: &[String],
) -> (u16, BTreeMap<String, String>, String, Vec<String>) {
    let varies = chunks.iter().any(|chunk| chunk.contains("\"created_at\"") || chunk.contains("\"digest\""));
    let headers = headers.iter().filter(|(name, _)| *name != "Date" && !(varies && *name == "Content-Length"));
    let headers = headers.map(|(name, value)| (name.clone(), value.clone())).collect();
    let ends_lines = |chunk: &String| (masked(chunk), chunk.ends_with('\n'));
    let chunks = chunks.iter().filter(|chunk| !chunk.is_empty()).map(ends_lines);
    (status, headers, end.to_owned(), chunks.map(|chunk| format!("{chunk:?}")).collect())
}

fn replayed(capture: &Capture) -> Reply {
    let server = Server::start(script(capture)).unwrap();
    let host = if capture.case == "bad-host" { "elsewhere.example" } else { "127.0.0.1" };
    send(server.addr(), &capture.method, &capture.path, host, &capture.body).reply()
}

#[test]
fn every_recorded_exchange_is_answered_as_it_was() {
    for capture in captures() {
        let reply = replayed(&capture);
        let chunks: Vec<String> =
            reply.chunks.iter().map(|chunk| String::from_utf8_lossy(chunk).into_owned()).collect();
        let mut expected = comparable(capture.status, &capture.headers, &capture.end, &capture.chunks);
        let mut found = comparable(reply.status, &reply.headers, reply.end, &chunks);
        if ["tags", "debug-render-tiny"].contains(&capture.case.as_str()) {
            // A long body comes in chunks. The recorded list was longer, here it was shortened to one model; the recorded
            // prompt was shorter, for that model's template leaves most of it out.
            for (_, headers, end, _) in [&mut expected, &mut found] {
                headers.retain(|name, _| name == "Content-Type");
                end.clear();
            }
        }
        assert_eq!(found, expected, "case {}", capture.case);
    }
}

#[test]
fn signs_that_go_escapes_are_escaped() {
    let capture = captures().into_iter().find(|capture| capture.case == "tool-notsent-gotmpl").unwrap();
    assert!(replayed(&capture).text().contains(r#""content":"\u003ctool_call\u003e""#));
}
