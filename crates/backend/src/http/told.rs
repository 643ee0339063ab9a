//! Turns a piece of asynchronous work that says things into a stream of what it says.
//!
//! The work is part of the stream: it goes on only while somebody listens, and dropping the stream drops it at once,
//! with all it holds.

use futures_util::stream::{self, BoxStream, StreamExt};
use std::task::Poll;
use tokio::sync::mpsc;

/// Where the work says things.
pub(crate) struct Teller<T>(mpsc::UnboundedSender<T>);

impl<T> Teller<T> {
    /// Says `item`. Never waits: the work is not carried on before all that it said is heard.
    pub(crate) fn say(&self, item: T) {
        // Nobody is left to hear it only while the stream is being dropped.
        let _ = self.0.send(item);
    }
}

/// The stream of all that `work` says, in order; it ends with the work.
pub(crate) fn told<T, F>(work: impl FnOnce(Teller<T>) -> F) -> BoxStream<'static, T>
where
    T: Send + 'static,
    F: Future<Output = ()> + Send + 'static,
{
    let (teller, mut said) = mpsc::unbounded_channel();
    let mut work = Some(Box::pin(work(Teller(teller))));
    stream::poll_fn(move |context| {
        if let Poll::Ready(Some(item)) = said.poll_recv(context) {
            return Poll::Ready(Some(item));
        }
        if work.as_mut().is_some_and(|work| work.as_mut().poll(context).is_ready()) {
            work = None;
        }
        said.poll_recv(context)
    })
    .boxed()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[tokio::test]
    async fn all_that_is_said_is_heard_in_order_and_then_the_stream_ends() {
        let stream = told(|out| async move {
            out.say(1);
            out.say(2);
            tokio::task::yield_now().await;
            out.say(3);
        });
        assert_eq!(stream.collect::<Vec<_>>().await, [1, 2, 3]);
    }

    #[tokio::test]
    async fn dropping_the_stream_drops_what_the_work_holds() {
        let held = Arc::new(());
        let inside = Arc::clone(&held);
        let mut stream = told(move |out| async move {
            let _inside = inside;
            out.say("begun");
            std::future::pending::<()>().await;
        });
        assert_eq!(stream.next().await, Some("begun"));
        assert_eq!(Arc::strong_count(&held), 2);
        drop(stream);
        assert_eq!(Arc::strong_count(&held), 1);
    }
}
