//! A diff that is compared when somebody looks at it for the first time: of a long conversation most never are.

use super::{DiffView, Names};
use crate::palette::Palette;
use crate::text::highlight::Highlighter;
use agent_protocol::FileDiff;
use std::cell::{Cell, OnceCell};
use std::hash::{DefaultHasher, Hash, Hasher};

/// Changed files, perhaps not compared yet.
pub(crate) struct LaterDiff {
    names: Names,
    palette: Palette,
    highlighter: Highlighter,
    /// The files until they are compared; they are not kept longer.
    files: Cell<Vec<FileDiff>>,
    compared: OnceCell<Compared>,
}

struct Compared {
    view: DiffView,
    /// Tells whether others hold the same files.
    digest: u64,
}

impl LaterDiff {
    /// The changes of `files`.
    pub(crate) fn new(files: &[FileDiff], names: Names, palette: Palette, highlighter: Highlighter) -> Self {
        LaterDiff { names, palette, highlighter, files: Cell::new(files.to_vec()), compared: OnceCell::new() }
    }

    pub(crate) fn is_of(&self, files: &[FileDiff]) -> bool {
        if let Some(compared) = self.compared.get() {
            return compared.digest == digest(files);
        }
        let own = self.files.take();
        let same = own == files;
        self.files.set(own);
        same
    }

    /// The diff, compared now if it was not before.
    pub(crate) fn view(&self) -> &DiffView {
        let compare = || {
            let files = self.files.take();
            let view = DiffView::with(&files, self.names, self.palette, self.highlighter.clone());
            Compared { view, digest: digest(&files) }
        };
        &self.compared.get_or_init(compare).view
    }

    /// The diff, if it was compared.
    pub(crate) fn compared(&mut self) -> Option<&mut DiffView> {
        self.compared.get_mut().map(|compared| &mut compared.view)
    }
}

fn digest(files: &[FileDiff]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for file in files {
        (&file.path, &file.before, &file.after, &file.note, file.skipped, &file.marks).hash(&mut hasher);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::{LaterDiff, Names};
    use crate::palette::Palette;
    use crate::text::highlight::Highlighter;
    use agent_protocol::FileDiff;

    fn file(after: &str) -> FileDiff {
        FileDiff {
            path: "/p/a".into(),
            shown_path: "a".into(),
            before: Some("one\n".into()),
            after: Some(after.into()),
            note: None,
            skipped: 0,
            marks: Vec::new(),
        }
    }

    #[test]
    fn files_are_known_again_before_and_after_they_are_compared() {
        let (palette, files) = (Palette::plain(), [file("two\n")]);
        let mut diff = LaterDiff::new(&files, Names::OfSeveral, palette, Highlighter::off());
        assert!(diff.compared().is_none());
        assert!(diff.is_of(&files) && !diff.is_of(&[file("three\n")]));
        assert_eq!(diff.view().counts(), (1, 1));
        assert!(diff.compared().is_some());
        assert!(diff.is_of(&files) && !diff.is_of(&[file("three\n")]));
    }
}
