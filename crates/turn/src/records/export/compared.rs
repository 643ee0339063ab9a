//! Two texts as the lines that differ, with a few around them.

use agent_protocol::FileDiff;

/// Lines that are shown around a change.
const AROUND: usize = 3;

/// Pairs of lines that are compared at most; beyond, all lines that differ go and all new ones come.
const MOST_PAIRS: usize = 1_000_000;

/// One line and what becomes of it.
#[derive(Clone, Copy, PartialEq)]
enum Line<'a> {
    Same(&'a str),
    Gone(&'a str),
    New(&'a str),
}

/// The difference as a unified diff, with its header.
pub(super) fn unified(file: &FileDiff) -> String {
    let name = |text: &Option<String>, side| match text {
        Some(_) => format!("{side}/{}", file.shown_path),
        None => "/dev/null".to_owned(),
    };
    let mut text = format!("--- {}\n+++ {}\n", name(&file.before, 'a'), name(&file.after, 'b'));
    let lines = lines(file.before.as_deref().unwrap_or_default(), file.after.as_deref().unwrap_or_default());
    let skipped = usize::try_from(file.skipped).unwrap_or(0);
    for (from, to) in hunks(&lines) {
        hunk(&lines, from, to, skipped, &mut text);
    }
    text
}

fn lines<'a>(before: &'a str, after: &'a str) -> Vec<Line<'a>> {
    let (old, new): (Vec<&str>, Vec<&str>) =
        (before.split_inclusive('\n').collect(), after.split_inclusive('\n').collect());
    let least = old.len().min(new.len());
    let start = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let end = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count().min(least - start);
    let mut lines: Vec<Line<'a>> = old[..start].iter().map(|line| Line::Same(line)).collect();
    lines.extend(middle(&old[start..old.len() - end], &new[start..new.len() - end]));
    lines.extend(old[old.len() - end..].iter().map(|line| Line::Same(line)));
    lines
}

/// By the longest lines in common, where that is no great work.
fn middle<'a>(old: &[&'a str], new: &[&'a str]) -> Vec<Line<'a>> {
    let gone = |lines: &[&'a str]| lines.iter().map(|line| Line::Gone(line)).collect::<Vec<_>>();
    let come = |lines: &[&'a str]| lines.iter().map(|line| Line::New(line)).collect::<Vec<_>>();
    if old.len() * new.len() > MOST_PAIRS {
        return [gone(old), come(new)].concat();
    }
    // How many lines the rests from here on have in common.
    let width = new.len() + 1;
    let mut common = vec![0_u32; (old.len() + 1) * width];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            let (down, right, both) = ((i + 1) * width + j, i * width + j + 1, (i + 1) * width + j + 1);
            let best = if old[i] == new[j] { common[both] + 1 } else { common[down].max(common[right]) };
            common[i * width + j] = best;
        }
    }
    let (mut i, mut j, mut lines) = (0, 0, Vec::new());
    while i < old.len() && j < new.len() {
        if old[i] == new[j] {
            lines.push(Line::Same(old[i]));
            (i, j) = (i + 1, j + 1);
        } else if common[(i + 1) * width + j] >= common[i * width + j + 1] {
            lines.push(Line::Gone(old[i]));
            i += 1;
        } else {
            lines.push(Line::New(new[j]));
            j += 1;
        }
    }
    lines.extend(gone(&old[i..]));
    lines.extend(come(&new[j..]));
    lines
}

/// From where to where lines are shown.
fn hunks(lines: &[Line<'_>]) -> Vec<(usize, usize)> {
    let mut hunks: Vec<(usize, usize)> = Vec::new();
    let changed = lines.iter().enumerate().filter(|(_, line)| !matches!(line, Line::Same(_)));
    for (at, _) in changed {
        let (from, to) = (at.saturating_sub(AROUND), (at + AROUND + 1).min(lines.len()));
        match hunks.last_mut() {
            Some(last) if from <= last.1 => last.1 = to,
            _ => hunks.push((from, to)),
        }
    }
    hunks
}

fn hunk(lines: &[Line<'_>], from: usize, to: usize, skipped: usize, text: &mut String) {
    let count = |lines: &[Line<'_>]| {
        let new = lines.iter().filter(|line| matches!(line, Line::New(_))).count();
        let gone = lines.iter().filter(|line| matches!(line, Line::Gone(_))).count();
        (lines.len() - new, lines.len() - gone)
    };
    let (old_before, new_before) = count(&lines[..from]);
    let (old, new) = count(&lines[from..to]);
    let range = |before: usize, lines: usize| match lines {
        0 => format!("{},0", before + skipped),
        1 => format!("{}", before + skipped + 1),
        many => format!("{},{many}", before + skipped + 1),
    };
    text.push_str(&format!("@@ -{} +{} @@\n", range(old_before, old), range(new_before, new)));
    for line in &lines[from..to] {
        let (sign, line) = match line {
            Line::Same(line) => (' ', line),
            Line::Gone(line) => ('-', line),
            Line::New(line) => ('+', line),
        };
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
