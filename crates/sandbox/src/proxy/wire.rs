//! A connection of which was read ahead: what is left over belongs to whoever reads on.

use std::io;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Bytes that are read at a time.
const PIECE: usize = 16 * 1024;

pub(crate) struct Wire {
    pub(crate) stream: TcpStream,
    /// Read and not used.
    ahead: Vec<u8>,
}

impl Wire {
    pub(crate) fn new(stream: TcpStream) -> Self {
        // Small pieces are what a handshake is made of; the system may refuse, and then it is only slower.
        let _ = stream.set_nodelay(true);
        Wire { stream, ahead: Vec::new() }
    }

    /// The next `count` bytes, which are used then.
    pub(crate) async fn take(&mut self, count: usize) -> io::Result<Vec<u8>> {
        while self.ahead.len() < count {
            self.more().await?;
        }
        let rest = self.ahead.split_off(count);
        Ok(std::mem::replace(&mut self.ahead, rest))
    }

    /// The next bytes up to `end`, which is left out. No more than `most`.
    pub(crate) async fn until(&mut self, end: &[u8], most: usize) -> io::Result<Vec<u8>> {
        let mut looked = 0;
        loop {
            let from = usize::saturating_sub(looked, end.len());
            if let Some(at) = self.ahead[from..].windows(end.len()).position(|window| window == end) {
                let mut found = self.take(from + at + end.len()).await?;
                found.truncate(from + at);
                return if found.len() > most { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(found) };
            }
            if self.ahead.len() > most {
                return Err(io::ErrorKind::FileTooLarge.into());
            }
            looked = self.ahead.len();
            self.more().await?;
        }
    }

    /// Is the first byte there, and which is it?
    pub(crate) async fn first(&mut self) -> io::Result<u8> {
        while self.ahead.is_empty() {
            self.more().await?;
        }
        Ok(self.ahead[0])
    }

    async fn more(&mut self) -> io::Result<()> {
        let had = self.ahead.len();
        self.ahead.resize(had + PIECE, 0);
        let read = self.stream.read(&mut self.ahead[had..]).await;
        self.ahead.truncate(had + *read.as_ref().unwrap_or(&0));
        if read? == 0 { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
    }

    pub(crate) async fn say(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes).await
    }

    /// The connection, and what of it was read ahead.
    pub(crate) fn into_parts(self) -> (TcpStream, Vec<u8>) {
        (self.stream, self.ahead)
    }

    /// Says the last word and waits a little until it was read: a connection that is closed on unread bytes is reset, and
    /// the word may be lost.
    pub(crate) async fn farewell(mut self, bytes: &[u8]) {
        let say = async {
            self.stream.write_all(bytes).await?;
            self.stream.shutdown().await?;
            let (mut rest, mut buffer) = (1 << 20, vec![0; PIECE]);
            while rest > 0 {
                match self.stream.read(&mut buffer).await? {
                    0 => break,
                    read => rest -= read.min(rest),
                }
            }
            io::Result::Ok(())
        };
        // Who does not listen is not waited for.
        drop(tokio::time::timeout(FAREWELL, say).await);
    }
}

/// Carries bytes both ways until both ends have said all; what one end closes is closed to the other.
pub(crate) async fn join(client: Wire, server: Wire) -> io::Result<()> {
    let ((mut client, early), (mut server, first)) = (client.into_parts(), server.into_parts());
    server.write_all(&early).await?;
    client.write_all(&first).await?;
    tokio::io::copy_bidirectional_with_sizes(&mut client, &mut server, PIECE, PIECE).await?;
    Ok(())
}

/// How long a client has to read why it is refused.
const FAREWELL: Duration = Duration::from_secs(2);
