//! How long a person's first words wait for the facts of a project of 50,000 files in git, alone and together with a file that
//! they name. `cargo bench -p agent-tools --bench facts`; what git says is left out where there is no `git`.
//!
//! Prints a table and, at the end, which bar is missed; ends with an error if one is. Give a folder to measure on the disk
//! that it lies on.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark prints what it saw, and may stop where it stumbles"
)]

#[path = "../tests/support.rs"]
mod support;

use agent_policy::Looked;
use agent_protocol::ModelCall;
use agent_tools::{Ground, Output, Toolbox};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use support::Gate;
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio::sync::mpsc::unbounded_channel;

/// Files of the project.
const FILES: usize = 50_000;
/// Files in one folder.
const TOGETHER: usize = 50;
/// Lines of a file.
const LINES: usize = 40;
/// Longest that the words may wait.
const ENOUGH: Duration = Duration::from_millis(150);
/// How often it is measured; the median counts.
const ROUNDS: usize = 15;

fn main() {
    // `cargo test --benches` only wants to see that it runs.
    let quick = !std::env::args().any(|argument| argument == "--bench");
    let on: Option<PathBuf> = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).map(PathBuf::from);
    let house = House::with(if quick { FILES / 100 } else { FILES }, on.as_deref());
    let mut missed = Vec::new();
    println!("{:34} {:>9} {:>9} {:>7} {:>7}", "", "median", "longest", "places", "status");
    for (name, words, git, also) in [
        ("facts, git not asked", "fix the bug", false, false),
        ("facts, git asked", "fix the bug", true, false),
        ("facts, a name of the code", "`the_needle` is wrong", false, false),
        ("facts and a file that is named", "`the_needle` in part_0/of_3/page_151.ts is wrong", true, true),
    ] {
        let mut times = Vec::new();
        let mut told = String::new();
        for _ in 0..if quick { 1 } else { ROUNDS } {
            let (took, text) = house.first_words(words, git, also);
            times.push(took);
            told = text;
        }
        times.sort();
        let (median, longest) = (times[times.len() / 2], *times.last().unwrap());
        let milliseconds = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1e3);
        let has = |what: &str| if told.contains(what) { "yes" } else { "no" };
        println!(
            "{name:34} {:>9} {:>9} {:>7} {:>7}",
            milliseconds(median),
            milliseconds(longest),
            has("the_needle:"),
            has("changed")
        );
        if median > ENOUGH {
            missed.push(format!("{name}: {} of at most {}", milliseconds(median), milliseconds(ENOUGH)));
        }
    }
    match missed.is_empty() {
        true => println!("\nevery bar is held"),
        false if quick => {}
        false => {
            println!("\nmissed:\n  {}", missed.join("\n  "));
            std::process::exit(1);
        }
    }
}

struct House {
    toolbox: Toolbox,
    gate: RefCell<Gate>,
    runtime: Runtime,
    /// The number of the last message.
    message: RefCell<u64>,
    _folder: TempDir,
}

impl House {
    fn with(files: usize, on: Option<&Path>) -> Self {
        let folder = on.map_or_else(TempDir::new, TempDir::new_in).unwrap();
        let root = folder.path().canonicalize().unwrap();
        for at in 0..files {
            let folder = root.join(format!("part_{}/of_{}", at / TOGETHER / 20, at / TOGETHER));
            if at % TOGETHER == 0 {
                std::fs::create_dir_all(&folder).unwrap();
            }
            let name = match at % 5 {
                0 => format!("notes_{at}.md"),
                1 => format!("page_{at}.ts"),
                _ => format!("file_{at}.rs"),
            };
            let mut text = "    let value = compute(the_first, the_second)?; // as it is everywhere\n".repeat(LINES);
            if at == files / 2 + 3 {
                text.push_str("fn the_needle() {}\n");
            }
            std::fs::write(folder.join(name), text).unwrap();
        }
        std::fs::write(root.join("Cargo.toml"), "[package]\nname = \"x\"\n").unwrap();
        for words in [
            &["init", "-q"][..],
            &["add", "."],
            &["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "all"],
        ] {
            // Without git its part is left out.
            drop(Command::new("git").args(words).current_dir(&root).status());
        }
        std::fs::write(root.join("Cargo.toml"), "[package]\nname = \"y\"\n").unwrap();
        let toolbox = Toolbox::with(Ground::of_this_process(root.clone()).unwrap(), &[]).0;
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let (gate, message) = (RefCell::new(Gate::new(&root)), RefCell::new(0));
        House { gate, toolbox, runtime, message, _folder: folder }
    }

    /// From the words to what goes with them, and the facts.
    fn first_words(&self, words: &str, git: bool, also: bool) -> (Duration, String) {
        *self.message.borrow_mut() += 1;
        let message = *self.message.borrow();
        let begun = Instant::now();
        if also {
            self.call("gather_files", json!({"words": words, "scope": "named", "budget": 8_000, "message": message}));
        }
        let facts = json!({"words": words, "git": git, "network": "asked", "check": "", "message": message});
        let told = self.call("project_facts", facts);
        (begun.elapsed(), told)
    }

    fn call(&self, tool: &str, arguments: Value) -> String {
        let call = ModelCall { server_id: None, index: None, name: tool.into(), arguments };
        let mut gate = self.gate.borrow_mut();
        let look = gate.look(self.toolbox.reach(&call).unwrap().action).unwrap();
        let looked = Looked::from(&look);
        let Ok(job) = self.toolbox.plan(&call, look) else { return String::new() };
        let permit = gate.deed(job.action(), &looked).unwrap();
        let (live, _heard) = unbounded_channel();
        let (reaches, _) = unbounded_channel();
        let out = Output { live, room: 1 << 30, intent: None, reaches };
        let doing = self.toolbox.perform(job, permit, out, Box::pin(std::future::pending()));
        self.runtime.block_on(doing).told
    }
}
