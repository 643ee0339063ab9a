//! pytest, as it speaks with `-q --tb=short -rfE`, and `unittest` of Python itself.

use super::{Report, TestFault, TestSpot, blocks, counted, number, pattern, spot};
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

/// Where it last was in a file that is no library's, what stands there, and what was wrong.
fn located(section: TestFault) -> TestFault {
    static FRAME: LazyLock<Regex> = LazyLock::new(|| pattern(r"^\S+\.py:\d+: in "));
    let foreign = |line: &str| {
        line.starts_with('<')
            || line.contains("/site-packages/")
            || line.contains("/dist-packages/")
            || line.starts_with("/usr/")
    };
    let TestFault { name, lines, .. } = section;
    let frame = lines.iter().rposition(|line| FRAME.is_match(line) && !foreign(line));
    let wrong: Vec<String> = lines.iter().filter_map(|line| line.strip_prefix("E ")).map(str::to_owned).collect();
    let written = wrong.iter().find_map(|line| line.trim().strip_prefix("File \"")?.split_once("\", line "));
    let written = written.and_then(|(path, line)| spot(&format!("{path}:{}", line.trim())));
    let spot = frame.and_then(|at| spot(&lines[at])).or(written);
    if wrong.is_empty() {
        return TestFault { name, spot, lines };
    }
    let depth = wrong.iter().map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    let wrong = wrong.iter().map(|line| line[depth..].to_owned());
    let there = frame.and_then(|at| code(&lines, at));
    TestFault { name, spot, lines: there.into_iter().chain(wrong).collect() }
}

/// How lines begin that the failure tells by itself: pytest shows what an `assert` compares.
const SAID: [&str; 5] = ["assert ", "raise ", "import ", "from ", "File \""];

/// The line of code below the frame at this place, where what was wrong does not say as much.
fn code(lines: &[String], frame: usize) -> Option<String> {
    let below = lines.get(frame + 1).filter(|below| below.starts_with(' '))?;
    let there = below.trim();
    let is_said = there.is_empty() || SAID.iter().any(|begin| there.starts_with(begin));
    (!is_said).then(|| there.to_owned())
}

/// What `python -m unittest` says.
pub(super) fn unittest(text: &str) -> Option<Report> {
    static RAN: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^Ran (\d+) tests? in [\d.]+s"));
    static VERDICT: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?m)^(?:OK|FAILED|NO TESTS RAN)(?: \(.*\))?\s*$"));
    let ran = RAN.find(text)?;
    let verdict = VERDICT.find(&text[ran.end()..])?.as_str();
    // The counts stand behind their names: `failures=2`.
    let count = |word: &str| {
        let (_, rest) = verdict.split_once(&format!("{word}="))?;
        rest.split(|c: char| !c.is_ascii_digit()).next()?.parse::<u64>().ok()
    };
    let skipped = count("skipped").unwrap_or_default();
    let mut report = Report { skipped, ..Report::default() };
    for (section, unloaded) in unittest_sections(text) {
        if unloaded { report.broken.push(section) } else { report.faults.push(section) }
    }
    let report = Report { faults: by_name(report.faults), broken: by_name(report.broken), ..report };
    let (failed, broken) = (report.faults.len() as u64, report.broken.len() as u64);
    let passed = number(&RAN, text).saturating_sub(skipped + failed + broken);
    Some(Report { passed: Some(passed), failed, ..report })
}

/// What stands below `FAIL: name (place)`, and whether it could not even be loaded.
fn unittest_sections(text: &str) -> Vec<(TestFault, bool)> {
    static TITLE: LazyLock<Regex> = LazyLock::new(|| pattern(r"^(?:FAIL|ERROR): (\S+)(?: \(([^()]+)\))?"));
    static FRAME: LazyLock<Regex> = LazyLock::new(|| pattern(r#"^\s+File "([^"]+)", line (\d+)"#));
    let opens = |line: &str| {
        let title = TITLE.captures(line)?;
        let (test, place) = (&title[1], title.get(2).map_or("", |place| place.as_str()));
        let whole = place.is_empty() || place.ends_with(&format!(".{test}"));
        let name = if !whole {
            format!("{place}.{test}")
        } else if place.is_empty() {
            test.into()
        } else {
            place.into()
        };
        Some(TestFault::new(&name))
    };
    let closes = |line: &str| line.starts_with("=====") || line.starts_with("Ran ");
    let sections = blocks(text, opens, closes, |fault, line| fault.lines.push(line.to_owned()));
    let read = |fault: TestFault| {
        let frames = fault.lines.iter().enumerate().filter_map(|(at, line)| Some((at, FRAME.captures(line)?)));
        let mut own = frames.filter(|(_, frame)| !frame[1].starts_with("/usr/") && !frame[1].contains("-packages/"));
        let last = own.next_back();
        let there = last.as_ref().and_then(|(at, _)| code(&fault.lines, *at));
        let spot = last.and_then(|(_, frame)| Some(TestSpot { path: frame[1].into(), line: frame[2].parse().ok()? }));
        // The last thing that begins at the margin is what was wrong.
        let margin = |line: &&String| !line.trim().is_empty() && !line.starts_with([' ', '-']);
        let lines = there.into_iter().chain(fault.lines.iter().rfind(margin).cloned()).collect();
        let unloaded = fault.name.strip_prefix("unittest.loader._FailedTest.").map(str::to_owned);
        let is_unloaded = unloaded.is_some();
        (TestFault { name: unloaded.unwrap_or(fault.name), spot, lines }, is_unloaded)
    };
    sections.into_iter().map(read).collect()
}

/// The first of each name: one test may fail in several of its parts.
fn by_name(faults: Vec<TestFault>) -> Vec<TestFault> {
    let mut kept: Vec<TestFault> = Vec::new();
    for fault in faults {
        if kept.iter().all(|known| known.name != fault.name) {
            kept.push(fault);
        }
    }
    kept
}
