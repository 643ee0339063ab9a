//! Mangles the house's cases, feeds them whole and in pieces, and stops where a reading depends on the cut, panics, or
//! holds what was never written.
//!
//! `cargo run --release -p agent-dialects --example fuzz -- SECONDS [SEED]`. What fails is made as
//! short as it can be and printed.
#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a program around the crate may print and look at the clock"
)]

#[path = "../tests/reader/case.rs"]
mod case;
#[path = "../tests/reader/cuts.rs"]
mod cuts;
#[path = "../tests/reader/reading.rs"]
mod reading;
#[path = "../tests/reader/written.rs"]
mod written;

use agent_dialects::{Start, Tools};
use case::Case;
use cuts::Chance;
use serde_json::{Map, Value};
use std::time::{Duration, Instant};

/// Longer cases are left to the tests and the benchmark.
const LONGEST: usize = 4000;

/// What is thrown into texts.
const MARKERS: &[&str] = &[
    "<tool_call>",
    "</tool_call>",
    "<tool_calls>",
    "</tool_calls>",
    "<function=read_file>",
    "</function>",
    "<parameter=path>",
    "</parameter>",
    "<invoke name=\"read_file\">",
    "</invoke>",
    "<parameter name=\"path\">",
    "[TOOL_CALLS]",
    "[ARGS]",
    "[/TOOL_CALLS]",
    "<think>",
    "</think>",
    "<|channel|>",
    "<|message|>",
    "<|call|>",
    "<|end|>",
    "to=functions.read_file",
    "<|tool_call_begin|>",
    "<|tool_call_end|>",
    "<｜tool▁call▁begin｜>",
    "<｜tool▁sep｜>",
    "<｜tool▁call▁end｜>",
    "<｜DSML｜invoke name=\"glob_files\">",
    "<arg_key>",
    "</arg_key>",
    "<arg_value>",
    "</arg_value>",
    "<tool_response>",
    "Observation:",
    "Output:",
    "Action: read_file\n",
    "Action Input:",
    "TOOL_USE: list_dir ",
    "## Function Call\n",
    "read_file",
    "`Read_File`",
    "functions.List_Dir",
    "list_dir(",
    "functions.",
    ".call(",
    "{\"name\": \"read_file\", \"arguments\": {\"path\": \"a\"}}",
    "{\"name\": ",
    "\"arguments\": {",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    "\"",
    "'",
    "\\",
    "\\\"",
    ",",
    ":",
    ";",
    "```",
    "```json\n",
    "~~~",
    "`",
    "``",
    "\n",
    "\n\n",
    "\r\n",
    "    ",
    "\t",
    "> ",
    ">>>",
    "#",
    "@",
    "<",
    "</",
    "<|",
    "é",
    "🙂",
    "“",
    "\u{feff}",
    "\u{a0}",
    "\0",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let seconds = arguments.next().ok_or("say for how many seconds")?.parse()?;
    let seed = arguments.next().map_or(Ok(0), |seed| seed.parse::<u64>())?;
    let toolsets: Map<String, Value> = serde_json::from_str(include_str!("../tests/cases/toolsets.json"))?;
    let cases = include_str!("../tests/cases/dialects-own.jsonl").lines().map(serde_json::from_str);
    let mut cases: Vec<Case> = cases.collect::<Result<_, _>>()?;
    cases.retain(|case| case.input.len() <= LONGEST);
    let (began, span) = (Instant::now(), Duration::from_secs(seconds));
    let (mut tried, mut bytes) = (0_u64, 0);
    while began.elapsed() < span {
        let mut chance = Chance::of(&format!("{seed}/{tried}"));
        let case = &cases[chance.below(cases.len())];
        let text = mangled(&cases, &case.input, &mut chance);
        let start = if chance.below(8) == 0 { Start::Reasoning } else { case.start() };
        let tools = if chance.below(8) == 0 { Tools::any() } else { case.tools(&toolsets) };
        tried += 1;
        bytes += text.len();
        if fault(&text, &tools, start).is_some() {
            let text = shrunk(text, &tools, start);
            let why = fault(&text, &tools, start).unwrap_or_default();
            println!(
                "input {tried} of seed {seed}, beginning in {start:?}, any tool: {}\n{text:?}\n{why}",
                tools.is_any()
            );
            return Err("found a fault".into());
        }
    }
    println!("{tried} inputs, {bytes} bytes, {seconds} s, seed {seed}: every cut reads the same, and nothing panics");
    Ok(())
}

/// What is wrong with the reading of a text, if anything is.
fn fault(text: &str, tools: &Tools, start: Start) -> Option<String> {
    let checked = std::panic::catch_unwind(|| check(text, tools, start));
    checked.unwrap_or_else(|_| Err("panic".to_owned())).err()
}

/// Reads a text whole and in pieces.
fn check(text: &str, tools: &Tools, start: Start) -> Result<(), String> {
    let whole = reading::read(tools, start, [text]);
    let mut chance = Chance::of(text);
    let mut ways = vec![cuts::characters(text).collect::<Vec<_>>()];
    ways.extend([3, 40].map(|most| cuts::random(text, most, &mut chance)));
    let borders = text.char_indices().map(|(at, _)| at);
    let every = if text.len() < 80 { 1 } else { 1 + text.len() / 8 };
    ways.extend(borders.skip(chance.below(every)).step_by(every).map(|at| vec![&text[..at], &text[at..]]));
    for way in ways {
        let cut = reading::read(tools, start, way.iter().copied());
        if cut != whole {
            return Err(format!("as {way:?}\n  is {cut:?}\nwhole {whole:?}"));
        }
    }
    written::adds_nothing(text, &whole).map_err(|why| format!("{why}: {whole:?}"))
}

/// The text with all left out that the fault does not need.
fn shrunk(mut text: String, tools: &Tools, start: Start) -> String {
    let mut len = text.len() / 2;
    while len > 0 {
        let mut at = 0;
        while at < text.len() {
            let (from, to) = (text.floor_char_boundary(at), text.ceil_char_boundary((at + len).min(text.len())));
            let less = [&text[..from], &text[to..]].concat();
            if less.len() < text.len() && fault(&less, tools, start).is_some() {
                text = less;
            } else {
                at = to.max(at + 1);
            }
        }
        len /= 2;
    }
    text
}

/// One case, changed a few times.
fn mangled(cases: &[Case], input: &str, chance: &mut Chance) -> String {
    let mut text = input.to_owned();
    for _ in 0..chance.below(5) {
        let (from, to) = span(&text, chance);
        match chance.below(8) {
            0 => text.truncate(from),
            1 => text.replace_range(from..to, ""),
            2 => {
                let copy = text[from..to].to_owned();
                text.insert_str(to, &copy);
            }
            3 => {
                let other = &cases[chance.below(cases.len())].input;
                let (start, _) = span(other, chance);
                text.replace_range(from.., &other[start..]);
            }
            4 => {
                let bytes: Vec<u8> =
                    (0..chance.below(12)).map(|_| u8::try_from(chance.below(256)).unwrap_or(0)).collect();
                text.insert_str(from, &String::from_utf8_lossy(&bytes));
            }
            5 => text.push_str(&cases[chance.below(cases.len())].input),
            _ => text.insert_str(from, MARKERS[chance.below(MARKERS.len())]),
        }
        text.truncate(text.floor_char_boundary(2 * LONGEST));
    }
    text
}

/// Two places in a text, in order; mostly near each other.
fn span(text: &str, chance: &mut Chance) -> (usize, usize) {
    let from = text.floor_char_boundary(chance.below(text.len() + 1));
    let most = if chance.below(4) == 0 { text.len() + 1 } else { 24 };
    (from, text.ceil_char_boundary((from + chance.below(most)).min(text.len())))
}
