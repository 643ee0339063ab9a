//! What a text has instead of what was sought: the nearest lines, and what differs.

use super::line_index::{Level, LineIndex, is_blank};
use similar::{Algorithm, DiffOp, capture_diff_slices, get_close_matches};
use std::collections::HashMap;

/// The longest line that is compared letter by letter when looking for what was meant, in bytes.
const LONGEST: usize = 400;
/// The most lines that are.
const COMPARED: usize = 5_000;
/// A line that is more often in the text says nothing about the place.
const COMMON: usize = 1_000;
/// Lines shown of what was meant.
const SHOWN: usize = 10;
/// Lines shown before the first that differs.
const BEFORE: usize = 2;
/// Differences told.
const TOLD: usize = 6;
/// Characters of a line that are shown.
const WIDEST: usize = 200;
/// Characters of a line that are told, and of these before the first that differs.
const QUOTED: (usize, usize) = (80, 30);

/// The lines that look most like what was sought.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Near {
    /// Some of them, numbered as `read_file` does it.
    pub(crate) lines: Vec<String>,
    /// One line for each difference; none where only white space or the kind of marks differs.
    pub(crate) differences: Vec<String>,
}

/// The lines of `text` that look most like `old`, where any do.
pub(crate) fn nearest(text: &str, old: &str) -> Option<Near> {
    let line_index = LineIndex::new(text);
    let old: Vec<&str> = old.lines().skip_while(|line| is_blank(line)).collect();
    let filled = old.iter().rposition(|line| !is_blank(line))? + 1;
    let old = &old[..filled];
    let start = by_votes(&line_index, old).or_else(|| by_likeness(&line_index, old))?;
    // Some more than were sought: lines may be missing in between.
    let window: Vec<&str> =
        (start..line_index.len().min(start + old.len() + 3)).map(|index| line_index.line(index)).collect();
    let differences = differences(old, &window, start);
    let first = differences.first().map_or(start, |(line, _)| line.saturating_sub(BEFORE).max(start));
    let end = line_index.len().min(start + old.len()).max(first + 1).min(first + SHOWN);
    let numbered = |index| format!("{}\t{}", index + 1, cut(line_index.line(index), 0, WIDEST));
    Some(Near {
        lines: (first..end).map(numbered).collect(),
        differences: differences.into_iter().take(TOLD).map(|(_, words)| words).collect(),
    })
}

/// Where `new` is already, line for line, counted from 1; not when it is so little that it may be anywhere.
pub(crate) fn already(text: &str, new: &str) -> Option<usize> {
    let new: Vec<&str> = new.lines().skip_while(|line| is_blank(line)).collect();
    let filled = new.iter().rposition(|line| !is_blank(line))? + 1;
    let telling = new.iter().flat_map(|line| line.chars()).filter(|c| c.is_alphanumeric()).count() >= 6;
    let found = LineIndex::new(text).find(&new[..filled], Level::Blanks);
    found.first().filter(|_| telling).map(|line| line + 1)
}

/// The line from which on most of the lines are right.
fn by_votes(line_index: &LineIndex, old: &[&str]) -> Option<usize> {
    let mut sought: HashMap<_, Vec<usize>> = HashMap::new();
    for (nth, line) in old.iter().enumerate().filter(|(_, line)| line.chars().any(char::is_alphanumeric)) {
        sought.entry(Level::LOOSEST.key(line)).or_default().push(nth);
    }
    let mut votes = vec![0_usize; line_index.len()];
    for (index, line) in line_index.lines().enumerate() {
        let nths = sought.get(&Level::LOOSEST.key(line)).filter(|nths| nths.len() <= COMMON);
        for nth in nths.into_iter().flatten() {
            votes[index.saturating_sub(*nth)] += 1;
        }
    }
    let most = votes.iter().copied().max().filter(|most| *most > 0)?;
    votes.iter().position(|votes| *votes == most)
}

/// The line from which on the longest of the lines is like one that is there.
fn by_likeness(line_index: &LineIndex, old: &[&str]) -> Option<usize> {
    let (position, longest) = old.iter().map(|line| line.trim()).enumerate().max_by_key(|(_, line)| line.len())?;
    if longest.len() > LONGEST {
        return None;
    }
    let lines: Vec<&str> = line_index.lines().map(str::trim).collect();
    let compared: Vec<&str> = lines.iter().copied().filter(|line| line.len() <= LONGEST).take(COMPARED).collect();
    let best = *get_close_matches(longest, &compared, 1, 0.6).first()?;
    lines.iter().position(|line| *line == best).map(|line| line.saturating_sub(position))
}

/// What differs, each with the line where it does, counted from 0.
fn differences(old: &[&str], window: &[&str], start: usize) -> Vec<(usize, String)> {
    let keys = |lines: &[&str]| lines.iter().map(|line| Level::LOOSEST.key(line).into_owned()).collect::<Vec<_>>();
    let mut told = Vec::new();
    for op in capture_diff_slices(Algorithm::Myers, &keys(old), &keys(window)) {
        let (wrote, mut has) = (op.old_range(), op.new_range());
        if let DiffOp::Equal { .. } = op {
            continue;
        }
        // What comes before the first line or after the last is no difference.
        if wrote.end == old.len() {
            has.end = has.end.min(has.start + wrote.len());
        } else if wrote.start == 0 {
            has.start = has.start.max(has.end.saturating_sub(wrote.len()));
        }
        let both = wrote.len().min(has.len());
        for nth in 0..both {
            let (wrote, line) = (old[wrote.start + nth].trim(), has.start + nth);
            let (wrote, has) = apart(wrote, window[line].trim());
            let words = format!("line {}: you wrote \"{wrote}\", the file has \"{has}\"", start + line + 1);
            told.push((start + line, words));
        }
        for wrote in wrote.clone().skip(both).filter(|nth| !is_blank(old[*nth])) {
            let line = start + has.end;
            told.push((line, format!("before line {}: there is no \"{}\"", line + 1, quoted(old[wrote].trim(), 0))));
        }
        for line in has.clone().skip(both) {
            let has = quoted(window[line].trim(), 0);
            told.push((start + line, format!("line {}: you left out \"{has}\"", start + line + 1)));
        }
    }
    told
}

/// Both from shortly before they part.
fn apart(one: &str, other: &str) -> (String, String) {
    let same = one.chars().zip(other.chars()).take_while(|(one, other)| one == other).count();
    (quoted(one, same), quoted(other, same))
}

fn quoted(line: &str, differs_at: usize) -> String {
    let (room, before) = QUOTED;
    let from = if line.chars().count() <= room { 0 } else { differs_at.saturating_sub(before) };
    cut(line, from, room)
}

/// Characters `from` on, at most `room` of them, with marks where some are missing.
fn cut(line: &str, from: usize, room: usize) -> String {
    let mut rest = line.chars().skip(from);
    let shown: String = rest.by_ref().take(room).collect();
    let (before, after) = (if from > 0 { "…" } else { "" }, if rest.next().is_some() { "…" } else { "" });
    format!("{before}{shown}{after}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "fn main() {\n    let total = sum(&items);\n    println!(\"{total}\");\n}\n";

    fn near(old: &str) -> (Vec<String>, Vec<String>) {
        let near = nearest(TEXT, old).unwrap();
        (near.lines, near.differences)
    }

    #[test]
    fn what_was_meant_is_found() {
        let (lines, differences) = near("    let totals = sum(items);\n    println!(\"{totals}\");");
        assert_eq!(lines, ["2\t    let total = sum(&items);", "3\t    println!(\"{total}\");"]);
        assert_eq!(
            differences,
            [
                "line 2: you wrote \"let totals = sum(items);\", the file has \"let total = sum(&items);\"",
                "line 3: you wrote \"println!(\"{totals}\");\", the file has \"println!(\"{total}\");\"",
            ]
        );
        assert_eq!(nearest(TEXT, "completely different words here"), None);
        assert_eq!(nearest("", "a"), None);
    }

    #[test]
    fn lines_left_out_and_lines_made_up_are_told() {
        assert_eq!(
            near("fn main() {\n    println!(\"{total}\");\n}").1,
            ["line 2: you left out \"let total = sum(&items);\""]
        );
        assert_eq!(
            near("    let total = sum(&items);\n    let more = 1;\n    println!(\"{total}\");").1,
            ["before line 3: there is no \"let more = 1;\""]
        );
        assert_eq!(near("println!(\"{total}\");\n\n}").1, [""; 0]);
    }

    #[test]
    fn what_is_told_is_bounded() {
        let text = format!("{}b{}\n", "a".repeat(250), "c".repeat(100_000)).repeat(50);
        let old = format!("{}d{}\n", "a".repeat(250), "c".repeat(100)).repeat(50);
        assert_eq!(nearest(&text, &old), None);
        let text: String = (0..500).map(|nth| format!("line number {nth} {}\n", "x".repeat(300))).collect();
        let old: String = (100..300).map(|nth| format!("line  number {nth} {}y\n", "x".repeat(300))).collect();
        let Near { lines, differences } = nearest(&text, &old).unwrap();
        assert_eq!((lines.len(), differences.len()), (SHOWN, TOLD));
        assert!(lines.iter().chain(&differences).all(|line| line.chars().count() < 300));
    }

    #[test]
    fn an_edit_made_already_is_noticed() {
        assert_eq!(already(TEXT, "\nlet total = sum(&items);\n\n"), Some(2));
        assert_eq!(already(TEXT, "}"), None);
        assert_eq!(already(TEXT, "total"), None);
    }
}
