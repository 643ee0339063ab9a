//! The server: a listening socket, and a thread that serves it until the [`Server`] is dropped.
//!
//! The thread has a runtime of its own, so that a server can be started from anywhere, a paused test clock does not
//! stop it, and dropping it ends everything at once.

use crate::http::{Inlet, Outlet};
use crate::journal::{End, Journal, Recorded};
use crate::player::Finish;
use crate::state::House;
use crate::{Script, routes};
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::oneshot;

/// A running server. Dropped, it stops, and whoever is connected is cut off.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    journal: Arc<Journal>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts on a free port of 127.0.0.1.
    ///
    /// # Errors
    /// If no socket or thread can be had.
    pub fn start(script: Script) -> io::Result<Self> {
        Server::start_on(0, script)
    }

    /// Starts on this port of 127.0.0.1; 0 is any free one.
    ///
    /// # Errors
    /// If the port is taken, or no socket or thread can be had.
    pub fn start_on(port: u16, script: Script) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let journal = Arc::new(Journal::default());
        let house = Arc::new(House::new(script, Arc::clone(&journal)));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::Builder::new().name("replay".into()).spawn(move || {
            runtime.block_on(async {
                tokio::select! {
                    _ = stopped => {}
                    _ = listen(listener, house) => {}
                }
            });
        })?;
        Ok(Server { address, journal, stop: Some(stop), thread: Some(thread) })
    }

    /// Where it listens.
    pub fn addr(&self) -> SocketAddr {
        self.address
    }

    /// Its address as a client wants it: `http://127.0.0.1:PORT`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The address of its `/v1`, for servers that speak OpenAI's language.
    pub fn v1_url(&self) -> String {
        format!("{}/v1", self.url())
    }

    /// Every request so far, in order of arrival.
    pub fn requests(&self) -> Vec<Recorded> {
        self.journal.entries().clone()
    }

    /// The requests for replies so far, in order of arrival.
    pub fn chats(&self) -> Vec<Recorded> {
        self.journal.entries().iter().filter(|recorded| recorded.is_chat()).cloned().collect()
    }

    /// How often a model was put into memory so far. One that stays there is loaded once.
    pub fn loads(&self) -> usize {
        self.journal.entries().iter().filter(|recorded| recorded.loaded).count()
    }

    /// Blocks until the `number`-th chat request (from 1) has arrived; `None` if it has not within `patience`.
    pub fn wait_for_chat(&self, number: usize, patience: Duration) -> Option<Recorded> {
        self.wait(patience, |requests| nth_chat(requests, number).cloned())
    }

    /// Blocks until the `number`-th chat request (from 1) has ended; `None` if it has not within `patience`.
    pub fn wait_for_chat_end(&self, number: usize, patience: Duration) -> Option<Recorded> {
        self.wait(patience, |requests| nth_chat(requests, number).filter(|chat| chat.ended.is_some()).cloned())
    }

    /// Blocks until `find` finds something among the requests; `None` if it has not within `patience`.
    pub fn wait<T>(&self, patience: Duration, find: impl Fn(&[Recorded]) -> Option<T>) -> Option<T> {
        self.journal.wait(patience, find)
    }

    /// Waits until `find` finds something among the requests, without blocking.
    pub async fn until<T>(&self, find: impl Fn(&[Recorded]) -> Option<T>) -> T {
        self.journal.until(find).await
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has said so; there is nothing left to stop.
            let _ = thread.join();
        }
    }
}

fn nth_chat(requests: &[Recorded], number: usize) -> Option<&Recorded> {
    requests.iter().filter(|recorded| recorded.is_chat()).nth(number.checked_sub(1)?)
}

async fn listen(listener: TcpListener, house: Arc<House>) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    loop {
        // A connection that fails while it is being made is that client's trouble, not ours.
        if let Ok((socket, _)) = listener.accept().await {
            tokio::spawn(serve(socket, Arc::clone(&house)));
        }
    }
}

/// Answers one connection until either side has had enough. Errors mean that the client is gone or makes no sense.
async fn serve(socket: TcpStream, house: Arc<House>) -> io::Result<()> {
    socket.set_nodelay(true)?;
    let (incoming, outgoing) = socket.into_split();
    let (mut inlet, mut outlet) = (Inlet::new(incoming), Outlet::new(outgoing));
    while let Some(request) = inlet.next_request(&mut outlet).await? {
        let ticket = house.journal.arrived(&request);
        let end = tokio::select! {
            biased;
            finished = routes::answer(&house, &request, &ticket, &mut outlet) => match finished {
                Ok(Finish::Complete) => End::Complete,
                Ok(Finish::Cut) => End::Cut,
                Err(_) => End::ClientGone,
            },
            () = inlet.closed() => End::ClientGone,
        };
        ticket.ended(end);
        if end != End::Complete || !request.keeps_open() {
            break;
        }
    }
    Ok(())
}
