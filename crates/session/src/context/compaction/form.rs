//! The fixed form of what stands for an earlier conversation: five headings, found however a model dresses them.

use std::ops::Range;

/// The parts of the form, in their order: how each is headed, and by which words its heading is known.
pub(super) const SECTIONS: [(&str, &[&str]); 5] = [
    ("Goal", &["goal", "goals", "objective", "objectives"]),
    ("Decisions", &["decision", "decisions"]),
    ("Files", &["file", "files"]),
    ("Commands", &["command", "commands"]),
    ("Open", &["open", "remaining", "todo", "next"]),
];

/// A heading has at most so many words; more are a sentence.
const HEADING_WORDS: usize = 6;

/// What was found under each heading; `None` where there was none.
#[derive(Debug, Default)]
pub(super) struct SummaryForm([Option<String>; SECTIONS.len()]);

impl SummaryForm {
    /// Enough of the form to be one: the goal, and one more.
    fn is_form(&self) -> bool {
        self.0[0].is_some() && self.0.iter().flatten().count() > 1
    }

    /// What stands under the heading of this section.
    pub(super) fn section_text(&self, section: usize) -> &str {
        self.0[section].as_deref().unwrap_or_default().trim()
    }

    /// The form as it is asked for: the headings that were there, in order.
    pub(super) fn written(&self) -> String {
        let there = (0..SECTIONS.len()).filter(|section| self.0[*section].is_some());
        let sections = there.map(|section| format!("## {}\n{}", SECTIONS[section].0, self.section_text(section)));
        sections.collect::<Vec<_>>().join("\n\n")
    }

    fn add(&mut self, section: usize, line: &str) {
        let text = self.0[section].get_or_insert_default();
        if !(text.is_empty() && line.trim().is_empty()) {
            text.push_str(line);
            text.push('\n');
        }
    }
}

/// How a heading is told from other lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HeadingStyle {
    /// By `#` or bold letters.
    Marked,
    /// By nothing but its words, and a colon perhaps.
    Plain,
}

/// Looks for the form in `text`; what stands before its first heading, and behind a fence around it, is dropped.
pub(super) fn find(text: &str) -> Option<SummaryForm> {
    let marked = detect_form(text, HeadingStyle::Marked);
    if marked.is_form() {
        return Some(marked);
    }
    Some(detect_form(text, HeadingStyle::Plain)).filter(SummaryForm::is_form)
}

fn detect_form(text: &str, style: HeadingStyle) -> SummaryForm {
    let lines: Vec<&str> = text.lines().collect();
    let first = lines.iter().position(|line| heading(line, style).is_some()).unwrap_or(lines.len());
    let mut found = SummaryForm::default();
    let (mut section, mut in_fence) = (None, false);
    for line in &lines[inside_fence(&lines, first)] {
        let named = if in_fence { None } else { heading(line, style) };
        in_fence ^= is_fence(line);
        match (named, section) {
            (Some((named, rest)), _) => {
                section = Some(named);
                found.add(named, rest);
            }
            (None, Some(section)) => found.add(section, line),
            (None, None) => {}
        }
    }
    found
}

fn is_fence(line: &str) -> bool {
    line.trim_start().starts_with("```")
}

/// The lines of the form, which begins at `first`: up to the end of the fence that it stands in, if it does.
fn inside_fence(lines: &[&str], first: usize) -> Range<usize> {
    let opened = lines[..first].iter().filter(|line| is_fence(line)).count() % 2 == 1;
    let end = if opened { lines.iter().rposition(|line| line.trim() == "```") } else { None };
    first..end.filter(|end| *end >= first).unwrap_or(lines.len())
}

/// The section whose heading this line is, and what stands behind the heading.
fn heading(line: &str, style: HeadingStyle) -> Option<(usize, &str)> {
    let bare = without_number(line.trim());
    let level = bare.trim_start_matches('#');
    if level.len() < bare.len() {
        let words = level.trim();
        return match words.split_once(':') {
            Some((words, rest)) => Some((section_of(words)?, plain(rest))),
            None => Some((section_of(words)?, "")),
        };
    }
    for mark in ["**", "__"] {
        let Some((words, rest)) = bare.strip_prefix(mark).and_then(|inner| inner.split_once(mark)) else { continue };
        let rest = rest.trim();
        // Bold words that a sentence goes on from are no heading.
        let ends = words.trim_end().ends_with(':') || rest.is_empty() || rest.starts_with(':');
        return Some((section_of(words).filter(|_| ends)?, rest.trim_start_matches(':').trim()));
    }
    if style == HeadingStyle::Marked {
        return None;
    }
    let bare = bare.trim_start_matches(['-', '*', ' ']);
    match bare.split_once(':') {
        Some((words, rest)) => Some((section_of(words)?, plain(rest))),
        None if bare.split_whitespace().count() == 1 => Some((section_of(bare)?, "")),
        None => None,
    }
}

fn without_number(line: &str) -> &str {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    match rest.strip_prefix(['.', ')']) {
        Some(rest) if rest.len() + 1 < line.len() => rest.trim_start(),
        _ => line,
    }
}

fn plain(rest: &str) -> &str {
    rest.trim_matches(|c: char| c == '*' || c.is_whitespace())
}

/// The section that a heading with these words means.
fn section_of(words: &str) -> Option<usize> {
    let words = words.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<String> = words.take(HEADING_WORDS + 1).map(str::to_ascii_lowercase).collect();
    let by_word = |word: &String| SECTIONS.iter().position(|(_, words)| words.contains(&word.as_str()));
    if words.len() > HEADING_WORDS { None } else { words.iter().find_map(by_word) }
}
