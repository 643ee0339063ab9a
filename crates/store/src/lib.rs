//! What is kept on disk between sessions: what the user said, the model they chose, what was learned of it,
//! the rules they made, the folders they trust, their sessions.
//!
//! Knows files, not meanings. A store that cannot write says so in the log and goes on: losing the history of
//! the composer must never cost a session.

mod contents;
mod drafts;
mod folder;
mod history;
mod hooks;
mod permissions;
mod pins;
mod place;
mod profiles;
mod remembered;
mod sessions;
mod settings_file;
mod trust;
mod user_file;

pub use contents::{Collected, Contents};
pub use drafts::Drafts;
pub use folder::Folder;
pub use history::History;
pub use hooks::{HookPin, HookPins};
pub use permissions::{Permissions, WrittenReach, WrittenReadOnly, WrittenRule, WrittenRules, WrittenVerdict};
pub use pins::{Pin, PinnedTool, Pins};
pub use place::{Place, StoreError};
pub use profiles::Profiles;
pub use remembered::Remembered;
pub use sessions::{Hide, Journal, Loaded, Report, SessionError, Sessions, Torn};
pub use settings_file::SettingsFile;
pub use trust::Trust;

/// The day, like `2026-11-21`, where the user is.
fn today() -> String {
    jiff::Zoned::now().date().to_string()
}
