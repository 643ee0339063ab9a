//! What is looked at before a change of the model is made: whether the file still parses then, and what would be gone from it.
//!
//! Half a change may well not parse, and grammars are wrong now and then. So nothing is refused but what parsed before and has a
//! fault that is certain, and nothing twice in a row.

use super::{Author, Verb};
use crate::lsp::Servers;
use agent_protocol::{Failure, FailureKind, LineMark, SyntaxGate};
use agent_syntax::{Fault, new_fault, vanishing};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes of a line that is quoted.
const QUOTED: usize = 80;
/// Lines that are shown above and below a fault.
const AROUND: usize = 3;

/// What is looked at around a change, as the model in use has it.
#[derive(Clone)]
pub(crate) struct Checks {
    pub(crate) syntax: SyntaxGate,
    /// Files whose last change was refused for its syntax.
    pub(crate) refused: Refused,
    /// Those that are asked what a change broke; `None`: nobody is.
    pub(crate) servers: Option<Arc<Servers>>,
}

/// Files of which the last call was refused; clones share them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Refused {
    files: Arc<Mutex<HashSet<PathBuf>>>,
}

impl Refused {
    /// Is it refused now? The same once more is not.
    pub(crate) fn once(&self, path: &Path) -> bool {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        if files.remove(path) { false } else { files.insert(path.to_owned()) }
    }

    /// Was it, the last time?
    pub(crate) fn was(&self, path: &Path) -> bool {
        self.files.lock().unwrap_or_else(PoisonError::into_inner).contains(path)
    }

    /// Nothing is wrong with it any more.
    pub(crate) fn forget(&self, path: &Path) {
        self.files.lock().unwrap_or_else(PoisonError::into_inner).remove(path);
    }
}

/// A part of a change, as far as it is looked at.
pub(super) struct ChangedText<'a> {
    pub(super) path: &'a Path,
    /// As a person would name it.
    pub(super) shown: String,
    /// `None`: the file is new.
    pub(super) before: Option<&'a str>,
    /// `None`: it will be gone.
    pub(super) after: Option<&'a str>,
    pub(super) verb: Verb,
    pub(super) author: Author,
    /// What is in there may not be quoted.
    pub(super) is_secret: bool,
}

impl<'a> ChangedText<'a> {
    /// The new text, as far as it may be quoted.
    fn open(&self) -> Option<&'a str> {
        self.after.filter(|_| !self.is_secret)
    }
}

/// What was found out about a part of a change.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    fault: Option<Fault>,
    /// Definitions that would be gone, in words for the user.
    goes: Option<String>,
}

impl Findings {
    /// What is worth a word of `part`, which would be made in this state of things.
    pub(super) fn of(part: &ChangedText<'_>, checks: &Checks) -> Findings {
        let ChangedText { before, shown, .. } = part;
        let before = *before;
        let is_new = |after: &&str| part.author == Author::Model && before != Some(*after);
        let Some(after) = part.after.filter(is_new) else { return Findings::default() };
        let fault = if checks.syntax == SyntaxGate::Off { None } else { new_fault(shown, before, after) };
        let is_whole = matches!(part.verb, Verb::Write);
        let gone = before.filter(|_| is_whole).and_then(|before| vanishing(shown, before, after));
        let goes = gone.map(|gone| format!("{} would go: {}", gone.counted(), gone.named()));
        Findings { fault, goes }
    }

    /// In the question, above the difference.
    pub(super) fn notes(&self, part: &ChangedText<'_>) -> Vec<String> {
        let fault = self.told(part);
        self.goes.clone().into_iter().chain(fault).collect()
    }

    pub(super) fn told(&self, part: &ChangedText<'_>) -> Option<String> {
        let Fault { line, why, .. } = self.fault.as_ref()?;
        let wrong = part.open().and_then(|after| after.lines().nth(line - 1)).unwrap_or_default().trim();
        let quoted = &wrong[..wrong.floor_char_boundary(QUOTED)];
        let quoted = if quoted.is_empty() { String::new() } else { format!(": `{quoted}`") };
        Some(format!("line {line} does not parse since this change{quoted}{}", in_brackets(why)))
    }

    /// In the difference, at its line.
    pub(super) fn marks(&self) -> Vec<LineMark> {
        let mark = |fault: &Fault| LineMark {
            line: fault.line as u64,
            text: format!("does not parse since this change{}", in_brackets(&fault.why)),
        };
        self.fault.iter().map(mark).collect()
    }

    /// In a word, for the user who looks at what was done.
    pub(super) fn summary(&self) -> Option<String> {
        self.fault.as_ref().map(|fault| format!("line {} does not parse", fault.line))
    }

    /// Why the change is not made: it would break a file that parses, for sure, and it is not tried a second time.
    pub(super) fn refusal(&self, part: &ChangedText<'_>, checks: &Checks) -> Option<Failure> {
        let replaces = part.before.is_some_and(|before| !before.trim().is_empty());
        let Some(fault) = self.fault.as_ref().filter(|fault| fault.is_certain && replaces) else {
            checks.refused.forget(part.path);
            return None;
        };
        if checks.syntax != SyntaxGate::Refuse || !checks.refused.once(part.path) {
            return None;
        }
        let shown = &part.shown;
        let (line, why) = (fault.line, in_brackets(&fault.why));
        let lines = part.open().map_or(String::new(), |after| format!("; it would read\n{}", around(after, line)));
        let message = format!(
            "{shown} was not changed, for line {line} would not parse{why}{lines}\nsend the change again without this fault; a change \
             that needs another one to be whole is made if you send it again as it is"
        );
        Some(Failure::new(FailureKind::Syntax, message))
    }
}

fn in_brackets(why: &str) -> String {
    if why.is_empty() { String::new() } else { format!(" ({why})") }
}

/// The lines around `line`, counted from 1, with their numbers.
fn around(text: &str, line: usize) -> String {
    let from = line.saturating_sub(AROUND).max(1);
    let numbered = text.lines().enumerate().map(|(at, text)| (at + 1, text));
    let near = numbered.skip(from - 1).take(line + AROUND + 1 - from);
    let width = (line + AROUND).to_string().len();
    let cut = |text: &str| text[..text.floor_char_boundary(2 * QUOTED)].to_owned();
    near.map(|(number, text)| format!("{number:>width$} | {}", cut(text))).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_refused_once_is_not_refused_the_next_time() {
        let refused = Refused::default();
        let shared = refused.clone();
        assert_eq!([refused.once(Path::new("/a")), shared.once(Path::new("/a"))], [true, false]);
        assert_eq!([refused.once(Path::new("/a")), refused.once(Path::new("/b"))], [true, true]);
        shared.forget(Path::new("/a"));
        assert!(!refused.was(Path::new("/a")) && refused.was(Path::new("/b")));
    }

    #[test]
    fn the_lines_around_a_fault_are_numbered_as_the_file_has_them() {
        let text: String = (1..=12).map(|line| format!("l{line}\n")).collect();
        assert_eq!(around(&text, 9), " 6 | l6\n 7 | l7\n 8 | l8\n 9 | l9\n10 | l10\n11 | l11\n12 | l12");
        assert_eq!(around("a\nb\n", 1), "1 | a\n2 | b");
    }
}
