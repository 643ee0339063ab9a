//! Choices the user made in the program, kept for the next session.

use crate::{Place, StoreError};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

const FILE: &str = "remembered.json";

/// The choices. What is not there was never chosen.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Remembered {
    /// The model, on whichever server.
    pub model: Option<String>,
    /// The model on each server, by its address.
    pub models: BTreeMap<String, String>,
    /// The address of the server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
}

impl Remembered {
    /// The choices kept in `place`; an unreadable file counts as none made.
    pub fn load(place: &Place) -> Self {
        place.read(FILE).and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default()
    }

    /// The model that was chosen on the server at `host`. What an earlier version kept says nothing of servers, and is of
    /// whichever there is.
    pub fn model_at(&self, host: &str) -> Option<String> {
        let of_any = || self.model.clone().filter(|_| self.models.is_empty());
        self.models.get(host).cloned().or_else(of_any)
    }

    /// The same with `model` chosen on the server at `host`.
    pub fn with_model(mut self, host: &str, model: &str) -> Self {
        self.model = Some(model.to_owned());
        self.models.insert(host.to_owned(), model.to_owned());
        self
    }

    /// Keeps the choices.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save(&self, place: &Place) -> Result<(), StoreError> {
        let text = serde_json::to_string_pretty(self).expect("a struct of strings can be written as JSON");
        place.replace(FILE, "the choice of model and server", &format!("{text}\n"))
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
        let chosen = Remembered::default().with_model("http://one:1", "qwen3:8b");
        chosen.save(&place).unwrap();
        assert_eq!(Remembered::load(&place), chosen);
        fs::write(folder.path().join(FILE), "{").unwrap();
        assert_eq!(Remembered::load(&place), Remembered::default());
    }

    #[test]
    fn each_server_has_its_model_and_what_0_1_kept_is_of_any() {
        let of_0_1: Remembered = serde_json::from_str(r#"{"model": "qwen3:8b"}"#).unwrap();
        assert_eq!(of_0_1.model_at("http://one:1").as_deref(), Some("qwen3:8b"));
        let two = of_0_1.with_model("http://one:1", "a").with_model("http://two:1/v1", "b");
        let at = |host: &str| two.model_at(host);
        assert_eq!((at("http://one:1"), at("http://two:1/v1")), (Some("a".into()), Some("b".into())));
        assert_eq!(at("http://three:1"), None);
    }
}
