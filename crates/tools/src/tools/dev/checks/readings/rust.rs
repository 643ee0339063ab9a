//! `cargo test` and `cargo nextest`, and what the compiler says before.

use super::{Report, TestFault, TestSpot, blocks, counted, pattern, spot};
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
    let results: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("test result: ")).collect();
    let sum = |word| results.iter().map(|result| counted(result, word)).sum();
    let opens = |line: &str| {
        let name = line.strip_prefix("---- ")?.strip_suffix(" ----")?;
        Some(TestFault::new(name.trim_end_matches(" stdout").trim_end_matches(" stderr")))
    };
    let faults = blocks(text, opens, |line| line.starts_with("test result: ") || line == "failures:", said);
    let (passed, broken) = (Some(sum("passed")), errors(text));
    let report = Report { passed, failed: sum("failed"), skipped: sum("ignored"), faults, broken };
    (!results.is_empty() || !report.broken.is_empty()).then(|| report.once())
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
    let status = |line: &str| STATUS.captures(line).map(|found| (found[1].to_owned(), found[2].to_owned()));
    let opens = |line: &str| {
        let (status, name) = status(line)?;
        let fine = ["PASS", "SLOW", "LEAK", "SETUP", "START"].contains(&status.as_str());
        (!fine).then(|| TestFault::new(&name))
    };
    let takes = |fault: &mut TestFault, line: &str| {
        if !is_frame(line) && fault.name.rsplit(' ').next() != Some(line.trim()) {
            said(fault, line.strip_prefix("    ").unwrap_or(line));
        }
    };
    let before = text.split("\n     Summary [").next().unwrap_or(text);
    let faults = blocks(before, opens, |line| line.starts_with('─') || status(line).is_some(), takes);
    let (passed, skipped) = (Some(counted(summary, "passed")), counted(summary, "skipped"));
    Some(Report { passed, failed, skipped, faults, broken: errors(text) }.once())
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
