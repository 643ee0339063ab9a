//! May this happen? Pure: same action, same facts, same rules, same verdict.
//!
//! Paths arrive resolved and facts arrive answered; this crate touches no disk and asks nobody. Only `session` and the
//! door may name [`Policy`]; everybody else handles the [`Permit`]s it makes.

#[cfg(test)]
extern crate self as agent_policy;

mod danger;
pub mod flags;
mod hosts;
mod judge;
mod lists;
pub mod names;
mod permit;
mod queries;
mod query;
mod rules;
mod sandbox;
mod shell;

pub use danger::{Started, started};
pub use judge::{
    Held, HeldReach, HookPermit, Invocation, Looked, Network, OwnPermit, Policy, ReachVerdict, Refused, Setup, Verdict,
    Wish,
};
pub use names::GuardedFile;
pub use permit::{Leave, Permit};
pub use queries::queries;
pub use query::{Facts, GitFacts, Glyph, Led, PathKind, Pattern, Query, Secrets};
pub use rules::{Kept, RuleVerdict, StandingReach, StandingRule};
pub use sandbox::{Grounds, SandboxLimits};
pub use shell::{STILL_GIT, Watched, needs_terminal, spelled, watched};
