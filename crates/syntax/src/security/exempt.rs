//! Rust keeps its tests in the same file, and says in a comment why an unsafe block holds: then it weighs less.

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
    let from = tests_begin(text.text).unwrap_or(usize::MAX);
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

/// The line, from 1, from which on a file of Rust holds only tests.
pub fn tests_begin(text: &str) -> Option<usize> {
    let last = TESTS.find_iter(text.as_bytes()).last()?;
    Some(text.as_bytes()[..last.end()].iter().filter(|byte| **byte == b'\n').count() + 1)
}

fn name_unsafe(finding: &mut Finding, lines: &[&str]) {
    let at = finding.line - 1;
    let said =
        lines[at.saturating_sub(ABOVE)..=at].iter().chain(lines.get(at + 1)).any(|line| line.contains("SAFETY:"));
    let inside = lines[at..lines.len().min(at + 4)].join("\n");
    let inside = inside.split_once("unsafe").map_or("", |(_, rest)| rest);
    if let Some(does) = DOES.find(inside.as_bytes()) {
        let does: String = String::from_utf8_lossy(does.as_bytes()).chars().take(SHOWN).collect();
        finding.what = does.trim_end_matches(['(', ' ']).to_owned();
    }
    if said {
        finding.confidence = super::Confidence::Maybe;
    }
}
