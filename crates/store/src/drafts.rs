//! What a person was writing: kept for each project, so that it is there again after a crash.

use crate::{Place, StoreError};
use serde::{Deserialize, Serialize};
use std::path::Path;

const FILE: &str = "drafts.json";

/// Projects of which one is kept: those that were written in last.
const MOST: usize = 50;

/// Bytes of one that are kept.
const LONGEST: usize = 200_000;

/// The drafts of all projects.
#[derive(Debug, Clone)]
pub struct Drafts {
    place: Place,
}

/// What was being written in one project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Draft {
    project: String,
    text: String,
}

impl Drafts {
    /// Those that are kept in `place`.
    pub fn new(place: Place) -> Self {
        Drafts { place }
    }

    /// What was being written in `project`.
    pub fn of(&self, project: &Path) -> Option<String> {
        let project = project.display().to_string();
        self.load().into_iter().find(|draft| draft.project == project).map(|draft| draft.text)
    }

    /// This is being written in `project`; nothing: it was sent, or put away.
    ///
    /// # Errors
    /// When the file cannot be written, or others could have written it.
    pub fn keep(&self, project: &Path, text: &str) -> Result<(), StoreError> {
        let project = project.display().to_string();
        let before = self.load();
        let mut drafts = before.clone();
        drafts.retain(|draft| draft.project != project);
        if !text.trim().is_empty() {
            let text = text[..text.floor_char_boundary(LONGEST)].to_owned();
            drafts.push(Draft { project, text });
        }
        drafts.drain(..drafts.len().saturating_sub(MOST));
        if drafts == before {
            return Ok(());
        }
        let text = serde_json::to_string(&drafts).expect("structs of strings can be written as JSON");
        self.place.replace(FILE, "the draft", &format!("{text}\n"))
    }

    fn load(&self) -> Vec<Draft> {
        self.place.read(FILE).and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draft_is_there_again_until_it_is_sent_and_each_project_has_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let drafts = || Drafts::new(Place::new(folder.path()));
        let (one, other) = (Path::new("/one"), Path::new("/other"));
        assert_eq!(drafts().of(one), None);
        drafts().keep(one, "half a").unwrap();
        drafts().keep(one, "half a thought").unwrap();
        drafts().keep(other, "another").unwrap();
        assert_eq!(drafts().of(one).as_deref(), Some("half a thought"));
        drafts().keep(one, "").unwrap();
        assert_eq!((drafts().of(one), drafts().of(other).as_deref()), (None, Some("another")));
    }
}
