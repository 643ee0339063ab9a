//! Maven with Surefire, and Gradle.

use super::{Report, TestFault, TestSpot, blocks, counted, pattern, spot};
use regex::Regex;
use std::sync::LazyLock;

/// Where Maven's compiler found something.
static COMPILER: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\[ERROR\] (\S+\.\w+):\[(\d+),\d+\] (.*)$"));

/// Every module has its own totals.
pub(super) fn maven(text: &str) -> Option<Report> {
    static TOTALS: LazyLock<Regex> = LazyLock::new(|| {
        pattern(r"^(?:\[\w+\] +)?Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)\s*$")
    });
    let mut report = Report { passed: Some(0), ..Report::default() };
    let (mut totals, mut listing) = (0, false);
    for line in text.lines() {
        if let Some(found) = TOTALS.captures(line) {
            let [run, failures, errors, skipped] = [1, 2, 3, 4].map(|at| found[at].parse::<u64>().unwrap_or_default());
            totals += 1;
            report.passed = report.passed.map(|passed| passed + run.saturating_sub(failures + errors + skipped));
            report.failed += failures + errors;
            report.skipped += skipped;
            listing = false;
        } else if let Some(found) = COMPILER.captures(line) {
            let at = found[2].parse().ok().map(|line| TestSpot { path: found[1].into(), line });
            report.broken.push(TestFault { spot: at, ..TestFault::new(&found[3]) });
        } else if line.contains("Failures: ") && line.trim_end().ends_with("Failures:") || heads_a_list(line) {
            listing = true;
        } else if listing {
            listed(&mut report, line);
        }
    }
    (totals > 0 || !report.broken.is_empty()).then(|| report.once())
}

fn heads_a_list(line: &str) -> bool {
    let line = line.trim_start_matches("[ERROR]").trim();
    ["Failures:", "Errors:", "Failed tests:", "Tests in error:"].contains(&line)
}

/// `[ERROR]   SumsTest.addsWrong:6 two and two ==> expected: <5> but was: <4>`, and lines that go on.
fn listed(report: &mut Report, line: &str) {
    static TEST: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\[ERROR\] {2,}([\w.$\[\]()]+)(?::(\d+))?(.*)$"));
    match (TEST.captures(line), report.faults.last_mut()) {
        (Some(found), _) => {
            let (name, line) = (&found[1], found.get(2).and_then(|line| line.as_str().parse::<u64>().ok()));
            let message = found[3].trim_start_matches(['»', ' ']).to_owned();
            let class = name.rsplit_once('.').map_or(name, |(class, _)| class);
            // Only the class is named; its file is called like it.
            let spot = line.map(|line| TestSpot { path: format!("{class}.java"), line });
            report.faults.push(TestFault { name: name.into(), spot, lines: vec![message] });
        }
        (None, Some(fault)) if !line.starts_with('[') && !line.trim().is_empty() => fault.lines.push(line.to_owned()),
        (None, _) => {}
    }
}

/// It tells numbers only where something failed.
pub(super) fn gradle(text: &str) -> Option<Report> {
    static FAILED: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(\S.* > .*) FAILED$"));
    static ERROR: LazyLock<Regex> =
        LazyLock::new(|| pattern(r"^(?:e: (?:file://)?)?(/\S+\.\w+):(\d+)(?::\d+)?:? (?:error: )?(.*)$"));
    let ended = text.lines().any(|line| line.starts_with("BUILD SUCCESSFUL") || line.starts_with("BUILD FAILED"));
    let summary = text.lines().rev().find(|line| line.contains(" completed, ") && line.contains(" test"));
    let takes = |fault: &mut TestFault, line: &str| {
        if !line.trim().is_empty() {
            // The place stands behind what was thrown, in brackets: `Error at SumsTest.java:12`.
            fault.or_spot(spot(line));
            fault.lines.push(line.to_owned());
        }
    };
    let opens = |line: &str| FAILED.captures(line).map(|failed| TestFault::new(&failed[1]));
    let faults = blocks(text, opens, |line| !line.starts_with(' ') && !line.trim().is_empty(), takes);
    let error = |line: &str| {
        let error = ERROR.captures(line).filter(|_| line.contains("error: ") || line.starts_with("e: "))?;
        let at = error[2].parse().ok().map(|line| TestSpot { path: error[1].into(), line });
        Some(TestFault { spot: at, ..TestFault::new(&error[3]) })
    };
    let mut report = Report { faults, broken: text.lines().filter_map(error).collect(), ..Report::default() };
    if let Some(summary) = summary {
        let run = counted(summary, "tests").max(counted(summary, "test"));
        (report.failed, report.skipped) = (counted(summary, "failed"), counted(summary, "skipped"));
        report.passed = Some(run.saturating_sub(report.failed + report.skipped));
    }
    report.failed = report.failed.max(report.faults.len() as u64);
    let told = summary.is_some() || !report.broken.is_empty() || text.contains("BUILD SUCCESSFUL");
    (ended && told).then(|| report.once())
}
