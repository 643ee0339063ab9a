//! jest, vitest, mocha, and `node --test` where somebody watches.

use super::{Report, TestFault, blocks, counted, number, pattern, spot, tap};
use regex::Regex;
use std::sync::LazyLock;

/// Whichever of them it was.
pub(super) fn any(text: &str) -> Option<Report> {
    jest(text).or_else(|| vitest(text)).or_else(|| mocha(text)).or_else(|| tap::spec(text))
}

fn jest(text: &str) -> Option<Report> {
    let summary = text.lines().rev().find(|line| line.starts_with("Tests: ") && line.ends_with(" total"))?;
    let closes = |line: &str| {
        ["PASS ", "FAIL ", "Test Suites:", "Summary of all failing"].iter().any(|mark| line.starts_with(mark))
    };
    let all = blocks(text, |line| line.strip_prefix("  ● ").map(TestFault::new), closes, stacked);
    let (broken, faults) = all.into_iter().partition(|fault| fault.name == "Test suite failed to run");
    Some(Report { broken, faults, ..counts(summary) }.once())
}

/// What the summary of jest or vitest tells.
fn counts(summary: &str) -> Report {
    Report {
        passed: Some(counted(summary, "passed")),
        failed: counted(summary, "failed"),
        skipped: counted(summary, "skipped") + counted(summary, "todo"),
        ..Report::default()
    }
}

/// Takes a line of a failure: what it says, then the stack, of which the first place that is the project's own counts.
fn stacked(fault: &mut TestFault, line: &str) {
    let inner = line.trim_start();
    let is_frame = inner.starts_with("at ") || inner.starts_with("❯ ");
    if is_frame && !line.contains("node_modules") && !line.contains("node:") {
        fault.or_spot(spot(line));
    }
    let over = is_frame || fault.lines.last().is_some_and(|last| last == STACK);
    if !over {
        fault.lines.push(line.to_owned());
    } else if fault.lines.last().is_some_and(|last| last != STACK) {
        fault.lines.push(STACK.into());
    }
}

/// Stands where the stack began; is blank, so that it is not told.
const STACK: &str = "\t";

fn vitest(text: &str) -> Option<Report> {
    static TESTS: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s+Tests\s+(?:\d+ \w+|no tests)"));
    static FILES: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^\s*Test Files\s+(\d+) \w+"));
    let summary = text.lines().rev().find(|line| TESTS.is_match(line)).unwrap_or_default();
    if number(&FILES, text) == 0 {
        return None;
    }
    let closes = |line: &str| line.starts_with('⎯') || line.trim_start().starts_with("Test Files ");
    let all = blocks(text, |line| line.strip_prefix(" FAIL  ").map(TestFault::new), closes, stacked);
    // One without a test's name is a file that could not be loaded.
    let (faults, broken) = all.into_iter().partition(|fault| fault.name.contains(" > "));
    Some(Report { broken, faults, ..counts(summary) }.once())
}

fn mocha(text: &str) -> Option<Report> {
    static PASSING: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^ +(\d+) passing\b"));
    static FAILING: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^ +(\d+) failing\b"));
    static PENDING: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^ +(\d+) pending\b"));
    static TITLE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^  \d+\) (.*)$"));
    if !PASSING.is_match(text) {
        return None;
    }
    let (passed, failed) = (Some(number(&PASSING, text)), number(&FAILING, text));
    let mut report = Report { passed, failed, skipped: number(&PENDING, text), ..Report::default() };
    let failures = FAILING.find(text).map_or("", |found| &text[found.end()..]);
    let mut named = true;
    for line in failures.lines() {
        if let Some(title) = TITLE.captures(line) {
            report.faults.push(TestFault::new(&title[1]));
            named = title[1].ends_with(':');
            continue;
        }
        let Some(fault) = report.faults.last_mut() else { continue };
        if named {
            stacked(fault, line);
            continue;
        }
        // The name goes on, one group deeper a line, until a colon ends it.
        fault.name = format!("{} › {}", fault.name, line.trim());
        named = line.trim_end().ends_with(':');
        if named {
            fault.name = fault.name.trim_end_matches(':').to_owned();
        }
    }
    Some(Report { faults: report.faults.into_iter().map(unmarked).collect(), ..report })
}

fn unmarked(fault: TestFault) -> TestFault {
    TestFault { name: fault.name.trim_end_matches(':').to_owned(), ..fault }
}
