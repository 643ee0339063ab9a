//! Stops a command while somebody is asked: its processes, and its clock.

use std::sync::Arc;
use tokio::sync::watch;

/// Holds one command. Clones hold the same.
#[derive(Debug, Clone)]
pub struct Hold(Arc<watch::Sender<usize>>);

/// While it lives the command stands still. Where several live it does until the last is dropped.
#[derive(Debug)]
pub struct Held(Hold);

impl Hold {
    /// Of a command that is not held.
    pub fn new() -> Self {
        Hold(Arc::new(watch::channel(0).0))
    }

    /// How many hold it, now and from now on.
    pub(crate) fn watch(&self) -> watch::Receiver<usize> {
        self.0.subscribe()
    }

    /// Does it stand still just now?
    pub fn is_held(&self) -> bool {
        *self.0.borrow() > 0
    }

    /// Holds it.
    #[must_use]
    pub fn hold(&self) -> Held {
        self.0.send_modify(|held| *held += 1);
        Held(self.clone())
    }
}

impl Default for Hold {
    fn default() -> Self {
        Hold::new()
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.0.0.send_modify(|held| *held -= 1);
    }
}
