//! Made-up markdown without end: headings, paragraphs, lists, tables and code, as a model would write them.

use crate::tokens::pieces;
use std::collections::VecDeque;

/// The text, piece by piece. Always the same.
#[derive(Debug, Default)]
pub(crate) struct Prose {
    section: usize,
    ready: VecDeque<String>,
}

impl Iterator for Prose {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        if self.ready.is_empty() {
            self.section += 1;
            self.ready.extend(pieces(&section(self.section)).map(str::to_owned));
        }
        self.ready.pop_front()
    }
}

const SUBJECTS: [&str; 5] = ["The parser", "A queue", "This index", "The scheduler", "Every worker"];
const DEEDS: [&str; 4] = ["reads one record at a time", "keeps its order", "gives back what it took", "stops early"];
const REASONS: [&str; 3] = ["because memory is small", "so that nothing is lost", "unless somebody asks otherwise"];

fn sentence(number: usize) -> String {
    let (subject, deed) = (SUBJECTS[number % SUBJECTS.len()], DEEDS[number % DEEDS.len()]);
    format!("{subject} {deed}, {}.", REASONS[number % REASONS.len()])
}

fn section(number: usize) -> String {
    let body = match number % 4 {
        0 => table(number),
        1 => paragraph(number),
        2 => list(number),
        _ => code(number),
    };
    format!("## Part {number}\n\n{body}\n\n")
}

fn paragraph(number: usize) -> String {
    let sentences: Vec<String> = (0..6).map(|offset| sentence(number + offset)).collect();
    format!("{} It is **important** to see that `part_{number}` stands alone.", sentences.join(" "))
}

fn list(number: usize) -> String {
    let items: Vec<String> = (1..=5).map(|item| format!("{item}. {}", sentence(number * item))).collect();
    items.join("\n")
}

fn table(number: usize) -> String {
    let rows: Vec<String> = (1..=4).map(|row| format!("| {row} | {} | {} |", number * row, sentence(row))).collect();
    format!("| step | count | note |\n|---:|---:|---|\n{}", rows.join("\n"))
}

fn code(number: usize) -> String {
    format!(
        "```rust\n/// Adds up part {number}.\nfn part_{number}(values: &[u64]) -> u64 {{\n    let mut sum = {number};\n    \
         for value in values {{\n        if *value > 10 {{\n            sum += value * 2;\n        }}\n    }}\n    sum\n}}\n```"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_endless_and_always_the_same() {
        let text: String = Prose::default().take(20_000).collect();
        assert_eq!(text, Prose::default().take(20_000).collect::<String>());
        assert!(text.contains("```rust") && text.contains("|---:|") && text.contains("\n## Part 12\n"));
    }
}
