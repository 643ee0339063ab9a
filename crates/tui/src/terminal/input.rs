//! Input as a stream that asks for it only when something was told of: each question to crossterm whether there is input waits for
//! the lock that its own thread holds while it listens, and gives up after a while.

use crossterm::event::{Event, EventStream};
use futures_util::task::AtomicWaker;
use futures_util::{Stream, StreamExt as _};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Instant;

/// What is typed, pasted and clicked, and new sizes.
pub(crate) struct InputStream<S = EventStream> {
    events: S,
    bell: Arc<Bell>,
}

/// Rings when there may be input, and wakes whoever listens.
struct Bell {
    rang: AtomicBool,
    listener: AtomicWaker,
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.rang.store(true, Ordering::SeqCst);
        self.listener.wake();
    }
}

impl InputStream {
    pub(crate) fn new() -> Self {
        InputStream::of(EventStream::new())
    }

    /// Waits for input; says also when it came at the earliest. What is there at once came while we did something else, at any
    /// time since `silent`, when nothing waited.
    pub(crate) async fn input(&mut self, silent: &mut Instant) -> (Option<io::Result<Event>>, Instant) {
        let mut waited = false;
        let input = std::future::poll_fn(|context| {
            let polled = self.poll_next_unpin(context);
            if polled.is_pending() {
                (waited, *silent) = (true, Instant::now());
            }
            polled
        });
        let input = input.await;
        (input, if waited { Instant::now() } else { *silent })
    }
}

impl<S> InputStream<S> {
    /// Nobody was asked yet, so there may be some.
    fn of(events: S) -> Self {
        InputStream { events, bell: Arc::new(Bell { rang: AtomicBool::new(true), listener: AtomicWaker::new() }) }
    }
}

impl<S: Stream<Item = io::Result<Event>> + Unpin> Stream for InputStream<S> {
    type Item = io::Result<Event>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        // Before the look at the bell: what rings after it wakes.
        self.bell.listener.register(context.waker());
        if !self.bell.rang.swap(false, Ordering::SeqCst) {
            return Poll::Pending;
        }
        let waker = Waker::from(self.bell.clone());
        let polled = self.events.poll_next_unpin(&mut Context::from_waker(&waker));
        if polled.is_ready() {
            // There may be more.
            self.bell.rang.store(true, Ordering::SeqCst);
        }
        polled
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;

    /// Has these events, and the waker of whoever asked when there were none.
    #[derive(Default)]
    struct Typed {
        events: VecDeque<Event>,
        waker: Option<Waker>,
        asked: usize,
    }

    impl Stream for Typed {
        type Item = io::Result<Event>;

        fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
            self.asked += 1;
            self.waker = Some(context.waker().clone());
            self.events.pop_front().map_or(Poll::Pending, |event| Poll::Ready(Some(Ok(event))))
        }
    }

    /// Was it woken?
    #[derive(Default)]
    struct Sleeper(AtomicBool);

    impl Wake for Sleeper {
        fn wake(self: Arc<Self>) {
            self.0.store(true, Ordering::SeqCst);
        }
    }

    #[test]
    fn all_that_is_there_is_taken_and_then_it_is_asked_only_when_something_came() {
        let events = VecDeque::from([Event::FocusGained, Event::FocusLost]);
        let mut input = InputStream::of(Typed { events, ..Typed::default() });
        let sleeper = Arc::new(Sleeper::default());
        let waker = Waker::from(sleeper.clone());
        let poll = |input: &mut InputStream<Typed>| input.poll_next_unpin(&mut Context::from_waker(&waker));
        assert!(matches!(poll(&mut input), Poll::Ready(Some(Ok(Event::FocusGained)))));
        assert!(matches!(poll(&mut input), Poll::Ready(Some(Ok(Event::FocusLost)))));
        for _ in 0..3 {
            assert!(poll(&mut input).is_pending());
        }
        assert_eq!(input.events.asked, 3, "the looks after the first that found nothing cost nothing");
        input.events.events.push_back(Event::FocusGained);
        assert!(!sleeper.0.load(Ordering::SeqCst));
        input.events.waker.take().unwrap().wake();
        assert!(sleeper.0.load(Ordering::SeqCst), "whoever listens is woken");
        assert!(matches!(poll(&mut input), Poll::Ready(Some(Ok(Event::FocusGained)))));
    }
}
