//! What lies in a folder of tools, and who could have put it there.
//!
//! Opens files and starts nothing. A link that leads out of the folder is not followed; and what somebody else could
//! change in the user's own folder is not theirs.

use crate::open::plain_file;
use crate::same::KnownBy;
use std::fs::Metadata;
use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Files that are looked at in one folder.
const MOST: usize = 64;
/// Bytes of the longest definition.
const LONGEST: u64 = 64 << 10;
/// May write: the group, or everybody.
const OTHERS: u32 = 0o022;
/// May be run by its owner.
const RUNS: u32 = 0o100;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whose {
    Persons,
    Projects,
}

impl Whose {
    /// Of a tool, in the title of a question.
    pub(super) fn in_words(self) -> &'static str {
        match self {
            Whose::Persons => "your tool",
            Whose::Projects => "the project's tool",
        }
    }
}

/// A file that defines a tool.
#[derive(Debug)]
pub(super) enum FoundDefinition {
    File(PathBuf, String),
    /// That is to be asked.
    Program(Program),
}

/// A program as it was when it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Program {
    pub(super) path: PathBuf,
    known_by: KnownBy,
}

impl Program {
    /// `None` where it cannot be read.
    fn at(path: &Path, metadata: &Metadata) -> Option<Self> {
        Some(Program { path: path.to_owned(), known_by: KnownBy::bytes(path, metadata)? })
    }

    /// Is it still what it was? Reads it; blocking.
    pub(super) fn is_the_same(&self) -> bool {
        let there = self.path.symlink_metadata().ok().filter(Metadata::is_file);
        there.and_then(|metadata| Program::at(&self.path, &metadata)).as_ref() == Some(self)
    }
}

/// What lies in `folder`, which may not be there; `within`: where it must lie itself. Notices name each file as `shown`.
pub(super) fn look(folder: &Path, within: &Path, whose: Whose, notices: &mut Vec<String>) -> Vec<FoundDefinition> {
    let shown = folder.display();
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Vec::new(),
        Err(error) => {
            notices.push(format!("{shown}: cannot be read: {error}"));
            return Vec::new();
        }
    };
    let Some(top) = folder.canonicalize().ok().filter(|top| top.starts_with(within)) else {
        notices.push(format!("{shown} leads elsewhere; tools lie in the folder itself"));
        return Vec::new();
    };
    let mut names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
    names.retain(|name| !name.to_string_lossy().starts_with('.') && !name.to_string_lossy().ends_with('~'));
    names.sort();
    if names.len() > MOST {
        notices.push(format!("{shown} holds {} files; only the first {MOST} are looked at", names.len()));
        names.truncate(MOST);
    }
    let mut found = Vec::new();
    for name in names {
        match one(&top, &folder.join(&name), whose) {
            Ok(one) => found.extend(one),
            Err(why) => notices.push(format!("{}: {why}", folder.join(&name).display())),
        }
    }
    found
}

/// The tool at `path`, if it is one.
fn one(top: &Path, path: &Path, whose: Whose) -> Result<Option<FoundDefinition>, String> {
    let Ok(real) = path.canonicalize() else { return Err("leads nowhere".into()) };
    if !real.starts_with(top) {
        return Err("leads out of the folder, and links are not followed there; put a copy here".into());
    }
    let metadata = real.metadata().map_err(|error| error.to_string())?;
    let (is_file, runs) = (path.extension().is_some_and(|end| end == "toml"), metadata.mode() & RUNS != 0);
    if !metadata.is_file() || !is_file && !runs {
        return Ok(None);
    }
    if whose == Whose::Persons && !is_ours_alone(&metadata) {
        return Err(
            "others can change it, so it is not used; take that right away with chmod go-w, and make it yours".into()
        );
    }
    if !is_file {
        let program =
            Program::at(&real, &metadata).ok_or("cannot be read, so another in its place would not be noticed")?;
        return Ok(Some(FoundDefinition::Program(program)));
    }
    let bytes = plain_file(&real, LONGEST).ok_or("cannot be read, or is longer than 64 KiB")?;
    let text = String::from_utf8(bytes).map_err(|_| "is not UTF-8")?;
    Ok(Some(FoundDefinition::File(real, text)))
}

/// Can only the user (or the superuser) write to it?
fn is_ours_alone(metadata: &Metadata) -> bool {
    let us = rustix::process::geteuid().as_raw();
    metadata.mode() & OTHERS == 0 && (metadata.uid() == us || metadata.uid() == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{Permissions, create_dir, set_permissions, write};
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn names(found: &[FoundDefinition]) -> Vec<String> {
        let path = |found: &FoundDefinition| match found {
            FoundDefinition::File(path, text) => format!("{} {text}", path.file_name().unwrap().display()),
            FoundDefinition::Program(program) => program.path.file_name().unwrap().display().to_string(),
        };
        found.iter().map(path).collect()
    }

    #[test]
    fn definitions_and_programs_are_found_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path().canonicalize().unwrap();
        let tools = top.join("tools");
        create_dir(&tools).unwrap();
        create_dir(tools.join("folder")).unwrap();
        for (name, mode) in
            [("b.toml", 0o644), ("a", 0o755), ("notes.md", 0o644), (".hidden", 0o755), ("old~", 0o755), ("open", 0o757)]
        {
            write(tools.join(name), name).unwrap();
            set_permissions(tools.join(name), Permissions::from_mode(mode)).unwrap();
        }
        write(top.join("outside.toml"), "").unwrap();
        symlink("../outside.toml", tools.join("away.toml")).unwrap();
        symlink("b.toml", tools.join("same.toml")).unwrap();
        symlink("nothing", tools.join("dangling")).unwrap();
        let mut notices = Vec::new();
        let found = look(&tools, &top, Whose::Persons, &mut notices);
        assert_eq!(names(&found), ["a", "b.toml b.toml", "b.toml b.toml"]);
        let said: Vec<&str> = notices.iter().map(|said| said.rsplit_once("tools/").unwrap().1).collect();
        assert_eq!(
            said,
            [
                "away.toml: leads out of the folder, and links are not followed there; put a copy here",
                "dangling: leads nowhere",
                "open: others can change it, so it is not used; take that right away with chmod go-w, and make it yours",
            ]
        );
        // Of a project whose files its group writes, nothing is said: whoever trusts it trusts that too.
        let mut notices = Vec::new();
        assert_eq!(
            names(&look(&tools, &top, Whose::Projects, &mut notices)),
            ["a", "b.toml b.toml", "open", "b.toml b.toml"]
        );
        assert!(look(&top.join("none"), &top, Whose::Persons, &mut Vec::new()).is_empty());
    }

    #[test]
    fn a_folder_that_leads_elsewhere_is_not_looked_into() {
        let folder = tempfile::tempdir().unwrap();
        let top = folder.path().canonicalize().unwrap();
        create_dir(top.join("in")).unwrap();
        create_dir(top.join("out")).unwrap();
        symlink("../out", top.join("in/tools")).unwrap();
        let mut notices = Vec::new();
        assert!(look(&top.join("in/tools"), &top.join("in"), Whose::Projects, &mut notices).is_empty());
        assert!(notices[0].ends_with("leads elsewhere; tools lie in the folder itself"), "{notices:?}");
    }

    #[test]
    fn a_program_that_was_put_in_the_place_of_another_is_not_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        write(&path, "1").unwrap();
        let program = Program::at(&path, &path.metadata().unwrap()).unwrap();
        assert!(program.is_the_same());
        // In place, as long as it was, and with its old time.
        let time = path.metadata().unwrap().modified().unwrap();
        write(&path, "2").unwrap();
        std::fs::File::options().append(true).open(&path).unwrap().set_modified(time).unwrap();
        assert_eq!(path.metadata().unwrap().modified().unwrap(), time);
        assert!(!program.is_the_same());
        write(&path, "1").unwrap();
        assert!(program.is_the_same(), "the same bytes are the same program");
        write(&path, "22").unwrap();
        assert!(!program.is_the_same());
        std::fs::remove_file(&path).unwrap();
        assert!(!program.is_the_same());
    }
}
