//! Sessions as a person and a dying machine treat them: through the public doors of the store, on real files.
#![expect(clippy::unwrap_used, reason = "a test may stop where it stumbles")]

mod any;
mod choosing;
mod formats;
#[expect(dead_code, reason = "the benchmark asks more of it")]
mod ground;
mod keeping;
mod kills;
mod locks;
mod pages;
mod small_disk;
mod torn;
mod unwritable;
