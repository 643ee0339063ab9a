//! Leads a port of this machine into the sandbox, for a person who wants to look at what listens there.
//!
//! It listens on 127.0.0.1 alone, and connects by whatever it was given: how to get into the sandbox is not known here.

use crate::proxy::serve::accept;
use std::io;
use std::net::{Ipv4Addr, TcpStream as Connected};
use std::sync::Arc;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, spawn_blocking};

/// Connections at once; more wait until one has ended.
const MOST: usize = 128;

/// A port that leads into the sandbox. Dropping it ends it with all its connections.
#[derive(Debug)]
pub struct Forward {
    port: u16,
    task: JoinHandle<()>,
}

type Connect = Arc<dyn Fn() -> io::Result<Connected> + Send + Sync>;

/// Leads 127.0.0.1 at this port, or at a free one where it is taken, to what `connect` connects to; that may block. Must
/// be called within a runtime.
///
/// # Errors
/// The system's words.
pub fn forward(port: u16, connect: impl Fn() -> io::Result<Connected> + Send + Sync + 'static) -> io::Result<Forward> {
    let listen = |port| std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    let listener = listen(port).or_else(|_| listen(0))?;
    listener.set_nonblocking(true)?;
    let port = listener.local_addr()?.port();
    let connect: Connect = Arc::new(connect);
    let task =
        tokio::spawn(accept(TcpListener::from_std(listener)?, MOST, move |stream| lead(stream, connect.clone())));
    Ok(Forward { port, task })
}

impl Forward {
    /// The port of this machine.
    pub fn port(&self) -> u16 {
        self.port
    }
}

impl Drop for Forward {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn lead(mut stream: TcpStream, connect: Connect) -> io::Result<()> {
    let inside = spawn_blocking(move || connect()).await.map_err(io::Error::other)??;
    inside.set_nonblocking(true)?;
    copy_bidirectional(&mut stream, &mut TcpStream::from_std(inside)?).await?;
    Ok(())
}
