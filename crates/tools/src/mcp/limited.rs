//! Reads what a server says, as long as no line of it is too long: what never ends would fill the memory.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use tokio::io::{AsyncRead, ReadBuf};

/// Bytes of the longest message.
pub(crate) const LONGEST: usize = 8 << 20;

/// A reader that ends with an error at a line that is too long, and tells so.
pub(crate) struct Limited<R> {
    inner: R,
    /// Of the line that is being read.
    bytes: usize,
    longest: usize,
    broken: Arc<AtomicBool>,
}

impl<R> Limited<R> {
    pub(crate) fn new(inner: R, longest: usize, broken: Arc<AtomicBool>) -> Self {
        Limited { inner, bytes: 0, longest, broken }
    }

    fn count(&mut self, new: &[u8]) -> bool {
        let mut pieces = new.split(|byte| *byte == b'\n');
        let first = pieces.next().map_or(0, <[u8]>::len);
        self.bytes += first;
        let mut longest = self.bytes;
        for piece in pieces {
            self.bytes = piece.len();
            longest = longest.max(self.bytes);
        }
        longest <= self.longest
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for Limited<R> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.inner).poll_read(cx, buffer))?;
        if self.count(&buffer.filled()[before..]) {
            return Poll::Ready(Ok(()));
        }
        // With an error nothing may be read.
        buffer.set_filled(before);
        self.broken.store(true, Ordering::Relaxed);
        Poll::Ready(Err(io::Error::other("a message is too long")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncReadExt;

    async fn read(text: &[u8]) -> (bool, bool) {
        let broken = Arc::new(AtomicBool::new(false));
        let mut all = Vec::new();
        let read = Limited::new(text, 4, broken.clone()).read_to_end(&mut all).await;
        (read.is_ok(), broken.load(Ordering::Relaxed))
    }

    #[tokio::test]
    async fn a_line_may_have_its_length_and_no_more() {
        assert_eq!(read(b"abcd\nabcd\n\nab").await, (true, false));
        assert_eq!(read(b"abcd\nabcde\n").await, (false, true));
        assert_eq!(read(b"abcde").await, (false, true));
    }
}
