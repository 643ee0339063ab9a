//! Standard input and output, each on a thread of its own: a read that nobody answers must not hold up the end of the
//! program, and an editor that reads nothing must not hold up anything else.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::thread;
use std::time::Duration;
use tokio::sync::mpsc::{Receiver, Sender, UnboundedReceiver, UnboundedSender, channel, unbounded_channel};
use tokio::sync::oneshot;
use tokio::time::timeout;

/// Messages that may be read before they are taken up.
const ON_THE_WAY: usize = 256;

/// Bytes of the longest message that is read. A longer one is passed over.
const LONGEST_LINE: u64 = 64 << 20;

/// What is read in place of a message that is too long: it is answered like every line that holds no message.
const PASSED_OVER: &str = "a line of more than 64 MiB was passed over";

/// So long the last words may take to be written.
const PATIENCE: Duration = Duration::from_secs(2);

pub struct Pipes {
    pub input: Box<dyn Read + Send>,
    pub output: Box<dyn Write + Send>,
}

/// The end of what is written.
pub(crate) struct Written(oneshot::Receiver<()>);

impl Written {
    /// Waits until all is written, but not for ever.
    pub(crate) async fn wait(self) {
        // A thread that broke has nothing more to say either.
        drop(timeout(PATIENCE, self.0).await);
    }
}

impl Pipes {
    /// Begins to read and write messages, one a line: what is read, where what is said goes, and the end of that.
    pub(crate) fn open(self) -> io::Result<(Receiver<String>, UnboundedSender<String>, Written)> {
        let (heard, hears) = channel(ON_THE_WAY);
        let (say, said) = unbounded_channel();
        let (done, written) = oneshot::channel();
        let input = BufReader::new(self.input);
        let output = self.output;
        thread::Builder::new().name("acp-input".into()).spawn(move || forward_lines(input, &heard))?;
        thread::Builder::new().name("acp-output".into()).spawn(move || {
            write(output, said);
            // Whoever waited for it may be gone.
            let _told = done.send(());
        })?;
        Ok((hears, say, Written(written)))
    }
}

/// Hands on line after line until there are no more. What is no UTF-8 is no message, and is answered as such.
fn forward_lines(mut input: impl BufRead, heard: &Sender<String>) {
    loop {
        let mut line = Vec::new();
        match input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let whole = line.ends_with(b"\n") || (line.len() as u64) < LONGEST_LINE;
        let text = match whole {
            true => String::from_utf8_lossy(&line).trim().to_owned(),
            false if skip_line(&mut input).is_err() => return,
            false => PASSED_OVER.to_owned(),
        };
        if !text.is_empty() && heard.blocking_send(text).is_err() {
            return;
        }
    }
}

/// Passes over the rest of a line.
fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let piece = input.fill_buf()?;
        let (end, over) = match piece.iter().position(|byte| *byte == b'\n') {
            Some(at) => (at + 1, true),
            None => (piece.len(), piece.is_empty()),
        };
        input.consume(end);
        if over {
            return Ok(());
        }
    }
}

fn write(mut output: Box<dyn Write + Send>, mut said: UnboundedReceiver<String>) {
    while let Some(line) = said.blocking_recv() {
        if writeln!(output, "{line}").and_then(|()| output.flush()).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_whole_and_empty_ones_are_none() {
        let (heard, mut hears) = channel(8);
        forward_lines("{\"a\":1}\n\n  \r\nnext\r\nlast".as_bytes(), &heard);
        drop(heard);
        let mut lines = Vec::new();
        while let Ok(line) = hears.try_recv() {
            lines.push(line);
        }
        assert_eq!(lines, ["{\"a\":1}", "next", "last"]);
    }

    #[test]
    fn the_rest_of_a_line_is_passed_over() {
        let mut input = BufReader::with_capacity(4, "much more of it\nnext\n".as_bytes());
        skip_line(&mut input).unwrap();
        let mut next = String::new();
        input.read_line(&mut next).unwrap();
        assert_eq!(next, "next\n");
        skip_line(&mut "no end".as_bytes()).unwrap();
    }
}
