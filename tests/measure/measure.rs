//! Measures the built binary as a person meets it, in a pseudo-terminal of 120x40 against the scripted server.
//!
//! `cargo bench --bench measure` prints a table; `cargo bench --bench measure -- keys burst` only these parts of it.
//! `AGENT_MEASURED=FILE` measures another binary, like that of a package (`--profile dev` then saves building one).
//! It never fails: times move with the machine, so the bars stand in a table and not in a test. Behind each bar stands
//! the best figure that a comparable program reached on the same work. Memory and processor time need Linux.

mod calls;
mod cost;
mod house;
mod keys;
mod long;
mod process;
mod prompts;
mod scenes;
mod table;
mod terminal;

use std::io::{Result, Write};

fn main() -> Result<()> {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let mut out = std::io::stdout().lock();
    let mut failures = Vec::new();
    writeln!(out, "\nload of the machine before: {}\n\n{}", load(), table::heading())?;
    for (name, measure) in scenes::ALL {
        if !wanted.is_empty() && !wanted.iter().any(|word| word == name) {
            continue;
        }
        match measure() {
            Ok(rows) => rows.iter().try_for_each(|row| writeln!(out, "{row}"))?,
            Err(error) => failures.push(format!("{name}: {error:#}")),
        }
        out.flush()?;
    }
    writeln!(out, "\nload of the machine after: {}", load())?;
    failures.iter().try_for_each(|failure| writeln!(out, "\nnot measured: {failure}"))
}

/// How much else is going on, as the system says it.
fn load() -> String {
    std::fs::read_to_string("/proc/loadavg").map_or_else(|_| "unknown".into(), |text| text.trim().to_owned())
}
