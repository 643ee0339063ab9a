//! Keys where there is much to draw anew: in a very long session, and at a question about a change in thousands of places.

use crate::house::{House, QUIET};
use crate::table::{Row, milliseconds};
use crate::terminal::Terminal;
use anyhow::Result;
use serde_json::json;
use std::time::{Duration, Instant};

/// A key that takes longer than this is felt.
const FELT: f64 = 16.0;
const PRESSES: usize = 20;

/// Milliseconds from this key until the rows are others that this picks.
fn took(terminal: &mut Terminal, keys: &str, picks: impl Fn(&str) -> bool) -> Result<f64> {
    let rows = |screen: &vt100::Screen| -> Vec<String> {
        screen.contents().lines().filter(|row| picks(row)).map(str::to_owned).collect()
    };
    let before = rows(terminal.screen());
    let pressed = terminal.press(keys)?;
    let changed = terminal.wait(|screen| rows(screen) != before)?;
    terminal.settle(Duration::from_millis(80))?;
    Ok(milliseconds(changed.saturating_duration_since(pressed)))
}

/// A letter at a question is held for so long, as it may begin a word; one that follows soon, for longer.
const HELD: f64 = 400.0;

/// The same for a letter about the hunk that is looked at, beyond the time for which it is held. What else moves on the screen
/// meanwhile, like the time that the turn takes, does not count.
fn each_letter(terminal: &mut Terminal, letter: &str) -> Result<Vec<f64>> {
    let press = |_| {
        terminal.watch(Duration::from_millis(1_200));
        Ok(took(terminal, letter, |row| row.contains("▸ ") && row.contains(" hunk "))? - HELD)
    };
    (0..PRESSES).map(press).collect()
}

fn each(terminal: &mut Terminal, keys: &[&str]) -> Result<Vec<f64>> {
    (0..PRESSES).map(|at| took(terminal, keys[at % keys.len()], |_| true)).collect()
}

/// In the session that `terminal` shows, which ends with `turn {last}`: scrolling, resizing, searching earlier messages.
pub(crate) fn in_long_session(terminal: &mut Terminal, (columns, rows): (u16, u16), last: usize) -> Result<Vec<Row>> {
    let scrolled = each(terminal, &["\u{1b}[5~"])?;
    terminal.press("\u{1b}[1;5F")?;
    terminal.settle(QUIET)?;
    let mut resized = Vec::new();
    for at in 0..PRESSES {
        let size = if at % 2 == 0 { (columns - 20, rows) } else { (columns, rows) };
        let begun = Instant::now();
        terminal.resize(size)?;
        resized.push(milliseconds(terminal.settle(Duration::from_millis(200))?.saturating_duration_since(begun)));
    }
    let mut searched = Vec::new();
    for at in 0..PRESSES {
        // The last digit is what is measured: what came before it narrows to many messages.
        let wanted = format!("turn {}", last / 2 + at);
        let (begin, end) = wanted.split_at(wanted.len() - 1);
        terminal.press("\u{12}")?;
        terminal.settle(QUIET)?;
        terminal.press(begin)?;
        terminal.settle(QUIET)?;
        let pressed = terminal.press(end)?;
        searched.push(milliseconds(terminal.wait_for(&wanted)?.saturating_duration_since(pressed)));
        terminal.press("\u{1b}")?;
        terminal.settle(QUIET)?;
        terminal.press("\u{15}")?;
        terminal.settle(QUIET)?;
    }
    Ok(vec![
        Row::new("  PgUp until another page shows, ms", scrolled).p95_at_most(FELT, "–"),
        Row::new("  resized until it is drawn, ms", resized).p95_at_most(FELT, "–"),
        Row::new("  a letter of a search in earlier messages, ms", searched).p95_at_most(FELT, "–"),
    ])
}

/// A question about a file of 50,000 lines that changes in 2,000 places.
pub(crate) fn hunks() -> Result<Vec<Row>> {
    let arguments =
        json!({"file_path": "large.rs", "old_string": "needle", "new_string": "thread", "replace_all": true});
    let house = House::new(json!([
        {"times": 1, "say": [{"call": {"name": "read_file", "arguments": {"file_path": "large.rs", "limit": 5}}}]},
        {"times": 1, "say": [{"call": {"name": "edit_file", "arguments": arguments}}]},
        {"say": [{"text": "done"}]},
    ]))?;
    let line = |at: usize| match at % 25 {
        0 => format!("let needle_{at} = compute({at});\n"),
        _ => format!("let value_{at} = compute({at});\n"),
    };
    house.write("large.rs", &(0..50_000).map(line).collect::<String>())?;
    let mut terminal = house.open()?;
    let asked = terminal.press("change it\r")?;
    let shown = milliseconds(terminal.wait_for("approve")?.saturating_duration_since(asked));
    // A question hears no key in its first second.
    terminal.watch(Duration::from_millis(2_000));
    let next = each_letter(&mut terminal, "]")?;
    let out = each_letter(&mut terminal, " ")?;
    let page = each(&mut terminal, &["\u{1b}[6~"])?;
    Ok(vec![
        Row::new("2,000 hunks in 50,000 lines: words until the question, ms", vec![shown]),
        Row::new("  ] until the next hunk shows, beyond the 400 ms it is held, ms", next).p95_at_most(FELT, "–"),
        Row::new("  space until the hunk is out or in, the same, ms", out).p95_at_most(FELT, "–"),
        Row::new("  PgDn until another page shows, ms", page).p95_at_most(FELT, "–"),
    ])
}
