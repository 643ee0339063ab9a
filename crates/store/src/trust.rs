//! The folders that the user trusts.

use crate::{Folder, Place, StoreError};
use serde::{Deserialize, Serialize};

const FILE: &str = "trusted.json";

/// Whether one folder is trusted.
#[derive(Debug, Clone)]
pub struct Trust {
    place: Place,
    project: Folder,
}

/// A folder that is trusted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Trusted {
    path: String,
    device: u64,
    inode: u64,
    /// Where the file system says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    born: Option<i64>,
    /// The day, like `2026-11-21`.
    since: String,
}

impl Trusted {
    fn is(&self, folder: &Folder) -> bool {
        self.path == folder.shown() && folder.is_known_as(Some(self.device), Some(self.inode), self.born)
    }
}

impl Trust {
    /// The trust in `project`, kept in `place`.
    pub fn new(place: Place, project: Folder) -> Self {
        Trust { place, project }
    }

    /// Is it trusted? Another folder of the same name is not.
    pub fn holds(&self) -> bool {
        self.load().iter().any(|trusted| trusted.is(&self.project))
    }

    /// The user trusts it.
    ///
    /// # Errors
    /// When the file cannot be written, or others could have written it.
    pub fn save(&self) -> Result<(), StoreError> {
        let Folder { device, inode, born, .. } = self.project;
        let mut all = self.load();
        all.retain(|trusted| trusted.path != self.project.shown());
        all.push(Trusted { path: self.project.shown(), device, inode, born, since: crate::today() });
        let text = serde_json::to_string_pretty(&all).expect("structs of strings and numbers can be written as JSON");
        self.place.replace(FILE, "the trust in this folder", &format!("{text}\n"))
    }

    fn load(&self) -> Vec<Trusted> {
        self.place.read(FILE).and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    fn trust(folder: &std::path::Path, name: &str) -> Trust {
        let path = folder.join(name);
        fs::create_dir_all(&path).unwrap();
        Trust::new(Place::new(folder.join("state")), Folder::at(&path).unwrap())
    }

    #[test]
    fn a_folder_is_trusted_once_the_person_said_so_and_no_other_is() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (trust(folder.path(), "one"), trust(folder.path(), "other"));
        assert!(!one.holds());
        one.save().unwrap();
        assert!(one.holds() && !other.holds());
        other.save().unwrap();
        one.save().unwrap();
        assert!(one.holds() && other.holds());
        assert_eq!(one.load().len(), 2);
    }

    #[test]
    fn another_folder_of_the_same_name_is_not_trusted() {
        let folder = tempfile::tempdir().unwrap();
        let one = trust(folder.path(), "one");
        one.save().unwrap();
        fs::rename(folder.path().join("one"), folder.path().join("moved")).unwrap();
        let another = trust(folder.path(), "one");
        assert!(!another.holds());
        another.save().unwrap();
        assert!(another.holds() && !one.holds());
        assert_eq!(another.load().len(), 1, "the folder that is gone is forgotten");
    }

    /// Deleted and made anew, as by cloning once more: file systems give the number of what was deleted to the next.
    #[test]
    fn a_folder_that_was_made_anew_is_not_trusted() {
        let folder = tempfile::tempdir().unwrap();
        let one = trust(folder.path(), "one");
        one.save().unwrap();
        let path = &one.project.path;
        let mut again = one.project.clone();
        // The clock of a file system has ticks; within one, two births look alike.
        while again.born == one.project.born {
            fs::remove_dir(path).unwrap();
            fs::create_dir(path).unwrap();
            again = Folder::at(path).unwrap();
            if again.born.is_none() {
                // This file system does not say it; then there is nothing more to know a folder by.
                return;
            }
        }
        // The worst case, on whatever file system this runs.
        again.inode = one.project.inode;
        assert!(!Trust::new(one.place.clone(), again).holds());
    }

    #[test]
    fn trust_from_before_births_were_written_holds_only_where_there_are_none() {
        let folder = tempfile::tempdir().unwrap();
        let one = trust(folder.path(), "one");
        Trust { project: Folder { born: None, ..one.project.clone() }, ..one.clone() }.save().unwrap();
        let with = |born| Trust { project: Folder { born, ..one.project.clone() }, ..one.clone() };
        assert!(with(None).holds() && !with(Some(7)).holds());
    }

    #[test]
    fn trust_that_others_could_have_written_counts_for_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let one = trust(folder.path(), "one");
        one.save().unwrap();
        let file = folder.path().join("state").join(FILE);
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        fs::set_permissions(&file, fs::Permissions::from_mode(0o660)).unwrap();
        assert!(!one.holds());
        fs::write(&file, "[").unwrap();
        assert!(!one.holds());
    }
}
