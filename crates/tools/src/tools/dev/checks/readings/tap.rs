//! The Test Anything Protocol, as `node --test` speaks it where nobody watches.

use super::{Report, TestFault, number, pattern, spot};
use regex::Regex;
use std::sync::LazyLock;

pub(super) fn read(text: &str) -> Option<Report> {
    static POINT: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\s*(not ok|ok)\b(?: +\d+)?(?: +-)? *(.*)$"));
    if !text.lines().any(|line| line.starts_with("TAP version") || is_plan(line)) {
        return None;
    }
    let mut report = Report { passed: Some(0), ..Report::default() };
    let mut open: Option<TestFault> = None;
    for line in text.lines() {
        let Some(point) = POINT.captures(line) else {
            if let Some(fault) = &mut open {
                fault.lines.push(line.to_owned());
            }
            continue;
        };
        report.faults.extend(open.take().and_then(finished));
        let lower = point[2].to_lowercase();
        match (&point[1], lower.contains("# skip") || lower.contains("# todo")) {
            (_, true) => report.skipped += 1,
            ("ok", false) => report.passed = report.passed.map(|passed| passed + 1),
            (_, false) => open = Some(TestFault::new(&point[2])),
        }
    }
    report.faults.extend(open.and_then(finished));
    report.failed = report.faults.len() as u64;
    Some(totals(text, report).once())
}

fn is_plan(line: &str) -> bool {
    line.strip_prefix("1..").is_some_and(|rest| rest.split(' ').next().is_some_and(|last| last.parse::<u64>().is_ok()))
}

/// What node counts at the end: groups are no tests.
fn totals(text: &str, report: Report) -> Report {
    static PASS: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^(?:#|ℹ) pass (\d+)"));
    static FAIL: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^(?:#|ℹ) fail (\d+)"));
    static SKIP: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^(?:#|ℹ) skipped (\d+)"));
    static TODO: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^(?:#|ℹ) todo (\d+)"));
    if !PASS.is_match(text) {
        return report;
    }
    let (passed, failed) = (Some(number(&PASS, text)), number(&FAIL, text));
    Report { passed, failed, skipped: number(&SKIP, text) + number(&TODO, text), ..report }
}

/// What node says of it as YAML, read as the lines it is. `None` for a group that failed only because a test in it did.
fn finished(fault: TestFault) -> Option<TestFault> {
    let field = |name: &str| {
        let of = |line: &String| line.trim().strip_prefix(name).map(|rest| rest.trim().to_owned());
        fault.lines.iter().position(|line| of(line).is_some()).and_then(|at| Some((at, of(&fault.lines[at])?)))
    };
    if field("failureType:").is_some_and(|(_, kind)| kind.contains("subtestsFailed")) {
        return None;
    }
    let at = field("location:").and_then(|(_, place)| spot(&place));
    let lines = match field("error:") {
        Some((at, text)) if text.starts_with('|') || text.starts_with('>') => {
            let depth = indent(&fault.lines[at]);
            let below = fault.lines[at + 1..].iter();
            below.take_while(|line| line.trim().is_empty() || indent(line) > depth).cloned().collect()
        }
        Some((_, text)) => vec![text.trim_matches('\'').replace("''", "'")],
        None => fault.lines.iter().filter(|line| line.trim_start().starts_with("# ")).cloned().collect(),
    };
    Some(TestFault { name: fault.name, spot: at, lines })
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// The same where somebody watches: `ℹ pass 2`, and the failures once more at the end.
pub(super) fn spec(text: &str) -> Option<Report> {
    static TITLE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^✖ (.*?) \([\d.]+ms\)$"));
    if !text.lines().any(|line| line.starts_with("ℹ pass ")) {
        return None;
    }
    let mut report = totals(text, Report::default());
    let failing = text.split("✖ failing tests:").nth(1).unwrap_or_default();
    let mut at = None;
    for line in failing.lines() {
        if let Some(place) = line.strip_prefix("test at ") {
            at = spot(place);
        } else if let Some(title) = TITLE.captures(line) {
            report.faults.push(TestFault { spot: at.take(), ..TestFault::new(&title[1]) });
        } else if let Some(fault) = report.faults.last_mut().filter(|_| !line.trim_start().starts_with("at ")) {
            fault.lines.push(line.to_owned());
        }
    }
    // What follows the stack is a list of what was said already.
    for fault in &mut report.faults {
        let end =
            fault.lines.iter().position(|line| line.trim() == "generatedMessage: true,").unwrap_or(fault.lines.len());
        fault.lines.truncate(end);
    }
    Some(report.once())
}
