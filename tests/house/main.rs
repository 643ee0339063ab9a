//! The whole house: the built binary in a pseudo-terminal or a pipe, against the replay server.
#![expect(clippy::unwrap_used, reason = "a test may stop where it stumbles")]

mod alarms;
mod bench;
mod chat;
mod context;
mod disposable;
mod errands;
mod going_on;
mod headless;
mod home;
mod keys;
mod kinds;
mod landing;
mod manners;
mod paging;
mod piping;
mod plain;
mod real;
mod remembering;
mod servers;
mod serving;
mod sessions;
mod settings;
mod stage;
mod sweeping;
mod terminal;
mod trouble;
mod typing;
mod undoing;
mod window;
