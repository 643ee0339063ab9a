//! pytest, as it speaks with `-q --tb=short -rfE`.

use super::{Report, TestFault, blocks, counted, pattern, spot};
use regex::Regex;
use std::sync::LazyLock;

pub(super) fn pytest(text: &str) -> Option<Report> {
    static SUMMARY: LazyLock<Regex> = LazyLock::new(|| {
        pattern(
            r"^(?:=+ )?(?:no tests ran|\d+ (?:failed|passed|skipped|deselected|xfailed|xpassed|errors?|warnings?))\b.* in [\d.]+s",
        )
    });
    let summary = text.lines().rev().find(|line| SUMMARY.is_match(line.trim()))?;
    let errors = counted(summary, "error") + counted(summary, "errors");
    let mut report = Report {
        passed: Some(counted(summary, "passed") + counted(summary, "xpassed")),
        failed: counted(summary, "failed"),
        skipped: counted(summary, "skipped") + counted(summary, "xfailed"),
        ..Report::default()
    };
    let ids: Vec<&str> = text.lines().filter_map(id).collect();
    for section in sections(text) {
        let (title, mut fault) = (section.name.clone(), located(section));
        let collecting = title.strip_prefix("ERROR collecting ");
        let name = title.split(" of ").last().filter(|_| title.starts_with("ERROR at ")).unwrap_or(&title);
        let full = ids.iter().find(|id| id.split_once("::").is_some_and(|(_, test)| test.replace("::", ".") == name));
        if let Some(full) = full {
            fault.name = title.strip_suffix(name).unwrap_or_default().replace("ERROR at ", "error at ") + full;
        }
        if collecting.is_some() { report.broken.push(fault) } else { report.faults.push(fault) }
    }
    // One that broke before its test began counts as failed; of those that could not be loaded there is another count.
    report.failed += errors.saturating_sub(report.broken.len() as u64);
    Some(report.once())
}

/// `FAILED tests/test_a.py::test_b - message`.
fn id(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("FAILED ").or_else(|| line.strip_prefix("ERROR "))?;
    Some(rest.split(" - ").next().unwrap_or(rest).trim())
}

/// What stands below `____ title ____`.
fn sections(text: &str) -> Vec<TestFault> {
    let opens = |line: &str| {
        let title = line.strip_prefix("__")?.strip_suffix('_')?.trim_matches('_').trim();
        (!title.is_empty()).then(|| TestFault::new(title))
    };
    let closes = |line: &str| line.starts_with("====") || line.starts_with("!!!!");
    blocks(text, opens, closes, |fault, line| fault.lines.push(line.to_owned()))
}

/// Where it last was in a file that is no library's, and what was wrong.
fn located(section: TestFault) -> TestFault {
    static FRAME: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\S+\.py:\d+: in "));
    let foreign = |line: &str| {
        line.starts_with('<')
            || line.contains("/site-packages/")
            || line.contains("/dist-packages/")
            || line.starts_with("/usr/")
    };
    let TestFault { name, lines, .. } = section;
    let mut frames = lines.iter().filter(|line| FRAME.is_match(line) && !foreign(line));
    let wrong: Vec<String> = lines.iter().filter_map(|line| line.strip_prefix("E ")).map(str::to_owned).collect();
    let written = wrong.iter().find_map(|line| line.trim().strip_prefix("File \"")?.split_once("\", line "));
    let written = written.and_then(|(path, line)| spot(&format!("{path}:{}", line.trim())));
    let spot = frames.next_back().and_then(|frame| spot(frame)).or(written);
    TestFault { name, spot, lines: if wrong.is_empty() { lines } else { wrong } }
}
