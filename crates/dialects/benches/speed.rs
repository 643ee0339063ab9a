//! How fast replies are read, how much is held, and how time grows with size. `cargo bench -p agent-dialects`.
//!
//! Prints a table and, at the end, which bar is missed; ends with an error if one is. Words after `--` choose the texts
//! whose names hold one of them.
#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark looks at the clock and prints what it saw"
)]

mod texts;

use agent_dialects::{Piece, Splitter, Start};
use std::time::{Duration, Instant};

/// Megabytes a second over plain prose.
const PROSE: f64 = 200.0;
/// Megabytes a second over text full of calls.
const CALLS: f64 = 50.0;
/// Pieces smaller than this are as small as tokens: most of their time goes into handing them over, and no bar is set.
const TINY: usize = 64;
/// By how much time may grow where size doubles; 2 is linear, the rest is noise.
const DOUBLING: f64 = 3.0;
/// Milliseconds that 200 KB may take.
const ENOUGH: f64 = 50.0;
/// What may be held besides the largest call.
const SLACK: usize = 8 * 1024;

/// In what pieces a text arrives.
const PIECES: [(&str, usize); 3] = [("16 B", 16), ("4 KB", 4096), ("whole", usize::MAX)];

fn main() {
    let mut missed = Vec::new();
    // `cargo test --benches` only wants to see that it runs.
    let quick = !std::env::args().any(|argument| argument == "--bench");
    speeds(quick, &mut missed);
    doublings(quick, &mut missed);
    if missed.is_empty() {
        println!("\nevery bar is held");
    } else if !quick {
        println!("\nmissed:\n  {}", missed.join("\n  "));
        std::process::exit(1);
    }
}

fn is_chosen(name: &str) -> bool {
    let mut words = std::env::args().skip(1).filter(|word| !word.starts_with('-')).peekable();
    words.peek().is_none() || words.any(|word| name.contains(&word))
}

fn speeds(quick: bool, missed: &mut Vec<String>) {
    println!("{:34} {:>9} {:>9} {:>9} {:>7} {:>10}", "MB/s in pieces of", "16 B", "4 KB", "whole", "calls", "held");
    for sample in texts::samples(if quick { 1 << 14 } else { 1 << 21 }) {
        if !is_chosen(&sample.name) {
            continue;
        }
        let mut line = format!("{:34}", sample.name);
        let (mut calls, mut held) = (0, 0);
        for (name, size) in PIECES {
            let pieces = cut(&sample.text, size);
            let run = best(&pieces, quick);
            let speed = sample.text.len() as f64 / 1e6 / run.time.as_secs_f64();
            line += &format!(" {speed:9.0}");
            calls = run.calls;
            if size < usize::MAX {
                held = held.max(run.held.saturating_sub(size));
            }
            let bar = if sample.is_prose { PROSE } else { CALLS };
            if sample.has_bar && size >= TINY && speed < bar {
                missed.push(format!("{} in {name}: {speed:.0} MB/s of {bar}", sample.name));
            }
        }
        println!("{line} {calls:7} {held:10}");
        if calls != sample.calls {
            missed.push(format!("{}: {calls} calls found of {}", sample.name, sample.calls));
        }
        if held > 2 * sample.largest + SLACK {
            missed.push(format!("{}: holds {held} bytes, the largest call has {}", sample.name, sample.largest));
        }
    }
}

fn doublings(quick: bool, missed: &mut Vec<String>) {
    let sizes = if quick { [1, 2, 4, 8] } else { [50, 100, 200, 400] }.map(|size| size * 1000);
    println!("\n{:34} {:>41}   growth where size doubles", "milliseconds for", "50 KB    100 KB    200 KB    400 KB");
    for worst in texts::WORST.iter().filter(|worst| is_chosen(worst.name)) {
        for (name, size) in [("1 character", 1), ("16 B", 16), ("whole", usize::MAX)] {
            let times = sizes.map(|bytes| {
                let text = (worst.text)(bytes);
                best(&cut(&text, size), quick).time.as_secs_f64() * 1e3
            });
            let growth = [times[1] / times[0], times[2] / times[1], times[3] / times[2]];
            let shown: String = times.iter().map(|time| format!(" {time:9.2}")).collect();
            let grown: String = growth.iter().map(|growth| format!(" {growth:5.1}")).collect();
            println!("{:24} {name:>11} {shown}  {grown}", worst.name);
            // Over two doublings, for one alone is mostly noise; what takes hardly any time is no matter.
            let twice = times[3] / times[1];
            if twice > DOUBLING * DOUBLING && times[3] > ENOUGH {
                missed.push(format!("{} in {name}: 400 KB take {twice:.1} times as long as 100 KB", worst.name));
            }
            if size > 1 && times[2] > ENOUGH {
                missed.push(format!("{} in {name}: 200 KB take {:.0} ms of {ENOUGH}", worst.name, times[2]));
            }
        }
    }
}

/// What one reading took.
#[derive(Clone, Copy)]
struct Run {
    time: Duration,
    calls: usize,
    /// The most that was held between two pieces, in bytes.
    held: usize,
}

/// The fastest of several readings.
fn best(pieces: &[&str], quick: bool) -> Run {
    let mut best = run(pieces);
    let began = Instant::now();
    while !quick && began.elapsed() < Duration::from_millis(150) {
        let next = run(pieces);
        if next.time < best.time {
            best = next;
        }
    }
    best
}

fn run(pieces: &[&str]) -> Run {
    let tools = texts::tools();
    let (mut calls, mut held) = (0, 0);
    let mut count = |pieces: Vec<Piece>| {
        calls += pieces.iter().filter(|piece| matches!(piece, Piece::Call(_))).count();
        std::hint::black_box(pieces);
    };
    let began = Instant::now();
    let mut splitter = Splitter::new(tools, Start::Answer);
    for piece in pieces {
        count(splitter.push(piece));
        held = held.max(splitter.held());
    }
    count(splitter.finish());
    Run { time: began.elapsed(), calls, held }
}

/// Pieces of about `size` bytes.
fn cut(text: &str, size: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (piece, more) = rest.split_at(rest.ceil_char_boundary(size.min(rest.len())));
        pieces.push(piece);
        rest = more;
    }
    pieces
}
