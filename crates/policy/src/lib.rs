//! May this happen? Pure: same action, same facts, same rules, same verdict.
//!
//! Paths arrive resolved and facts arrive answered; this crate touches no disk and asks nobody. Only `turn` and the
//! door may name [`Policy`]; everybody else handles the [`Permit`]s it makes.

mod fence;
mod judge;
mod permit;
mod query;

pub use fence::Fence;
pub use judge::{Held, Looked, Policy, Refused, Setup, Verdict};
pub use permit::Permit;
pub use query::{Facts, PathKind, Query, queries};
