//! HTTP/1.1 on a socket: requests in, answers out. Only as much of it as a model server and its clients use.
//!
//! **Invariant.** `Inlet::closed` reads on while an answer is being given, so that a client that goes away is noticed
//! at once and not only when the next write fails.

use crate::{stamp, wire};
use serde::Serialize;
use std::io::{Error, ErrorKind, Result};
use std::time::SystemTime;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};

pub(crate) const JSON: &str = "application/json; charset=utf-8";
/// JSON lines.
pub(crate) const LINES: &str = "application/x-ndjson";

const HEAD_LIMIT: usize = 64 * 1024;
/// Go sends a short answer with its length, a longer one in chunks.
const SHORT: usize = 2048;
/// So much is gathered before it is written, unless a pause comes first.
const GATHERED: usize = 16 * 1024;

#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        find(&self.headers, name)
    }

    /// Does the client want to send another request after this one?
    pub(crate) fn keeps_open(&self) -> bool {
        !self.header("connection").is_some_and(|value| value.eq_ignore_ascii_case("close"))
    }
}

fn find<'a>(headers: &'a [(String, String)], name: &str) -> Option<&'a str> {
    headers.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
}

/// The side that requests come in by.
#[derive(Debug)]
pub(crate) struct Inlet {
    socket: OwnedReadHalf,
    unread: Vec<u8>,
}

impl Inlet {
    pub(crate) fn new(socket: OwnedReadHalf) -> Self {
        Inlet { socket, unread: Vec::new() }
    }

    /// The next request; `None` when the client has closed the connection.
    pub(crate) async fn next_request(&mut self, outlet: &mut Outlet) -> Result<Option<Request>> {
        let Some(head) = self.head().await? else { return Ok(None) };
        let mut lines = head.lines();
        let mut first = lines.next().unwrap_or_default().split(' ');
        let (Some(method), Some(target)) = (first.next(), first.next()) else { return Err(unreadable()) };
        let headers: Vec<(String, String)> = lines.filter_map(header_line).collect();
        if find(&headers, "expect").is_some_and(|value| value.eq_ignore_ascii_case("100-continue")) {
            outlet.interim("HTTP/1.1 100 Continue\r\n\r\n").await?;
        }
        let body = self.body(&headers).await?;
        let path = target.split('?').next().unwrap_or(target).to_owned();
        Ok(Some(Request { method: method.to_owned(), path, headers, body }))
    }

    /// Ends when the client has closed the connection. What it sends meanwhile is kept for the next request.
    pub(crate) async fn closed(&mut self) {
        while self.unread.len() < HEAD_LIMIT {
            if !matches!(self.socket.read_buf(&mut self.unread).await, Ok(1..)) {
                return;
            }
        }
        std::future::pending::<()>().await;
    }

    async fn head(&mut self) -> Result<Option<String>> {
        loop {
            if let Some(end) = self.unread.windows(4).position(|four| four == b"\r\n\r\n") {
                let head = self.take(end + 4);
                return String::from_utf8(head).map(Some).map_err(|_| unreadable());
            }
            if self.unread.len() > HEAD_LIMIT {
                return Err(unreadable());
            }
            if self.socket.read_buf(&mut self.unread).await? == 0 {
                return Ok(None);
            }
        }
    }

    async fn body(&mut self, headers: &[(String, String)]) -> Result<Vec<u8>> {
        if find(headers, "transfer-encoding").is_some_and(|value| value.eq_ignore_ascii_case("chunked")) {
            return self.chunked_body().await;
        }
        let length = find(headers, "content-length").map_or(Ok(0), |value| value.trim().parse());
        self.exactly(length.map_err(|_| unreadable())?).await
    }

    async fn chunked_body(&mut self) -> Result<Vec<u8>> {
        let mut body = Vec::new();
        loop {
            let line = self.line().await?;
            let digits = line.split(';').next().unwrap_or_default().trim();
            let length = usize::from_str_radix(digits, 16).map_err(|_| unreadable())?;
            body.extend(self.exactly(length).await?);
            self.line().await?;
            if length == 0 {
                return Ok(body);
            }
        }
    }

    async fn line(&mut self) -> Result<String> {
        loop {
            if let Some(end) = self.unread.windows(2).position(|two| two == b"\r\n") {
                let line = self.take(end + 2);
                return Ok(String::from_utf8_lossy(&line[..end]).into_owned());
            }
            self.more().await?;
        }
    }

    async fn exactly(&mut self, length: usize) -> Result<Vec<u8>> {
        while self.unread.len() < length {
            self.more().await?;
        }
        Ok(self.take(length))
    }

    async fn more(&mut self) -> Result<()> {
        match self.socket.read_buf(&mut self.unread).await? {
            0 => Err(ErrorKind::UnexpectedEof.into()),
            _ => Ok(()),
        }
    }

    fn take(&mut self, length: usize) -> Vec<u8> {
        let rest = self.unread.split_off(length);
        std::mem::replace(&mut self.unread, rest)
    }
}

fn header_line(line: &str) -> Option<(String, String)> {
    line.split_once(':').map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()))
}

fn unreadable() -> Error {
    Error::new(ErrorKind::InvalidData, "not an HTTP request")
}

/// The first part of an answer.
#[derive(Debug)]
pub(crate) struct AnswerHead<'a> {
    pub(crate) status: u16,
    pub(crate) content_type: &'a str,
    pub(crate) more: Vec<(String, String)>,
}

impl<'a> AnswerHead<'a> {
    pub(crate) fn new(status: u16, content_type: &'a str) -> Self {
        AnswerHead { status, content_type, more: Vec::new() }
    }
}

/// The side that answers go out by.
#[derive(Debug)]
pub(crate) struct Outlet {
    socket: OwnedWriteHalf,
    gathered: Vec<u8>,
    closes: bool,
    bodiless: bool,
}

impl Outlet {
    pub(crate) fn new(socket: OwnedWriteHalf) -> Self {
        Outlet { socket, gathered: Vec::new(), closes: false, bodiless: false }
    }

    /// Gets ready to answer this request.
    pub(crate) fn answers(&mut self, request: &Request) {
        self.closes = !request.keeps_open();
        self.bodiless = request.method == "HEAD";
    }

    /// A whole answer with its length.
    pub(crate) async fn whole(&mut self, head: AnswerHead<'_>, body: &[u8]) -> Result<()> {
        self.head(head, &format!("Content-Length: {}", body.len()));
        if !self.bodiless {
            self.gathered.extend_from_slice(body);
        }
        self.flush().await
    }

    /// A whole answer as a handler of Go's gives it.
    pub(crate) async fn json<T: Serialize>(&mut self, status: u16, value: &T) -> Result<()> {
        let body = wire::go_json(value);
        if body.len() <= SHORT || self.bodiless {
            return self.whole(AnswerHead::new(status, JSON), body.as_bytes()).await;
        }
        self.begin(AnswerHead::new(status, JSON));
        self.chunk(body.as_bytes()).await?;
        self.finish().await
    }

    /// The head of an answer in chunks.
    pub(crate) fn begin(&mut self, head: AnswerHead<'_>) {
        self.head(head, "Transfer-Encoding: chunked");
    }

    /// One chunk. It may wait for its like until `flush`.
    pub(crate) async fn chunk(&mut self, data: &[u8]) -> Result<()> {
        if data.is_empty() {
            return Ok(()); // an empty chunk would be the last
        }
        self.gathered.extend_from_slice(format!("{:x}\r\n", data.len()).as_bytes());
        self.gathered.extend_from_slice(data);
        self.gathered.extend_from_slice(b"\r\n");
        if self.gathered.len() >= GATHERED { self.flush().await } else { Ok(()) }
    }

    /// The last chunk.
    pub(crate) async fn finish(&mut self) -> Result<()> {
        self.gathered.extend_from_slice(b"0\r\n\r\n");
        self.flush().await
    }

    pub(crate) async fn flush(&mut self) -> Result<()> {
        let sent = self.socket.write_all(&self.gathered).await;
        self.gathered.clear();
        sent
    }

    async fn interim(&mut self, line: &str) -> Result<()> {
        self.socket.write_all(line.as_bytes()).await
    }

    fn head(&mut self, head: AnswerHead<'_>, framing: &str) {
        let mut text = format!("HTTP/1.1 {} {}\r\n", head.status, reason(head.status));
        if !head.content_type.is_empty() && find(&head.more, "content-type").is_none() {
            text += &format!("Content-Type: {}\r\n", head.content_type);
        }
        for (name, value) in &head.more {
            text += &format!("{name}: {value}\r\n");
        }
        text += &format!("Date: {}\r\n", stamp::http_date(SystemTime::now()));
        if self.closes {
            text += "Connection: close\r\n";
        }
        self.gathered.extend_from_slice(format!("{text}{framing}\r\n\r\n").as_bytes());
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        301 => "Moved Permanently",
        302 => "Found",
        307 => "Temporary Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        _ => "Scripted",
    }
}
