//! Tests of the whole way to a server of this kind and back, on loopback.

mod chat;
mod overflows;
mod reading;
mod request;
mod servers;
mod shapes;
