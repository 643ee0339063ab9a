//! The ports on which something listens in the sandbox, and those of the user's machine that lead there.
//!
//! A way in is opened by the user alone, and ends with the session.

use agent_protocol::PortCard;
use agent_sandbox::Surroundings;
use agent_sandbox::proxy::{Forward, forward};
use std::collections::BTreeMap;
use std::io;
use std::net::TcpStream;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// So many lead in at a time.
const MOST: usize = 64;

/// What is told where commands share the machine's network.
const NONE: &str = "commands have no network of their own on this system, so nothing has to be opened: what listens is \
                    reached at 127.0.0.1 where the sandbox lets it listen; /sandbox says more";

/// The ways into the sandbox.
pub(crate) struct Ports {
    around: Arc<Surroundings>,
    open: Mutex<BTreeMap<u16, Forward>>,
}

impl Ports {
    pub(crate) fn new(around: &Arc<Surroundings>) -> Self {
        Ports { around: around.clone(), open: Mutex::default() }
    }

    /// By number. Blocking.
    pub(crate) fn list(&self) -> Vec<PortCard> {
        self.with_open(self.around.inside().map(|inside| inside.ports()).unwrap_or_default())
    }

    /// Leads a port of this machine into this one, or no longer; says why that did not happen. Must be called within a
    /// runtime; blocking.
    pub(crate) fn lead(&self, port: u16, open: bool) -> Option<String> {
        if !open {
            self.open().remove(&port);
            return None;
        }
        let Some(inside) = self.around.inside().cloned() else { return Some(NONE.into()) };
        self.lead_by(port, move || inside.connect(port))
    }

    fn lead_by(
        &self,
        port: u16,
        connect: impl Fn() -> io::Result<TcpStream> + Send + Sync + 'static,
    ) -> Option<String> {
        let mut open = self.open();
        if open.contains_key(&port) {
            return None;
        }
        if open.len() >= MOST {
            return Some(format!("{MOST} ports lead into the sandbox already; close one first"));
        }
        match forward(port, connect) {
            Ok(led) => {
                open.insert(port, led);
                None
            }
            Err(error) => Some(format!("no port of this machine could be opened ({error})")),
        }
    }

    /// Those that listen, with where they can be reached; one that is open stays listed when nothing listens there.
    fn with_open(&self, listening: Vec<PortCard>) -> Vec<PortCard> {
        let mut cards: BTreeMap<u16, PortCard> = listening.into_iter().map(|card| (card.port, card)).collect();
        for (port, led) in self.open().iter() {
            let card = cards.entry(*port);
            let card = card.or_insert_with(|| PortCard { port: *port, command: String::new(), forwarded: None });
            card.forwarded = Some(led.port());
        }
        cards.into_values().collect()
    }

    pub(crate) fn close(&self) {
        self.open().clear();
    }

    fn open(&self) -> MutexGuard<'_, BTreeMap<u16, Forward>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::TcpListener;

    fn ports() -> Ports {
        let surroundings = Surroundings::new(std::env::vars_os(), &[], std::path::Path::new("/")).unwrap();
        Ports::new(&Arc::new(surroundings))
    }

    fn card(port: u16, command: &str, forwarded: Option<u16>) -> PortCard {
        PortCard { port, command: command.into(), forwarded }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn an_open_port_leads_in_and_stays_listed_until_it_is_closed() {
        let (ports, inside) = (ports(), TcpListener::bind("127.0.0.1:0").unwrap());
        let place = inside.local_addr().unwrap();
        let own = place.port();
        assert_eq!(ports.lead_by(own, move || TcpStream::connect(place)), None);
        let at = ports.with_open(Vec::new())[0].forwarded.unwrap();
        assert_ne!(at, own, "that one is taken");
        assert_eq!(ports.lead_by(own, || Err(io::ErrorKind::Other.into())), None, "it is open already");
        let listening = vec![card(own, "npm run dev", None), card(1, "other", None)];
        let listed = [card(1, "other", None), card(own, "npm run dev", Some(at))];
        assert_eq!(ports.with_open(listening), listed);
        assert_eq!(ports.with_open(Vec::new()), [card(own, "", Some(at))]);
        let served = tokio::task::spawn_blocking(move || inside.accept().unwrap().0.write_all(b"hello").unwrap());
        let mut heard = String::new();
        let read = move || TcpStream::connect(("127.0.0.1", at)).unwrap().read_to_string(&mut heard).map(|_| heard);
        assert_eq!(tokio::task::spawn_blocking(read).await.unwrap().unwrap(), "hello");
        served.await.unwrap();
        assert_eq!(ports.lead(own, false), None);
        assert_eq!(ports.with_open(Vec::new()), []);
    }
}
