//! The whole house: the built binary in a pseudo-terminal or a pipe, against the replay server.
#![expect(clippy::unwrap_used, reason = "a test may stop where it stumbles")]

mod chat;
mod headless;
mod landing;
mod manners;
mod stage;
mod terminal;
mod trouble;
