//! What the tests stand on: a server that tells what it was sent, names that lead where a test says, and a gate.

use agent_protocol::Host;
use agent_sandbox::proxy::{Addresses, Names, Reach};
use agent_sandbox::proxy::{Gate, Proxy, Rules, serve};
use futures_util::future::BoxFuture;
use std::collections::VecDeque;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, oneshot};

pub(crate) fn host(name: &str, port: u16) -> Host {
    Host { name: name.into(), port }
}

/// Each question with the way to answer it.
pub(crate) type Asked = mpsc::UnboundedReceiver<(Host, oneshot::Sender<bool>)>;

struct Asking(mpsc::UnboundedSender<(Host, oneshot::Sender<bool>)>);

impl Gate for Asking {
    fn may(&self, host: Host) -> BoxFuture<'static, bool> {
        let (answer, answered) = oneshot::channel();
        self.0.send((host, answer)).unwrap();
        Box::pin(async { answered.await.unwrap_or(false) })
    }
}

/// A gate that asks the test.
pub(crate) fn asking() -> (Arc<dyn Gate>, Asked) {
    let (asks, asked) = mpsc::unbounded_channel();
    (Arc::new(Asking(asks)), asked)
}

struct Always(bool, Arc<Mutex<Vec<Host>>>);

impl Gate for Always {
    fn may(&self, host: Host) -> BoxFuture<'static, bool> {
        self.1.lock().unwrap().push(host);
        Box::pin(std::future::ready(self.0))
    }
}

/// Names that lead where they are told to: to each of these answers in turn, the last one for ever.
#[derive(Default)]
pub(crate) struct Known(Mutex<Vec<(String, VecDeque<Vec<IpAddr>>)>>);

impl Known {
    pub(crate) fn leads(&self, name: &str, answers: &[&[&str]]) {
        let parse = |ips: &&[&str]| ips.iter().map(|ip| ip.parse().unwrap()).collect();
        self.0.lock().unwrap().push((name.into(), answers.iter().map(parse).collect()));
    }
}

impl Names for Known {
    fn look_up(&self, host: &str) -> Addresses {
        let mut known = self.0.lock().unwrap();
        let answers = known.iter_mut().find(|(name, _)| name == host).map(|(_, answers)| answers);
        let answer = answers.and_then(|answers| match answers.len() {
            0 | 1 => answers.front().cloned(),
            _ => answers.pop_front(),
        });
        Box::pin(async { answer.ok_or_else(|| io::ErrorKind::NotFound.into()) })
    }
}

/// A proxy before which `good.example` leads to a server of the test.
pub(crate) struct Ground {
    pub(crate) proxy: Proxy,
    pub(crate) server: TcpListener,
    pub(crate) asked: Arc<Mutex<Vec<Host>>>,
}

pub(crate) async fn listener() -> TcpListener {
    TcpListener::bind("127.0.0.1:0").await.unwrap()
}

pub(crate) fn port(listener: &TcpListener) -> u16 {
    listener.local_addr().unwrap().port()
}

pub(crate) fn own() -> std::net::TcpListener {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap()
}

/// Rules by which just this place is reached, as `good.example`.
pub(crate) fn rules(place: SocketAddr) -> Rules {
    let names = Known::default();
    names.leads("good.example", &[&["127.0.0.1"]]);
    Rules { reach: Reach::GlobalAnd(place), names: Arc::new(names), ..Rules::default() }
}

impl Ground {
    /// With somebody who always gives this answer.
    pub(crate) async fn saying(yes: bool) -> Self {
        let server = listener().await;
        let rules = rules(server.local_addr().unwrap());
        Ground::over(server, rules, yes)
    }

    pub(crate) fn over(server: TcpListener, rules: Rules, yes: bool) -> Self {
        let asked = Arc::new(Mutex::default());
        let proxy = serve(own(), rules, Arc::new(Always(yes, Arc::clone(&asked)))).unwrap();
        Ground { proxy, server, asked }
    }

    /// Where `good.example` is.
    pub(crate) fn good(&self) -> Host {
        host("good.example", port(&self.server))
    }

    pub(crate) async fn client(&self) -> TcpStream {
        connect(&self.proxy).await
    }

    /// What the proxy says to this request, to its end; nobody else is there.
    pub(crate) async fn answer(&self, request: impl AsRef<[u8]>) -> String {
        let mut client = self.client().await;
        client.write_all(request.as_ref()).await.unwrap();
        all(&mut client).await
    }

    /// What the server was sent, and what the client heard when it answered `answer`.
    pub(crate) async fn exchange(&self, request: impl AsRef<[u8]>, ends: &str, answer: &str) -> (String, String) {
        let mut client = self.client().await;
        client.write_all(request.as_ref()).await.unwrap();
        let mut server = self.server.accept().await.unwrap().0;
        let sent = until(&mut server, ends).await;
        server.write_all(answer.as_bytes()).await.unwrap();
        drop(server);
        (sent, all(&mut client).await)
    }

    pub(crate) fn asked(&self) -> Vec<Host> {
        self.asked.lock().unwrap().clone()
    }
}

pub(crate) async fn connect(proxy: &Proxy) -> TcpStream {
    TcpStream::connect(("127.0.0.1", proxy.port())).await.unwrap()
}

/// All that comes until the other end is closed, also where it is closed hard.
pub(crate) async fn all(stream: &mut TcpStream) -> String {
    let mut text = Vec::new();
    // What was read before counts.
    let _ = stream.read_to_end(&mut text).await;
    String::from_utf8_lossy(&text).into_owned()
}

/// All that comes up to and with `end`.
pub(crate) async fn until(stream: &mut TcpStream, end: &str) -> String {
    let mut text = Vec::new();
    while !text.ends_with(end.as_bytes()) {
        text.push(stream.read_u8().await.unwrap());
    }
    String::from_utf8(text).unwrap()
}

/// The next bytes.
pub(crate) async fn take<const N: usize>(stream: &mut TcpStream) -> [u8; N] {
    let mut bytes = [0; N];
    stream.read_exact(&mut bytes).await.unwrap();
    bytes
}

/// Both ways through what leads from `client` to `server`, and each end closed by itself.
pub(crate) async fn speaks_both_ways(client: &mut TcpStream, server: &mut TcpStream) {
    client.write_all(b"from the client").await.unwrap();
    assert_eq!(&take::<15>(server).await, b"from the client");
    client.shutdown().await.unwrap();
    assert_eq!(all(server).await, "");
    server.write_all(b"still there").await.unwrap();
    server.shutdown().await.unwrap();
    assert_eq!(all(client).await, "still there");
}
