//! What is written down of a session, and what comes back of it.

pub mod export;
pub(crate) mod pages;
pub(crate) mod recorder;
pub(crate) mod resume;
pub(crate) mod said;
pub(crate) mod sessions;
pub(crate) mod undo;
