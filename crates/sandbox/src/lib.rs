//! Starts a child inside a sandbox, with limits.
//!
//! A command gets a session of its own, no terminal and no input, an environment from an allow-list, and walls that
//! hold its profile up as far as this system can. Whatever happens (it ends, its time is up, nobody waits for it any
//! more, we are killed) nothing that it started outlives it. What it puts out is always read, so it never blocks on us,
//! and only so much is kept that memory stays small at any rate.
//!
//! Does not decide what is allowed: the limits come as a [`SandboxLimits`](agent_policy::SandboxLimits), which only `policy` makes.

mod ask;
mod caches;
mod ending;
mod finish;
mod flush;
mod held;
mod hold;
mod inside;
mod kept;
mod live;
mod own_code;
mod program;
pub mod proxy;
mod run;
#[cfg(any(test, not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))))]
mod seatbelt;
mod serve;
mod surroundings;
mod temporary;

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
mod elsewhere;
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod linux;

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
use elsewhere as system;
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
use linux as system;

pub use ask::{Made, ask, ask_until, make};
pub use caches::{CacheSweep, CacheUse, Caches, measure_caches, sweep_caches};
pub use ending::Ending;
pub use flush::{Flush, Flushes};
pub use held::HeldFolder;
pub use hold::{Held, Hold};
pub use inside::Inside;
pub use kept::{Kept, Lost};
pub use own_code::let_code_go;
pub use run::{Ended, More, Remains, SandboxError, Shell, run, run_apart, run_with};
pub use serve::{Lifeline, Serving, serve, serve_with};
pub use surroundings::Surroundings;
pub use temporary::{Sweep, Temporary, sweep};

/// What holds commands in on this system, found by trying it in a small child and not by asking for versions.
///
/// Blocks for a few milliseconds.
pub fn probe() -> agent_protocol::SandboxSupport {
    system::probe()
}
