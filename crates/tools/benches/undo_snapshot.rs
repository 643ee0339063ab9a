//! How long a command waits for its project to be looked at, before and after. `cargo bench -p agent-tools --bench undo_snapshot`.
//!
//! Prints a table and, at the end, which bar is missed; ends with an error if one is. Give a folder to measure on the disk
//! that it lies on. The bytes are kept in memory: what keeping them on disk takes is measured in `store`.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark prints what it saw, and may stop where it stumbles"
)]

#[path = "../tests/support.rs"]
mod support;

use agent_policy::Looked;
use agent_protocol::{Cover, CoverScope, Digest, ModelCall, Outcome, PreviewBody};
use agent_tools::{Ground, Intent, Output, Toolbox};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use support::Gate;
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio::sync::mpsc::unbounded_channel;

/// Files of a usual project, and milliseconds that both looks may take there when the project is known.
const USUAL: usize = 10_000;
const ENOUGH: f64 = 150.0;
/// Files of one that is too large to be covered, and milliseconds until that is told.
const LARGE: usize = 100_000;
const ENOUGH_TO_TELL: f64 = 1_000.0;
/// Bytes of a file.
const SIZE: usize = 2_000;
/// Files in one folder.
const TOGETHER: usize = 50;
/// How often it is measured; the best counts.
const ROUNDS: usize = 7;

fn main() {
    // `cargo test --benches` only wants to see that it runs.
    let quick = !std::env::args().any(|argument| argument == "--bench");
    let on: Option<PathBuf> = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).map(PathBuf::from);
    let mut missed = Vec::new();
    let empty = House::with(0, on.as_deref());
    let nothing = best((0..ROUNDS).map(|_| empty.waits()));
    row("a command in an empty folder", nothing);
    for (files, enough) in [(USUAL, ENOUGH), (LARGE, ENOUGH_TO_TELL)] {
        let files = if quick { files / 100 } else { files };
        let house = House::with(files, on.as_deref());
        let (cover, plan) = house.plan();
        println!("{files} files");
        row("told what is covered, first time", plan);
        println!("  {:44} {}", "covered", scope(&cover));
        row("cold: the first command, both looks", house.waits().saturating_sub(nothing));
        row("warm: any other, both looks", best((0..ROUNDS).map(|_| house.waits())).saturating_sub(nothing));
        let (warm, recovers): (Vec<_>, Vec<_>) = (0..ROUNDS).map(|_| house.waits_and_recovers()).unzip();
        let warm = best(warm.into_iter()).saturating_sub(nothing);
        row("  what was there before written down too", warm);
        row("what became of files since a killed one", best(recovers.into_iter()));
        row("told what is covered, warm", best((0..ROUNDS).map(|_| house.plan().1)));
        if milliseconds(warm) > enough || milliseconds(plan) > ENOUGH_TO_TELL {
            missed.push(format!("{files} files: {:.0} ms warm, at most {enough:.0} are enough", milliseconds(warm)));
        }
    }
    if missed.is_empty() {
        println!("\nevery bar is held");
    } else if !quick {
        println!("\nmissed:\n  {}", missed.join("\n  "));
        std::process::exit(1);
    }
}

fn row(what: &str, time: Duration) {
    println!("  {what:44} {:8.1} ms", milliseconds(time));
}

fn scope(cover: &Cover) -> String {
    match &cover.scope {
        CoverScope::Project => format!("all {} files", cover.files),
        CoverScope::Seen { most } => format!("only what was seen: there are more than {most}"),
        CoverScope::Nothing { why } => format!("nothing: {why}"),
    }
}

fn best(times: impl Iterator<Item = Duration>) -> Duration {
    times.min().unwrap()
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

struct House {
    _folder: TempDir,
    ground: Ground,
    toolbox: Toolbox,
    gate: std::cell::RefCell<Gate>,
    runtime: Runtime,
}

impl House {
    fn with(files: usize, on: Option<&Path>) -> Self {
        let folder = on.map_or_else(TempDir::new, TempDir::new_in).unwrap();
        let root = folder.path().canonicalize().unwrap();
        let line = "a line of a text that is like many others\n".repeat(SIZE / 42);
        for at in 0..files {
            let folder = root.join(format!("part_{}/of_{}", at / TOGETHER / 20, at / TOGETHER));
            if at % TOGETHER == 0 {
                std::fs::create_dir_all(&folder).unwrap();
            }
            std::fs::write(folder.join(format!("file_{at}.rs")), format!("{at}\n{line}")).unwrap();
        }
        // Files that just changed are read again at every look, and a project is hardly ever that young.
        std::thread::sleep(Duration::from_millis(100));
        let ground = Ground::of_this_process(root.clone()).unwrap();
        let (toolbox, gate) = (Toolbox::with(ground.clone(), &[]).0, Gate::new(&root).into());
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        House { ground, toolbox, gate, runtime, _folder: folder }
    }

    /// What is told of a command before it runs, and how long that takes.
    fn plan(&self) -> (Cover, Duration) {
        // What was told a moment ago would be told again.
        std::thread::sleep(Duration::from_millis(1_100));
        let call = call("true");
        let look = self.gate.borrow_mut().look(self.toolbox.reach(&call).unwrap().action).unwrap();
        let begun = Instant::now();
        let job = self.toolbox.plan(&call, look).unwrap();
        let took = begun.elapsed();
        let PreviewBody::Command { cover, .. } = job.preview().body else { panic!("it is a command") };
        (cover.unwrap(), took)
    }

    /// How long a command that writes takes from the permit to its outcome, when what was there before is not written
    /// down.
    fn waits(&self) -> Duration {
        self.takes(None)
    }

    /// The same when it is; and how long it takes to find out what became of files since.
    fn waits_and_recovers(&self) -> (Duration, Duration) {
        let (told, before) = std::sync::mpsc::channel();
        let took = self.takes(Some(Box::new(move |before: Option<Digest>| {
            told.send(before.unwrap()).unwrap();
            Box::pin(std::future::ready(()))
        })));
        let before = before.recv().unwrap();
        // Another program knows nothing.
        let other = Toolbox::with(self.ground.clone(), &[]).0;
        let begun = Instant::now();
        assert!(other.recovered(&before).len() <= 1);
        (took, begun.elapsed())
    }

    fn takes(&self, intent: Option<Intent>) -> Duration {
        let call = call("echo x >> one");
        let mut gate = self.gate.borrow_mut();
        let look = gate.look(self.toolbox.reach(&call).unwrap().action).unwrap();
        let looked = Looked::from(&look);
        let job = self.toolbox.plan(&call, look).unwrap();
        let permit = gate.deed(job.action(), &looked).unwrap();
        let (live, _heard) = unbounded_channel();
        let begun = Instant::now();
        let out = Output {
            live,
            room: 1_000,
            intent,
            reaches: {
                let (nobody, _) = unbounded_channel();
                nobody
            },
        };
        let doing = self.toolbox.perform(job, permit, out, Box::pin(std::future::pending()));
        let outcome: Outcome = self.runtime.block_on(doing);
        let took = begun.elapsed();
        assert!(outcome.changed.len() <= 1, "{}", outcome.changed.len());
        took
    }
}

fn call(command: &str) -> ModelCall {
    ModelCall { server_id: None, index: None, name: "run_command".into(), arguments: json!({ "command": command }) }
}
