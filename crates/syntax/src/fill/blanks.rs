//! Changes to lines, and the blank ones between definitions.

use super::parts::{Parsed, Part};
use crate::Language;

/// Lines that take the place of others.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) lines: Vec<String>,
}

/// `lines` with all of `edits`, which do not overlap; what is put at one place keeps its order.
pub(super) fn applied(lines: &[String], mut edits: Vec<Edit>) -> Option<Vec<String>> {
    edits.sort_by_key(|edit| (edit.from, edit.to));
    let mut out = Vec::new();
    let mut at = 0;
    for edit in edits {
        if edit.from < at {
            return None;
        }
        out.extend_from_slice(&lines[at..edit.from]);
        out.extend(edit.lines);
        at = edit.to;
    }
    out.extend_from_slice(&lines[at..]);
    Some(out)
}

/// Blank lines between two definitions at the top, as the file has them.
pub(super) fn gap(parsed: &Parsed, language: Option<Language>) -> usize {
    let tops: Vec<&Part> = parsed.top().map(|(_, part)| part).filter(|part| part.counts()).collect();
    let between = tops.windows(2).map(|pair| pair[1].start.saturating_sub(pair[0].end));
    let usual = if language == Some(Language::Python) { 2 } else { 1 };
    between.filter(|gap| (1..=3).contains(gap)).min().unwrap_or(usual)
}

/// A definition to be put behind line `at`, with blank lines around it.
pub(super) fn inserted(lines: &[String], at: usize, gap: usize, text: Vec<String>) -> Edit {
    let blank = |line: &String| line.trim().is_empty();
    let above = lines[..at].iter().rev().take_while(|line| blank(line)).count();
    let below = lines[at..].iter().take_while(|line| blank(line)).count();
    let before = if at == above { 0 } else { gap.saturating_sub(above) };
    let after = if at + below == lines.len() { 0 } else { gap.saturating_sub(below) };
    let mut put = vec![String::new(); before];
    put.extend(text);
    put.extend(vec![String::new(); after]);
    Edit { from: at, to: at, lines: put }
}

/// Lines moved from one depth to another.
pub(super) fn shifted(lines: &[String], from: &str, to: &str) -> Vec<String> {
    if from == to {
        return lines.to_vec();
    }
    let moved = |line: &String| match line.strip_prefix(from) {
        _ if line.trim().is_empty() => String::new(),
        Some(rest) => format!("{to}{rest}"),
        None => format!("{to}{}", line.trim_start()),
    };
    lines.iter().map(moved).collect()
}

/// The white space that a line begins with.
pub(super) fn margin(line: &str) -> &str {
    &line[..line.len() - line.trim_start().len()]
}
