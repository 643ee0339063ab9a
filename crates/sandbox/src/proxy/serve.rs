//! Listens, takes one client after the other, and tells their languages apart by the first byte.

use crate::proxy::answers::Answers;
use crate::proxy::outside::{Refusal, Rules};
use crate::proxy::proxy_state::{ProxyState, ReachReport, lock};
use crate::proxy::wire::Wire;
use crate::proxy::{Gate, http, socks};
use agent_protocol::Host;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::sleep;

/// Connections at once; more wait until one has ended.
const MOST: usize = 256;
/// How long nothing is accepted when the system has no room for another connection.
const FULL: Duration = Duration::from_millis(100);
/// A running proxy. Dropping it ends it with all its connections.
#[derive(Debug)]
pub struct Proxy {
    port: u16,
    told: Arc<ReachReport>,
    task: JoinHandle<()>,
}

/// Starts a proxy for one command. Must be called within a runtime.
///
/// # Errors
/// The system's words; then nothing listens.
pub fn serve(listener: std::net::TcpListener, rules: Rules, gate: Arc<dyn Gate>) -> io::Result<Proxy> {
    listener.set_nonblocking(true)?;
    let port = listener.local_addr()?.port();
    let listener = TcpListener::from_std(listener)?;
    let told = Arc::new(ReachReport::default());
    let state = Arc::new(ProxyState { answers: Answers::new(gate), rules, told: told.clone() });
    Ok(Proxy {
        port,
        told,
        task: tokio::spawn(accept(listener, MOST, move |stream| client(Wire::new(stream), state.clone()))),
    })
}

impl Proxy {
    /// Where it listens, on the loopback that the listener was made in.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// The hosts to which a connection was made, each once, in the order of the first.
    pub fn reached(&self) -> Vec<Host> {
        lock(&self.told.reached).clone()
    }

    /// What was not reached and why, each once; of very many the first.
    pub fn refused(&self) -> Vec<(Host, Refusal)> {
        lock(&self.told.refused).clone()
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Serves what comes in, each connection in a task of its own and so many at once; these are this task's and end with it.
pub(crate) async fn accept<S>(listener: TcpListener, most: usize, serve: impl Fn(TcpStream) -> S)
where
    S: Future<Output = io::Result<()>> + Send + 'static,
{
    let (room, mut clients) = (Arc::new(Semaphore::new(most)), JoinSet::new());
    loop {
        while clients.try_join_next().is_some() {}
        let Ok(place) = room.clone().acquire_owned().await else { return };
        match listener.accept().await {
            Ok((stream, _)) => {
                let served = serve(stream);
                clients.spawn(async move {
                    // What goes wrong closes the connection, which says as much.
                    let _ = served.await;
                    drop(place);
                });
            }
            Err(_) => sleep(FULL).await,
        }
    }
}

async fn client(mut wire: Wire, state: Arc<ProxyState>) -> io::Result<()> {
    let state = &state;
    let first = state.in_time(wire.first()).await?;
    match first {
        5 => socks::five(wire, state).await,
        4 => socks::four(wire, state).await,
        letter if letter.is_ascii_alphabetic() => http::serve(wire, state).await,
        _ => Ok(()),
    }
}
