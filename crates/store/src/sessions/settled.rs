//! Waiting for the writing thread without blocking one.

use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

/// Held by who is waited for; dropping it ends the waiting.
#[derive(Debug)]
pub(super) struct Signal(Arc<Mutex<SettledState>>);

/// Resolves when its [`Signal`] is dropped.
#[derive(Debug)]
pub(super) struct Settled(Arc<Mutex<SettledState>>);

#[derive(Debug, Default)]
struct SettledState {
    over: bool,
    waker: Option<Waker>,
}

pub(super) fn pair() -> (Signal, Settled) {
    let state = Arc::default();
    (Signal(Arc::clone(&state)), Settled(state))
}

impl Drop for Signal {
    fn drop(&mut self) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.over = true;
        let waker = state.waker.take();
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl Future for Settled {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if state.over {
            return Poll::Ready(());
        }
        state.waker = Some(context.waker().clone());
        Poll::Pending
    }
}
