//! What `-p` and the subcommands print and how they end, over recorded events and a made-up loop.
#![expect(clippy::unwrap_used, reason = "a test may stop where it stumbles")]

mod asked;
mod errands;
mod printing;
mod recorded;
mod sessions;
