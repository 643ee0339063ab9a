//! The terminal of a run under way: its table is drawn in place, below what was printed before, and keys are heard.
//!
//! **Invariant.** However it ends, the terminal is given back: on return, error and panic by drop, and signals are returns.

use rustix::io::read;
use rustix::process::getpgrp;
use rustix::termios::{
    LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcgetpgrp, tcgetwinsize, tcsetattr,
};
use std::io::{self, IsTerminal, Write};

/// The cursor is not shown, and what is too long for a line is cut by the terminal.
const ENTER: &str = "\x1b[?25l\x1b[?7l";
const LEAVE: &str = "\x1b[?7h\x1b[?25h";
/// Around a frame, for terminals that show it all at once.
const FRAME: [&str; 2] = ["\x1b[?2026h", "\x1b[?2026l"];
/// A terminal that does not tell its size.
const USUAL: (usize, usize) = (80, 24);

/// What a key asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    Pause,
    Skip,
    Stop,
}

/// The terminal while a table is on it.
pub(super) struct Screen {
    before: Termios,
    size: (usize, usize),
    shown: Vec<String>,
}

impl Screen {
    /// None where nobody sits at a terminal: output or input go elsewhere, or the shell has the keys.
    ///
    /// # Errors
    /// The terminal refuses.
    pub(super) fn take() -> io::Result<Option<Self>> {
        let (input, out) = (io::stdin(), io::stdout());
        let is_ours =
            input.is_terminal() && out.is_terminal() && tcgetpgrp(&input).is_ok_and(|group| group == getpgrp());
        if !is_ours {
            return Ok(None);
        }
        let screen = Screen { before: tcgetattr(input)?, size: size(), shown: Vec::new() };
        screen.enter()?;
        Ok(Some(screen))
    }

    /// Takes the terminal again after the program was stopped: the shell has set it as it likes it.
    ///
    /// # Errors
    /// The terminal refuses.
    pub(super) fn take_again(&mut self) -> io::Result<()> {
        self.shown.clear();
        self.enter()
    }

    /// Keys come one by one, are not shown, and Ctrl+C is one of them.
    fn enter(&self) -> io::Result<()> {
        let mut ours = self.before.clone();
        ours.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG);
        // Reading comes back at once, also where no key was pressed.
        ours.special_codes[SpecialCodeIndex::VMIN] = 0;
        ours.special_codes[SpecialCodeIndex::VTIME] = 0;
        tcsetattr(io::stdin(), OptionalActions::Now, &ours)?;
        write(ENTER)
    }

    /// What was pressed since the last time.
    pub(super) fn keys(&self) -> Vec<Asked> {
        let mut bytes = [0; 64];
        let count = read(io::stdin(), &mut bytes).unwrap_or(0);
        asked(&bytes[..count])
    }

    /// How many columns and rows there are now.
    pub(super) fn size(&mut self) -> (usize, usize) {
        let size = size();
        if size != self.size {
            // What a terminal makes of lines that no longer fit is its own affair, so all of it is drawn anew.
            self.shown.clear();
            self.size = size;
            let _ = write("\x1b[H\x1b[2J");
        }
        size
    }

    /// Shows these lines instead of the last ones. Where nothing changed nothing is written.
    ///
    /// # Errors
    /// The terminal is gone.
    pub(super) fn draw(&mut self, lines: Vec<String>) -> io::Result<()> {
        if lines == self.shown {
            return Ok(());
        }
        let mut frame = FRAME[0].to_owned();
        if !self.shown.is_empty() {
            frame += &format!("\x1b[{}A", self.shown.len());
        }
        for line in &lines {
            // Cleared before it is written: behind a full line the cursor stands on its last letter.
            frame += &format!("\r\x1b[K{line}\r\n");
        }
        frame += "\x1b[J";
        frame += FRAME[1];
        self.shown = lines;
        write(&frame)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // A terminal that is gone needs nothing back.
        let _ = write(LEAVE);
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &self.before);
    }
}

fn write(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush())
}

fn size() -> (usize, usize) {
    match tcgetwinsize(io::stdout()) {
        Ok(size) if size.ws_col > 0 && size.ws_row > 0 => (size.ws_col.into(), size.ws_row.into()),
        Ok(_) | Err(_) => USUAL,
    }
}

/// Keys that send several bytes, like arrows, mean nothing here.
fn asked(bytes: &[u8]) -> Vec<Asked> {
    if bytes.contains(&0x1b) {
        return Vec::new();
    }
    let of = |byte: &u8| match byte {
        b' ' => Some(Asked::Pause),
        b's' | b'S' => Some(Asked::Skip),
        b'q' | b'Q' | 0x03 => Some(Asked::Stop),
        _ => None,
    };
    bytes.iter().filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_told_from_the_bytes_of_other_keys() {
        assert_eq!(asked(b" sxQ\x03"), [Asked::Pause, Asked::Skip, Asked::Stop, Asked::Stop]);
        assert_eq!(asked(b"\x1b[1;2S"), [], "F4 with Shift");
        assert_eq!(asked(b""), []);
    }
}
