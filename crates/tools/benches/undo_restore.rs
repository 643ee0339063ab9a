//! How long it takes to take back what was done to 1,000 files. `cargo bench -p agent-tools --bench undo_restore`.
//!
//! Prints a table and, at the end, which bar is missed; ends with an error if one is. Give a folder to measure on the
//! disk that it lies on.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a benchmark prints what it saw, and may stop where it stumbles"
)]

#[path = "../tests/support.rs"]
#[expect(dead_code, reason = "tests ask more of it")]
mod support;

use agent_protocol::{Action, FileState, Restoring, SaidId, UndoDirection};
use agent_tools::{Ground, Toolbox, Wanted};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use support::Gate;

/// Milliseconds that taking back 1,000 files may take, made to last.
const ENOUGH: f64 = 500.0;
/// Bytes of a text.
const SIZE: usize = 4_096;
/// Files in one folder.
const TOGETHER: usize = 25;

/// What became of every file, and is taken back.
#[derive(Debug, Clone, Copy)]
enum Deed {
    Edited,
    Created,
    Deleted,
}

fn main() {
    // `cargo test --benches` only wants to see that it runs.
    let quick = !std::env::args().any(|argument| argument == "--bench");
    let on: Option<PathBuf> = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).map(PathBuf::from);
    let files = if quick { 50 } else { 1_000 };
    let mut missed = Vec::new();
    println!("{files} texts of 4 KB, milliseconds     plan  restore  receipt");
    for deed in [Deed::Edited, Deed::Created, Deed::Deleted] {
        let [plan, restore, receipt] =
            (0..3).map(|_| once(deed, files, on.as_deref())).min_by(|a, b| a[1].total_cmp(&b[1])).unwrap();
        println!("{:<34} {plan:7.0}  {restore:7.0}  {receipt:7.0}", format!("{deed:?}"));
        if restore > ENOUGH {
            missed.push(format!("{deed:?}: restoring took {restore:.0} ms, at most {ENOUGH:.0} are enough"));
        }
    }
    if missed.is_empty() {
        println!("\nevery bar is held");
    } else if !quick {
        println!("\nmissed:\n  {}", missed.join("\n  "));
        std::process::exit(1);
    }
}

fn text(at: usize, word: &str) -> String {
    let lines = (0..).map(|line| format!("line {line} of the text number {at}, {word}\n"));
    let mut text = String::new();
    for line in lines {
        if text.len() + line.len() > SIZE {
            return text;
        }
        text.push_str(&line);
    }
    text
}

/// Milliseconds of planning, restoring, and telling what became of it.
fn once(deed: Deed, files: usize, on: Option<&Path>) -> [f64; 3] {
    let folder = on.map_or_else(tempfile::tempdir, tempfile::tempdir_in).unwrap();
    let root = folder.path().canonicalize().unwrap();
    let ground = Ground::of_this_process(root.clone()).unwrap();
    let keep = ground.keep.clone();
    let (toolbox, _) = Toolbox::with(ground, &[]);
    let kept = |text: &str| FileState::File {
        content: keep.keep(text.as_bytes()).unwrap(),
        mode: 0o644,
        size: text.len() as u64,
    };
    let wanted: Vec<Wanted> = (0..files)
        .map(|at| {
            let path = root.join(format!("part_{}/file_{at}.rs", at / TOGETHER));
            let (ours, before) = (text(at, "ours"), text(at, "before"));
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            let left = match deed {
                Deed::Edited | Deed::Created => {
                    std::fs::write(&path, &ours).unwrap();
                    kept(&ours)
                }
                Deed::Deleted => FileState::Missing,
            };
            let target = match deed {
                Deed::Edited | Deed::Deleted => kept(&before),
                Deed::Created => FileState::Missing,
            };
            Wanted { path, left, target }
        })
        .collect();
    let (plan, planning) = timed(|| toolbox.plan_undo(UndoDirection::Undo, SaidId(1), &wanted));
    assert!(plan.files.len() == files && plan.files.iter().all(|file| file.possible && file.conflict.is_none()));
    let restoring = plan.files.into_iter().map(|file| Restoring { path: file.path, from: file.now, to: file.target });
    let permit = Gate::new(&root).look(Action::Restore { files: restoring.collect() }).unwrap();
    let (done, restored) = timed(|| toolbox.restore(permit));
    assert!(done.len() == files && done.iter().all(|file| file.left.is_none()), "something was left");
    let before: Vec<(PathBuf, FileState)> = wanted.into_iter().map(|file| (file.path, file.left)).collect();
    let (receipt, looked) = timed(|| toolbox.receipt(&before));
    assert_eq!(receipt.len(), files);
    [planning, restored, looked]
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let begun = Instant::now();
    let done = work();
    (done, milliseconds(begun.elapsed()))
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
