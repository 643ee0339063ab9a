//! Reads the bytes of a reply into events, line by line, for every kind of server. Pure: the same bytes give the same events,
//! wherever they are cut.
//!
//! **Invariant.** `Done` or `Broken` come last, and once; nothing is read after that.

use super::broken;
use super::frame::{LINE_LIMIT, Lines, Nothing};
use agent_protocol::{ModelEvent, ServerError};

/// Reads the lines of one kind of server.
pub(crate) trait ReadLine {
    /// Adds what `line`, without blanks around it, says to `events`. Did it say anything, or bring anything to be said later?
    fn read(&mut self, line: &[u8], events: &mut Vec<ModelEvent>) -> bool;

    /// The server has ended the stream without having said that the reply is complete.
    fn end(&mut self, events: &mut Vec<ModelEvent>) {
        events.push(broken(ServerError::NotDone));
    }

    /// Has the server said why it stopped, so that only counts may still follow?
    fn has_stopped(&self) -> bool {
        false
    }

    /// Has the server said that it is still reading the prompt? Nothing more is to be expected of it then.
    fn is_reading(&self) -> bool {
        false
    }
}

/// A reply that is being read.
pub(crate) struct Reply<R> {
    lines: Lines,
    reader: R,
    over: bool,
    nothing: Nothing,
}

impl<R: ReadLine> Reply<R> {
    /// A reply of which nothing has arrived yet.
    pub(crate) fn read_by(reader: R) -> Self {
        Reply { lines: Lines::up_to(LINE_LIMIT), reader, over: false, nothing: Nothing::default() }
    }

    /// Takes in what has arrived and adds what it says to `events`.
    pub(crate) fn take(&mut self, bytes: &[u8], events: &mut Vec<ModelEvent>) {
        if self.over {
            return;
        }
        self.lines.push(bytes);
        while !self.over {
            match self.lines.next() {
                None => return,
                Some(Ok(line)) => self.read(&line, events),
                Some(Err(_)) => self.finish(broken(ServerError::LineTooLong { limit: LINE_LIMIT }), events),
            }
        }
    }

    /// The server has said all it wanted to. Its last line may lack a line end.
    pub(crate) fn end(mut self, events: &mut Vec<ModelEvent>) {
        if self.over {
            return;
        }
        let rest = self.lines.rest();
        self.read(&rest, events);
        if !self.over {
            self.reader.end(events);
        }
    }

    /// Has `Done` or `Broken` been told?
    pub(crate) fn is_over(&self) -> bool {
        self.over
    }

    /// Has the server said why it stopped, so that only counts may still follow?
    pub(crate) fn has_stopped(&self) -> bool {
        self.reader.has_stopped()
    }

    /// Has the server said that it is still reading the prompt?
    pub(crate) fn is_reading(&self) -> bool {
        self.reader.is_reading()
    }

    fn read(&mut self, line: &[u8], events: &mut Vec<ModelEvent>) {
        let says = self.reader.read(line.trim_ascii(), events);
        self.over = matches!(events.last(), Some(ModelEvent::Done { .. } | ModelEvent::Broken { .. }));
        if !says && let Err(error) = self.nothing.take(line.len()) {
            self.finish(broken(error), events);
        }
    }

    fn finish(&mut self, last: ModelEvent, events: &mut Vec<ModelEvent>) {
        self.over = true;
        events.push(last);
    }
}
