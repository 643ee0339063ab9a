//! What takes several lines of a workflow to see: text of strangers in a script.

use super::Finding;
use super::rule::{Text, regex};
use super::rules::{TABLES, named};
use regex::bytes::Regex;
use std::sync::LazyLock;

static FOREIGN: LazyLock<Regex> = LazyLock::new(|| {
    regex(concat!(
        r"\$\{\{[^}]*\bgithub\.(?:head_ref\b|event\.(?:issue|pull_request|discussion)\.(?:title|body)\b",
        r"|event\.pull_request\.head\.(?:ref|label)\b|event\.pull_request\.head\.repo\.default_branch\b",
        r"|event\.(?:comment|review|review_comment)\.body\b|event\.(?:head_commit|commits?)\b[^}]*\b(?:message|email|name)\b",
        r"|event\.pages\b[^}]*page_name\b|event\.workflow_run\.(?:head_branch|display_title)\b)",
    ))
});
static GIVEN: LazyLock<Regex> = LazyLock::new(|| regex(r"\$\{\{[^}]*\b(?:inputs\.\w|github\.event\.inputs\.\w)"));

pub(super) fn add(text: &Text<'_>, findings: &mut Vec<Finding>) {
    let mut script: Option<usize> = None;
    for (at, line) in text.text.lines().enumerate().map(|(at, line)| (at + 1, line)) {
        let indent = line.len() - line.trim_start().len();
        if script.is_some_and(|around| !line.trim().is_empty() && indent <= around) {
            script = None;
        }
        let begins = begins_script(line);
        if script.is_some() || begins.is_some() {
            add_line(line, at, findings);
        }
        script = begins.or(script);
    }
}

fn add_line(line: &str, at: usize, findings: &mut Vec<Finding>) {
    if line.trim_start().starts_with('#') {
        return;
    }
    if FOREIGN.is_match(line.as_bytes()) {
        findings.push(named(&TABLES.workflow, "ci-injection").finding(at));
    } else if GIVEN.is_match(line.as_bytes()) {
        findings.push(named(&TABLES.workflow, "ci-input").finding(at));
    }
}

/// How far the key is indented, where `run:` (or the `script:` of an action that runs it) begins here.
fn begins_script(line: &str) -> Option<usize> {
    let trimmed = line.trim_start();
    let bare = trimmed.strip_prefix("- ").map_or(trimmed, str::trim_start);
    (bare.starts_with("run:") || bare.starts_with("script:")).then(|| line.len() - bare.len())
}
