//! A network of the session's own: a loopback on which its commands listen and connect, and no other way out than the
//! sockets that are made in it and handed out.

use agent_protocol::PortCard;
use std::io;
use std::net::{TcpListener, TcpStream};

/// The network that all commands of a session have for themselves.
#[derive(Debug)]
pub struct Inside {}

impl Inside {
    /// Listens on 127.0.0.1 of that network, at a port that is free. Nobody outside can connect.
    ///
    /// # Errors
    /// The system's words.
    pub fn listen(&self) -> io::Result<TcpListener> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Connects to this port of its loopback, by 127.0.0.1 or else by `::1`. Blocks for a moment.
    ///
    /// # Errors
    /// The system's words.
    pub fn connect(&self, port: u16) -> io::Result<TcpStream> {
        let _ = port;
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Where something listens in it, by number, but for ports that were handed out. Blocks for a moment.
    pub fn ports(&self) -> Vec<PortCard> {
        Vec::new()
    }
}
