//! Fifty files read one after the other, a call a reply: the same session over both kinds of server.

use crate::house::{House, QUIET};
use crate::process::resident;
use crate::table::{Row, milliseconds};
use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use std::fmt::Write;

const READS: usize = 50;

/// How often it is played over each kind.
const RUNS: usize = 3;

/// What the model says when it has read everything.
const LAST: &str = "All are read.";

/// What one kind of server was measured with.
#[derive(Default)]
struct Figures {
    overhead: Vec<f64>,
    memory: Vec<f64>,
    drawn: Vec<f64>,
    sent: Vec<f64>,
}

/// Both kinds take turns, so that whatever else the machine does falls on both.
pub(crate) fn calls() -> Result<Vec<Row>> {
    let (mut ollama, mut openai) = (Figures::default(), Figures::default());
    for _ in 0..RUNS {
        ollama.add(&House::new(reads())?)?;
        openai.add(&House::over_v1(reads())?)?;
    }
    Ok(vec![
        Row::new("50 read_file calls: own time per call, ms", ollama.overhead).at_most(2.0, "8"),
        Row::new("  the same over /v1", openai.overhead).at_most(2.0, "8"),
        Row::new("  memory after, MiB", ollama.memory).at_most(50.0, "166"),
        Row::new("  the same over /v1", openai.memory).at_most(50.0, "166"),
        Row::new("  written to the terminal, kB", ollama.drawn),
        Row::new("  the same over /v1", openai.drawn),
        Row::new("  messages in all requests, kB", ollama.sent),
        Row::new("  the same over /v1", openai.sent),
    ])
}

impl Figures {
    /// Plays the session once.
    fn add(&mut self, house: &House) -> Result<()> {
        for number in 0..READS {
            house.write(&format!("part_{number}.rs"), &source(number)?)?;
        }
        let mut terminal = house.open()?;
        terminal.press("go\r")?;
        terminal.wait_for(LAST)?;
        terminal.settle(QUIET)?;
        let chats = house.server.chats();
        ensure!(chats.len() == READS + 1, "{} requests instead of {}", chats.len(), READS + 1);
        for pair in chats.windows(2) {
            let ended = pair[0].ended.context("all but the last reply have ended")?;
            self.overhead.push(milliseconds(pair[1].arrived.saturating_duration_since(ended.at)));
        }
        self.memory.push(resident(terminal.process()?)?);
        self.drawn.push(terminal.written() as f64 / 1e3);
        self.sent.push(chats.iter().map(|chat| chat.body["messages"].to_string().len()).sum::<usize>() as f64 / 1e3);
        Ok(())
    }
}

fn reads() -> Value {
    let read = |number: usize| {
        let arguments = json!({"file_path": format!("part_{number}.rs")});
        json!({"times": 1, "say": [{"call": {"name": "read_file", "arguments": arguments}}]})
    };
    let mut replies: Vec<Value> = (0..READS).map(read).collect();
    replies.push(json!({"say": [{"text": LAST}]}));
    Value::from(replies)
}

/// A file of about 60 lines.
fn source(number: usize) -> Result<String> {
    let mut text = format!("//! Part {number} of many.\n");
    for function in 0..10 {
        writeln!(text, "\n/// Adds up {function} of {number}.\nfn add_{function}(values: &[u64]) -> u64 {{")?;
        writeln!(text, "    let start = {number} + {function};\n    values.iter().sum::<u64>() + start\n}}")?;
    }
    Ok(text)
}
