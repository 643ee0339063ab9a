//! `cargo test` and `cargo nextest`, and what the compiler says before.

use super::{Report, TestFault, TestSpot, counted, pattern, spot};
use regex::Regex;
use std::sync::LazyLock;

/// What is said after errors that were told already.
const NO_NEWS: [&str; 8] = [
    "could not compile",
    "test failed",
    "doctest failed",
    "aborting due",
    "test run failed",
    "target failed",
    "targets failed",
    "` exited with code ",
];

pub(super) fn cargo(text: &str) -> Option<Report> {
    let mut report = Report { passed: Some(0), broken: errors(text), ..Report::default() };
    let mut block: Option<TestFault> = None;
    let mut binaries = 0;
    for line in text.lines() {
        let result = line.strip_prefix("test result: ");
        let name = line.strip_prefix("---- ").and_then(|line| line.strip_suffix(" ----"));
        if name.is_some() || result.is_some() || line == "failures:" {
            report.faults.extend(block.take());
        }
        if let Some(name) = name {
            block = Some(TestFault::new(name.trim_end_matches(" stdout").trim_end_matches(" stderr")));
        } else if let Some(result) = result {
            binaries += 1;
            report.passed = report.passed.map(|passed| passed + counted(result, "passed"));
            report.failed += counted(result, "failed");
            report.skipped += counted(result, "ignored");
        } else if let Some(block) = &mut block {
            said(block, line);
        }
    }
    report.faults.extend(block);
    (binaries > 0 || !report.broken.is_empty()).then(|| report.once())
}

/// Takes a line that a test said: the one that tells where it panicked, and what follows.
fn said(fault: &mut TestFault, line: &str) {
    static PANIC: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"^\s*thread '.*panicked at (?:'(.*)', )?(\S+?):(\d+):\d+"));
    if fault.lines.last().is_some_and(|last| last.trim() == "stack backtrace:") {
        return;
    }
    if let Some(panic) = PANIC.captures(line).filter(|_| fault.spot.is_none()) {
        fault.spot = panic[3].parse().ok().map(|line| TestSpot { path: panic[2].into(), line });
        // What it printed before is of less worth than why it panicked.
        fault.lines = panic.get(1).map(|message| message.as_str().to_owned()).into_iter().collect();
    } else if let Some(arrow) = line.trim_start().strip_prefix("--> ") {
        fault.or_spot(spot(arrow));
    } else if let Some((note, at)) = line.split_once("did not panic as expected at ") {
        fault.or_spot(spot(at));
        fault.lines.push(format!("{note}did not panic as expected"));
    } else if !line.contains("note: run with `RUST_BACKTRACE") {
        fault.lines.push(line.to_owned());
    }
}

/// What the compiler and cargo itself complain of, outside what tests say.
fn errors(text: &str) -> Vec<TestFault> {
    let mut errors: Vec<TestFault> = Vec::new();
    let (mut open, mut in_test) = (false, false);
    for line in text.lines() {
        in_test = line.starts_with("---- ") || in_test && !(line.starts_with("test result: ") || line == "failures:");
        let begins = line.starts_with("error: ") || line.starts_with("error[");
        if begins && !in_test && !NO_NEWS.iter().any(|known| line.contains(known)) {
            errors.push(TestFault::new(line));
            open = true;
        } else if begins || line.trim().is_empty() || line.starts_with("warning") {
            open = false;
        } else if let Some(error) = errors.last_mut().filter(|_| open) {
            match line.trim_start().strip_prefix("--> ") {
                Some(at) => error.or_spot(spot(at)),
                None if line.trim() == "|" => {}
                None => error.lines.push(line.to_owned()),
            }
        } else if line.trim_start().starts_with("process didn't exit successfully") && line.contains("(signal: ") {
            errors.push(TestFault::new(line));
        }
    }
    errors
}

pub(super) fn nextest(text: &str) -> Option<Report> {
    static STATUS: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s+([A-Z][A-Z-]*) \[[^\]]*\] (?:\([^)]*\) )?(.*)$"));
    let summary = text.lines().rev().find(|line| line.trim_start().starts_with("Summary ["))?;
    let summary = summary.split(" run: ").nth(1)?;
    let failed = ["failed", "exec", "timed"].iter().map(|word| counted(summary, word)).sum();
    let mut report = Report {
        passed: Some(counted(summary, "passed")),
        failed,
        skipped: counted(summary, "skipped"),
        broken: errors(text),
        ..Report::default()
    };
    let mut block: Option<TestFault> = None;
    let before = text.split("\n     Summary [").next().unwrap_or(text);
    for line in before.lines() {
        let status = STATUS.captures(line);
        if status.is_some() || line.starts_with('─') {
            report.faults.extend(block.take());
        }
        match status {
            Some(status) if ["PASS", "SLOW", "LEAK", "SETUP", "START"].contains(&&status[1]) => {}
            Some(status) => block = Some(TestFault::new(&status[2])),
            None => {
                let named = |block: &&mut TestFault| block.name.rsplit(' ').next() == Some(line.trim());
                if let Some(block) = block.as_mut().filter(|block| !is_frame(line) && !named(block)) {
                    said(block, line.strip_prefix("    ").unwrap_or(line));
                }
            }
        }
    }
    report.faults.extend(block);
    Some(report.once())
}

/// What stands around what a test said.
fn is_frame(line: &str) -> bool {
    let line = line.trim();
    let marks =
        ["stdout ───", "stderr ───", "--- STDOUT:", "--- STDERR:", "running 1 test", "test result: ", "failures:"];
    line.is_empty()
        || marks.iter().any(|mark| line.starts_with(mark))
        || line.starts_with("test ") && line.ends_with("... FAILED")
        || line.starts_with("---- ") && line.ends_with(" ----")
}
