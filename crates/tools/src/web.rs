//! Gets pages and search results from the net, and from nowhere nearer: an address that is not reachable by everybody is
//! refused, whether it stands in the address, is what a name stands for, or is where a redirect leads.
//!
//! Does not ask anybody: what comes here was permitted. Knows no files and runs nothing. A proxy of the environment is
//! not used, for it would look names up behind our back.
//!
//! What counts as near is known to [`agent_sandbox::proxy`] alone.
//!
//! **Invariant.** Only [`Web::also_reaching`] widens what may be reached, and only tests name it.

mod accounts;
mod address;
mod body;
mod fetch;
mod hop;
mod kind;
mod page;
mod search;
mod size;

pub use accounts::{Accounts, Engine};
pub use address::Address;
pub use page::Page;
pub use search::Hit;

use agent_sandbox::proxy::{Names, Reach, System};
use std::fmt::{self, Debug, Formatter};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a body, over the wire and decoded.
    pub body: usize,
    /// From the first name that is looked up to the text.
    pub time: Duration,
    pub redirects: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { body: 2 << 20, time: Duration::from_secs(20), redirects: 5 }
    }
}

/// The way to the net.
#[derive(Clone)]
pub struct Web {
    accounts: Arc<Accounts>,
    names: Arc<dyn Names>,
    reach: Reach,
    limits: Limits,
}

impl Web {
    /// To what everybody can reach, and to the user's search providers.
    pub fn new(accounts: Accounts) -> Self {
        let limits = Limits::default();
        Web { accounts: Arc::new(accounts), names: Arc::new(System), reach: Reach::Global, limits }
    }

    /// For tests: one more place that may be reached. It plays the servers of the search providers as well.
    #[must_use]
    pub fn also_reaching(self, place: SocketAddr) -> Self {
        Web { reach: Reach::GlobalAnd(place), ..self }
    }

    /// With somebody else to look names up.
    #[must_use]
    pub fn asking(self, names: Arc<dyn Names>) -> Self {
        Web { names, ..self }
    }

    #[must_use]
    pub fn within(self, limits: Limits) -> Self {
        Web { limits, ..self }
    }
}

impl Default for Web {
    fn default() -> Self {
        Web::new(Accounts::default())
    }
}

impl Debug for Web {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Web").field("reach", &self.reach).field("limits", &self.limits).finish_non_exhaustive()
    }
}
