//! Tests of the whole way to a server and back, on loopback, and of recorded replies.

mod captures;
mod chat;
mod hostile;
mod lookups;
mod memory;
mod proxy;
mod request;
mod waiting;
