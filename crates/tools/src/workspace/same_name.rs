//! A name that is not there, and the one entry that reads the same: another form of Unicode, another kind of space, a
//! character that cannot be seen.

use super::one_line;
use crate::unicode_forms::folded;
use agent_protocol::{Failure, FailureKind};
use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};

/// `path`, where it is there; else with each name that is not there in place of the only one that reads the same.
///
/// # Errors
/// [`FailureKind::Ambiguous`] where several do.
pub(super) fn existing(path: PathBuf) -> Result<PathBuf, Failure> {
    let is_there = |path: &Path| path.symlink_metadata().is_ok();
    if is_there(&path) {
        return Ok(path);
    }
    let (mut here, mut is_lost) = (PathBuf::new(), false);
    for part in path.components() {
        let next = here.join(part);
        here = match part {
            Component::Normal(name) if !is_lost && !is_there(&next) => {
                let found = same(&here, name)?;
                is_lost = found.is_none();
                found.map_or(next, |found| here.join(found))
            }
            _ => next,
        };
    }
    Ok(here)
}

/// The only name in `folder` that reads like `name`.
fn same(folder: &Path, name: &OsStr) -> Result<Option<OsString>, Failure> {
    let Some(wanted) = name.to_str().map(folded).filter(|name| !name.is_empty()) else { return Ok(None) };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
    let mut found = entries.filter(|entry| entry.to_str().is_some_and(|entry| folded(entry) == wanted));
    let first = found.next();
    if first.is_some() && found.next().is_some() {
        let message = format!(
            "several names in {} read the same as {:?} and differ only in characters that look alike; list them with \
             run_command, for example `ls -b`, and rename all but one",
            one_line(folder),
            name.to_string_lossy()
        );
        return Err(Failure::new(FailureKind::Ambiguous, message));
    }
    Ok(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_leads_to_the_only_entry_that_reads_the_same() {
        let folder = tempfile::TempDir::new().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("re\u{301}sume\u{301}")).unwrap();
        for name in ["re\u{301}sume\u{301}/shot\u{202f}1.png", "twin\u{a0}a", "twin\u{2009}a", "zero\u{200b}width"] {
            std::fs::write(at(name), "").unwrap();
        }
        for (given, expected) in [
            ("résumé/shot 1.png", "re\u{301}sume\u{301}/shot\u{202f}1.png"),
            ("résumé/new.png", "re\u{301}sume\u{301}/new.png"),
            ("zerowidth", "zero\u{200b}width"),
            ("twin\u{a0}a", "twin\u{a0}a"),
            ("resume/shot 1.png", "resume/shot 1.png"),
            ("new/deep", "new/deep"),
        ] {
            assert_eq!(existing(at(given)).unwrap(), at(expected), "{given:?}");
        }
        assert_eq!(existing(at("twin a")).unwrap_err().kind, FailureKind::Ambiguous);
    }
}
