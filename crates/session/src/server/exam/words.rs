//! Short words for long texts.

/// Characters of a text that are quoted.
const QUOTED: usize = 60;

/// Characters of a line that are shown around a difference.
const AROUND: usize = 24;

/// Characters before a difference that are shown with it.
const BEFORE: usize = 8;

/// The beginning of a text, on one line.
pub(super) fn quoted(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    excerpt(&line, 0, QUOTED)
}

/// The first difference between what a text should be and what it is.
pub(super) fn difference(wanted: &str, came: &str) -> String {
    let (mut wanted, mut came) = (wanted.split('\n'), came.split('\n'));
    let mut number = 1;
    loop {
        match (wanted.next(), came.next()) {
            (Some(wanted), Some(came)) if wanted == came => number += 1,
            (Some(wanted), Some(came)) => return format!("line {number} {}", difference_in_line(wanted, came)),
            (Some(wanted), None) => return format!("line {number} is missing: {}", excerpt(wanted, 0, AROUND)),
            (None, Some(came)) => return format!("line {number} is one too many: {}", excerpt(came, 0, AROUND)),
            (None, None) => return "nothing".into(),
        }
    }
}

fn difference_in_line(wanted: &str, came: &str) -> String {
    let same = wanted.chars().zip(came.chars()).take_while(|(wanted, came)| wanted == came).count();
    let from = same.saturating_sub(BEFORE);
    format!("should be {} and is {}", excerpt(wanted, from, AROUND), excerpt(came, from, AROUND))
}

/// So many characters of a text, in quotes, with what has no shape made visible.
fn excerpt(text: &str, from: usize, length: usize) -> String {
    let shown: String = text.chars().skip(from).take(length).map(visible).collect();
    let before = if from > 0 { "…" } else { "" };
    let after = if text.chars().nth(from + length).is_some() { "…" } else { "" };
    format!("`{before}{shown}{after}`")
}

fn visible(c: char) -> char {
    match c {
        '\t' => '⇥',
        c if c.is_control() => '·',
        c => c,
    }
}
