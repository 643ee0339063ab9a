//! Says of files whose text is gone without the model having read it, and whether there is a way back: to the model, so that
//! it looks before it goes on, and to the user, whom nobody may have asked.

use agent_protocol::{FileChange, Outcome};
use std::path::PathBuf;

const NAMED: usize = 3;

/// The outcome of a call that replaced or deleted the files of `unread`, with a word on those that it really changed.
pub(crate) fn tell(mut outcome: Outcome, unread: &[PathBuf]) -> Outcome {
    let all = outcome.changed.len();
    let gone = outcome.changed.iter().filter(|file| unread.contains(&file.path));
    let (kept, lost): (Vec<&FileChange>, Vec<&FileChange>) = gone.partition(|file| file.can_be_undone());
    let notes = [
        note(&kept, all, "the user can bring it back with /undo", "/undo brings it back"),
        note(&lost, all, "undo does not cover it, so it is gone for good", "undo does not cover it"),
    ];
    for (told, summary) in notes.into_iter().flatten() {
        outcome.told.push_str(&told);
        outcome.summary.push_str(&summary);
    }
    outcome
}

/// For the model and for the user; `all` files were changed by the call.
fn note(files: &[&FileChange], all: usize, to_model: &str, to_person: &str) -> Option<(String, String)> {
    let names: Vec<&str> = files.iter().take(NAMED).map(|file| file.shown_path.as_str()).collect();
    let more = match files.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let told =
        format!("\nnote: no tool had read what {}{more} held (since agent was started); {to_model}", names.join(", "));
    let count = if all > 1 { format!("{} ", files.len()) } else { String::new() };
    (!files.is_empty()).then(|| (told, format!("; {count}not read before, {to_person}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use agent_protocol::{Digest, FileState, Unkept};

    fn file(name: &str, before: FileState) -> FileChange {
        let (path, shown_path) = (format!("/p/{name}").into(), name.into());
        FileChange { path, shown_path, before, after: FileState::Missing, added: 0, removed: 1 }
    }

    fn kept() -> FileState {
        FileState::File { content: Digest("d".into()), mode: 0o644, size: 9 }
    }

    fn told(changed: Vec<FileChange>, unread: &[&str]) -> (String, String) {
        let outcome = Outcome { changed, ..crate::words::done("wrote".into(), "+1 −1".into(), String::new()) };
        let unread: Vec<PathBuf> = unread.iter().map(|name| format!("/p/{name}").into()).collect();
        let Outcome { told, summary, .. } = tell(outcome, &unread);
        (told, summary)
    }

    #[test]
    fn what_was_read_or_is_as_it_was_is_worth_no_word() {
        let plain = ("wrote".to_owned(), "+1 −1".to_owned());
        assert_eq!(told(vec![file("a", kept())], &[]), plain);
        assert_eq!(told(Vec::new(), &["a"]), plain);
    }

    #[test]
    fn a_way_back_is_named_only_where_there_is_one() {
        let (to_model, to_person) = told(vec![file("a", kept())], &["a"]);
        assert_eq!(to_person, "+1 −1; not read before, /undo brings it back");
        assert!(
            to_model.ends_with("read what a held (since agent was started); the user can bring it back with /undo")
        );
        let unkept = FileState::Unkept { why: Unkept::NoRoom, size: 9 };
        let (to_model, to_person) = told(vec![file("a", unkept)], &["a"]);
        assert_eq!(to_person, "+1 −1; not read before, undo does not cover it");
        assert!(to_model.ends_with("undo does not cover it, so it is gone for good"), "{to_model}");
    }

    #[test]
    fn of_many_files_some_are_named_and_all_are_counted() {
        let names = ["a", "b", "c", "d", "e"];
        let (to_model, to_person) = told(names.iter().map(|name| file(name, kept())).collect(), &names[1..]);
        assert!(to_model.contains("what b, c, d and 1 more held"), "{to_model}");
        assert_eq!(to_person, "+1 −1; 4 not read before, /undo brings it back");
    }
}
