//! The one way out of the sandbox: a proxy that asks host by host.
//!
//! It does not decide: whoever starts it says, for each host, whether a command may reach it.

use agent_protocol::Host;
use futures_util::future::BoxFuture;

/// Says whether a command may reach a host. The connection waits for the answer.
pub trait Gate: Send + Sync + 'static {
    /// Dropping the future means that nobody waits for the answer any more.
    fn may(&self, host: Host) -> BoxFuture<'static, bool>;
}
