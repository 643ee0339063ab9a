//! Rust keeps its tests in the same file, says in a comment why an unsafe block holds, and names in it what it does.

use super::Finding;
use super::rule::{Text, regex};
use regex::bytes::Regex;
use std::sync::LazyLock;

static TESTS: LazyLock<Regex> = LazyLock::new(|| regex(r"^\s*#\[cfg\((?:all\()?test\b"));
/// A call, or a pointer that is followed.
static DOES: LazyLock<Regex> = LazyLock::new(|| regex(r"[A-Za-z_][\w:]*(?:::<[^>]*>)?\s*\(|\*\s*[a-z_][\w.]*"));
/// Lines above an unsafe block that may say why it holds.
const ABOVE: usize = 6;
/// Characters shown of what a block does.
const SHOWN: usize = 40;

pub(super) fn tests_of_rust(text: &Text<'_>, findings: &mut [Finding]) {
    if findings.is_empty() {
        return;
    }
    let from = TESTS.find_iter(text.bytes()).last().map_or(usize::MAX, |found| text.line(found.end()));
    let lines: Vec<&str> = text.text.lines().collect();
    for finding in findings {
        if finding.line > from {
            finding.confidence = finding.confidence.less();
        }
        if finding.rule == "rust-unsafe" {
            name_unsafe(finding, &lines);
        }
    }
}

fn name_unsafe(finding: &mut Finding, lines: &[&str]) {
    let at = finding.line - 1;
    let said =
        lines[at.saturating_sub(ABOVE)..=at].iter().chain(lines.get(at + 1)).any(|line| line.contains("SAFETY:"));
    let inside = lines[at..lines.len().min(at + 4)].join("\n");
    let inside = inside.split_once("unsafe").map_or("", |(_, rest)| rest);
    if let Some(does) = DOES.find(inside.as_bytes()) {
        let does: String = String::from_utf8_lossy(does.as_bytes()).chars().take(SHOWN).collect();
        let does = does.trim_end_matches(['(', ' ']).to_owned();
        finding.why = format!("unsafe block ({does}): the compiler does not check it");
    }
    if said {
        finding.why.push_str("; a SAFETY comment says why it holds");
        finding.confidence = super::Confidence::Maybe;
    }
}
