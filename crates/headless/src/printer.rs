//! What each format does with the events.

use crate::{End, Streams};
use agent_protocol::Event;
use std::io;

/// What begins a sentence about why the journal is not written.
pub(crate) const NOT_SAVED: &str = "this session is not saved: ";

/// What each format does with the events.
pub(crate) trait Printer {
    fn event(&mut self, event: &Event, streams: &mut Streams<'_>) -> io::Result<()>;

    /// The same of one that this face answered itself, and of which nobody else need know.
    fn answered(&mut self, _event: &Event, _streams: &mut Streams<'_>) -> io::Result<()> {
        Ok(())
    }

    fn end(&mut self, end: End, streams: &mut Streams<'_>) -> io::Result<()>;
}
