//! Everyday work through the built binary: small projects of many kinds, a scripted model that runs
//! commands in them, a person who says yes to each question, and package registries on loopback behind a proxy.
//!
//! `cargo test --test everyday` plays a few rows; `cargo test --test everyday -- --ignored --nocapture` plays all of them and
//! prints the tables. `AGENT_BATTERY_BINARY=path` plays them with another binary, `AGENT_BATTERY_ROWS=word,word` only rows
//! in which one of the words occurs, `AGENT_BATTERY_MODES=safe,unsafe,-p` only these modes, `AGENT_BATTERY_TABLE=path` writes the tables into a file as well,
//! `AGENT_BATTERY_NO_SANDBOX=1` switches the sandbox off.
//!
//! What is not installed here is skipped, by name. Nothing is reached but loopback.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test may stop where it stumbles")]
#![expect(clippy::print_stdout, reason = "the tables are what is asked for")]

mod cases;
mod control;
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
use std::collections::BTreeMap;
use table::{Line, Table};

/// Rows of the small part: what needs no network and is quick.
const SMALL: &[&str] = &["git status", "sh check.sh", "test_cache", "pool.py", "$TMPDIR", "tar czf", "notes.txt <<"];

/// The stages of one mode, made when they are first needed.
#[derive(Default)]
struct Stages(BTreeMap<String, Result<Stage, String>>);

impl Stages {
    fn of(&mut self, row: &Row, registry: Option<&Registry>) -> Result<&Stage, String> {
        let stage = self.0.entry(row.project.clone()).or_insert_with(|| Stage::set(&row.project, registry));
        stage.as_ref().map_err(Clone::clone)
    }
}

/// Plays the rows that `wanted` lets through, in all modes, each project once a mode and its rows in order. What fails without
/// any sandbox is skipped.
fn played(wanted: impl Fn(&Row) -> bool, modes: &[Mode]) -> Table {
    let rows: Vec<Row> = cases::rows().into_iter().filter(wanted).collect();
    let registry = if rows.iter().any(|row| row.net) { Registry::start() } else { None };
    let registry = registry.as_ref();
    let mut plain = Stages::default();
    let skipped: Vec<Option<String>> = rows
        .iter()
        .map(|row| match plain.of(row, registry) {
            Err(missing) => Some(format!("{missing} is missing")),
            Ok(stage) => row
                .missing(registry.is_some())
                .map(|missing| format!("{missing} is missing"))
                .or_else(|| control::fails(stage, row, registry)),
        })
        .collect();
    for (row, why) in rows.iter().zip(&skipped) {
        why.iter().for_each(|why| println!("skipped: {} in {}: {why}", row.run.join(" ; "), row.project));
    }
    let mut table = Table::default();
    for mode in modes {
        let mut stages = Stages::default();
        for (row, skipped) in rows.iter().zip(&skipped) {
            let line = match (skipped, stages.of(row, registry)) {
                (Some(why), _) => Line::skipped(row, *mode, why.clone()),
                (None, Err(why)) => Line::skipped(row, *mode, why),
                (None, Ok(stage)) => Line::of(row, *mode, play::row(stage, row, *mode)),
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
    let modes = std::env::var("AGENT_BATTERY_MODES").ok();
    let modes = [Mode::Safe, Mode::Unsafe, Mode::Alone]
        .into_iter()
        .filter(|mode| modes.as_ref().is_none_or(|wanted| wanted.split(',').any(|name| name == mode.words())));
    let table = played(wanted, &modes.collect::<Vec<_>>());
    table.publish("everyday");
    assert!(!table.lines.is_empty(), "no row was wanted");
    assert_eq!(table.verdict(), Ok(()));
}
