//! How long searching takes beside ripgrep, in the same run and on the same tree, with the same answers.
//! `cargo bench -p agent-tools --bench search`; needs `rg` on the PATH.
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
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};
use support::Gate;
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tokio::sync::mpsc::unbounded_channel;

/// Files of the tree.
const FILES: usize = 50_000;
/// Files in one folder.
const TOGETHER: usize = 50;
/// Lines of a file.
const LINES: usize = 40;
/// One file in so many holds the word that is looked for.
const ONE_IN: usize = 20;
/// At most so many times ripgrep's time.
const ENOUGH: f64 = 1.2;
/// How often it is measured, by turns; the best counts.
const ROUNDS: usize = 9;

fn main() {
    // `cargo test --benches` only wants to see that it runs.
    let quick = !std::env::args().any(|argument| argument == "--bench");
    let on: Option<PathBuf> = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).map(PathBuf::from);
    if Command::new("rg").arg("--version").output().is_err() {
        println!("left out: there is no rg on the PATH");
        return;
    }
    let house = House::with(if quick { FILES / 100 } else { FILES }, on.as_deref());
    let mut missed = Vec::new();
    println!("{:16} {:>10} {:>10} {:>7} {:>9}", "", "ours", "rg", "times", "answers");
    for (tool, arguments, rg) in [
        ("grep_search", json!({"pattern": "needle_[0-9]+"}), &["-n", "--no-heading", "needle_[0-9]+"][..]),
        ("glob_files", json!({"pattern": "**/*.rs"}), &["--files", "-g", "**/*.rs"]),
        ("list_directory", json!({"path": ".", "recursive": true}), &["--files"]),
    ] {
        let (mut ours, mut theirs) = (Duration::MAX, Duration::MAX);
        let (mut told, mut said) = (String::new(), String::new());
        for _ in 0..if quick { 1 } else { ROUNDS } {
            let (took, text) = house.ours(tool, &arguments);
            (ours, told) = (ours.min(took), text);
            let (took, text) = house.rg(rg);
            (theirs, said) = (theirs.min(took), text);
        }
        let (told, said) = (answers(tool, &told), answers("rg", &said));
        assert!(told == said && !told.is_empty(), "{tool}: {} answers, and rg has {}", told.len(), said.len());
        let times = ours.as_secs_f64() / theirs.as_secs_f64();
        let milliseconds = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1e3);
        println!("{tool:16} {:>10} {:>10} {times:7.2} {:9}", milliseconds(ours), milliseconds(theirs), told.len());
        if times > ENOUGH {
            missed.push(format!("{tool} takes {times:.2} times as long; at most {ENOUGH} are enough"));
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

/// The answers of a tool, one each, in no order.
fn answers(tool: &str, told: &str) -> BTreeSet<String> {
    let lines = told.lines().filter(|line| !line.starts_with('['));
    if tool != "grep_search" {
        // Folders are told by us alone.
        return lines.filter(|line| !line.ends_with('/')).map(str::to_owned).collect();
    }
    let mut file = "";
    let mut found = BTreeSet::new();
    for line in lines {
        match line.as_bytes().first() {
            Some(first) if first.is_ascii_digit() => drop(found.insert(format!("{file}:{line}"))),
            _ => file = line,
        }
    }
    found
}

struct House {
    root: PathBuf,
    toolbox: Toolbox,
    gate: RefCell<Gate>,
    runtime: Runtime,
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
                std::fs::write(folder.join(".gitignore"), "*.log\n/made/\n").unwrap();
                std::fs::create_dir(folder.join("made")).unwrap();
                std::fs::write(folder.join("made/out.rs"), "needle_1\n").unwrap();
            }
            let name = match at % 5 {
                0 => format!("notes_{at}.md"),
                1 => format!("page_{at}.ts"),
                2 => format!("trace_{at}.log"),
                _ => format!("file_{at}.rs"),
            };
            let mut text = "    let value = compute(the_first, the_second)?; // as it is everywhere\n".repeat(LINES);
            if at % ONE_IN == 0 {
                text.push_str(&format!("let needle_{at} = 1;\n"));
            }
            std::fs::write(folder.join(name), text).unwrap();
        }
        // Ripgrep obeys what git ignores only where there is a repository.
        std::fs::create_dir(root.join(".git")).unwrap();
        let toolbox = Toolbox::with(Ground::of_this_process(root.clone()).unwrap(), &[]).0;
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        House { gate: RefCell::new(Gate::new(&root)), root, toolbox, runtime, _folder: folder }
    }

    /// From the call to its outcome, and all that it tells.
    fn ours(&self, tool: &str, arguments: &Value) -> (Duration, String) {
        let call = ModelCall { server_id: None, index: None, name: tool.into(), arguments: arguments.clone() };
        let mut gate = self.gate.borrow_mut();
        let begun = Instant::now();
        let look = gate.look(self.toolbox.reach(&call).unwrap().action).unwrap();
        let looked = Looked::from(&look);
        let job = self.toolbox.plan(&call, look).unwrap();
        let permit = gate.deed(job.action(), &looked).unwrap();
        let (live, _heard) = unbounded_channel();
        let out = Output {
            live,
            room: 1 << 30,
            intent: None,
            reaches: {
                let (nobody, _) = unbounded_channel();
                nobody
            },
        };
        let doing = self.toolbox.perform(job, permit, out, Box::pin(std::future::pending()));
        let outcome = self.runtime.block_on(doing);
        (begun.elapsed(), outcome.told)
    }

    fn rg(&self, arguments: &[&str]) -> (Duration, String) {
        let begun = Instant::now();
        let output = Command::new("rg").args(arguments).arg("--no-config").current_dir(&self.root).output().unwrap();
        (begun.elapsed(), String::from_utf8(output.stdout).unwrap())
    }
}
