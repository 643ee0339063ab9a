//! A client that hides nothing: status, headers, each chunk as it came, and whether the end was a proper one.

use serde_json::Value;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// So long a test waits before it fails.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// An answer.
#[derive(Debug, PartialEq)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) chunks: Vec<Vec<u8>>,
    pub(crate) end: &'static str,
}

impl Reply {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.chunks.concat()).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.chunks.concat()).expect("a JSON body")
    }

    pub(crate) fn lines(&self) -> Vec<Value> {
        self.text().lines().map(|line| serde_json::from_str(line).expect("a JSON line")).collect()
    }

    /// All that the model said.
    pub(crate) fn content(&self) -> String {
        self.lines().iter().filter_map(|line| line["message"]["content"].as_str()).collect()
    }
}

/// A connection with one request on its way.
pub(crate) struct Exchange {
    reader: BufReader<TcpStream>,
    bodiless: bool,
}

pub(crate) fn send(address: SocketAddr, method: &str, path: &str, host: &str, body: &str) -> Exchange {
    let mut socket = TcpStream::connect(address).unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    let length = body.len();
    let head =
        format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n");
    socket.write_all((head + body).as_bytes()).unwrap();
    Exchange { reader: BufReader::new(socket), bodiless: method == "HEAD" }
}

pub(crate) fn ask(address: SocketAddr, method: &str, path: &str, body: &Value) -> Reply {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    send(address, method, path, "127.0.0.1", &body).reply()
}

pub(crate) fn chat(address: SocketAddr, body: &Value) -> Reply {
    ask(address, "POST", "/api/chat", body)
}

impl Exchange {
    /// Everything until the end.
    pub(crate) fn reply(mut self) -> Reply {
        let Some((status, headers)) = self.head() else {
            return Reply { status: 0, headers: BTreeMap::new(), chunks: Vec::new(), end: "no-answer" };
        };
        let mut chunks = Vec::new();
        let mut end = "content-length";
        if headers.contains_key("Transfer-Encoding") {
            end = "last-chunk";
            loop {
                match self.chunk() {
                    Some(chunk) if chunk.is_empty() => break,
                    Some(chunk) => chunks.push(chunk),
                    None => {
                        end = "eof-without-last-chunk";
                        break;
                    }
                }
            }
        } else if !self.bodiless {
            let length = headers.get("Content-Length").map_or(0, |length| length.parse().unwrap());
            let mut body = vec![0; length];
            self.reader.read_exact(&mut body).unwrap();
            chunks.push(body);
        }
        Reply { status, headers, chunks, end }
    }

    /// Status and headers; `None` when the connection was closed without.
    pub(crate) fn head(&mut self) -> Option<(u16, BTreeMap<String, String>)> {
        let first = self.line()?;
        let mut headers = BTreeMap::new();
        while let Some((name, value)) = self.line()?.split_once(": ") {
            headers.insert(name.to_owned(), value.to_owned());
        }
        Some((first.split(' ').nth(1)?.parse().unwrap(), headers))
    }

    /// One chunk; empty for the last, `None` when the connection was closed.
    pub(crate) fn chunk(&mut self) -> Option<Vec<u8>> {
        let length = usize::from_str_radix(&self.line()?, 16).unwrap();
        let mut chunk = vec![0; length + 2];
        self.reader.read_exact(&mut chunk).ok()?;
        chunk.truncate(length);
        Some(chunk)
    }

    fn line(&mut self) -> Option<String> {
        let mut line = String::new();
        self.reader.read_line(&mut line).ok()?;
        line.strip_suffix("\r\n").map(str::to_owned)
    }
}
