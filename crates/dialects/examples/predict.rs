//! Reads cases (one JSON object a line) and writes what the splitter makes of each, in the form that the scorer reads.
//!
//! `cargo run --release -p agent-dialects --example predict -- CASES.jsonl > PREDICTIONS.jsonl`. A case is read whole,
//! character by character, in its recorded pieces and in three random splits; `error` is `cut` where they differ.
#![expect(clippy::print_stdout, clippy::disallowed_methods, reason = "a program around the crate may read and print")]

use agent_dialects::{Piece, Splitter, Start, Tools};
use agent_protocol::ToolSpec;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::io::{BufRead, BufReader};
use std::path::Path;

#[derive(Deserialize)]
struct Case {
    id: String,
    input: String,
    #[serde(default)]
    prefill: Option<String>,
    #[serde(default)]
    chunks: Option<Vec<String>>,
    #[serde(default)]
    starts_in_reasoning: bool,
    #[serde(default)]
    tools: Option<Value>,
    #[serde(default)]
    toolset: Option<String>,
}

#[derive(Default, PartialEq)]
struct Reading {
    content: String,
    reasoning: String,
    calls: Vec<Value>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("name a file of cases")?;
    let toolsets = toolsets(Path::new(&path))?;
    for line in BufReader::new(std::fs::File::open(&path)?).lines() {
        let case: Case = serde_json::from_str(&line?)?;
        let tools = case.tools.as_ref().or_else(|| toolsets.get(case.toolset.as_ref()?));
        let tools = tools.filter(|tools| !tools.is_null()).map_or_else(Tools::any, |tools| Tools::new(&specs(tools)));
        let whole = read(&case, &tools, std::iter::once(case.input.as_str()));
        let cut = ways(&case).iter().any(|way| read(&case, &tools, way.iter().map(String::as_str)) != whole);
        let Reading { content, reasoning, calls } = whole;
        let error = cut.then_some("cut");
        let line = json!({"id": case.id, "content": content, "reasoning": reasoning, "calls": calls, "error": error});
        println!("{line}");
    }
    Ok(())
}

/// The tool lists that cases name stand beside the cases.
fn toolsets(cases: &Path) -> Result<Map<String, Value>, Box<dyn std::error::Error>> {
    match std::fs::read_to_string(cases.with_file_name("dialects-toolsets.json")) {
        Ok(text) => Ok(serde_json::from_str(&text)?),
        Err(_) => Ok(Map::new()),
    }
}

fn specs(tools: &Value) -> Vec<ToolSpec> {
    let spec = |tool: &Value| {
        let tool = tool.get("function").unwrap_or(tool);
        let text = |key: &str| tool.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
        let parameters = tool.get("parameters").cloned().unwrap_or_default();
        ToolSpec { name: text("name"), description: text("description"), parameters, aliases: Vec::new() }
    };
    tools.as_array().into_iter().flatten().map(spec).collect()
}

fn read<'a>(case: &'a Case, tools: &Tools, pieces: impl Iterator<Item = &'a str>) -> Reading {
    let start = if case.starts_in_reasoning { Start::Reasoning } else { Start::Answer };
    let mut splitter = Splitter::new(tools.clone(), start, None);
    let mut reading = Reading::default();
    for piece in case.prefill.as_deref().into_iter().chain(pieces) {
        reading.take(splitter.push(piece));
    }
    reading.take(splitter.finish());
    reading
}

impl Reading {
    fn take(&mut self, pieces: Vec<Piece>) {
        for piece in pieces {
            match piece {
                Piece::Text(text) => self.content.push_str(&text),
                Piece::Thinking(text) => self.reasoning.push_str(&text),
                Piece::Call(call) => self.calls.push(json!({"name": call.name, "arguments": call.arguments})),
                Piece::Lost(_) | Piece::Invented(_) => {}
            }
        }
    }
}

/// The ways in which a case is cut, besides not at all.
fn ways(case: &Case) -> Vec<Vec<String>> {
    let mut ways = vec![case.input.chars().map(String::from).collect()];
    ways.extend(case.chunks.clone());
    let mut random = case
        .id
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    for most in [3, 12, 60] {
        let mut way = vec![String::new()];
        let mut left = 1;
        for c in case.input.chars() {
            if left == 0 {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                left = 1 + (random >> 33) % most;
                way.push(String::new());
            }
            left -= 1;
            way.last_mut().into_iter().for_each(|piece| piece.push(c));
        }
        ways.push(way);
    }
    ways
}
