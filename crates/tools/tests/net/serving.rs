//! A server on loopback that says what it is told to, and somebody who looks names up as a test wants.

use agent_sandbox::proxy::{Addresses, Names};
use agent_tools::web::{Accounts, Web};
use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What is answered to a request for one path.
#[derive(Clone)]
pub(crate) enum Say {
    /// These bytes, and the connection is closed.
    Whole(Vec<u8>),
    /// These, then the others again and again, for as long as somebody reads them.
    Endless(Vec<u8>, Vec<u8>),
    /// These, and then nothing, with the connection open.
    Silence(Vec<u8>),
}

/// A server with answers by path.
pub(crate) struct Server {
    pub(crate) place: SocketAddr,
    heard: Arc<Mutex<Vec<String>>>,
}

impl Server {
    pub(crate) async fn saying(answers: impl IntoIterator<Item = (&'static str, Say)>) -> Self {
        Server::knowing(|_| answers.into_iter().collect()).await
    }

    /// The same, with answers that speak of its own port.
    pub(crate) async fn knowing(answers: impl FnOnce(u16) -> HashMap<&'static str, Say>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let place = listener.local_addr().unwrap();
        let answers = Arc::new(answers(place.port()));
        let heard = Arc::new(Mutex::new(Vec::new()));
        let ears = heard.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer(stream, answers.clone(), ears.clone()));
            }
        });
        Server { place, heard }
    }

    /// All requests so far, whole.
    pub(crate) fn heard(&self) -> Vec<String> {
        self.heard.lock().unwrap().clone()
    }

    /// The way to the net, for which `page.example` and its `www.` are this server.
    pub(crate) fn web(&self, accounts: Accounts) -> Web {
        let names = Book::default().with("page.example", &["127.0.0.1"]).with("www.page.example", &["127.0.0.1"]);
        Web::new(accounts).also_reaching(self.place).asking(Arc::new(names))
    }

    /// A path of this server under a name.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://page.example:{}{path}", self.place.port())
    }
}

async fn answer(mut stream: TcpStream, answers: Arc<HashMap<&'static str, Say>>, ears: Arc<Mutex<Vec<String>>>) {
    let mut request = Vec::new();
    let mut piece = [0; 4_096];
    while !is_whole(&request) {
        let Ok(read @ 1..) = stream.read(&mut piece).await else { return };
        request.extend_from_slice(&piece[..read]);
    }
    let text = String::from_utf8_lossy(&request).into_owned();
    let path = text.split(' ').nth(1).unwrap_or_default().split('?').next().unwrap_or_default().to_owned();
    ears.lock().unwrap().push(text);
    match answers.get(path.as_str()) {
        Some(Say::Whole(bytes)) => drop(stream.write_all(bytes).await),
        Some(Say::Endless(head, again)) => {
            let mut going = stream.write_all(head).await.is_ok();
            while going {
                going = stream.write_all(again).await.is_ok();
            }
        }
        Some(Say::Silence(bytes)) => {
            drop(stream.write_all(bytes).await);
            // Until the other side leaves.
            drop(stream.read(&mut piece).await);
        }
        None => drop(stream.write_all(&page("404 Not Found", "text/html", b"")).await),
    }
}

/// Its head, and as much after it as the head says.
fn is_whole(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request).to_ascii_lowercase();
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
    body.len() >= length.unwrap_or(0)
}

/// An answer with a body.
pub(crate) fn page(status: &str, kind: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

/// An answer that leads elsewhere.
pub(crate) fn redirect(to: &str) -> Say {
    let head = format!("HTTP/1.1 302 Found\r\nlocation: {to}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    Say::Whole(head.into_bytes())
}

/// Looks names up: each time the next of its answers, the last one for ever.
#[derive(Default)]
pub(crate) struct Book {
    answers: HashMap<String, Mutex<Vec<Vec<IpAddr>>>>,
}

impl Book {
    /// One more name; each answer is a list of addresses with blanks between.
    #[must_use]
    pub(crate) fn with(mut self, name: &str, answers: &[&str]) -> Self {
        let read = |answer: &&str| answer.split_whitespace().map(|ip| ip.parse().unwrap()).collect();
        self.answers.insert(name.into(), Mutex::new(answers.iter().map(read).collect()));
        self
    }
}

impl Names for Book {
    fn look_up(&self, host: &str) -> Addresses {
        let found = self.answers.get(host).map(|answers| {
            let mut answers = answers.lock().unwrap();
            if answers.len() > 1 { answers.remove(0) } else { answers[0].clone() }
        });
        Box::pin(async move { Ok(found.unwrap_or_default()) })
    }
}
