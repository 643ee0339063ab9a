//! What a patch makes of files as they would be.

use super::{CarriedFrom, Overlay, invalid};
use crate::change::{Verb, mended, note_on_ends, read_again};
use crate::miss::Miss;
use crate::read_tracker::Sight;
use crate::redact::refuse_mark;
use crate::replace::{Hunk, HunkLine, Mismatch, Misplaced, Patched, patched};
use crate::tools::edit_file::{EditPlace, Made, not_shown, nothing_new};
use crate::tools::read_file::missing;
use agent_protocol::{Failure, FailureKind, SyntaxGate};
use std::path::Path;

/// Places that are named where a change fits in several.
const NAMED: usize = 10;

impl Overlay<'_> {
    /// Makes a file that is not there, or holds nothing.
    pub(in crate::tools::batch) fn add(&mut self, path: &Path, text: String) -> Result<(), Failure> {
        let at = self.at(path)?;
        if self.files[at].now.as_ref().is_some_and(|now| !now.text.trim().is_empty()) {
            let shown = self.workspace.shown(path);
            return Err(invalid(format!(
                "{shown} is to be new and exists already; to change it give `*** Update File` with the lines that change, \
                 and to replace all of it use write_file"
            )));
        }
        self.write(path, text)
    }

    /// Changes lines of the file.
    pub(in crate::tools::batch) fn patch(&mut self, path: &Path, hunks: &[Hunk]) -> Result<(), Failure> {
        let at = self.at(path)?;
        self.check_gone(at)?;
        let made = made(hunks, &self.place(at))?;
        self.make(at, made)
    }

    /// The same, and gives it another name.
    pub(in crate::tools::batch) fn patch_and_move(
        &mut self,
        path: &Path,
        to: &Path,
        hunks: &[Hunk],
    ) -> Result<(), Failure> {
        if !hunks.is_empty() {
            self.patch(path, hunks)?;
        }
        self.carry(path, to, CarriedFrom::Goes)
    }
}

fn made(hunks: &[Hunk], place: &EditPlace<'_>) -> Result<Made, Failure> {
    let Some(text) = place.text else {
        return match hunks {
            [only] if !only.ordered && is_new(only) => {
                let after = only.sides().1.iter().map(|line| format!("{line}\n")).collect();
                Ok(Made { verb: Verb::Create, after, note: None, how: None })
            }
            _ => Err(missing(place.workspace, place.path)),
        };
    };
    for hunk in hunks {
        let (old, new) = hunk.sides();
        refuse_mark(&old.join("\n"), text, "the patch")?;
        refuse_mark(&new.join("\n"), text, "the patch")?;
    }
    let shown = place.shown();
    let mut patched =
        patched(text, hunks).map_err(|(nth, fault)| Fault { nth, hunks, place, text }.explained(fault))?;
    // The places were found, but what is around them is not what the model knows.
    if place.sight == Sight::Before {
        return Err(read_again(&shown));
    }
    if patched.text == text {
        return Err(nothing_new(&shown));
    }
    if place.syntax != SyntaxGate::Off {
        shift(hunks, (&shown, text), &mut patched);
    }
    let how: Vec<String> = patched.how.iter().map(|words| in_words_of_a_patch(words, "")).collect();
    let how = (!how.is_empty()).then(|| how.join("; "));
    let notes: Vec<String> = [how.clone(), note_on_ends(text)].into_iter().flatten().collect();
    let note = (!notes.is_empty()).then(|| notes.join("; "));
    Ok(Made { verb: Verb::Edit, after: patched.text, note, how })
}

/// Puts the new lines of the first change of which the file parses only then at the depth of the lines that go.
fn shift(hunks: &[Hunk], (shown, text): (&str, &str), found: &mut Patched) {
    for (nth, hunk) in hunks.iter().enumerate() {
        let (old, new) = (hunk.going(), hunk.coming());
        if old.is_empty() || new.is_empty() {
            continue;
        }
        let put = |new: &str| {
            let mut hunks = hunks.to_vec();
            hunks[nth].rewrite(new);
            patched(text, &hunks).ok().map(|patched| patched.text)
        };
        if let Some((made, by)) = mended(shown, (text, &found.text), (&old, &new), put) {
            found.text = made;
            found.how.push(format!("re-indented by {by}"));
            return;
        }
    }
}

/// Does it only add?
fn is_new(hunk: &Hunk) -> bool {
    hunk.lines.iter().all(|line| matches!(line, HunkLine::New(_)))
}

/// A change that has no place.
struct Fault<'a> {
    /// Which one, counted from 0.
    nth: usize,
    hunks: &'a [Hunk],
    place: &'a EditPlace<'a>,
    text: &'a str,
}

impl Fault<'_> {
    fn explained(&self, fault: Misplaced) -> Failure {
        let (shown, which) = (self.place.shown(), self.which());
        let message = match fault {
            Misplaced::NoPlace => format!(
                "{which} of {shown} has only new lines, and nothing tells where they belong; give the lines before and after \
                 them as they are there, or `*** End of File` below them to add them at the end"
            ),
            Misplaced::Overlaps(other) => {
                format!("changes {} and {} of {shown} touch the same lines; make them one", other + 1, self.nth + 1)
            }
            Misplaced::Mismatch(_) if self.place.hidden => {
                let hidden = not_shown(&shown);
                return Failure { message: in_words_of_a_patch(&hidden.message, ""), ..hidden };
            }
            Misplaced::Mismatch(Mismatch::Several(lines)) => {
                let named: Vec<String> = lines.iter().take(NAMED).map(usize::to_string).collect();
                let more = if lines.len() > NAMED { " …" } else { "" };
                let message = format!(
                    "{which} of {shown} fits at {} places (lines {}{more}); give more of the lines around it, or `@@` with \
                     the line of the function or class that it is in",
                    lines.len(),
                    named.join(", ")
                );
                return Failure::new(FailureKind::Ambiguous, message);
            }
            Misplaced::Mismatch(mismatch) => return self.missed(mismatch),
        };
        invalid(message)
    }

    /// The lines are not there: what is there instead.
    fn missed(&self, mismatch: Mismatch) -> Failure {
        let (old, new) = self.hunks[self.nth].sides();
        let (old, new, shown) = (old.join("\n"), new.join("\n"), self.place.shown());
        let failure =
            Miss { text: self.text, old: &old, new: &new, shown: &shown, sight: self.place.sight }.explained(mismatch);
        let of = if self.hunks.len() == 1 { String::new() } else { format!(" of {}", self.which()) };
        // What is quoted stays as it is.
        let mut lines: Vec<String> = failure.message.lines().map(str::to_owned).collect();
        let last = lines.len() - 1;
        lines[0] = in_words_of_a_patch(&lines[0], &of);
        lines[last] = in_words_of_a_patch(&lines[last], &of);
        Failure { message: lines.join("\n"), ..failure }
    }

    fn which(&self) -> String {
        match self.hunks.len() {
            1 => "the change".to_owned(),
            all => format!("change {} of {all}", self.nth + 1),
        }
    }
}

/// A patch has no arguments for what is there and what is to be there.
fn in_words_of_a_patch(words: &str, of: &str) -> String {
    words.replace("old_string", &format!("the old text{of}")).replace("new_string", &format!("the new text{of}"))
}
