//! What a model is told when its edit does not land: what the file has instead, so that the next one does.

use crate::read_tracker::Sight;
use crate::replace::{Mismatch, Near, already, nearest, without_numbers};
use agent_protocol::{Failure, FailureKind};
use agent_syntax::{Kind, Language, Source};

/// Lines and bytes of a file that is shown whole where an edit misses it.
const SHORT_LINES: usize = 120;
const SHORT_BYTES: usize = 6_000;

/// Definitions that are named of a longer one.
const MOST_SYMBOLS: usize = 40;

/// Line numbers named when a text is found several times.
const NAMED: usize = 10;

/// An edit that was to be made, and the file as it is.
pub(crate) struct Miss<'a> {
    pub(crate) text: &'a str,
    pub(crate) old: &'a str,
    pub(crate) new: &'a str,
    pub(crate) shown: &'a str,
    pub(crate) sight: Sight,
}

impl Miss<'_> {
    pub(crate) fn explained(&self, mismatch: Mismatch) -> Failure {
        let shown = self.shown;
        match mismatch {
            Mismatch::Several(lines) => {
                let message = format!(
                    "old_string is {} times in {shown} ({}); add lines around it until it is unique, or set \
                     replace_all to true",
                    lines.len(),
                    named(&lines)
                );
                Failure::new(FailureKind::Ambiguous, message)
            }
            Mismatch::Vague(lines) => {
                let message = format!(
                    "old_string is not in {shown}, and {} places are nearly like it ({}); read the one that is meant \
                     and copy it exactly",
                    lines.len(),
                    named(&lines)
                );
                Failure::new(FailureKind::Ambiguous, message)
            }
            Mismatch::Unclear(line) => {
                let message = format!(
                    "old_string is at line {line} of {shown} with other indentation, and that does not tell how \
                     new_string is to be indented; copy the indentation exactly{}",
                    self.lines().unwrap_or_default()
                );
                Failure::new(FailureKind::NoMatch, message)
            }
            Mismatch::Nowhere => self.nowhere(),
        }
    }

    fn nowhere(&self) -> Failure {
        let shown = self.shown;
        let (kind, begins) = match self.sight {
            Sight::Before => (
                FailureKind::Stale,
                format!("{shown} changed since you read it, and old_string is not in it as it is now"),
            ),
            Sight::Never | Sight::AsItIs => (FailureKind::NoMatch, format!("old_string is not in {shown}")),
        };
        let message = match (already(self.text, self.new), self.whole(), self.lines()) {
            (Some(line), ..) => {
                format!("{begins}, but new_string is, at line {line}: this change seems to be made already")
            }
            (None, Some(text), _) => {
                let different = self.differences();
                format!("{begins}; {shown} holds:\n{text}\n{different}copy old_string exactly from there")
            }
            (None, None, Some(lines)) => {
                format!(
                    "{begins}; the nearest lines are{lines}\ncopy the text exactly as it is there{}",
                    self.outline()
                )
            }
            (None, None, None) => {
                format!("{begins}, nor anything like it; read the file again{}", self.outline())
            }
        };
        Failure::new(kind, message)
    }

    /// What differs from the nearest lines, each in a line of its own.
    fn differences(&self) -> String {
        let bare = without_numbers(self.old, self.new).map(|(old, _)| old);
        let near = nearest(self.text, bare.as_deref().unwrap_or(self.old));
        near.map_or_else(String::new, |near| near.differences.iter().map(|line| format!("{line}\n")).collect())
    }

    /// All of a short file: what is needed next, in the same answer.
    fn whole(&self) -> Option<&str> {
        let short = self.text.len() <= SHORT_BYTES && self.text.lines().count() <= SHORT_LINES;
        (short && !self.text.trim().is_empty()).then(|| self.text.trim_end_matches('\n'))
    }

    /// What stands where in a longer one.
    fn outline(&self) -> String {
        let source = Language::of(self.shown, self.text).and_then(|it| Source::read(it, self.text, &|| Ok(())).ok());
        let symbols = source.iter().flat_map(|source| source.symbols());
        let named: Vec<String> = symbols
            .filter(|symbol| symbol.kind != Kind::Constant)
            .take(MOST_SYMBOLS)
            .map(|symbol| format!("{} {}", symbol.first, symbol.name))
            .collect();
        if named.is_empty() { String::new() } else { format!("\nby line it has: {}", named.join(", ")) }
    }

    /// The nearest lines and what differs there.
    fn lines(&self) -> Option<String> {
        let bare = without_numbers(self.old, self.new).map(|(old, _)| old);
        let Near { lines, differences } = nearest(self.text, bare.as_deref().unwrap_or(self.old))?;
        let hint = if differences.is_empty() { " (only white space differs)" } else { "" };
        let parts: Vec<String> = lines.into_iter().chain(differences).collect();
        Some(format!("{hint}:\n{}", parts.join("\n")))
    }
}

fn named(lines: &[usize]) -> String {
    let named: Vec<String> = lines.iter().take(NAMED).map(usize::to_string).collect();
    let more = if lines.len() > NAMED { " …" } else { "" };
    format!("lines {}{more}", named.join(", "))
}
