//! What is printed, and where: nothing reaches a terminal that it would obey.

use agent_clean::{clean_line, clean_text};
use std::borrow::Cow;
use std::io::{self, Write};

/// Where it prints, and how careful it must be there.
pub struct Streams<'a> {
    /// For the answer.
    pub out: &'a mut dyn Write,
    /// For what happens on the way.
    pub progress: &'a mut dyn Write,
    /// `out` is a terminal: nothing may reach it that a terminal would obey.
    pub out_is_terminal: bool,
    /// The same for `progress`.
    pub progress_is_terminal: bool,
}

/// One line of progress. It stays one, whatever stands in it: nobody but us says what was done.
pub(crate) fn progress_line(streams: &mut Streams<'_>, line: &str) -> io::Result<()> {
    writeln!(streams.progress, "{}", clean_line(line))
}

/// Some text that is no answer.
pub(crate) fn progress(streams: &mut Streams<'_>, line: &str) -> io::Result<()> {
    let line = honest(line, streams.progress_is_terminal);
    writeln!(streams.progress, "{line}")
}

/// What may be sent to a terminal; a file or pipe gets the text as it is.
pub(crate) fn honest(text: &str, terminal: bool) -> Cow<'_, str> {
    if terminal { clean_text(text) } else { Cow::Borrowed(text) }
}

/// JSON leaves some characters raw that a terminal would obey (C1 controls, say); a pipe gets them as they are.
pub(crate) fn json_line(streams: &mut Streams<'_>, json: &str) -> io::Result<()> {
    writeln!(streams.out, "{}", honest(json, streams.out_is_terminal))?;
    streams.out.flush()
}

/// A line of progress that is drawn anew in its place. Only for a terminal; elsewhere nothing is drawn.
#[derive(Debug, Default)]
pub(crate) struct Redrawn {
    shown: String,
}

impl Redrawn {
    /// Shows `line`, which should be shorter than a terminal is wide.
    pub(crate) fn draw(&mut self, streams: &mut Streams<'_>, line: &str) -> io::Result<()> {
        if !streams.progress_is_terminal || self.shown == line {
            return Ok(());
        }
        line.clone_into(&mut self.shown);
        write!(streams.progress, "\r{}\x1b[K", clean_line(line))?;
        streams.progress.flush()
    }

    /// Takes it away, so that other lines can follow.
    pub(crate) fn clear(&mut self, streams: &mut Streams<'_>) -> io::Result<()> {
        if std::mem::take(&mut self.shown).is_empty() {
            return Ok(());
        }
        write!(streams.progress, "\r\x1b[K")?;
        streams.progress.flush()
    }
}
