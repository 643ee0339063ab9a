//! Two texts as the lines that differ, with a few around them.

use agent_protocol::{CONTEXT_LINES, FileDiff};
use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices, group_diff_ops};

/// Pairs of lines that are compared at most; beyond, all old lines go and all new ones come.
const MOST_PAIRS: usize = 1_000_000;

/// The difference as a unified diff, with its header.
pub(super) fn unified(file: &FileDiff) -> String {
    let name = |text: &Option<String>, side| match text {
        Some(_) => format!("{side}/{}", file.shown_path),
        None => "/dev/null".to_owned(),
    };
    let mut text = format!("--- {}\n+++ {}\n", name(&file.before, 'a'), name(&file.after, 'b'));
    let (old, new) = (lines(file.before.as_deref()), lines(file.after.as_deref()));
    let skipped = usize::try_from(file.skipped).unwrap_or(0);
    for hunk in group_diff_ops(compared(&old, &new), CONTEXT_LINES) {
        text.push_str(&header(&hunk, skipped));
        for step in hunk {
            let kept = step.tag() == DiffTag::Equal;
            push_lines(if kept { ' ' } else { '-' }, &old[step.old_range()], &mut text);
            push_lines('+', if kept { &[] } else { &new[step.new_range()] }, &mut text);
        }
    }
    text
}

fn lines(text: Option<&str>) -> Vec<&str> {
    text.unwrap_or_default().split_inclusive('\n').collect()
}

/// The steps from the old lines to the new ones. Pure: it is bounded by how many lines there are, and not by time.
fn compared(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    if old.len() * new.len() > MOST_PAIRS {
        return vec![DiffOp::Replace { old_index: 0, old_len: old.len(), new_index: 0, new_len: new.len() }];
    }
    capture_diff_slices(Algorithm::Myers, old, new)
}

/// Where the hunk stands in both texts, each of which begins after so many lines that were skipped.
fn header(hunk: &[DiffOp], skipped: usize) -> String {
    let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else { return String::new() };
    let range = |from: usize, to: usize| match to - from {
        0 => format!("{},0", from + skipped),
        1 => format!("{}", from + skipped + 1),
        many => format!("{},{many}", from + skipped + 1),
    };
    let old = range(first.old_range().start, last.old_range().end);
    let new = range(first.new_range().start, last.new_range().end);
    format!("@@ -{old} +{new} @@\n")
}

fn push_lines(sign: char, lines: &[&str], text: &mut String) {
    for line in lines {
        text.push(sign);
        text.push_str(line);
        if !line.ends_with('\n') {
            text.push_str("\n\\ No newline at end of file\n");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(before: Option<&str>, after: Option<&str>, skipped: u64) -> String {
        unified(&FileDiff {
            path: "/p/a".into(),
            shown_path: "a".into(),
            before: before.map(str::to_owned),
            after: after.map(str::to_owned),
            note: None,
            skipped,
            marks: Vec::new(),
        })
    }

    #[test]
    fn changes_that_are_far_apart_are_hunks_of_their_own() {
        let before: String = (1..=20).map(|n| format!("{n}\n")).collect();
        let after = before.replace("\n2\n", "\ntwo\n").replace("19\n", "");
        let told = "--- a/a\n+++ b/a\n@@ -1,5 +1,5 @@\n 1\n-2\n+two\n 3\n 4\n 5\n\
                    @@ -16,5 +16,4 @@\n 16\n 17\n 18\n-19\n 20\n";
        assert_eq!(of(Some(&before), Some(&after), 0), told);
    }

    #[test]
    fn lines_that_were_left_out_are_counted() {
        assert_eq!(of(Some("a\nb\n"), Some("a\nc\n"), 40), "--- a/a\n+++ b/a\n@@ -41,2 +41,2 @@\n a\n-b\n+c\n");
    }

    #[test]
    fn new_deleted_and_unended_files_are_told() {
        let told = "--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n";
        assert_eq!(of(None, Some("x"), 0), told);
        assert_eq!(of(Some("x\n"), None, 0), "--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n");
        assert_eq!(of(Some("x\n"), Some("x\n"), 0), "--- a/a\n+++ b/a\n", "nothing but its mode, say");
    }

    #[test]
    fn more_than_can_be_compared_is_replaced_as_a_whole() {
        let text = |word: &str| (0..1_100).map(|n| format!("{word}{n}\n")).collect::<String>();
        let told = of(Some(&text("a")), Some(&text("b")), 0);
        assert_eq!(told.lines().count(), 3 + 2_200);
    }
}
