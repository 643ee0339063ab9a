//! The work that is measured: one function a scene, each with a server and a screen of its own.

use crate::calls::calls;
use crate::house::{House, QUIET, SIZE};
use crate::keys::hunks;
use crate::long::{long, shorter, turns};
use crate::process::{cpu_seconds, resident};
use crate::prompts::cost;
use crate::table::{Row, milliseconds};
use crate::terminal::{PATIENCE, Terminal};
use agent_mock_server::End;
use anyhow::{Context, Result, ensure};
use portable_pty::CommandBuilder;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// A scene by its name.
type Scene = (&'static str, fn() -> Result<Vec<Row>>);

/// All scenes, in the order of the table.
pub(crate) const ALL: &[Scene] = &[
    ("start", start),
    ("idle", idle),
    ("keys", keys),
    ("streaming", streaming),
    ("typing", typing),
    ("first", first),
    ("esc", esc),
    ("silence", silence),
    ("resizing", resizing),
    ("burst", burst),
    ("calls", calls),
    ("prompt", prompt),
    ("cost", cost),
    ("long", long),
    ("shorter", shorter),
    ("turns", turns),
    ("hunks", hunks),
];

const STARTS: usize = 15;
/// One line of keys must do, and those while streaming must fit into ten seconds.
const IDLE_KEYS: usize = 100;
const STREAMING_KEYS: usize = 60;
const INTERRUPTS: usize = 15;

/// Typed at the start: on no screen before, and not a letter that a terminal echoes by itself in the wrong place.
pub(crate) const MARK: &str = "§";

/// From exec until the first key shows, typed before the program can have been ready for it.
fn start() -> Result<Vec<Row>> {
    let house = House::new(json!([]))?;
    let (mut ours, mut floor) = (Vec::new(), Vec::new());
    for _ in 0..STARTS {
        // The terminal itself echoes what is typed before the program takes over, but not on the alternate screen.
        ours.push(first_key(house.command(), |screen| screen.alternate_screen() && screen.contents().contains(MARK))?);
        floor.push(first_key(echo(), |screen| screen.contents().contains(&format!("> {MARK}")))?);
    }
    Ok(vec![
        Row::new("exec until a typed character shows, ms", ours).at_most(25.0, "281"),
        Row::new("  the same for a bare echo program", floor),
    ])
}

pub(crate) fn first_key(command: CommandBuilder, shown: impl Fn(&vt100::Screen) -> bool) -> Result<f64> {
    let begun = Instant::now();
    let mut terminal = Terminal::start(command, SIZE)?;
    terminal.press(MARK)?;
    Ok(milliseconds(terminal.wait(shown)? - begun))
}

/// A prompt and an echo, and nothing else.
pub(crate) fn echo() -> CommandBuilder {
    let mut command = CommandBuilder::new("/bin/sh");
    command.args(["-c", "stty raw -echo; printf '> '; exec cat"]);
    command
}

/// Memory of a screen that waits for input.
fn idle() -> Result<Vec<Row>> {
    let house = House::new(json!([]))?;
    let mut memory = Vec::new();
    for _ in 0..3 {
        let mut terminal = house.open()?;
        terminal.watch(Duration::from_secs(1));
        memory.push(resident(terminal.process()?)?);
    }
    Ok(vec![Row::new("memory idle, MiB", memory).at_most(20.0, "141")])
}

/// From a key to the screen while nothing else happens. The bare program gets every other key, so that whatever else
/// the machine does in between falls on both.
fn keys() -> Result<Vec<Row>> {
    let house = House::new(json!([]))?;
    let (mut ours, mut bare) = (Typist::at(house.open()?), Typist::at(Terminal::start(echo(), SIZE)?));
    bare.terminal.wait_for("> ")?;
    for _ in 0..IDLE_KEYS {
        ours.press_one(Duration::from_millis(23))?;
        bare.press_one(Duration::from_millis(23))?;
    }
    Ok(vec![
        Row::new("key to screen idle, ms", ours.took).p95_at_most(1.0, "0.7"),
        Row::new("  the same for a bare echo program", bare.took),
    ])
}

/// Types a line that nobody else would write, a key at a time, and notes how long each took to show.
struct Typist {
    terminal: Terminal,
    typed: String,
    took: Vec<f64>,
}

impl Typist {
    fn at(terminal: Terminal) -> Self {
        Typist { terminal, typed: String::new(), took: Vec::new() }
    }

    /// Presses the next key, waits until it shows, and then looks on for so long.
    fn press_one(&mut self, pause: Duration) -> Result<()> {
        const LETTERS: [char; 7] = ['z', 'q', 'x', 'j', 'k', 'v', 'w'];
        let letter = LETTERS[self.took.len() % LETTERS.len()];
        self.typed.push(letter);
        let pressed = self.terminal.press(&letter.to_string())?;
        let shown = self.terminal.wait_for(&self.typed)?;
        self.took.push(milliseconds(shown - pressed));
        self.terminal.watch(pause);
        Ok(())
    }
}

/// Ten seconds of a model that writes 100 tokens a second.
fn streaming() -> Result<Vec<Row>> {
    let (mut cpu, mut kilobytes) = (Vec::new(), Vec::new());
    for _ in 0..3 {
        let house = House::new(json!([steady()]))?;
        let mut terminal = house.open()?;
        let (process, written) = (terminal.process()?, terminal.written());
        let before = cpu_seconds(process)?;
        terminal.press("go\r")?;
        terminal.watch(Duration::from_millis(10_000));
        chat_end(&house, 1)?;
        terminal.settle(QUIET)?;
        cpu.push(cpu_seconds(process)? - before);
        kilobytes.push((terminal.written() - written) as f64 / 1e3);
    }
    Ok(vec![
        Row::new("10 s at 100 tokens/s: CPU seconds", cpu).at_most(0.3, "1.6"),
        Row::new("  written to the terminal, KB", kilobytes).at_most(140.0, "149"),
    ])
}

/// From a key to the screen while a model writes 100 tokens a second. The pause keeps keys and tokens out of step.
fn typing() -> Result<Vec<Row>> {
    let mut took = Vec::new();
    for _ in 0..2 {
        let house = House::new(json!([steady()]))?;
        let mut typist = Typist::at(house.open()?);
        typist.terminal.press("go\r")?;
        house.server.wait_for_chat(1, PATIENCE).context("nothing was asked")?;
        typist.terminal.watch(Duration::from_millis(500));
        for _ in 0..STREAMING_KEYS {
            typist.press_one(Duration::from_millis(133))?;
        }
        took.extend(typist.took);
        let still_streaming = house.server.chats().first().is_some_and(|chat| chat.ended.is_none());
        ensure!(still_streaming, "the keys took longer than the reply");
    }
    Ok(vec![Row::new("key to screen at 100 tokens/s, ms", took).p95_at_most(5.0, "9.9")])
}

fn steady() -> Value {
    json!({"say": [{"stream_tokens": {"count": 1000, "per_second": 100}}]})
}

/// From Enter until the first word of a reply that the server gives at once.
fn first() -> Result<Vec<Row>> {
    let replies: Vec<Value> = (0..INTERRUPTS)
        .map(|number| json!({"times": 1, "say": [{"text": format!("{} comes.", letter(number))}]}))
        .collect();
    let house = House::new(Value::from(replies))?;
    let mut terminal = house.open()?;
    let mut took = Vec::new();
    for number in 0..INTERRUPTS {
        terminal.press("go")?;
        terminal.settle(QUIET)?;
        let pressed = terminal.press("\r")?;
        took.push(milliseconds(terminal.wait_for(&letter(number))? - pressed));
        terminal.settle(QUIET)?;
    }
    Ok(vec![Row::new("Enter until the first word of a reply, ms", took).at_most(10.0, "–")])
}

/// A letter that is nowhere else on the screen.
fn letter(number: usize) -> String {
    ('α'..).nth(number).into_iter().collect()
}

/// From Esc until the server sees that nobody listens any more.
fn esc() -> Result<Vec<Row>> {
    let house = House::new(json!([steady()]))?;
    let mut terminal = house.open()?;
    let mut took = Vec::new();
    for number in 1..=INTERRUPTS {
        terminal.press("go\r")?;
        house.server.wait_for_chat(number, PATIENCE).context("nothing was asked")?;
        terminal.watch(Duration::from_millis(303 + 7 * number as u64));
        let pressed = terminal.press("\x1b")?;
        let chat = house.server.wait_for_chat_end(number, PATIENCE).context("Esc ended nothing")?;
        let ended = chat.ended.context("it has ended")?;
        ensure!(ended.how == End::ClientGone, "the reply ended by itself");
        took.push(milliseconds(ended.at - pressed));
        terminal.settle(Duration::from_millis(150))?;
    }
    Ok(vec![Row::new("Esc until the server sees the end, ms", took).at_most(2.5, "2.9")])
}

/// Ten seconds in which the server sends one byte a second.
fn silence() -> Result<Vec<Row>> {
    let house = House::new(json!([{"say": [{"stream_tokens": {"count": 30, "per_second": 1}}]}]))?;
    let mut terminal = house.open()?;
    terminal.press("go\r")?;
    house.server.wait_for_chat(1, PATIENCE).context("nothing was asked")?;
    let before = cpu_seconds(terminal.process()?)?;
    terminal.watch(Duration::from_secs(10));
    let share = (cpu_seconds(terminal.process()?)? - before) * 10.0;
    Ok(vec![Row::new("a token a second: % of a processor", vec![share]).at_most(10.0, "–")])
}

/// Two seconds at rest after a terminal was given two hundred sizes.
fn resizing() -> Result<Vec<Row>> {
    let house = House::new(json!([]))?;
    let mut terminal = house.open()?;
    for number in 0..200 {
        terminal.resize((20 + number % 97, 6 + number % 97 / 3))?;
        terminal.watch(Duration::from_millis(5));
    }
    terminal.resize(SIZE)?;
    terminal.settle(QUIET)?;
    let before = cpu_seconds(terminal.process()?)?;
    terminal.watch(Duration::from_secs(2));
    let share = (cpu_seconds(terminal.process()?)? - before) * 50.0;
    Ok(vec![Row::new("at rest after 200 sizes: % of a processor", vec![share]).at_most(10.0, "–")])
}

/// A long reply all at once.
fn burst() -> Result<Vec<Row>> {
    const LAST: &str = "Here the burst ends.";
    let (mut settled, mut cpu, mut memory) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..5 {
        let house = House::new(json!([{"say": [{"burst_tokens": 20_000}, {"text": format!("\n\n{LAST}\n")}]}]))?;
        let mut terminal = house.open()?;
        let process = terminal.process()?;
        let before = cpu_seconds(process)?;
        terminal.press("go\r")?;
        terminal.wait_for(LAST)?;
        let last_piece = terminal.settle(QUIET)?;
        settled.push(milliseconds(last_piece.saturating_duration_since(chat_end(&house, 1)?)));
        cpu.push(cpu_seconds(process)? - before);
        memory.push(resident(process)?);
    }
    Ok(vec![
        Row::new("20,000 tokens at once: last byte until settled, ms", settled).at_most(150.0, "644"),
        Row::new("  CPU seconds", cpu).at_most(0.5, "1.3"),
        Row::new("  memory after, MiB", memory).at_most(50.0, "173"),
    ])
}

/// What the model is sent before anybody has said anything, as it goes over the wire.
fn prompt() -> Result<Vec<Row>> {
    let house = House::new(json!([{"say": [{"text": "Hello."}]}]))?;
    let mut terminal = house.open()?;
    terminal.press("go\r")?;
    let chat = house.server.wait_for_chat(1, PATIENCE).context("nothing was asked")?;
    let system = chat.body["messages"][0]["content"].as_str().context("no system message")?.chars().count();
    let tools = chat.body["tools"].to_string().chars().count();
    let count = chat.body["tools"].as_array().map_or(0, Vec::len);
    ensure!(count > 0, "no tool is offered");
    Ok(vec![
        Row::new("system prompt and schemas, characters", vec![(system + tools) as f64]).at_most(5000.0, "5322"),
        Row::new("  tools that are offered", vec![count as f64]),
    ])
}

/// When the server had sent all of its `number`-th reply.
pub(crate) fn chat_end(house: &House, number: usize) -> Result<Instant> {
    let chat = house.server.wait_for_chat_end(number, PATIENCE).context("the reply never ended")?;
    let ended = chat.ended.context("it has ended")?;
    ensure!(ended.how == End::Complete, "the reply was not taken to its end");
    Ok(ended.at)
}
