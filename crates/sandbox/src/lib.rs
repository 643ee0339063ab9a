//! Starts a child inside a fence, with limits.
//!
//! A command gets a session and a process group of its own, no terminal and no input. Whatever happens (it ends, its
//! time is up, nobody waits for it any more) nothing of its group outlives [`run`]. What it puts out is always read, so
//! it never blocks on us, and only so much is kept that memory stays small at any rate.
//!
//! Does not decide what is allowed: the limits come as a [`Fence`](agent_policy::Fence), which only `policy` makes.

mod group;
mod kept;
mod live;
mod run;

pub use kept::{Kept, Lost};
pub use run::{Ended, Ending, Remains, SandboxError, Shell, run};
