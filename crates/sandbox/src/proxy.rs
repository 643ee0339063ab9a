//! The one way out of the sandbox: a proxy that asks host by host, and the way of a person into it: a forwarded port.
//!
//! The proxy speaks HTTP, CONNECT, SOCKS5 and SOCKS4a on one port. It does not decide: whoever starts it says, for each
//! host, whether a command may reach it. Names are looked up here, every address is judged, and the connection is made to
//! just these, so that what was judged is what is connected to.
//!
//! **Invariant.** Whatever a [`Gate`] says, no connection is made to an address that not everybody can reach, nor to a
//! server of [`Rules::refused`]. (Through an upstream proxy, which looks names up itself, this holds for what is known
//! here: addresses, names of what is near, and the names and ports of those servers.)

mod answers;
mod body;
mod forward;
mod head;
mod http;
mod names;
mod outside;
mod place;
mod proxy_state;
mod reach;
mod serve;
mod socks;
mod through;
mod upstream;
mod wire;

pub use forward::{Forward, forward};
pub use names::{Addresses, Names, System};
pub use outside::{Refusal, Rules};
pub use reach::{Reach, is_near};
pub use serve::{Proxy, serve};
pub use upstream::Upstream;

use agent_protocol::Host;
use futures_util::future::BoxFuture;

/// Says whether a command may reach a host. The connection waits for the answer.
pub trait Gate: Send + Sync + 'static {
    /// Dropping the future means that nobody waits for the answer any more.
    fn may(&self, host: Host) -> BoxFuture<'static, bool>;
}
