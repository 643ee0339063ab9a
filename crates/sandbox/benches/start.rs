//! What the sandbox costs: a command that does nothing, run within each profile and bare, by turns.
//!
//! `cargo bench -p agent-sandbox`. The bar: the median of a profile is at most 10 ms above the bare one, where the making
//! of the session's namespaces is counted once, in the first round.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement may stop where it stumbles, and prints")]

use agent_policy::{Facts, PathKind, Policy, SandboxLimits, Setup, Verdict};
use agent_protocol::{Action, Mode, Profile};
use agent_sandbox::{Shell, Surroundings};
use std::path::{Path, PathBuf};
use std::process::{ExitCode, Stdio};
use std::time::{Duration, Instant};
use tokio::process::Command;

/// Rounds, each of which runs everything once.
const ROUNDS: usize = 200;
/// Memory that we hold meanwhile, as a session does: a fork copies its page tables.
const HELD: usize = 100 << 20;
/// Above the bare start.
const BAR: Duration = Duration::from_millis(10);
const PROFILES: [Profile; 4] = [Profile::ReadOnly, Profile::Project, Profile::Network, Profile::Unfenced];

#[tokio::main]
async fn main() -> ExitCode {
    let first = probe();
    let held = vec![1_u8; HELD];
    let project = tempfile::TempDir::new().unwrap();
    let root = project.path().canonicalize().unwrap();
    let around = Surroundings::new(std::env::vars_os(), &[], &root).unwrap();
    let shell = Shell { line: ":".into(), argv: Vec::new(), cwd: root.clone(), input: None, held: None };
    let sandboxes = PROFILES.map(|profile| sandbox(&root, profile));
    let (mut bare, mut sandboxed) = (Vec::new(), PROFILES.map(|_| Vec::new()));
    for _ in 0..ROUNDS {
        bare.push(bare_start(&shell).await);
        for (sandbox, times) in sandboxes.iter().zip(&mut sandboxed) {
            let before = Instant::now();
            agent_sandbox::run(&shell, sandbox, &around, |_| ()).await.unwrap();
            times.push(before.elapsed());
        }
    }
    let mut probes: Vec<Duration> = (0..ROUNDS / 10).map(|_| probe()).collect();
    println!(
        "probe      median {:>9.2?}   (the first {first:.2?}; {})",
        spread(&mut probes).1,
        agent_sandbox::probe().words
    );
    let mut namespaces: Vec<Duration> = (0..ROUNDS / 10).map(|_| namespaces(&root)).collect();
    let had = around.try_inside().map_or_else(|why| format!("none: {why}"), |_| "made once a session".into());
    println!("namespaces median {:>9.2?}   ({had})", spread(&mut namespaces).1);
    println!("{ROUNDS} rounds, {} MiB held", held.len() >> 20);
    let (low, bare, high) = spread(&mut bare);
    println!("{:<10} median {bare:>9.2?}   ({low:.2?} to {high:.2?})", "bare");
    let mut code = ExitCode::SUCCESS;
    for (profile, times) in PROFILES.iter().zip(&mut sandboxed) {
        let (low, median, high) = spread(times);
        let cost = median.saturating_sub(bare);
        let verdict = if cost <= BAR { "within the bar" } else { "ABOVE THE BAR" };
        let name = format!("{profile:?}");
        println!(
            "{name:<10} median {median:>9.2?}   ({low:.2?} to {high:.2?})   cost {cost:.2?}, {verdict} of {BAR:?}"
        );
        if cost > BAR {
            code = ExitCode::FAILURE;
        }
    }
    code
}

fn probe() -> Duration {
    let before = Instant::now();
    agent_sandbox::probe();
    before.elapsed()
}

/// Making those of a session.
fn namespaces(root: &Path) -> Duration {
    let around = Surroundings::new(std::env::vars_os(), &[], root).unwrap();
    let before = Instant::now();
    around.inside();
    before.elapsed()
}

async fn bare_start(shell: &Shell) -> Duration {
    let before = Instant::now();
    let mut command = Command::new("/bin/sh");
    command.arg("-c").arg(&shell.line).current_dir(&shell.cwd).stdin(Stdio::null());
    let output = command.output().await.unwrap();
    assert!(output.status.success());
    before.elapsed()
}

/// The tenth, the middle and the ninth of ten.
fn spread(times: &mut [Duration]) -> (Duration, Duration, Duration) {
    times.sort_unstable();
    let at = |tenths: usize| times[times.len() * tenths / 10];
    (at(1), at(5), at(9))
}

fn sandbox(root: &Path, profile: Profile) -> SandboxLimits {
    let mut policy = Policy::new(Setup::new(root.to_owned(), Mode::Safe));
    let mut facts = Facts::default();
    facts.set_kind(PathBuf::from(root), PathKind::Folder);
    let action = Action::Run {
        command: "make".into(),
        argv: Vec::new(),
        cwd: root.to_owned(),
        timeout_secs: 60,
        profile,
        background: false,
        input: None,
    };
    match policy.judge(action, &facts) {
        Verdict::Allow(permit) => permit.sandbox().clone(),
        Verdict::Ask(held) => policy.answer(held, None).unwrap().sandbox().clone(),
        Verdict::Deny(why) | Verdict::Impossible(why) => panic!("{why}"),
    }
}
