//! Long conversations: what they cost in memory, and how long it takes to make one shorter.

use crate::house::{House, QUIET, SIZE};
use crate::keys::in_long_session;
use crate::process::resident;
use crate::scenes::{MARK, chat_end, echo, first_key};
use crate::table::{Row, milliseconds};
use crate::terminal::{PATIENCE, Terminal};
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::time::Instant;

/// Replies with a call in one turn.
const CALLS: usize = 50;

/// What the model writes when it is asked for a summary.
const SUMMARY: &str =
    "## Goal\nread everything\n\n## Decisions\nnone\n\n## Files\n- all\n\n## Commands\nnone\n\n## Open\n- nothing";

/// A conversation of 2,000 messages: twenty turns of fifty calls, each with a result of two kilobytes.
pub(crate) fn long() -> Result<Vec<Row>> {
    const TURNS: usize = 20;
    let house = House::roomy(replies(TURNS))?;
    let (mut terminal, each) = talk(&house, TURNS)?;
    terminal.settle(QUIET)?;
    let memory = resident(terminal.process()?)?;
    // All of it is on disk when the program has left.
    terminal.press("\u{4}")?;
    terminal.wait_for_end()?;
    let house = house.with_fresh_server()?;
    let (usable, floor) = goes_on(&house)?;
    // The process that measures holds what the server before was asked, and takes long to start any other.
    let own = |(all, floor): (&f64, &f64)| all - floor;
    let goes_on: Vec<f64> = usable.iter().zip(&floor).map(own).collect();
    Ok(vec![
        Row::new("2,000 messages: memory after, MiB", vec![memory]).at_most(80.0, "-"),
        Row::new("  own time per call in the last turn, ms", each),
        Row::new("  the session goes on: exec until a key shows in it, ms", usable),
        Row::new("  the same for a bare echo program", floor),
        Row::new("  the difference, ms", goes_on).at_most(100.0, "-"),
        Row::new("  its journal, MB", vec![house.journal_bytes()? as f64 / 1e6]),
    ])
}

/// How often a long session is gone on with.
const RESUMED: usize = 9;

/// From exec until the conversation is on the screen and a key that was typed at once shows below it; and what a bare
/// echo takes beside each.
fn goes_on(house: &House) -> Result<(Vec<f64>, Vec<f64>)> {
    let (mut usable, mut floor) = (Vec::new(), Vec::new());
    for _ in 0..RESUMED {
        let mut command = house.command();
        command.arg("-c");
        let begun = Instant::now();
        let mut terminal = Terminal::start(command, SIZE)?;
        terminal.press(MARK)?;
        let both = |screen: &vt100::Screen| screen.contents().contains(MARK) && screen.contents().contains("resumed");
        usable.push(milliseconds(terminal.wait(both)? - begun));
        // The draft is cleared, and an empty prompt is left.
        terminal.press("\u{15}")?;
        terminal.settle(QUIET)?;
        terminal.press("\u{4}")?;
        terminal.wait_for_end()?;
        floor.push(first_key(echo(), |screen| screen.contents().contains(&format!("> {MARK}")))?);
    }
    Ok((usable, floor))
}

/// Two thousand turns of five calls each, of which the window holds a few.
pub(crate) fn turns() -> Result<Vec<Row>> {
    const TURNS: usize = 2_000;
    let house = House::small(five_calls_a_turn())?;
    for number in 0..5 {
        house.write(&format!("{number}.txt"), &format!("line of file {number}, as it stands\n").repeat(60))?;
    }
    let mut terminal = house.open()?;
    let mut half = 0.0;
    for turn in 0..TURNS {
        terminal.press(&format!("turn {turn}\r"))?;
        let said = format!("› turn {turn}");
        let is_over = |after: &str| after.contains(ALL_READ) && !after.contains("interrupts");
        terminal.wait(|screen| screen.contents().rsplit_once(&said).is_some_and(|(_, after)| is_over(after)))?;
        if turn == TURNS / 2 {
            half = resident(terminal.process()?)?;
        }
    }
    terminal.settle(QUIET)?;
    let memory = resident(terminal.process()?)?;
    let keys = in_long_session(&mut terminal, SIZE, TURNS)?;
    let begun = terminal.press("\u{1b}[1;5H")?;
    let first = terminal.wait_for("› turn 0")?;
    let mut rows = vec![
        Row::new("2,000 turns, 10,000 calls: memory after, MiB", vec![memory]).at_most(60.0, "-"),
        Row::new("  memory after half of them, MiB", vec![half]),
        Row::new("  to the first of them on the screen, ms", vec![milliseconds(first - begun)]),
        Row::new("  memory there, MiB", vec![resident(terminal.process()?)?]),
        Row::new("  its journal, MB", vec![house.journal_bytes()? as f64 / 1e6]),
    ];
    rows.extend(keys);
    Ok(rows)
}

/// What the model says at the end of each of these turns.
const ALL_READ: &str = "All five files are as they should be.";

/// The model reads one file after the other; what it says hangs on nothing but the last message.
fn five_calls_a_turn() -> Value {
    let read = |number: usize| {
        let arguments = json!({"file_path": format!("{number}.txt")});
        json!([{"call": {"name": "read_file", "arguments": arguments}}])
    };
    let after = |number: usize| json!({"after": "tool", "tool_contains": format!("of file {number},")});
    let mut rules = vec![json!({"when": {"user_contains": "## Goal", "after": "person"}, "say": [{"text": SUMMARY}]})];
    rules.extend((0..4).map(|number| json!({"when": after(number), "say": read(number + 1)})));
    let words = format!("I read them *all*.\n\n- one\n- two\n\n```rust\nfn main() {{}}\n```\n\n{ALL_READ}\n");
    rules.push(json!({"when": after(4), "say": [{"text": words}]}));
    rules.push(json!({"say": read(0)}));
    Value::from(rules)
}

/// A conversation of 1,000 messages is compacted: all the time that is not the model's.
pub(crate) fn shorter() -> Result<Vec<Row>> {
    const TURNS: usize = 10;
    let house = House::roomy(replies(TURNS))?;
    let (mut terminal, _) = talk(&house, TURNS)?;
    terminal.settle(QUIET)?;
    let number = house.server.chats().len() + 1;
    terminal.press("/compact")?;
    terminal.settle(QUIET)?;
    let begun: Instant = terminal.press("\r")?;
    let asked = house.server.wait_for_chat(number, PATIENCE).context("no summary was asked for")?.arrived;
    let shown = terminal.wait_for("compacted")?;
    let before = milliseconds(asked.saturating_duration_since(begun));
    let after = milliseconds(shown.saturating_duration_since(chat_end(&house, number)?));
    Ok(vec![
        Row::new("1,000 messages compacted: own time, ms", vec![before + after]).at_most(50.0, "-"),
        Row::new("  of it until the summary is asked for, ms", vec![before]),
    ])
}

/// Plays all turns; returns the own time of each call of the last one.
fn talk(house: &House, turns: usize) -> Result<(Terminal, Vec<f64>)> {
    for number in 0..CALLS {
        house.write(&format!("{number}.txt"), &format!("line of file {number}, as it stands\n").repeat(60))?;
    }
    let mut terminal = house.open()?;
    for turn in 0..turns {
        terminal.press(&format!("turn {turn}\r"))?;
        terminal.wait_for(&last(turn))?;
        terminal.settle(QUIET)?;
    }
    let chats = house.server.chats();
    let own = chats[chats.len() - CALLS..]
        .windows(2)
        .filter_map(|pair| Some(milliseconds(pair[1].arrived.saturating_duration_since(pair[0].ended?.at))));
    let own = own.collect();
    Ok((terminal, own))
}

fn last(turn: usize) -> String {
    format!("Turn {turn} ends here.")
}

fn replies(turns: usize) -> Value {
    let read = |number: usize| {
        let arguments = json!({"file_path": format!("{number}.txt")});
        json!({"times": 1, "say": [{"call": {"name": "read_file", "arguments": arguments}}]})
    };
    let mut replies = Vec::new();
    for turn in 0..turns {
        replies.extend((0..CALLS).map(read));
        replies.push(json!({"times": 1, "say": [{"text": last(turn)}]}));
    }
    replies.push(json!({"say": [{"text": SUMMARY}]}));
    Value::from(replies)
}
