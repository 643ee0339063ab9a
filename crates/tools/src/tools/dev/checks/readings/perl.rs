//! `prove`.

use super::{Report, TestFault, TestSpot, number, pattern};
use regex::Regex;
use std::sync::LazyLock;

pub(super) fn prove(text: &str) -> Option<Report> {
    static TESTS: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^Files=\d+, Tests=(\d+),"));
    static FAILED: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^Failed (\d+)/\d+ subtests"));
    static NAME: LazyLock<Regex> = LazyLock::new(|| pattern(r"^# +Failed (?:\(TODO\) )?test '(.*)'$"));
    static PLACE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^# +at (\S+) line (\d+)\.$"));
    if !TESTS.is_match(text) {
        return None;
    }
    let failed = FAILED.captures_iter(text).filter_map(|found| found[1].parse::<u64>().ok()).sum();
    let passed = Some(number(&TESTS, text).saturating_sub(failed));
    let mut report = Report { passed, failed, ..Report::default() };
    for line in text.lines() {
        if let Some(name) = NAME.captures(line) {
            report.faults.push(TestFault::new(&name[1]));
            continue;
        }
        let Some(fault) = report.faults.last_mut() else { continue };
        match (PLACE.captures(line), line.strip_prefix("# ")) {
            (Some(place), _) => {
                let line = place[2].parse().ok();
                fault.or_spot(line.map(|line| TestSpot { path: place[1].into(), line }));
            }
            (None, Some(said)) if !said.starts_with("Looks like you") => fault.lines.push(said.to_owned()),
            (None, _) => {}
        }
    }
    Some(report)
}
