//! The server seen from outside, by a client that looks at every byte.

#![expect(clippy::unwrap_used, reason = "what a test cannot have fails the test")]

mod captures;
mod client;
mod demo;
mod faults;
mod going_away;
mod memory;
mod models;
mod v1;
mod window;
