//! When a whole new text of a file is taken by call. One of a file that was never read replaces what nobody saw; one of a long
//! file of which most stays is written out for the sake of a few lines, and every line of it can go lost on the way.

use super::checks::Refused;
use crate::read_tracker::Sight;
use crate::words;
use agent_protocol::{Failure, FailureKind};
use agent_syntax::vanishing;
use similar::{DiffOp, DiffTag, TextDiff};
use std::path::Path;
use std::time::Duration;

/// Places that are named, and so many that they are better changed in one go.
const NAMED: usize = 5;
const MANY: usize = 10;
/// How long two texts are compared at most; beyond, they count as different.
const COMPARING: Duration = Duration::from_millis(500);

/// How long a file may be of which a whole new text is taken.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rewrite {
    /// In lines; 0: any text is taken.
    pub(crate) lines: u32,
    /// Files of which the last text was not taken, for most of it stays.
    pub(crate) refused: Refused,
}

/// A text that is to take the place of a file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Whole<'a> {
    pub(crate) path: &'a Path,
    pub(crate) shown: &'a str,
    pub(crate) before: &'a str,
    pub(crate) after: &'a str,
    pub(crate) sight: Sight,
    /// It came into being in this session.
    pub(crate) is_ours: bool,
}

impl Rewrite {
    /// # Errors
    /// [`FailureKind::NotReady`] where something else is to be done first: to read it, or to change a part of it.
    pub(crate) fn check(&self, whole: &Whole<'_>) -> Result<(), Failure> {
        let Whole { path, shown, before, after, sight, is_ours } = *whole;
        if self.lines == 0 || before.trim().is_empty() || before == after {
            return Ok(());
        }
        if sight == Sight::Never && !is_ours {
            return Err(unread(shown));
        }
        let is_long = before.lines().count() > self.lines as usize;
        let refusal = if is_long { stays(whole) } else { None };
        // What comes again is meant, where nothing is lost by it.
        if refusal.is_none() || self.refused.was(path) && vanishing(shown, before, after).is_none() {
            self.refused.forget(path);
            return Ok(());
        }
        if !self.refused.was(path) {
            self.refused.once(path);
        }
        refusal.map_or(Ok(()), Err)
    }
}

fn unread(shown: &str) -> Failure {
    let message = format!(
        "{shown} is there already and was not read in this session, so nothing was written; read it with read_file, then \
         change what has to change with edit_file"
    );
    Failure::new(FailureKind::NotReady, message)
}

/// A failure where most of the lines would stay as they are.
fn stays(whole: &Whole<'_>) -> Option<Failure> {
    let Whole { shown, before, after, .. } = *whole;
    let (before, after) = (before.replace("\r\n", "\n"), after.replace("\r\n", "\n"));
    let diff = TextDiff::configure().timeout(COMPARING).diff_lines(before.as_str(), after.as_str());
    let (kept, changed): (Vec<&DiffOp>, Vec<&DiffOp>) = diff.ops().iter().partition(|op| op.tag() == DiffTag::Equal);
    let old: Vec<&str> = before.lines().collect();
    let same: usize = kept.iter().map(|op| says(&old[op.old_range()])).sum();
    let new: Vec<&str> = after.lines().collect();
    if same * 2 <= says(&old) || same * 2 <= says(&new) {
        return None;
    }
    let gone = vanishing(shown, &before, &after);
    if changed.len() > MANY && gone.is_none() {
        return None;
    }
    let more = match changed.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {}", words::count(more as u64, "more place")),
    };
    let places = changed.iter().take(NAMED).map(|op| place(op)).collect::<Vec<_>>().join(", ");
    let lost = gone.map_or(String::new(), |gone| {
        format!(
            "; {} would be gone ({}): where they are to go, take them out with edit_file",
            gone.counted(),
            gone.named()
        )
    });
    let stay: usize = kept.iter().map(|op| op.old_range().len()).sum();
    let message = format!(
        "{stay} of the {} lines of {shown} stay as they are in this text, so nothing was written; change only the others with \
         edit_file: {places}{more}{lost}",
        old.len()
    );
    Some(Failure::new(FailureKind::NotReady, message))
}

/// Lines that hold more than marks.
fn says(lines: &[&str]) -> usize {
    lines.iter().filter(|line| line.contains(char::is_alphanumeric)).count()
}

/// Where in the file as it is.
fn place(op: &DiffOp) -> String {
    let lines = op.old_range();
    match lines.len() {
        0 => format!("after line {}", lines.start),
        1 => format!("line {}", lines.start + 1),
        _ => format!("lines {}–{}", lines.start + 1, lines.end),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(functions: usize, value: usize) -> String {
        (0..functions).map(|at| format!("def f{at}():\n    return {}\n\n", at * value)).collect()
    }

    fn told(rewrite: &Rewrite, before: &str, after: &str, sight: Sight, is_ours: bool) -> Option<String> {
        let whole = Whole { path: Path::new("/a.py"), shown: "a.py", before, after, sight, is_ours };
        rewrite.check(&whole).err().map(|failure| failure.message)
    }

    fn rewrite(lines: u32) -> Rewrite {
        Rewrite { lines, ..Rewrite::default() }
    }

    #[test]
    fn what_was_never_read_is_read_first() {
        let told = |lines, before: &str, sight, ours| told(&rewrite(lines), before, "new\n", sight, ours);
        assert!(told(120, "old\n", Sight::Never, false).is_some_and(|words| words.contains("read it with read_file")));
        assert_eq!(told(120, "old\n", Sight::AsItIs, false), None);
        assert_eq!(told(120, "old\n", Sight::Never, true), None, "a command of this session made it");
        assert_eq!(told(120, " \n", Sight::Never, false), None);
        assert_eq!(told(0, "old\n", Sight::Never, false), None);
    }

    #[test]
    fn a_long_file_of_which_most_stays_is_changed_in_parts() {
        let before = text(20, 1);
        let after = before.replace("return 3\n", "return 33\n").replace("return 9\n", "return 9\n    # nine\n");
        let told = |lines, after: &str| told(&rewrite(lines), &before, after, Sight::AsItIs, false);
        assert_eq!(
            told(50, &after).as_deref(),
            Some(
                "59 of the 60 lines of a.py stay as they are in this text, so nothing was written; change only the others \
                 with edit_file: line 11, after line 29"
            )
        );
        assert_eq!(told(60, &after), None, "it is not longer than that");
        assert_eq!(told(50, &text(20, 7).replace("def f", "def g")), None, "another text");
        assert_eq!(told(50, &before.replace('\n', "\r\n").replace("    ", "\t")), None, "another indentation");
        let all_over: String = before.replace("    return", "    # why\n    return");
        assert_eq!(told(50, &all_over), None, "so many places are better changed in one go");
        let lost = told(50, &before.replace("def f4():\n    return 4\n\n", ""));
        assert!(lost.is_some_and(|words| words.contains("1 of 20 functions would be gone (f4)")));
    }

    #[test]
    fn what_comes_again_is_taken_unless_definitions_would_be_gone() {
        let (before, rewrite) = (text(20, 1), rewrite(50));
        let after = before.replace("return 3\n", "return 33\n");
        let told = |after: &str| told(&rewrite, &before, after, Sight::AsItIs, false).is_some();
        assert_eq!([told(&after), told(&after), told(&after)], [true, false, true]);
        let lost = before.replace("def f4():\n    return 4\n\n", "");
        assert_eq!([told(&lost), told(&lost), told(&after)], [true, true, false]);
    }
}
