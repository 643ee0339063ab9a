//! What is kept on disk between sessions: what the person said, and the model they chose.
//!
//! Knows files, not meanings. A store that cannot write says so in the log and goes on: losing the history of
//! the composer must never cost a session.

mod history;
mod place;
mod remembered;

pub use history::History;
pub use place::{Place, StoreError};
pub use remembered::Remembered;
