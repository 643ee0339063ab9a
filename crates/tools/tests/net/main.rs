//! What servers and names can do to a fetch, played on loopback.
#![expect(clippy::unwrap_used, reason = "a test may stop where it stumbles")]

mod bodies;
mod places;
mod searches;
mod serving;
