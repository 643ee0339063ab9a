//! What the gate costs a command: asking its questions and judging it, answers aside. `cargo bench -p agent-policy`.
#![expect(clippy::print_stdout, reason = "printing is what it is for")]
#![expect(clippy::disallowed_methods, reason = "a benchmark needs a clock")]

#[path = "../tests/world/mod.rs"]
mod world;

use agent_policy::{Kept, Policy, Setup, queries};
use agent_protocol::{Action, Mode, Profile};
use serde_json::Value;
use std::hint::black_box;
use std::time::{Duration, Instant};
use world::{HOME, ROOT, World};

/// Every command is judged so often, and its median counts.
const ROUNDS: usize = 200;
/// What the median command may cost.
const BAR: Duration = Duration::from_micros(50);

fn main() {
    let policy = Policy::new(Setup {
        kept: Kept { read_only: true, ..Kept::default() },
        trusted: true,
        home: Some(HOME.into()),
        ..Setup::new(ROOT.into(), Mode::Safe)
    });
    let world = World::new("plain");
    let cases = include_str!("../tests/cases/commands.jsonl").lines();
    let cases = cases.map(|line| serde_json::from_str::<Value>(line).expect("each line is JSON"));
    let mut costs: Vec<(Duration, String)> = cases
        .map(|case| {
            let command = case["cmd"].as_str().expect("each case has its command").to_owned();
            (cost(&policy, &world, &command), command)
        })
        .collect();
    costs.sort();
    let at = |share: usize| micros(costs[(costs.len() - 1) * share / 100].0);
    println!(
        "gate: {} commands, median {} µs, 95 % below {} µs (bar: {} µs)",
        costs.len(),
        at(50),
        at(95),
        micros(BAR)
    );
    let (slowest, command) = &costs[costs.len() - 1];
    println!("slowest: {} µs, {} bytes beginning with {:?}", micros(*slowest), command.len(), prefix(command));
}

/// The median of many rounds.
fn cost(policy: &Policy, world: &World, command: &str) -> Duration {
    let action = Action::Run {
        command: command.into(),
        argv: Vec::new(),
        cwd: ROOT.into(),
        timeout_secs: 120,
        profile: Profile::Project,
        background: false,
        input: None,
    };
    let facts = world.facts(&queries(&action));
    let mut rounds: Vec<Duration> = (0..ROUNDS)
        .map(|_| {
            let judged = action.clone();
            let start = Instant::now();
            black_box(queries(&judged));
            let verdict = policy.judge(judged, &facts);
            let cost = start.elapsed();
            black_box(verdict);
            cost
        })
        .collect();
    rounds.sort();
    rounds[ROUNDS / 2]
}

fn micros(time: Duration) -> String {
    format!("{:.1}", time.as_secs_f64() * 1e6)
}

fn prefix(command: &str) -> String {
    command.chars().take(40).collect()
}
