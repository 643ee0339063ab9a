//! A pseudo-terminal that notes when each piece of output arrived. Looks at the screen only afterwards, so that looking
//! does not stand in the way of the clock.

use anyhow::{Context, Result, bail};
use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// Nothing that is waited for takes longer than this, unless it never comes.
pub(crate) const PATIENCE: Duration = Duration::from_secs(20);

/// Something the program wrote.
struct Piece {
    at: Instant,
    bytes: Vec<u8>,
}

/// A program at a terminal.
pub(crate) struct Terminal {
    writer: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    pieces: Receiver<Piece>,
    parser: vt100::Parser,
    written: usize,
    latest: Instant,
    /// The program's terminal goes when this goes.
    master: Box<dyn MasterPty + Send>,
}

impl Terminal {
    /// Starts `command` in a terminal of this size, columns first.
    pub(crate) fn start(command: CommandBuilder, (columns, rows): (u16, u16)) -> Result<Self> {
        let pair = native_pty_system().openpty(size((columns, rows))).context("no pseudo-terminal can be had")?;
        let reader = pair.master.try_clone_reader()?;
        let writer = pair.master.take_writer()?;
        let (sender, pieces) = channel();
        std::thread::spawn(move || read_on(reader, &sender));
        let lines = |count: u16| NonZeroU16::new(count).context("a terminal has lines and columns");
        let parser = vt100::Parser::new(lines(rows)?, lines(columns)?, 0);
        let child = pair.slave.spawn_command(command).context("the program does not start")?;
        Ok(Terminal { writer, child, pieces, parser, written: 0, latest: Instant::now(), master: pair.master })
    }

    /// Types `keys`, and says when.
    pub(crate) fn press(&mut self, keys: &str) -> Result<Instant> {
        let at = Instant::now();
        self.writer.write_all(keys.as_bytes())?;
        self.writer.flush()?;
        Ok(at)
    }

    /// Makes the terminal so large, columns first.
    pub(crate) fn resize(&mut self, (columns, rows): (u16, u16)) -> Result<()> {
        self.master.resize(size((columns, rows)))?;
        self.parser.screen_mut().set_size(
            NonZeroU16::new(rows).context("a terminal has lines")?,
            NonZeroU16::new(columns).context("a terminal has columns")?,
        );
        Ok(())
    }

    /// Waits until the screen is as wished, and says when the piece arrived that made it so.
    pub(crate) fn wait(&mut self, wish: impl Fn(&vt100::Screen) -> bool) -> Result<Instant> {
        let until = Instant::now() + PATIENCE;
        while !wish(self.screen()) {
            if !self.take_until(until) {
                bail!("waited in vain; the screen is\n{}", self.screen().contents());
            }
        }
        Ok(self.latest)
    }

    /// Waits until the screen holds `text`.
    pub(crate) fn wait_for(&mut self, text: &str) -> Result<Instant> {
        self.wait(|screen| screen.contents().contains(text))
    }

    /// Waits until nothing came for `quiet`, and says when the last piece arrived.
    pub(crate) fn settle(&mut self, quiet: Duration) -> Result<Instant> {
        let until = Instant::now() + PATIENCE;
        while self.take_until(Instant::now() + quiet) {
            if Instant::now() > until {
                bail!("the screen never rests; it is\n{}", self.screen().contents());
            }
        }
        Ok(self.latest)
    }

    /// Looks on for so long.
    pub(crate) fn watch(&mut self, time: Duration) {
        let until = Instant::now() + time;
        while self.take_until(until) {}
        // A program that left early has nothing more to show, but the time was asked for.
        std::thread::sleep(until.saturating_duration_since(Instant::now()));
    }

    /// The screen as far as it was looked at.
    pub(crate) fn screen(&self) -> &vt100::Screen {
        self.parser.screen()
    }

    /// Waits until the program has left.
    pub(crate) fn wait_for_end(&mut self) -> Result<()> {
        // What it still writes is taken, so that it does not wait for us.
        let until = Instant::now() + PATIENCE;
        while self.take_until(until) {}
        self.child.wait()?;
        Ok(())
    }

    /// Bytes the program wrote so far, as far as they were looked at.
    pub(crate) fn written(&self) -> usize {
        self.written
    }

    /// The program's process.
    pub(crate) fn process(&self) -> Result<u32> {
        self.child.process_id().context("the program has no process")
    }

    /// Takes the next piece; `false` when none came until then.
    fn take_until(&mut self, until: Instant) -> bool {
        match self.pieces.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(piece) => {
                self.parser.process(&piece.bytes);
                self.written += piece.bytes.len();
                self.latest = piece.at;
                true
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => false,
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It may have left already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn size((columns, rows): (u16, u16)) -> PtySize {
    PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }
}

fn read_on(mut reader: Box<dyn Read + Send>, pieces: &Sender<Piece>) {
    let mut buffer = [0; 65536];
    while let Ok(length @ 1..) = reader.read(&mut buffer) {
        let piece = Piece { at: Instant::now(), bytes: buffer[..length].to_vec() };
        if pieces.send(piece).is_err() {
            return;
        }
    }
}
