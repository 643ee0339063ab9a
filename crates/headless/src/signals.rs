//! The signals that end a program, heard so that what is under way can be stopped first.

use crate::End;
use std::io;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Hears signals from the moment it is made.
pub(crate) struct Signals {
    interrupt: Signal,
    terminate: Signal,
    hangup: Signal,
}

impl Signals {
    pub(crate) fn listen() -> io::Result<Self> {
        Ok(Signals {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: signal(SignalKind::hangup())?,
        })
    }

    /// How the next signal would have us end.
    pub(crate) async fn next(&mut self) -> End {
        tokio::select! {
            _ = self.interrupt.recv() => End::Interrupted,
            _ = self.terminate.recv() => End::Signalled(15),
            _ = self.hangup.recv() => End::Signalled(1),
        }
    }
}
