//! The errands that need no turn, against a loop that plays its part from a list.
#![expect(clippy::unwrap_used, reason = "a test may stop where it stumbles")]

mod doctor;
mod models;
mod stage;
