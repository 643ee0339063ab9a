//! Real children of a real shell, within the sandboxes that the policy makes. Every wait is for a condition.
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test may stop where it stumbles")]

mod apart;
mod attributes;
mod blocking;
mod bounds;
mod caches;
mod degraded;
mod escapes;
mod ground;
mod holding;
mod later;
mod neighbours;
mod probing;
mod running;
mod serving;
mod survivors;
mod swaps;
mod terminals;
