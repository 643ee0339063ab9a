//! The proxy as a command meets it: real connections on loopback, names that only these tests know, and somebody who is
//! asked.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod asking;
mod forwarding;
mod ground;
mod http;
mod reach;
mod socks;
mod upstream;
