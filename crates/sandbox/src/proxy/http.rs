//! HTTP for a client: a tunnel by CONNECT, or one request with a whole address, which is passed on.
//!
//! One request a connection: what a client sends after it reaches nobody. So no second request can be hidden in the
//! first, and each is asked about by its own host.

use crate::proxy::body::{PIECE, Rest};
use crate::proxy::head::{self, Body, Request, ResponseHead};
use crate::proxy::outside::Refusal;
use crate::proxy::place;
use crate::proxy::proxy_state::ProxyState;
use crate::proxy::wire::{Wire, join};
use agent_protocol::Host;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{ReadHalf, WriteHalf};
use tokio::time::sleep;

/// So long a server may be silent to a client that says nothing any more, and may have left.
const SILENT: Duration = Duration::from_secs(60);
/// Answers before the last one (`100 Continue`) that a server may give.
const BEFORE: usize = 16;

pub(crate) async fn serve(mut client: Wire, state: &ProxyState) -> io::Result<()> {
    let head = match state.in_time(client.until(head::END, head::MOST)).await {
        Ok(head) => head,
        Err(error) => {
            let (status, why) = match error.kind() {
                io::ErrorKind::TimedOut => ("408 Request Timeout", "the request did not come to its end in time"),
                io::ErrorKind::FileTooLarge => {
                    ("431 Request Header Fields Too Large", "the head of the request is too long")
                }
                _ => return Err(error),
            };
            client.farewell(&refusal(status, why)).await;
            return Ok(());
        }
    };
    match Request::read(&head)
        .and_then(|request| ProxyRequest::of(&request).map(|wanted| (request.method == "CONNECT", wanted)))
    {
        Ok((true, wanted)) => tunnel(client, state, &wanted.host).await,
        Ok((false, wanted)) => pass_on(client, state, wanted).await,
        Err(why) => {
            client.farewell(&refusal("400 Bad Request", why)).await;
            Ok(())
        }
    }
}

/// What a request is about.
struct ProxyRequest {
    host: Host,
    /// The head as it is passed on, and what follows it.
    head: Vec<u8>,
    body: Body,
}

impl ProxyRequest {
    fn of(request: &Request<'_>) -> Result<Self, &'static str> {
        const HOST: &str = "the host of the request cannot be read";
        if request.method == "CONNECT" {
            let host = place::authority(request.target, None).ok_or(HOST)?;
            return Ok(ProxyRequest { host, head: Vec::new(), body: Body::None });
        }
        let scheme = request.target.get(..7).filter(|start| start.eq_ignore_ascii_case("http://"));
        if scheme.is_none() {
            return Err("this is a proxy: it takes whole http:// addresses, and CONNECT for everything else");
        }
        let rest = &request.target[7..];
        let (authority, path) = rest.split_at(rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len()));
        if path.contains('#') || path.starts_with('\\') {
            return Err(HOST);
        }
        let host = place::authority(authority, Some(80)).ok_or(HOST)?;
        let body = request.body()?;
        // The field that names the host is written anew: whatever it said, this is where the request goes.
        let slash = if path.starts_with('/') { "" } else { "/" };
        let named = host.to_string();
        let named = named.strip_suffix(":80").filter(|_| host.port == 80).unwrap_or(&named);
        let (method, version) = (request.method, request.version);
        let mut head = format!("{method} {slash}{path} HTTP/1.{version}\r\nHost: {named}\r\n").into_bytes();
        request.fields.write(&mut head, |name| !name.eq_ignore_ascii_case("host"));
        head.extend_from_slice(b"Connection: close\r\n\r\n");
        Ok(ProxyRequest { host, head, body })
    }
}

async fn tunnel(mut client: Wire, state: &ProxyState, host: &Host) -> io::Result<()> {
    match state.reach_for(&client, host).await {
        None => Ok(()),
        Some(Err(refused)) => refuse(client, host, &refused).await,
        Some(Ok(server)) => {
            client.say(b"HTTP/1.1 200 Connection established\r\n\r\n").await?;
            join(client, server).await
        }
    }
}

async fn pass_on(client: Wire, state: &ProxyState, wanted: ProxyRequest) -> io::Result<()> {
    // A client may close its end when it has asked; that it waits no more cannot be told from that.
    match state.reach(&wanted.host).await {
        Err(refused) => refuse(client, &wanted.host, &refused).await,
        Ok(server) => exchange(client, server, wanted).await,
    }
}

/// Carries the request to the server and the answer back, each as it comes.
async fn exchange(client: Wire, mut server: Wire, wanted: ProxyRequest) -> io::Result<()> {
    server.say(&wanted.head).await?;
    let ((mut client, early), (mut server, first)) = (client.into_parts(), server.into_parts());
    let ((client_reads, mut client_hears), (server_reads, mut server_hears)) = (client.split(), server.split());
    let moved = AtomicU64::new(0);
    let up = async {
        let mut rest = Rest::new(early, client_reads);
        rest.carry(wanted.body, &mut server_hears).await?;
        rest.drain().await;
        // Nothing more is said; as long as the server goes on it may still be heard.
        loop {
            let before = moved.load(Ordering::Relaxed);
            sleep(SILENT).await;
            if moved.load(Ordering::Relaxed) == before {
                return io::Result::Ok(());
            }
        }
    };
    tokio::select! {
        ended = up => ended,
        ended = down(Rest::new(first, server_reads), &mut client_hears, &moved) => ended,
    }
}

/// The answer, from the server to the client.
async fn down(mut server: Rest<ReadHalf<'_>>, client: &mut WriteHalf<'_>, moved: &AtomicU64) -> io::Result<()> {
    for _ in 0..BEFORE {
        let head = server.head().await;
        let answer =
            head.as_ref().ok().and_then(|head| ResponseHead::read(head).ok()).filter(|answer| answer.status != 101);
        let Some(answer) = answer else { break };
        let last = answer.status >= 200;
        client.write_all(&answer.passed_on(last)).await?;
        if last {
            server.pass(client, moved).await?;
            return client.shutdown().await;
        }
    }
    client.write_all(&refusal("502 Bad Gateway", "the server did not answer in HTTP/1.1")).await?;
    client.shutdown().await
}

impl Rest<ReadHalf<'_>> {
    /// The next head, without the empty line.
    async fn head(&mut self) -> io::Result<Vec<u8>> {
        let mut head = Vec::new();
        while !head.ends_with(head::END) {
            if head.len() > head::MOST {
                return Err(io::ErrorKind::FileTooLarge.into());
            }
            head.push(self.byte().await?);
        }
        head.truncate(head.len() - head::END.len());
        Ok(head)
    }

    /// All that comes, to the client.
    async fn pass(&mut self, client: &mut WriteHalf<'_>, moved: &AtomicU64) -> io::Result<()> {
        client.write_all(self.read_ahead()).await?;
        let mut buffer = vec![0; PIECE];
        loop {
            let read = self.stream().read(&mut buffer).await?;
            if read == 0 {
                return Ok(());
            }
            client.write_all(&buffer[..read]).await?;
            moved.fetch_add(1, Ordering::Relaxed);
        }
    }
}

async fn refuse(client: Wire, host: &Host, refused: &Refusal) -> io::Result<()> {
    let status = if refused.is_held_back() { "403" } else { "502" };
    let words = refused.words(host);
    // Many programs show no more of a refusal than its first line.
    client.farewell(&refusal(&format!("{status} {words}"), &words)).await;
    Ok(())
}

/// An answer that says no. `status`: its number and words.
fn refusal(status: &str, why: &str) -> Vec<u8> {
    let length = why.len() + 1;
    let head = "Content-Type: text/plain; charset=utf-8\r\nCache-Control: no-store\r\nConnection: close";
    format!("HTTP/1.1 {status}\r\n{head}\r\nContent-Length: {length}\r\n\r\n{why}\n").into_bytes()
}
