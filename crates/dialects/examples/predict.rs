//! Reads cases (one JSON object a line) and writes what the splitter makes of each, in the form that the scorer reads.
//!
//! `cargo run --release -p agent-dialects --example predict -- CASES.jsonl > PREDICTIONS.jsonl`. A case is read whole,
//! character by character, in its recorded pieces and in three random splits; `error` is `cut` where they differ.
#![expect(clippy::print_stdout, clippy::disallowed_methods, reason = "a program around the crate may read and print")]

#[path = "../tests/reader/case.rs"]
mod case;
#[path = "../tests/reader/cuts.rs"]
mod cuts;
#[path = "../tests/reader/reading.rs"]
mod reading;
#[path = "../tests/reader/said.rs"]
mod said;
#[path = "../tests/reader/way.rs"]
mod way;

use case::Case;
use said::Said;
use serde_json::{Map, Value, json};
use std::io::{BufRead, BufReader};
use std::path::Path;
use way::Ways;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("name a file of cases")?;
    let toolsets = toolsets(Path::new(&path))?;
    for line in BufReader::new(std::fs::File::open(&path)?).lines() {
        let line = line?;
        let (case, ways): (Case, Ways) = (serde_json::from_str(&line)?, serde_json::from_str(&line)?);
        let tools = case.tools(&toolsets);
        let whole = ways.read(&case, &tools, &[&case.input]);
        let cut = ways.all(&case).iter().any(|way| ways.read(&case, &tools, way) != whole);
        let Said { content, reasoning, calls } = Said::of(whole);
        let error = cut.then_some("cut");
        let line = json!({"id": ways.id, "content": content, "reasoning": reasoning, "calls": calls, "error": error});
        println!("{line}");
    }
    Ok(())
}

/// The tool lists that cases name stand beside the cases.
fn toolsets(cases: &Path) -> Result<Map<String, Value>, Box<dyn std::error::Error>> {
    let beside = |name: &str| std::fs::read_to_string(cases.with_file_name(name));
    match beside("dialects-toolsets.json").or_else(|_| beside("toolsets.json")) {
        Ok(text) => Ok(serde_json::from_str(&text)?),
        Err(_) => Ok(Map::new()),
    }
}
