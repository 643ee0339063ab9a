//! Whoever keeps the output of a running command asks for what it wrote a moment ago: that stands in a pipe until somebody
//! reads it.

use tokio::sync::{mpsc, oneshot};

/// Asks. Clones ask the same command.
#[derive(Debug, Clone)]
pub struct Flush(mpsc::UnboundedSender<Flushed>);

/// What the command's reader is asked through.
#[derive(Debug)]
pub struct Flushes(mpsc::UnboundedReceiver<Flushed>);

/// Dropped when all was read that was written before the question.
pub(crate) type Flushed = oneshot::Sender<()>;

impl Flush {
    pub fn new() -> (Flush, Flushes) {
        let (ask, asked) = mpsc::unbounded_channel();
        (Flush(ask), Flushes(asked))
    }

    /// Waits until all was passed on that the command has written. Where it ended that is so.
    pub async fn flush(&self) {
        let (flushed, passed_on) = oneshot::channel();
        if self.0.send(flushed).is_ok() {
            // Nothing is ever sent: it is dropped, here or with the reader.
            let _ = passed_on.await;
        }
    }
}

impl Flushes {
    /// The next question. Never, when nobody can ask any more.
    pub(crate) async fn next(&mut self) -> Flushed {
        match self.0.recv().await {
            Some(flushed) => flushed,
            None => std::future::pending().await,
        }
    }
}
