//! Files as they would be: changes worked out one after the other, none of them made.
//!
//! **Invariant.** What comes of operations here is what came of them if each were carried out before the next one is
//! looked at.

mod patches;

use super::super::edit_file::{EditPlace, Made, Swap};
use super::super::read_file::missing;
use super::super::write_file::{wanted_whole, whole, written};
use super::{budget::Budget, rights};
use crate::change::{Author, Before, EditPart, Findings, KnownState, Rewrite, Verb, before, read_again};
use crate::open::{Found, open};
use crate::read_tracker::Sight;
use crate::workspace::Workspace;
use agent_policy::Leave;
use agent_protocol::{Failure, FailureKind, SyntaxGate};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Bytes of all texts together.
const LARGEST: usize = 32 * 1024 * 1024;

pub(super) struct Overlay<'a> {
    workspace: &'a Workspace,
    /// Who let the files be looked at.
    leave: Leave,
    files: Vec<File>,
    /// What all that is held may come to.
    pub(super) budget: Budget,
    /// Whether what does not parse is of interest, and when a whole new text is taken.
    syntax: SyntaxGate,
    rewrite: Rewrite,
}

struct File {
    path: PathBuf,
    /// As it lies on disk.
    before: Option<Before>,
    /// As it would be; `None`: there would be none.
    now: Option<Now>,
    /// By an operation, even if it came back to what it was.
    changed: bool,
    notes: Vec<String>,
    how: Vec<String>,
}

#[derive(Clone)]
struct Now {
    text: String,
    verb: Verb,
    known: KnownState,
}

/// Does the file stay where it was?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CarriedFrom {
    Stays,
    Goes,
}

impl<'a> Overlay<'a> {
    pub(super) fn new(workspace: &'a Workspace, leave: Leave) -> Self {
        Overlay::within(Budget::default(), workspace, leave)
    }

    pub(super) fn within(budget: Budget, workspace: &'a Workspace, leave: Leave) -> Self {
        let (syntax, rewrite) = (SyntaxGate::Off, Rewrite::default());
        Overlay { workspace, leave, files: Vec::new(), budget, syntax, rewrite }
    }

    /// The same, as the model in use has it.
    pub(super) fn minding(self, syntax: SyntaxGate, rewrite: Rewrite) -> Self {
        Overlay { syntax, rewrite, ..self }
    }

    /// Replaces a text in the file.
    pub(super) fn swap(&mut self, path: &Path, swap: Swap) -> Result<(), Failure> {
        let at = self.at(path)?;
        if !swap.old.is_empty() {
            self.check_gone(at)?;
        }
        let made = swap.made(&self.place(at))?;
        self.make(at, made)
    }

    /// Gives the file this text.
    pub(super) fn write(&mut self, path: &Path, content: String) -> Result<(), Failure> {
        let at = self.at(path)?;
        let place = self.place(at);
        let made = written(whole(content, &place)?, &place)?;
        wanted_whole(&made, &place, &self.rewrite)?;
        self.make(at, made)
    }

    pub(super) fn delete(&mut self, path: &Path) -> Result<(), Failure> {
        let at = self.there(path)?;
        let unseen = self.sight(at) == Sight::Never;
        let file = &mut self.files[at];
        (file.now, file.changed) = (None, true);
        file.notes.extend(unseen.then(|| "this file was never read in this session".to_owned()));
        Ok(())
    }

    /// Gives the file another name, or a second one.
    pub(super) fn carry(&mut self, from: &Path, to: &Path, source: CarriedFrom) -> Result<(), Failure> {
        let at = self.there(from)?;
        let (from_shown, to_shown) = (self.workspace.shown(from), self.workspace.shown(to));
        if from == to {
            return Err(invalid(format!("{from_shown} is to go to itself; give another name in `to`")));
        }
        self.check_rights(from, &from_shown)?;
        self.check_charset(at, &from_shown)?;
        if self.hides(from) && !self.workspace.is_secret(to) {
            let message = format!(
                "the name of {from_shown} says that it holds secrets, which {to_shown} does not; the user can allow \
                 it in safe mode, where looking at it asks"
            );
            return Err(Failure::new(FailureKind::Denied, message));
        }
        let target = self.at(to)?;
        if self.files[target].now.is_some() {
            return Err(invalid(format!("{to_shown} exists already; delete it first, or give another name in `to`")));
        }
        let Some(now) = self.files[at].now.clone() else { return Err(missing(self.workspace, from)) };
        let (word, gone) = match source {
            CarriedFrom::Stays => ("copied", None),
            CarriedFrom::Goes => ("moved", Some(format!("moved to {to_shown}"))),
        };
        let origin = format!("{word} from {from_shown}");
        let made = Made { verb: Verb::Write, after: now.text, note: Some(origin.clone()), how: Some(origin) };
        self.make(target, made)?;
        if let Some(new) = &mut self.files[target].now {
            new.known = now.known;
        }
        if let Some(gone) = gone {
            let file = &mut self.files[at];
            (file.now, file.changed) = (None, true);
            file.notes.push(gone.clone());
            file.how.push(gone);
        }
        Ok(())
    }

    /// What an operation made of the file at `path`: its text, or that it is gone; `None` where it is as it was.
    pub(super) fn changed(&self, path: &Path) -> Option<Option<&str>> {
        let file = self.files.iter().find(|file| file.path == path && file.changed)?;
        Some(file.now.as_ref().map(|now| now.text.as_str()))
    }

    /// What is to be written, and last what is to be deleted.
    pub(super) fn into_parts(self) -> Vec<EditPart> {
        let parts = self.files.into_iter().filter(|file| file.changed).map(File::into_part);
        let (kept, gone): (Vec<EditPart>, Vec<EditPart>) = parts.partition(|part| part.after.is_some());
        kept.into_iter().chain(gone).collect()
    }

    /// The file at `path`, read when it is first asked for.
    fn at(&mut self, path: &Path) -> Result<usize, Failure> {
        if let Some(at) = self.files.iter().position(|file| file.path == path) {
            return Ok(at);
        }
        let before = before(self.workspace, path)?;
        self.budget.hold(before.as_ref().map_or(0, |before| before.text.len() as u64))?;
        let now = before.as_ref().map(|before| Now {
            text: before.text.clone(),
            verb: Verb::Edit,
            known: KnownState::If(path.into(), before.digest.clone()),
        });
        self.files.push(File { path: path.into(), before, now, changed: false, notes: Vec::new(), how: Vec::new() });
        Ok(self.files.len() - 1)
    }

    /// The same for one that must be there, and be what the model knows of it.
    fn there(&mut self, path: &Path) -> Result<usize, Failure> {
        let at = self.at(path)?;
        self.check_gone(at)?;
        if self.files[at].now.is_none() {
            return Err(missing(self.workspace, path));
        }
        if self.sight(at) == Sight::Before {
            return Err(read_again(&self.workspace.shown(path)));
        }
        Ok(at)
    }

    /// A failure where an operation took it away.
    fn check_gone(&self, at: usize) -> Result<(), Failure> {
        let file = &self.files[at];
        if file.now.is_some() || !file.changed {
            return Ok(());
        }
        Err(gone(&self.workspace.shown(&file.path)))
    }

    fn place(&self, at: usize) -> EditPlace<'_> {
        let file = &self.files[at];
        EditPlace {
            workspace: self.workspace,
            path: &file.path,
            text: file.now.as_ref().map(|now| now.text.as_str()),
            sight: self.sight(at),
            hidden: self.hides(&file.path),
            syntax: self.syntax,
        }
    }

    fn sight(&self, at: usize) -> Sight {
        match self.files[at].now.as_ref().map(|now| &now.known) {
            None => Sight::Never,
            Some(KnownState::Whole) => Sight::AsItIs,
            Some(KnownState::If(path, digest)) => self.workspace.seen().sight(path, digest),
        }
    }

    /// May what is in there not be shown?
    fn hides(&self, path: &Path) -> bool {
        self.leave == Leave::Rule && self.workspace.is_secret(path)
    }

    fn make(&mut self, at: usize, made: Made) -> Result<(), Failure> {
        let others = self.files.iter().enumerate().filter(|(other, _)| *other != at);
        let held: usize = others.filter_map(|(_, file)| file.now.as_ref()).map(|now| now.text.len()).sum();
        if held + made.after.len() > LARGEST {
            let message = "the files of this call are too large together; change them in several calls";
            return Err(Failure::new(FailureKind::TooLarge, message));
        }
        self.check_place(at)?;
        let file = &mut self.files[at];
        let verb = match (&file.now, made.verb) {
            // What was written once stays written, whatever is edited in it afterwards.
            (Some(now), Verb::Edit) => now.verb,
            (_, verb) => verb,
        };
        let known = match (file.now.take(), made.verb) {
            (Some(now), Verb::Edit) => now.known,
            (_, Verb::Create | Verb::Write | Verb::Edit | Verb::Delete) => KnownState::Whole,
        };
        file.now = Some(Now { text: made.after, verb, known });
        file.changed = true;
        file.notes.extend(made.note.filter(|note| !file.notes.contains(note)));
        file.how.extend(made.how);
        Ok(())
    }

    /// A name cannot be a file and a folder.
    fn check_place(&self, at: usize) -> Result<(), Failure> {
        let path = &self.files[at].path;
        let there = self.files.iter().filter(|file| file.now.is_some() && file.path != *path);
        let clash = there.map(|file| &file.path).find(|other| other.starts_with(path) || path.starts_with(other));
        match clash {
            None => Ok(()),
            Some(other) => {
                let (one, other) = (self.workspace.shown(path), self.workspace.shown(other));
                Err(invalid(format!("{one} and {other} cannot both be files; check the paths")))
            }
        }
    }

    /// What is written anew is UTF-8.
    fn check_charset(&self, at: usize, shown: &str) -> Result<(), Failure> {
        let charset = self.files[at].before.as_ref().map(|before| before.charset);
        match charset.filter(|charset| !charset.is_utf_8()) {
            None => Ok(()),
            Some(charset) => {
                let name = charset.name();
                Err(invalid(format!(
                    "{shown} is encoded in {name}, which would be lost here; use run_command with mv or cp"
                )))
            }
        }
    }

    /// What is written anew has the usual rights: that would break a program, and show everybody what is private.
    fn check_rights(&self, path: &Path, shown: &str) -> Result<(), Failure> {
        let Found::File(_, metadata) = open(self.workspace, path)? else { return Ok(()) };
        let mode = metadata.mode() & 0o7777;
        let what = match () {
            () if mode & 0o111 != 0 => "is executable, which".to_owned(),
            () if mode != rights::usual() => format!("has rights of its own ({mode:04o}), which"),
            () => return Ok(()),
        };
        Err(invalid(format!("{shown} {what} would be lost here; use run_command with mv or cp")))
    }
}

impl File {
    fn into_part(self) -> EditPart {
        let (after, verb, known) = match (&self.before, self.now) {
            // Gone in between, or not: it is there before and after.
            (Some(_), Some(now)) if now.verb == Verb::Create => (Some(now.text), Verb::Write, now.known),
            (Some(_), Some(now)) => (Some(now.text), now.verb, now.known),
            (None, Some(now)) => (Some(now.text), Verb::Create, now.known),
            (_, None) => (None, Verb::Delete, KnownState::Whole),
        };
        let words = |words: &[String]| (!words.is_empty()).then(|| words.join("; "));
        let (note, how) = (words(&self.notes), words(&self.how));
        let (author, findings) = (Author::Model, Findings::default());
        EditPart { path: self.path, before: self.before, after, verb, note, how, author, known, findings }
    }
}

/// What the file called `shown` was is no more when its turn comes.
pub(super) fn gone(shown: &str) -> Failure {
    Failure::new(FailureKind::NotFound, format!("{shown} is gone by an operation before this one"))
}

fn invalid(message: String) -> Failure {
    Failure::new(FailureKind::InvalidArguments, message)
}

#[cfg(test)]
mod tests;
