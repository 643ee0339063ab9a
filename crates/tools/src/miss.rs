//! What a model is told when its edit does not land: what the file has instead, so that the next one does.

use crate::replace::{Mismatch, Near, already, nearest, without_numbers};
use crate::seen::Sight;
use agent_protocol::{Failure, FailureKind};

/// Line numbers named when a text is found several times.
const NAMED: usize = 10;

/// An edit that was to be made, and the file as it is.
pub(crate) struct Miss<'a> {
    pub(crate) text: &'a str,
    pub(crate) old: &'a str,
    pub(crate) new: &'a str,
    /// The file in words.
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
        let message = match (already(self.text, self.new), self.lines()) {
            (Some(line), _) => {
                format!("{begins}, but new_string is, at line {line}: this change seems to be made already")
            }
            (None, Some(lines)) => {
                format!("{begins}; the nearest lines are{lines}\ncopy the text exactly as it is there")
            }
            (None, None) => format!("{begins}, nor anything like it; read the file again"),
        };
        Failure::new(kind, message)
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
