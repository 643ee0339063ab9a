//! A server for tests: says exactly the bytes it is told to, on loopback.

use crate::http::pace::Pace;
use crate::http::server::Way;
use crate::{Credentials, Host, Ollama, OpenAi};
use agent_protocol::{ChatRequest, Message, Role};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A request that says hello.
pub(crate) fn request() -> ChatRequest {
    ChatRequest {
        model: "tiny".to_owned(),
        messages: vec![Message::text(Role::User, "Hello")],
        tools: Vec::new(),
        window: 2048,
        max_reply_tokens: None,
        options: serde_json::Map::new(),
        keep_alive: None,
        format: None,
        think: None,
    }
}

/// A server that answers each request as a function says.
pub(crate) struct StandIn {
    address: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl StandIn {
    /// Answers every request with `answer`.
    pub(crate) async fn new<F>(answer: impl Fn(Visit) -> F + Send + Sync + 'static) -> StandIn
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let heard = Arc::clone(&asked);
        tokio::spawn(async move {
            let answer = Arc::new(answer);
            while let Ok((socket, _)) = listener.accept().await {
                let (answer, heard) = (Arc::clone(&answer), Arc::clone(&heard));
                tokio::spawn(async move {
                    let Some(visit) = Visit::read(socket).await else { return };
                    heard.lock().unwrap().push(visit.request.clone());
                    answer(visit).await;
                });
            }
        });
        StandIn { address, asked }
    }

    /// Answers everything with this status and body.
    pub(crate) async fn saying(status: u16, body: &'static str) -> StandIn {
        StandIn::new(move |visit| visit.answer(status, body)).await
    }

    /// Method and path of all requests so far.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }

    pub(crate) fn host(&self) -> Host {
        Host::parse(&self.address).unwrap()
    }

    /// The same as a server of the other kind, with these headers.
    pub(crate) fn open_ai(&self, credentials: Credentials) -> OpenAi {
        let host = Host::parse(&format!("http://{}/v1", self.address)).unwrap();
        OpenAi::at(host, Way::Straight, credentials).with_pace(hurried())
    }

    /// A client of it that hardly pauses, and does not look whether a model is loaded.
    pub(crate) fn client(&self) -> Ollama {
        impatient(self.host())
    }
}

/// A client that hardly pauses between tries and does not look whether a model is loaded.
pub(crate) fn impatient(host: Host) -> Ollama {
    Ollama::new(host).with_pace(hurried())
}

/// Hardly a pause between tries, and no look at whether a model is loaded.
pub(crate) fn hurried() -> Pace {
    let never = Duration::from_secs(3600);
    let soon = Duration::from_millis(1);
    Pace {
        retries: [soon; 2],
        first_pause: soon,
        longest_pause: soon,
        patience: 50 * soon,
        first_look: never,
        next_look: never,
        silence: never,
    }
}

/// One request and the way back to who made it.
pub(crate) struct Visit {
    /// Like `POST /api/chat`.
    pub(crate) request: String,
    /// The lines of its head.
    pub(crate) head: String,
    pub(crate) body: String,
    socket: TcpStream,
}

impl Visit {
    async fn read(mut socket: TcpStream) -> Option<Visit> {
        let mut bytes = Vec::new();
        let head = loop {
            if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
                break String::from_utf8(bytes.drain(..end + 4).collect()).unwrap();
            }
            if socket.read_buf(&mut bytes).await.ok()? == 0 {
                return None;
            }
        };
        let length = head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
        while bytes.len() < length.unwrap_or(0) {
            socket.read_buf(&mut bytes).await.ok()?;
        }
        let request = head.lines().next()?.rsplit_once(' ')?.0.to_owned();
        Some(Visit { request, head, body: String::from_utf8(bytes).unwrap(), socket })
    }

    /// A whole answer.
    pub(crate) async fn answer(self, status: u16, body: impl AsRef<str>) {
        self.answer_with(status, "", body).await;
    }

    /// A whole answer with a further header.
    pub(crate) async fn answer_with(mut self, status: u16, header: &str, body: impl AsRef<str>) {
        let body = body.as_ref();
        let length = body.len();
        self.raw(&format!(
            "HTTP/1.1 {status} X\r\n{header}Connection: close\r\nContent-Length: {length}\r\n\r\n{body}"
        ))
        .await;
    }

    /// The head of a chunked answer.
    pub(crate) async fn begin(&mut self) {
        self.raw("HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n").await;
    }

    /// One chunk: a line.
    pub(crate) async fn line(&mut self, line: &str) {
        self.raw(&format!("{:x}\r\n{line}\n\r\n", line.len() + 1)).await;
    }

    /// The last chunk.
    pub(crate) async fn finish(mut self) {
        self.raw("0\r\n\r\n").await;
    }

    /// Waits until the other side is gone.
    pub(crate) async fn gone(mut self) {
        let mut rest = Vec::new();
        // A reset is as good as an end.
        let _ = self.socket.read_to_end(&mut rest).await;
    }

    /// Bytes as they are; `false` when nobody takes them any more.
    pub(crate) async fn bytes(&mut self, bytes: &[u8]) -> bool {
        self.socket.write_all(bytes).await.is_ok()
    }

    async fn raw(&mut self, text: &str) {
        // The other side may have gone, which is what some tests are about.
        let _ = self.socket.write_all(text.as_bytes()).await;
    }
}
