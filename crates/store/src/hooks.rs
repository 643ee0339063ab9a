//! Which hooks of a project the user approved.

use crate::{Folder, Place, StoreError};
use serde::{Deserialize, Serialize};

const FILE: &str = "hooks.json";
const WHAT: &str = "what you approved of a project's hooks";

/// The hooks of one project that were approved.
#[derive(Debug, Clone)]
pub struct HookPins {
    place: Place,
    /// The folder by its label: another one in its place is another project.
    project: String,
    shown: String,
}

/// A hook as it was approved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HookPin {
    /// What it was run at, by our name.
    pub event: String,
    /// Its shell line.
    pub command: String,
    /// For which tools, as it was written; none: for all, or not known.
    #[serde(default)]
    pub matcher: Option<String>,
    /// What it was known by, over all of it.
    pub mark: String,
    /// The day, like `2026-11-21`.
    #[serde(default)]
    pub since: String,
}

/// All that was approved in one project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct ProjectPins {
    project: String,
    path: String,
    hooks: Vec<HookPin>,
}

impl HookPins {
    /// Those of `project`, kept in `place`.
    pub fn new(place: Place, project: &Folder) -> Self {
        HookPins { place, project: project.label(), shown: project.shown() }
    }

    /// All of them; what cannot be read or could be written by others counts for nothing.
    pub fn load(&self) -> Vec<HookPin> {
        self.all().into_iter().find(|pins| pins.project == self.project).map(|pins| pins.hooks).unwrap_or_default()
    }

    /// Keeps these in place of what was approved in this project before, with the day of today.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save(&self, hooks: Vec<HookPin>) -> Result<(), StoreError> {
        let _lock = self.place.lock(WHAT)?;
        let mut all = self.others();
        let hooks = hooks.into_iter().map(|pin| HookPin { since: crate::today(), ..pin }).collect();
        all.push(ProjectPins { project: self.project.clone(), path: self.shown.clone(), hooks });
        self.write(&all)
    }

    /// Forgets what was approved in this project; `false`: nothing was.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn forget(&self) -> Result<bool, StoreError> {
        let _lock = self.place.lock(WHAT)?;
        let others = self.others();
        if others.len() == self.all().len() {
            return Ok(false);
        }
        self.write(&others).map(|()| true)
    }

    fn all(&self) -> Vec<ProjectPins> {
        self.place.read(FILE).and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default()
    }

    fn others(&self) -> Vec<ProjectPins> {
        self.all().into_iter().filter(|pins| pins.project != self.project).collect()
    }

    fn write(&self, all: &[ProjectPins]) -> Result<(), StoreError> {
        let text = serde_json::to_string_pretty(all).expect("structs of strings can be written as JSON");
        self.place.replace(FILE, WHAT, &format!("{text}\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    fn pins(folder: &Path, name: &str) -> HookPins {
        let path = folder.join(name);
        fs::create_dir_all(&path).unwrap();
        HookPins::new(Place::new(folder.join("state")), &Folder::at(&path).unwrap())
    }

    fn pin(mark: &str) -> HookPin {
        HookPin {
            event: "pre_tool".into(),
            command: "./guard.sh".into(),
            matcher: None,
            mark: mark.into(),
            since: String::new(),
        }
    }

    #[test]
    fn what_was_approved_in_a_project_counts_there_alone_and_until_it_is_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (pins(folder.path(), "one"), pins(folder.path(), "other"));
        one.save(vec![pin("1")]).unwrap();
        one.save(vec![pin("2"), pin("3")]).unwrap();
        let marks: Vec<String> = one.load().into_iter().map(|pin| pin.mark).collect();
        assert_eq!((marks, one.load()[0].since.len(), other.load()), (vec!["2".into(), "3".into()], 10, Vec::new()));
        other.save(vec![pin("4")]).unwrap();
        assert!(one.forget().unwrap() && !one.forget().unwrap());
        assert_eq!((one.load().len(), other.load().len()), (0, 1));
    }

    #[test]
    fn what_others_could_have_written_counts_for_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let one = pins(folder.path(), "one");
        one.save(vec![pin("1")]).unwrap();
        let file = folder.path().join("state").join(FILE);
        fs::set_permissions(&file, fs::Permissions::from_mode(0o660)).unwrap();
        assert_eq!(one.load(), []);
    }
}
