//! Listens, takes one client after the other, and tells their languages apart by the first byte.

use crate::answers::Answers;
use crate::outside::{Refusal, Rules};
use crate::wire::Wire;
use crate::{Gate, http, socks};
use agent_protocol::Host;
use std::io;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::io::Interest;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{sleep, timeout};

/// Connections at once; more wait until one has ended.
const MOST: usize = 256;
/// How long a client may take to say what it wants.
const HEADER: Duration = Duration::from_secs(30);
/// How long a client has to read why it is refused.
pub(crate) const FAREWELL: Duration = Duration::from_secs(2);
/// How long nothing is accepted when the system has no room for another connection.
const FULL: Duration = Duration::from_millis(100);
/// Time between two looks at a client that said something early and may have left.
const LOOK: Duration = Duration::from_millis(100);
/// So many refusals are remembered.
const MOST_REFUSALS: usize = 32;

/// A running proxy. Dropping it ends it with all its connections.
#[derive(Debug)]
pub struct Proxy {
    port: u16,
    told: Arc<Told>,
    task: JoinHandle<()>,
}

/// What came of it so far.
#[derive(Debug, Default)]
struct Told {
    reached: Mutex<Vec<Host>>,
    refused: Mutex<Vec<(Host, Refusal)>>,
}

/// What all connections share.
pub(crate) struct Desk {
    pub(crate) answers: Answers,
    rules: Rules,
    told: Arc<Told>,
}

/// Starts a proxy for one command. Must be called within a runtime.
///
/// # Errors
/// The system's words; then nothing listens.
pub fn serve(listener: std::net::TcpListener, rules: Rules, gate: Arc<dyn Gate>) -> io::Result<Proxy> {
    listener.set_nonblocking(true)?;
    let port = listener.local_addr()?.port();
    let listener = TcpListener::from_std(listener)?;
    let told = Arc::new(Told::default());
    let desk = Arc::new(Desk { answers: Answers::new(gate), rules, told: told.clone() });
    Ok(Proxy { port, told, task: tokio::spawn(accept(listener, desk)) })
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

/// The connections are this task's own: they end with it.
async fn accept(listener: TcpListener, desk: Arc<Desk>) {
    let (room, mut clients) = (Arc::new(Semaphore::new(MOST)), JoinSet::new());
    loop {
        while clients.try_join_next().is_some() {}
        let Ok(place) = room.clone().acquire_owned().await else { return };
        match listener.accept().await {
            Ok((stream, _)) => {
                let desk = desk.clone();
                clients.spawn(async move {
                    // What a client does wrong is its own affair.
                    let _ = client(Wire::new(stream), &desk).await;
                    drop(place);
                });
            }
            Err(_) => sleep(FULL).await,
        }
    }
}

async fn client(mut wire: Wire, desk: &Desk) -> io::Result<()> {
    let first = desk.in_time(wire.first()).await?;
    match first {
        5 => socks::five(wire, desk).await,
        4 => socks::four(wire, desk).await,
        letter if letter.is_ascii_alphabetic() => http::serve(wire, desk).await,
        _ => Ok(()),
    }
}

impl Desk {
    /// Waits for what a client says, but not for ever. While somebody is asked the command is held and its clients stand
    /// still, so that no time counts.
    pub(crate) async fn in_time<T>(&self, work: impl Future<Output = io::Result<T>>) -> io::Result<T> {
        let mut work = pin!(work);
        loop {
            match timeout(HEADER, &mut work).await {
                Ok(done) => return done,
                Err(_elapsed) if self.answers.is_asking() => {}
                Err(_elapsed) => return Err(io::ErrorKind::TimedOut.into()),
            }
        }
    }

    /// A connection to `host`, once it is allowed. The error is what the client is told.
    pub(crate) async fn reach(&self, host: &Host) -> Result<Wire, Refusal> {
        let reached = self.try_reach(host).await;
        match &reached {
            Ok(_) => note(&mut lock(&self.told.reached), host.clone(), usize::MAX),
            Err(refusal) => note(&mut lock(&self.told.refused), (host.clone(), refusal.clone()), MOST_REFUSALS),
        }
        reached
    }

    async fn try_reach(&self, host: &Host) -> Result<Wire, Refusal> {
        self.rules.before(host)?;
        if !self.answers.may(host).await {
            return Err(Refusal::NotAllowed);
        }
        self.rules.connect(host).await
    }

    /// The same for a client that says nothing meanwhile; `None`: it left, and nobody is asked on its account any more.
    pub(crate) async fn reach_for(&self, client: &Wire, host: &Host) -> Option<Result<Wire, Refusal>> {
        tokio::select! {
            reached = self.reach(host) => Some(reached),
            () = gone(&client.stream) => None,
        }
    }
}

/// Resolves when the client has closed its end.
async fn gone(stream: &TcpStream) {
    let mut byte = [0];
    while let Ok(1..) = stream.peek(&mut byte).await {
        // It said something before it was answered, which hides from reading whether more will come.
        if stream.ready(Interest::READABLE).await.is_ok_and(|ready| ready.is_read_closed()) {
            return;
        }
        sleep(LOOK).await;
    }
}

fn note<T: PartialEq>(list: &mut Vec<T>, one: T, most: usize) {
    if list.len() < most && !list.contains(&one) {
        list.push(one);
    }
}

fn lock<T>(list: &Mutex<T>) -> MutexGuard<'_, T> {
    list.lock().unwrap_or_else(PoisonError::into_inner)
}
