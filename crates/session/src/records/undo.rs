//! Which changes can be taken back, and made again: one line back and forth, like the undo of an editor.

use agent_protocol::{FileChange, FileState, Restoring, SaidId, UndoDirection, UndoPart, UndoTurn, UndoneFile};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The changes of a session.
#[derive(Debug, Default)]
pub(crate) struct UndoLog {
    steps: Vec<Step>,
    /// So many of them stand; those after were taken back.
    standing: usize,
    /// What was taken back, in the order in which it was.
    taken_back: Vec<TakenBack>,
}

/// What one call changed, or taking a part of that back.
#[derive(Debug)]
struct Step {
    said: SaidId,
    words: String,
    changes: Vec<FileChange>,
    what: StepIs,
}

/// Where a step comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StepIs {
    Change,
    /// A part of it was taken back; `Again`, right after it, would bring that part back.
    PartBack,
    PartAgain,
}

/// Steps that were taken back at once.
#[derive(Debug)]
struct TakenBack {
    /// The first of them.
    from: usize,
    files: Vec<UndoneFile>,
}

impl UndoLog {
    /// A call changed something for this.
    pub(crate) fn changed(&mut self, said: SaidId, words: &str, changes: &[FileChange]) {
        if changes.is_empty() {
            return;
        }
        // Whoever goes on from an earlier state leaves what was taken back behind.
        self.steps.truncate(self.standing);
        self.taken_back.clear();
        let (words, changes) = (words.to_owned(), changes.to_vec());
        self.steps.push(Step { said, words, changes, what: StepIs::Change });
        self.standing = self.steps.len();
    }

    /// Which files would be brought from how we left them to how they would be; empty where there is nothing to do.
    pub(crate) fn wanted(&self, direction: UndoDirection, said: SaidId) -> Vec<Restoring> {
        match direction {
            UndoDirection::Undo => self.back(self.first_for(said)),
            UndoDirection::Redo => self.forth(self.groups_to(said)),
        }
    }

    /// Files were brought back or forth: all that the plan was for, or only a `part` of what was changed in one of them.
    pub(crate) fn done(
        &mut self,
        direction: UndoDirection,
        said: SaidId,
        part: Option<UndoPart>,
        files: &[UndoneFile],
    ) {
        match (direction, part) {
            (UndoDirection::Undo, Some(part)) => self.done_in_part(part, files),
            (UndoDirection::Undo, None) => {
                let from = self.first_for(said);
                if from < self.standing && files.iter().any(|file| file.left.is_none()) {
                    let from = self.keep_standing(from, files);
                    self.taken_back.push(TakenBack { from, files: files.to_vec() });
                    self.standing = from;
                }
            }
            (UndoDirection::Redo, _) => {
                let stay = self.groups_to(said);
                self.taken_back.truncate(stay);
                self.standing = self.standing_with(stay);
                self.forget_parts_that_stand();
            }
        }
    }

    /// A part is taken back. From then on that stands as one more step, and the part as one that was taken back: so what is
    /// undone later begins with the files as they are, and redo brings the part back, alone.
    fn done_in_part(&mut self, part: UndoPart, files: &[UndoneFile]) {
        let files: Vec<UndoneFile> =
            files.iter().filter(|file| file.left.is_none() && file.before != file.after).cloned().collect();
        let Some(last) = self.standing.checked_sub(1).map(|at| &self.steps[at]).filter(|_| !files.is_empty()) else {
            return;
        };
        let step = |what, changes| Step { said: last.said, words: last.words.clone(), changes, what };
        let back = step(StepIs::PartBack, files.iter().map(|file| moved(file, UndoPart::default())).collect());
        let again = step(StepIs::PartAgain, files.iter().map(|file| turned(moved(file, part))).collect());
        let at = self.standing;
        self.insert(at, [back, again]);
        self.taken_back.push(TakenBack { from: at + 1, files });
        self.standing = at + 1;
    }

    /// Puts steps in their place; groups that begin there or later begin that much later.
    fn insert<const N: usize>(&mut self, at: usize, steps: [Step; N]) {
        self.steps.splice(at..at, steps);
        self.taken_back.iter_mut().filter(|group| group.from >= at).for_each(|group| group.from += N);
    }

    /// A part that was taken back and stands again is as if nothing had been done with it.
    fn forget_parts_that_stand(&mut self) {
        let is_pair = |two: &[Step]| two[0].what == StepIs::PartBack && two[1].what == StepIs::PartAgain;
        while let Some(at) = self.steps[..self.standing].windows(2).position(is_pair) {
            self.steps.drain(at..at + 2);
            self.standing -= 2;
            self.taken_back.iter_mut().filter(|group| group.from > at).for_each(|group| group.from -= 2);
        }
    }

    /// What was done to files that were left as they are stands as a step of its own before those that are taken back, so
    /// that it can still be undone later. Gives where these begin then.
    fn keep_standing(&mut self, from: usize, files: &[UndoneFile]) -> usize {
        let mut changes: BTreeMap<&Path, FileChange> = BTreeMap::new();
        let is_left = |path: &Path| files.iter().any(|file| file.left.is_some() && file.path == path);
        for change in self.steps[from..self.standing].iter().flat_map(|step| &step.changes) {
            if is_left(&change.path) {
                changes
                    .entry(&change.path)
                    .and_modify(|known| known.after.clone_from(&change.after))
                    .or_insert_with(|| change.clone());
            }
        }
        if changes.is_empty() {
            return from;
        }
        let (first, changes) = (&self.steps[from], changes.into_values().collect());
        let step = Step { said: first.said, words: first.words.clone(), changes, what: StepIs::Change };
        self.insert(from, [step]);
        from + 1
    }

    /// One entry for each thing said for which something was changed, oldest first.
    pub(crate) fn turns(&self) -> Vec<UndoTurn> {
        let mut turns: Vec<UndoTurn> = Vec::new();
        let mut at = 0;
        while let Some(step) = self.steps.get(at) {
            let undone = at >= self.standing;
            let same = |(place, other): &(usize, &Step)| other.said == step.said && (*place >= self.standing) == undone;
            let steps: Vec<&Step> =
                self.steps.iter().enumerate().skip(at).take_while(same).map(|(_, step)| step).collect();
            at += steps.len();
            let changes = || steps.iter().flat_map(|step| &step.changes);
            let paths = |keep: fn(&FileChange) -> bool| {
                let mut paths: Vec<&Path> =
                    changes().filter(|change| keep(change)).map(|change| change.path.as_path()).collect();
                paths.sort_unstable();
                paths.dedup();
                paths.len() as u64
            };
            turns.push(UndoTurn {
                said: step.said,
                text: step.words.clone(),
                files: paths(|_| true),
                added: changes().map(|change| change.added).sum(),
                removed: changes().map(|change| change.removed).sum(),
                undone,
                uncovered: paths(|change| !change.can_be_undone()),
            });
        }
        turns
    }

    /// Files that were changed in this session and are so still, as a person would name them.
    pub(crate) fn changed_files(&self) -> Vec<String> {
        names(&self.steps[..self.standing])
    }

    /// The same by their paths, each once.
    pub(crate) fn standing_files(&self) -> Vec<PathBuf> {
        let changes = self.steps[..self.standing].iter().flat_map(|step| &step.changes);
        let paths: BTreeSet<&PathBuf> = changes.map(|change| &change.path).collect();
        paths.into_iter().cloned().collect()
    }

    /// The same with the lines that were added and removed, the file that was changed last first.
    pub(crate) fn changed_lines(&self) -> Vec<(String, u64, u64)> {
        let mut files: Vec<(String, u64, u64)> = Vec::new();
        for change in self.steps[..self.standing].iter().rev().flat_map(|step| &step.changes) {
            match files.iter_mut().find(|(path, ..)| *path == change.shown_path) {
                Some((_, added, removed)) => (*added, *removed) = (*added + change.added, *removed + change.removed),
                None => files.push((change.shown_path.clone(), change.added, change.removed)),
            }
        }
        files
    }

    /// Files that were changed for this or for what was said later, as a person would name them.
    pub(crate) fn changed_since(&self, said: SaidId) -> Vec<String> {
        names(&self.steps[self.first_for(said)..self.standing])
    }

    /// Is there something among what was changed for this or later that cannot be taken back?
    pub(crate) fn leaves_out(&self, said: SaidId) -> bool {
        let steps = &self.steps[self.first_for(said)..self.standing];
        steps.iter().flat_map(|step| &step.changes).any(|change| !change.can_be_undone())
    }

    /// The first standing step for this or for what was said later.
    fn first_for(&self, said: SaidId) -> usize {
        self.steps[..self.standing].iter().position(|step| step.said >= said).unwrap_or(self.standing)
    }

    fn back(&self, from: usize) -> Vec<Restoring> {
        let mut wanted: BTreeMap<&Path, Restoring> = BTreeMap::new();
        for change in self.steps[from..self.standing].iter().flat_map(|step| &step.changes) {
            let entry = wanted.entry(&change.path).or_insert_with(|| Restoring {
                path: change.path.clone(),
                from: change.after.clone(),
                to: change.before.clone(),
            });
            entry.from.clone_from(&change.after);
        }
        // Of two states that were not kept nobody can say that they are the same.
        let differs = |wanted: &Restoring| wanted.from != wanted.to || matches!(wanted.to, FileState::Unkept { .. });
        wanted.into_values().filter(differs).collect()
    }

    /// So many groups stay taken back when what was done for this is to stand again.
    fn groups_to(&self, said: SaidId) -> usize {
        let all = self.steps.iter().take_while(|step| step.said <= said).count();
        let changes = self.steps[..all].iter().rposition(|step| step.what != StepIs::PartAgain).map_or(0, |at| at + 1);
        // A part that was taken back by itself comes back by itself, when all that was changed for this stands.
        let wanted = if changes > self.standing { changes } else { all.min(self.standing + 1) };
        (0..=self.taken_back.len()).rev().find(|stay| self.standing_with(*stay) >= wanted).unwrap_or(0)
    }

    /// So many steps stand where so many groups are taken back.
    fn standing_with(&self, groups: usize) -> usize {
        groups.checked_sub(1).map_or(self.steps.len(), |last| self.taken_back[last].from)
    }

    /// What was taken back is brought back exactly, also where somebody else had changed it.
    fn forth(&self, stay: usize) -> Vec<Restoring> {
        let mut wanted: BTreeMap<&Path, Restoring> = BTreeMap::new();
        for file in self.taken_back[stay..].iter().rev().flat_map(|group| &group.files) {
            if file.left.is_some() {
                continue;
            }
            let entry = wanted.entry(&file.path).or_insert_with(|| Restoring {
                path: file.path.clone(),
                from: file.after.clone(),
                to: file.before.clone(),
            });
            entry.to.clone_from(&file.before);
        }
        wanted.into_values().filter(|wanted| wanted.from != wanted.to).collect()
    }
}

/// What became of a file, with the lines of a part of it.
fn moved(file: &UndoneFile, UndoPart { added, removed }: UndoPart) -> FileChange {
    FileChange {
        path: file.path.clone(),
        shown_path: file.shown_path.clone(),
        before: file.before.clone(),
        after: file.after.clone(),
        added,
        removed,
    }
}

/// The same the other way round.
fn turned(change: FileChange) -> FileChange {
    FileChange { before: change.after.clone(), after: change.before.clone(), ..change }
}

fn names(steps: &[Step]) -> Vec<String> {
    let changes = steps.iter().flat_map(|step| &step.changes);
    let names: BTreeSet<&String> = changes.map(|change| &change.shown_path).collect();
    names.into_iter().cloned().collect()
}

#[cfg(test)]
mod tests;
