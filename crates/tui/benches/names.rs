//! How long a key takes while a file is named in a project of 100,000. `cargo bench -p agent-tui`.
//!
//! Prints a table and, at the end, which bar is missed; ends with an error if one is.
#![expect(clippy::print_stdout, reason = "a benchmark prints what it saw")]

use agent_tui::names::FileNames;
use std::time::{Duration, Instant};

/// Milliseconds that a key may take.
const ENOUGH: Duration = Duration::from_millis(30);
/// What is typed, letter by letter.
const TYPED: [&str; 4] = ["parser.rs", "modrmfile42", "srccratesroom7", "zzzz"];

fn main() {
    // `cargo test --benches` only wants to see that it runs.
    let quick = !std::env::args().any(|argument| argument == "--bench");
    let count = if quick { 100 } else { 100_000 };
    let name =
        |number: usize| format!("src/crates/room{}/module{}/file{number}_parser.rs", number % 97, number % 1_009);
    let mut names = FileNames::default();
    names.replace((0..count).map(name).collect());
    let mut slowest = Duration::ZERO;
    println!("{count} names");
    for typed in TYPED {
        for end in 1..=typed.len() {
            let begun = Instant::now();
            let found = names.find(&typed[..end], 50).len();
            let took = begun.elapsed();
            slowest = slowest.max(took);
            println!("{:<16} {found:>3} found  {:>7.2} ms", &typed[..end], took.as_secs_f64() * 1_000.0);
        }
    }
    println!("slowest: {:.2} ms, of {} ms", slowest.as_secs_f64() * 1_000.0, ENOUGH.as_millis());
    if !quick && slowest > ENOUGH {
        std::process::exit(1);
    }
}
