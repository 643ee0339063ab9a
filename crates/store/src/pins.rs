//! What the user approved of servers that bring tools of their own.

use crate::{Place, StoreError};
use serde::{Deserialize, Serialize};
use serde_json::Value;

const FILE: &str = "servers.json";
const WHAT: &str = "what you approved of a server";

/// The servers that were approved.
#[derive(Debug, Clone)]
pub struct Pins {
    place: Place,
}

/// A server as it was approved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Pin {
    pub server: String,
    /// What it was known by, over all of it.
    pub mark: String,
    /// The same by a look at its files.
    pub glance: String,
    /// The tools that it had.
    pub tools: Vec<PinnedTool>,
    /// The day, like `2026-11-21`.
    #[serde(default)]
    pub since: String,
}

/// A tool as it was approved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PinnedTool {
    /// The server's name for it.
    pub name: String,
    /// What the server said of it.
    pub description: String,
    /// The schema of its arguments.
    pub schema: Value,
}

impl Pins {
    /// Those kept in `place`.
    pub fn new(place: Place) -> Self {
        Pins { place }
    }

    /// All of them; what cannot be read or could be written by others counts for nothing.
    pub fn load(&self) -> Vec<Pin> {
        self.place.read(FILE).and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default()
    }

    /// The one of this server.
    pub fn find(&self, server: &str) -> Option<Pin> {
        self.load().into_iter().find(|pin| pin.server == server)
    }

    /// Keeps `pin` in place of what was approved of this server before, with the day of today.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save(&self, pin: Pin) -> Result<(), StoreError> {
        let _lock = self.place.lock(WHAT)?;
        let mut all = self.load();
        all.retain(|known| known.server != pin.server);
        all.push(Pin { since: crate::today(), ..pin });
        self.write(&all)
    }

    /// Forgets what was approved of `server`; `false`: nothing was.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn forget(&self, server: &str) -> Result<bool, StoreError> {
        let _lock = self.place.lock(WHAT)?;
        let mut all = self.load();
        let before = all.len();
        all.retain(|known| known.server != server);
        if all.len() == before {
            return Ok(false);
        }
        self.write(&all).map(|()| true)
    }

    fn write(&self, all: &[Pin]) -> Result<(), StoreError> {
        let text = serde_json::to_string_pretty(all).expect("structs of strings and JSON can be written as JSON");
        self.place.replace(FILE, WHAT, &format!("{text}\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    fn pin(server: &str, mark: &str) -> Pin {
        let tool = PinnedTool { name: "add".into(), description: "Adds.".into(), schema: serde_json::json!({}) };
        let (server, mark, glance) = (server.into(), mark.into(), "g".into());
        Pin { server, mark, glance, tools: vec![tool], since: String::new() }
    }

    #[test]
    fn what_was_approved_last_counts_until_it_is_forgotten() {
        let folder = tempfile::tempdir().unwrap();
        let pins = Pins::new(Place::new(folder.path().join("state")));
        assert_eq!(pins.find("notes"), None);
        for (server, mark) in [("notes", "1"), ("other", "1"), ("notes", "2")] {
            pins.save(pin(server, mark)).unwrap();
        }
        assert_eq!((pins.load().len(), pins.find("notes").unwrap().mark), (2, "2".into()));
        assert_eq!(pins.find("notes").unwrap().since.len(), 10);
        assert!(pins.forget("notes").unwrap() && !pins.forget("notes").unwrap());
        assert_eq!(pins.load().len(), 1);
    }

    #[test]
    fn what_others_could_have_written_counts_for_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let pins = Pins::new(Place::new(folder.path().join("state")));
        pins.save(pin("notes", "1")).unwrap();
        let file = folder.path().join("state").join(FILE);
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        fs::set_permissions(&file, fs::Permissions::from_mode(0o660)).unwrap();
        assert_eq!(pins.load(), []);
    }
}
