//! Choices the person made in the program, kept for the next session.

use crate::{Place, StoreError};
use serde::{Deserialize, Serialize};

const FILE: &str = "remembered.json";

/// The choices. What is not there was never chosen.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Remembered {
    /// The model.
    pub model: Option<String>,
}

impl Remembered {
    /// The choices kept in `place`; an unreadable file counts as none made.
    pub fn load(place: &Place) -> Self {
        place.read(FILE).and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default()
    }

    /// Keeps the choices.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save(&self, place: &Place) -> Result<(), StoreError> {
        let text = serde_json::to_string_pretty(self).expect("a struct of strings can be written as JSON");
        place.replace(FILE, "the choice of model", &format!("{text}\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_choice_survives_and_a_spoilt_file_is_no_choice() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::new(folder.path());
        assert_eq!(Remembered::load(&place), Remembered::default());
        let chosen = Remembered { model: Some("qwen3:8b".into()) };
        chosen.save(&place).unwrap();
        assert_eq!(Remembered::load(&place), chosen);
        fs::write(folder.path().join(FILE), "{").unwrap();
        assert_eq!(Remembered::load(&place), Remembered::default());
    }
}
