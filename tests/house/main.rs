//! The whole house: the built binary in a pseudo-terminal or a pipe, against the replay server.
#![expect(clippy::unwrap_used, reason = "a test may stop where it stumbles")]

mod chat;
mod errands;
mod going_on;
mod headless;
mod landing;
mod manners;
mod paging;
mod remembering;
mod servers;
mod serving;
mod sessions;
mod stage;
mod terminal;
mod trouble;
mod undoing;
mod window;
