//! What a commit would hold and what a checkout would discard, file by file, for the user to look at first.
//!
//! Read from what git keeps, without filters or other programs, and bounded: what is not shown is said.

use super::repository::Repository;
use crate::open::plain_file_below;
use crate::workspace::{Workspace, one_line};
use agent_protocol::{Failure, FailureKind, FileDiff};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Files that are shown, and bytes of them together.
const FILES: usize = 50;
const BYTES: usize = 1_000_000;
/// Names of files that are not shown, before the rest is counted.
const NAMES: usize = 5;

/// Lists how what is staged differs from a commit, whatever the settings say of that.
const STAGED: [&str; 9] = [
    "diff",
    "--cached",
    "--raw",
    "-z",
    "--no-abbrev",
    "--no-renames",
    "--no-relative",
    "--no-ext-diff",
    "--no-textconv",
];

/// What is shown, and a word on what is not.
#[derive(Debug, Default)]
pub(super) struct Preview {
    pub(super) files: Vec<FileDiff>,
    pub(super) note: Option<String>,
}

/// What is staged.
///
/// # Errors
/// Nothing is, or there are conflicts.
pub(super) fn staged(repository: &Repository<'_>, workspace: &Workspace) -> Result<Preview, Failure> {
    let Some(top) = repository.top() else { return Ok(unseen()) };
    let Some(said) = repository.ask(&STAGED) else { return Ok(unseen()) };
    let entries = raw(&said);
    let conflicts: Vec<&str> = entries.iter().filter(|entry| entry.unmerged).map(|entry| entry.name.as_str()).collect();
    if !conflicts.is_empty() {
        let message = format!("conflicts are not resolved: {}; edit, then add these files", conflicts.join(", "));
        return Err(Failure::new(FailureKind::NotReady, message));
    }
    let merging = || repository.ask(&["rev-parse", "--verify", "--quiet", "MERGE_HEAD"]).is_some();
    if entries.is_empty() && !merging() {
        let message = "nothing is staged; stage first what is to be committed: git_operation {\"operation\": \"add\", \
                       \"files\": \".\"}";
        return Err(Failure::new(FailureKind::NotReady, message));
    }
    let mut shown = Shown { repository, workspace, top, left: BYTES, preview: Preview::default(), unshown: Vec::new() };
    for entry in &entries {
        shown.add(entry);
    }
    Ok(shown.ended())
}

/// What the `files` hold that differs from what it would be replaced with: what `target` holds, or what is staged. Few
/// files only.
pub(super) fn discarded(
    repository: &Repository<'_>,
    workspace: &Workspace,
    target: Option<&str>,
    files: &[String],
) -> Preview {
    let (Some(top), Some(entries)) = (repository.top(), replacements(repository, target, files)) else {
        return unseen();
    };
    if entries.len() > FILES {
        return unseen();
    }
    let mut shown = Shown { repository, workspace, top, left: BYTES, preview: Preview::default(), unshown: Vec::new() };
    for entry in &entries {
        let now = plain_file_below(top, Path::new(&entry.name), BYTES as u64);
        shown.discard(entry, now);
    }
    shown.ended()
}

/// The `files` as `target` holds them, or as they are staged. What `target` does not hold stays as it is.
///
/// The files themselves are not asked about: git would send them through filters.
fn replacements(repository: &Repository<'_>, target: Option<&str>, files: &[String]) -> Option<Vec<Entry>> {
    let of_files = |words: &[&str]| {
        let words: Vec<&str> = words.iter().copied().chain(["--"]).chain(files.iter().map(String::as_str)).collect();
        repository.ask(&words)
    };
    let said = of_files(&["ls-files", "--stage", "-z", "--full-name"])?;
    let staged: Vec<Entry> = fields(&said).iter().filter_map(|field| staged_entry(field)).collect();
    let Some(target) = target else { return Some(staged) };
    let said = of_files(&[&STAGED[..], &[target]].concat())?;
    let mut entries: BTreeMap<String, Entry> = staged.into_iter().map(|entry| (entry.name.clone(), entry)).collect();
    for differs in raw(&said) {
        match differs.before {
            Some(held) => {
                let entry = Entry { before: None, after: Some(held), unmerged: false, name: differs.name.clone() };
                entries.insert(differs.name, entry);
            }
            None => drop(entries.remove(&differs.name)),
        }
    }
    Some(entries.into_values().collect())
}

fn unseen() -> Preview {
    Preview {
        files: Vec::new(),
        note: Some("the changes are too many to be shown here, or cannot be looked at".into()),
    }
}

/// A file as git lists it.
#[derive(Debug, PartialEq, Eq)]
struct Entry {
    /// Mode and object before and after; `None`: there is none.
    before: Option<(String, String)>,
    after: Option<(String, String)>,
    unmerged: bool,
    /// From the top of the repository.
    name: String,
}

fn fields(said: &[u8]) -> Vec<String> {
    let fields = said.split(|byte| *byte == 0).filter(|field| !field.is_empty());
    fields.map(|field| String::from_utf8_lossy(field).into_owned()).collect()
}

/// `:100644 100755 <object> <object> M`, then a name.
fn raw(said: &[u8]) -> Vec<Entry> {
    let fields = fields(said);
    let entry = |pair: &[String]| {
        let [what, name] = pair else { return None };
        let words: Vec<&str> = what.strip_prefix(':')?.split(' ').collect();
        let [mode, new_mode, object, new_object, kind] = words.as_slice() else { return None };
        let there = |mode: &str, object: &str| (mode != "000000").then(|| (mode.to_owned(), object.to_owned()));
        let (before, after) = (there(mode, object), there(new_mode, new_object));
        Some(Entry { before, after, unmerged: kind.starts_with('U'), name: name.clone() })
    };
    fields.chunks(2).filter_map(entry).collect()
}

/// `100644 <object> 0\tname`.
fn staged_entry(field: &str) -> Option<Entry> {
    let (what, name) = field.split_once('\t')?;
    let mut words = what.split(' ');
    let (mode, object) = (words.next()?.to_owned(), words.next()?.to_owned());
    Some(Entry { before: None, after: Some((mode, object)), unmerged: false, name: name.to_owned() })
}

/// What has been shown so far.
struct Shown<'a> {
    repository: &'a Repository<'a>,
    workspace: &'a Workspace,
    top: &'a Path,
    /// Bytes that may still be shown.
    left: usize,
    preview: Preview,
    unshown: Vec<String>,
}

/// Why a file is not shown.
enum Unshown {
    NotText,
    TooMuch,
}

impl Shown<'_> {
    fn add(&mut self, entry: &Entry) {
        let texts = self.side(entry.before.as_ref()).and_then(|before| Ok((before, self.side(entry.after.as_ref())?)));
        let note = match (&entry.before, &entry.after) {
            (Some((before, _)), Some((after, _))) if before != after => Some(format!("mode {before}, then {after}")),
            (None, Some((mode, _))) if mode == "100755" => Some("it can be run".into()),
            _ => None,
        };
        self.take(entry, texts, note);
    }

    fn discard(&mut self, entry: &Entry, now: Option<Vec<u8>>) {
        let now = match now.map(|bytes| self.text(bytes)).transpose() {
            Ok(now) => now,
            Err(why) => return self.leave(entry, &why),
        };
        let texts = self.side(entry.after.as_ref()).map(|after| (now, after));
        if texts.as_ref().is_ok_and(|(now, after)| now == after) {
            return;
        }
        self.take(entry, texts, None);
    }

    fn take(&mut self, entry: &Entry, texts: Result<(Option<String>, Option<String>), Unshown>, note: Option<String>) {
        match texts {
            Ok((before, after)) if self.preview.files.len() < FILES => {
                self.left -= length(before.as_ref()) + length(after.as_ref());
                let path: PathBuf = self.top.join(&entry.name);
                let shown_path = self.workspace.shown(&path);
                self.preview.files.push(FileDiff {
                    path,
                    shown_path,
                    before,
                    after,
                    note,
                    skipped: 0,
                    marks: Vec::new(),
                });
            }
            Ok(_) => self.leave(entry, &Unshown::TooMuch),
            Err(why) => self.leave(entry, &why),
        }
    }

    fn leave(&mut self, entry: &Entry, why: &Unshown) {
        let name = one_line(Path::new(&entry.name));
        self.unshown.push(match why {
            Unshown::NotText => format!("{name} (not text)"),
            Unshown::TooMuch => name,
        });
    }

    /// The text of one side of a file; `None`: there is none.
    fn side(&self, side: Option<&(String, String)>) -> Result<Option<String>, Unshown> {
        let Some((mode, object)) = side else { return Ok(None) };
        if mode == "160000" {
            return Ok(Some(format!("submodule at commit {object}\n")));
        }
        if self.preview.files.len() >= FILES || self.left == 0 {
            return Err(Unshown::TooMuch);
        }
        let bytes = self.repository.ask(&["cat-file", "blob", object]).ok_or(Unshown::TooMuch)?;
        self.text(bytes).map(Some)
    }

    fn text(&self, bytes: Vec<u8>) -> Result<String, Unshown> {
        if bytes.contains(&0) {
            return Err(Unshown::NotText);
        }
        // Both sides of a file have to fit.
        if bytes.len() > self.left / 2 {
            return Err(Unshown::TooMuch);
        }
        String::from_utf8(bytes).map_err(|_| Unshown::NotText)
    }

    fn ended(self) -> Preview {
        let Shown { mut preview, unshown, .. } = self;
        preview.note = match unshown.as_slice() {
            [] => None,
            few if few.len() <= NAMES => Some(format!("not shown: {}", few.join(", "))),
            many => Some(format!("not shown: {} and {} more", many[..NAMES].join(", "), many.len() - NAMES)),
        };
        preview
    }
}

fn length(text: Option<&String>) -> usize {
    text.map_or(0, String::len)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_what_is_staged_is_read_to_the_letter() {
        let (a, b) = ("a".repeat(40), "b".repeat(40));
        let zero = "0".repeat(40);
        let said = format!(
            ":100644 100755 {a} {b} M\0x y.sh\0:000000 100644 {zero} {b} A\0new\n\0:100644 000000 {a} {zero} D\0gone\0\
             :000000 000000 {zero} {zero} U\0torn\0"
        );
        let side = |mode: &str, object: &str| Some((mode.to_owned(), object.to_owned()));
        let entry = |before, after, unmerged, name: &str| Entry { before, after, unmerged, name: name.into() };
        assert_eq!(
            raw(said.as_bytes()),
            [
                entry(side("100644", &a), side("100755", &b), false, "x y.sh"),
                entry(None, side("100644", &b), false, "new\n"),
                entry(side("100644", &a), None, false, "gone"),
                entry(None, None, true, "torn"),
            ]
        );
        let staged = staged_entry(&format!("100644 {a} 0\tx\ty"));
        assert_eq!(staged, Some(entry(None, side("100644", &a), false, "x\ty")));
        assert_eq!((raw(b""), raw(b":odd\0name\0"), staged_entry("odd")), (vec![], vec![], None));
    }
}
