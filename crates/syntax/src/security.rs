//! What looks dangerous in source text: calls that run, trust or forget too much.
//!
//! Reads line by line shapes, not meaning: a finding is a place to look at, and says how sure it is. What only mentions a
//! call, in a comment or a string, is none. Opens no file; whoever asks brings the text.

mod docker;
mod exempt;
mod language;
mod mask;
mod place;
mod rule;
mod rules;
mod workflow;

use rule::Text;
use serde::Deserialize;
use std::path::Path;

pub use exempt::tests_begin;
pub use place::stands_in_tests;

use language::FileKind;

/// How bad it is where it is true. The worst comes last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Low,
    /// Dangerous together with something else.
    Medium,
    High,
    /// Open to whoever sees it.
    Critical,
}

/// How sure it is that it is true. The surest comes last.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    Maybe,
    #[default]
    Likely,
    /// There is little else that it could be.
    Sure,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Short and always the same: `py-eval`.
    pub rule: &'static str,
    /// How bad it is where it is true.
    pub severity: Severity,
    /// How sure it is that it is true.
    pub confidence: Confidence,
    /// Line, from 1; 0: the whole file.
    pub line: usize,
    /// What exactly was found, where the rule does not say it all; else empty.
    pub what: String,
    /// Why it is dangerous, in a few words; the same for all findings of a rule.
    pub why: &'static str,
    /// What to do instead.
    pub fix: &'static str,
}

impl Severity {
    /// All of them, the worst first.
    pub const ALL: [Severity; 4] = [Severity::Critical, Severity::High, Severity::Medium, Severity::Low];

    pub fn name(self) -> &'static str {
        match self {
            Severity::Critical => "critical",
            Severity::High => "high",
            Severity::Medium => "medium",
            Severity::Low => "low",
        }
    }
}

impl Confidence {
    pub fn name(self) -> &'static str {
        match self {
            Confidence::Sure => "sure",
            Confidence::Likely => "likely",
            Confidence::Maybe => "maybe",
        }
    }

    pub fn less(self) -> Confidence {
        match self {
            Confidence::Sure => Confidence::Likely,
            Confidence::Likely | Confidence::Maybe => Confidence::Maybe,
        }
    }
}

impl Finding {
    /// What is worst, and surest, weighs most.
    pub fn weight(&self) -> u8 {
        let severity = Severity::ALL.iter().rev().position(|it| *it == self.severity).unwrap_or_default() as u8;
        severity * 2 + self.confidence as u8
    }
}

/// The dangerous calls in `text`, which is at `path` (relative to the project; only its names are looked at), in the
/// order of their lines. Nothing where the language is not known, or where a program made the file.
pub fn calls(path: &Path, text: &str) -> Vec<Finding> {
    let Some(language) = FileKind::of(path, text) else { return Vec::new() };
    if is_made(text) {
        return Vec::new();
    }
    let (syntax, tables) = language.reading();
    let text = Text::new(text, syntax);
    let mut findings: Vec<Finding> = tables.into_iter().flat_map(|table| table.findings(&text)).collect();
    match language {
        FileKind::Docker => docker::add(&text, &mut findings),
        FileKind::Workflow => workflow::add(&text, &mut findings),
        FileKind::Rust => exempt::tests_of_rust(&text, &mut findings),
        FileKind::Python
        | FileKind::Script
        | FileKind::Go
        | FileKind::C
        | FileKind::Java
        | FileKind::Shell
        | FileKind::Php
        | FileKind::Ruby
        | FileKind::Settings => {}
    }
    if stands_in_tests(path) {
        findings.iter_mut().for_each(|finding| finding.confidence = finding.confidence.less());
    }
    findings.sort_by_key(|finding| (finding.line, finding.rule));
    findings.dedup_by_key(|finding| (finding.line, finding.rule));
    findings
}

/// Bytes of a line that nobody wrote by hand.
const LONG_LINE: usize = 5_000;

/// Packed by a program: one line holds everything, and nobody mends it there.
fn is_made(text: &str) -> bool {
    text.len() > LONG_LINE && text.split('\n').any(|line| line.len() > LONG_LINE)
}

#[cfg(test)]
mod tests;
