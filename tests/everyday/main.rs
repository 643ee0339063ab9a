//! Everyday work, and hostile work, through the built binary: small projects of many kinds, a scripted model that runs
//! commands in them, a person who says yes to each question, and package registries on loopback behind a proxy.
//!
//! `cargo test --test everyday` plays a few rows; `cargo test --test everyday -- --ignored --nocapture` plays all of them and
//! prints the tables. `AGENT_BATTERY_BINARY=path` plays them with another binary, `AGENT_BATTERY_ROWS=word,word` only rows
//! in which one of the words occurs, `AGENT_BATTERY_TABLE=path` writes the tables into a file as well.
//!
//! What is not installed here is skipped, by name. Nothing is reached but loopback.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test may stop where it stumbles")]
#![expect(clippy::print_stdout, reason = "the tables are what is asked for")]

mod cases;
mod play;
mod registry;
mod stage;
mod table;
#[path = "../house/terminal.rs"]
#[allow(dead_code, reason = "it is shared, and not all of it is needed here")]
mod terminal;

use cases::{Mode, Row};
use registry::Registry;
use stage::Stage;
use table::{Line, Table};

/// Rows of the small part: what needs no network and is quick.
const SMALL: &[&str] = &["git status", "sh check.sh", "test_cache", "pool.py", "$TMPDIR", "tar czf", "notes.txt <<"];

/// Plays the rows that `wanted` lets through, in all modes, each project once a mode and its rows in order.
fn played(wanted: impl Fn(&Row) -> bool, modes: &[Mode]) -> Table {
    let rows: Vec<Row> = cases::rows().into_iter().filter(wanted).collect();
    let registry = if rows.iter().any(|row| row.net) { Registry::start() } else { None };
    let mut table = Table::default();
    for mode in modes {
        let mut stages: Vec<(String, Result<Stage, String>)> = Vec::new();
        for row in &rows {
            if !stages.iter().any(|(name, _)| *name == row.project) {
                stages.push((row.project.clone(), Stage::set(&row.project, registry.as_ref())));
            }
            let stage = &stages.iter().find(|(name, _)| *name == row.project).expect("it was just set").1;
            let line = match (stage, row.missing(registry.is_some())) {
                (Err(missing), _) => Line::skipped(row, *mode, missing.clone()),
                (Ok(_), Some(missing)) => Line::skipped(row, *mode, missing),
                (Ok(stage), None) => Line::of(row, *mode, play::row(stage, row, *mode)),
            };
            println!("{line}");
            table.lines.push(line);
        }
    }
    table
}

#[test]
fn a_few_everyday_commands_end_well_and_ask_once_at_most() {
    let table = played(|row| SMALL.iter().any(|part| row.run[0].contains(part)), &[Mode::Safe, Mode::Alone]);
    assert!(table.lines.iter().filter(|line| line.skipped.is_none()).count() > 4, "hardly anything was played");
    assert_eq!(table.faults(), Vec::<String>::new());
}

#[test]
#[ignore = "takes minutes; `cargo test --test everyday -- --ignored --nocapture`"]
fn nearly_all_everyday_commands_end_well_with_few_questions() {
    let words: Option<Vec<String>> =
        std::env::var("AGENT_BATTERY_ROWS").ok().map(|words| words.split(',').map(str::to_owned).collect());
    let wanted = |row: &Row| words.as_ref().is_none_or(|words| words.iter().any(|word| row.holds(word)));
    let table = played(wanted, &[Mode::Safe, Mode::Unsafe, Mode::Alone]);
    table.publish("everyday");
    assert_eq!(table.verdict(), Ok(()));
}
