//! Carries the body of a request, and no byte more: what comes after it is no part of it.

use crate::proxy::head::Body;
use std::io;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// Bytes that are carried at a time.
pub(crate) const PIECE: usize = 16 * 1024;
/// Bytes of a line that tells how long a chunk is.
const LINE: usize = 256;
/// Bytes of all lines after the last chunk.
const TRAILER: usize = 8 * 1024;

/// What a client says after its head: first what was read ahead.
pub(crate) struct Rest<R> {
    ahead: Vec<u8>,
    used: usize,
    stream: R,
}

impl<R: AsyncRead + Unpin> Rest<R> {
    pub(crate) fn new(ahead: Vec<u8>, stream: R) -> Self {
        Rest { ahead, used: 0, stream }
    }

    /// Bytes that are there by now; none: there are no more.
    async fn fill(&mut self) -> io::Result<&[u8]> {
        if self.used == self.ahead.len() {
            self.ahead.resize(PIECE, 0);
            let read = self.stream.read(&mut self.ahead).await;
            self.ahead.truncate(*read.as_ref().unwrap_or(&0));
            self.used = 0;
            read?;
        }
        Ok(&self.ahead[self.used..])
    }

    /// Lets what comes pass by until nothing comes any more.
    pub(crate) async fn drain(&mut self) {
        while let Ok([_, ..]) = self.fill().await {
            self.used = self.ahead.len();
        }
    }

    /// What was read and not used; it is used then.
    pub(crate) fn read_ahead(&mut self) -> &[u8] {
        let from = std::mem::replace(&mut self.used, self.ahead.len());
        &self.ahead[from..]
    }

    /// Where the rest comes from.
    pub(crate) fn stream(&mut self) -> &mut R {
        &mut self.stream
    }

    pub(crate) async fn byte(&mut self) -> io::Result<u8> {
        let byte = *self.fill().await?.first().ok_or(io::ErrorKind::UnexpectedEof)?;
        self.used += 1;
        Ok(byte)
    }

    /// A line without its end, which is `\r\n` and nothing else.
    async fn line(&mut self, most: usize) -> io::Result<Vec<u8>> {
        let mut line = Vec::new();
        loop {
            match self.byte().await? {
                b'\r' if self.byte().await? == b'\n' => return Ok(line),
                b'\r' | b'\n' => return Err(io::ErrorKind::InvalidData.into()),
                byte if line.len() < most => line.push(byte),
                _ => return Err(io::ErrorKind::InvalidData.into()),
            }
        }
    }

    /// Carries the body to `server`.
    pub(crate) async fn carry(&mut self, body: Body, server: &mut (impl AsyncWrite + Unpin)) -> io::Result<()> {
        match body {
            Body::None => {}
            Body::Bytes(count) => self.bytes(count, server).await?,
            Body::Chunks => self.chunks(server).await?,
        }
        server.flush().await
    }

    async fn bytes(&mut self, mut count: u64, server: &mut (impl AsyncWrite + Unpin)) -> io::Result<()> {
        while count > 0 {
            let there = self.fill().await?;
            if there.is_empty() {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            let now = there.len().min(usize::try_from(count).unwrap_or(usize::MAX));
            server.write_all(&there[..now]).await?;
            self.used += now;
            count -= now as u64;
        }
        Ok(())
    }

    /// Writes anew how long each is, and leaves out what else is said of it.
    async fn chunks(&mut self, server: &mut (impl AsyncWrite + Unpin)) -> io::Result<()> {
        loop {
            let count = chunk(&self.line(LINE).await?).ok_or(io::ErrorKind::InvalidData)?;
            if count == 0 {
                break;
            }
            server.write_all(format!("{count:x}\r\n").as_bytes()).await?;
            self.bytes(count, server).await?;
            if self.byte().await? != b'\r' || self.byte().await? != b'\n' {
                return Err(io::ErrorKind::InvalidData.into());
            }
            server.write_all(b"\r\n").await?;
        }
        let mut room = TRAILER;
        loop {
            let line = self.line(room).await?;
            if line.is_empty() {
                return server.write_all(b"0\r\n\r\n").await;
            }
            room = room.saturating_sub(line.len());
        }
    }
}

/// How many bytes this line announces.
fn chunk(line: &[u8]) -> Option<u64> {
    let digits = line.split(|byte| *byte == b';').next()?.trim_ascii_end();
    let digits = std::str::from_utf8(digits).ok()?;
    let plain = (1..=16).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    if plain { u64::from_str_radix(digits, 16).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn carried(body: Body, text: &str, cut: usize) -> io::Result<(String, String)> {
        let (ahead, stream) = text.as_bytes().split_at(cut);
        let (mut rest, mut server) = (Rest::new(ahead.to_vec(), stream), Vec::new());
        rest.carry(body, &mut server).await?;
        let mut after = Vec::new();
        while let bytes @ [_, ..] = rest.fill().await? {
            after.extend_from_slice(bytes);
            rest.used = rest.ahead.len();
        }
        Ok((String::from_utf8(server).unwrap(), String::from_utf8(after).unwrap()))
    }

    #[tokio::test]
    async fn a_body_ends_where_it_says_wherever_it_is_cut() {
        let chunked = "5;a=b\r\nhello\r\n00A\r\n0123456789\r\n0\r\nX: y\r\n\r\nGET http://other/ HTTP/1.1\r\n\r\n";
        let sent = "5\r\nhello\r\na\r\n0123456789\r\n0\r\n\r\n";
        for cut in 0..=chunked.len() {
            let (server, after) = carried(Body::Chunks, chunked, cut).await.unwrap();
            assert_eq!((server.as_str(), after.as_str()), (sent, "GET http://other/ HTTP/1.1\r\n\r\n"), "{cut}");
        }
        for cut in 0..=8 {
            let (server, after) = carried(Body::Bytes(5), "helloGET", cut).await.unwrap();
            assert_eq!((server.as_str(), after.as_str()), ("hello", "GET"));
        }
        assert_eq!(carried(Body::None, "GET", 0).await.unwrap(), (String::new(), "GET".into()));
    }

    #[tokio::test]
    async fn a_chunk_that_could_be_read_in_two_ways_ends_it() {
        let wrong = [
            "5\nhello\r\n0\r\n\r\n",
            "5\r\nhelloo\r\n0\r\n\r\n",
            "+5\r\nhello\r\n0\r\n\r\n",
            "0x5\r\nhello\r\n0\r\n\r\n",
            " 5\r\nhello\r\n0\r\n\r\n",
            "\r\nhello\r\n0\r\n\r\n",
            "fffffffffffffffff\r\nhello",
            "5\r\nhel",
            "5\r\nhello\r\n",
            "0\r\nX: y\r\n",
        ];
        for text in wrong {
            assert!(carried(Body::Chunks, text, 0).await.is_err(), "{text:?}");
        }
        assert!(carried(Body::Bytes(5), "hell", 2).await.is_err());
        let long = format!("5;{}\r\nhello\r\n0\r\n\r\n", "a".repeat(300));
        assert!(carried(Body::Chunks, &long, 0).await.is_err());
        let long = format!("0\r\n{}\r\n\r\n", "a: b\r\n".repeat(3_000));
        assert!(carried(Body::Chunks, &long, 0).await.is_err());
    }
}
