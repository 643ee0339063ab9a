//! Owns the terminal: raw mode, the alternate screen or the place below the shell's prompt, what is written to it, the clipboard, the editor child.
//!
//! Does not know what is drawn. Everything is written in whole frames, one `write` each.
//!
//! **Invariant.** What is written is our own sequences and text that obeys the sanitiser: `ink` checks every cell once
//! more, whoever drew it.
//!
//! **Invariant.** However the program ends, the terminal is given back first: on return, on drop, on panic, and on
//! every signal that can be caught (`signals` turns those into a return).

mod background;
mod clipboard;
mod editor;
mod ink;
mod input;
mod screen;
mod signals;
mod signs;

pub(crate) use background::{GroundAnswer, Picked};
pub(crate) use clipboard::PastedPictures;
pub(crate) use editor::{Edited, edit, installed_editor};
pub(crate) use input::InputStream;
#[cfg(test)]
pub(crate) use screen::Screen;
pub(crate) use screen::Slide;
pub(crate) use signals::{Signal, Signals};
pub(crate) use signs::Signs;

use crate::clean::{clean_line, panic_words};
use crate::settings::{Mouse, Notify, WindowTitle};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Size};
use signs::Manners;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Bracketed paste, no wrapping at the right edge; then, blindly, the keyboard protocol that tells Shift+Enter from Enter: a
/// terminal without it ignores the sequence, and asking first would cost a round trip before the first frame.
const ENTER: &str = "\x1b[?2004h\x1b[?7l\x1b[>1u";
const LEAVE: &str = "\x1b[<1u\x1b[?2004l\x1b[?1006l\x1b[?1002l\x1b[?1000l\x1b[?2026l\x1b[?7h\x1b[0m\x1b[?25h";
const ALTERNATE: &str = "\x1b[?1049h";
const ALTERNATE_OFF: &str = "\x1b[?1049l";
/// The last row, and one more: what is printed next stands below all of it. No terminal has so many rows.
const BELOW: &str = "\x1b[9999;1H\r\n";
/// Clicks, the wheel, and motion while a button is held, where the terminal knows that: a mouse that just moves must not wake us.
const MOUSE_ON: &str = "\x1b[?1000h\x1b[?1002h\x1b[?1006h";
const MOUSE_OFF: &str = "\x1b[?1006l\x1b[?1002l\x1b[?1000l";

/// Where the screen is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// On the terminal's second screen, which leaves nothing behind.
    Alternate,
    /// Where the shell was: what leaves at the top goes into the terminal's scrollback.
    Inline,
}

impl Place {
    fn enter(self) -> &'static str {
        match self {
            Place::Alternate => ALTERNATE,
            Place::Inline => "",
        }
    }

    fn leave(self) -> &'static str {
        match self {
            Place::Alternate => ALTERNATE_OFF,
            Place::Inline => BELOW,
        }
    }
}

/// The terminal while it is ours.
pub(crate) struct Terminal {
    out: File,
    screen: screen::Screen,
    place: Place,
    mouse: Mouse,
    manners: Manners,
    /// What the title and the progress say; `None`: what they said before us.
    signs: Option<Signs>,
    /// What goes out with the next frame.
    bytes: Vec<u8>,
    /// Is the terminal ours now? Shared with the panic hook, which takes it away.
    ours: Arc<AtomicBool>,
}

impl Terminal {
    /// Takes the terminal. What has to be said to it goes out with the first frame.
    ///
    /// # Errors
    /// When standard output is no terminal that can be put into raw mode.
    pub(crate) fn enter(place: Place, mouse: Mouse, notify: Notify, title: WindowTitle) -> io::Result<Self> {
        let ours = Arc::new(AtomicBool::new(false));
        let manners = Manners::of(notify, title, |name| std::env::var(name).ok());
        restore_before_a_panic_speaks(Arc::clone(&ours), farewell(place, &manners));
        let out = File::from(io::stdout().as_fd().try_clone_to_owned()?);
        let screen = screen::Screen::new(size());
        let mut terminal = Terminal { out, screen, place, mouse, manners, signs: None, bytes: Vec::new(), ours };
        terminal.make_room();
        terminal.enter_again()?;
        Ok(terminal)
    }

    /// Where the screen is drawn in place of the shell, what stands there goes up into the scrollback, without a gap.
    pub(crate) fn make_room(&mut self) {
        if self.place == Place::Inline {
            let rows = usize::from(size().height.saturating_sub(1));
            self.bytes.extend(std::iter::repeat_n(*b"\r\n", rows).flatten());
        }
    }

    /// Takes the terminal back after [`Terminal::leave`], or after something else wrote to it.
    ///
    /// # Errors
    /// When raw mode is refused.
    pub(crate) fn enter_again(&mut self) -> io::Result<()> {
        // Someone else may have changed the mode behind the back of the library, which would then do nothing.
        crossterm::terminal::disable_raw_mode()?;
        crossterm::terminal::enable_raw_mode()?;
        self.ours.store(true, Ordering::SeqCst);
        self.bytes.extend_from_slice(self.place.enter().as_bytes());
        self.bytes.extend_from_slice(ENTER.as_bytes());
        self.bytes.extend_from_slice(self.manners.enter().as_bytes());
        self.signs = None;
        self.say_mouse();
        self.screen.resize(size());
        Ok(())
    }

    /// Gives the terminal back. Does nothing when it is not ours.
    pub(crate) fn leave(&mut self) {
        self.bytes.clear();
        if self.ours.swap(false, Ordering::SeqCst) {
            give_back(&mut self.out, &farewell(self.place, &self.manners));
        }
    }

    /// Gives the terminal back and leaves `lines` there; where the screen stays behind, in place of what stands from row `from` on.
    pub(crate) fn leave_with(&mut self, lines: &[String], from: u16) {
        let ours = !self.is_lost();
        self.leave();
        if ours && self.place == Place::Inline {
            // The terminal may be gone; there is nobody left to tell.
            drop(self.out.write_all(format!("\x1b[{};1H\x1b[J", from + 1).as_bytes()));
        }
        if ours && !lines.is_empty() {
            let lines: Vec<_> = lines.iter().map(|line| clean_line(line)).collect();
            drop(self.out.write_all(format!("{}\n", lines.join("\n")).as_bytes()));
        }
    }

    /// The size frames are drawn in.
    pub(crate) fn size(&self) -> Size {
        self.screen.size()
    }

    /// Did a panic in some other thread take the terminal away?
    pub(crate) fn is_lost(&self) -> bool {
        !self.ours.load(Ordering::SeqCst)
    }

    /// Draws one frame: `paint` fills a blank page and says where the cursor stands.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub(crate) fn draw(
        &mut self,
        slide: Option<Slide>,
        paint: impl FnOnce(&mut Buffer) -> Option<Position>,
    ) -> io::Result<()> {
        let cursor = paint(self.screen.page());
        self.screen.write(cursor, slide, &mut self.bytes);
        self.flush()
    }

    /// Lets the first `rows` of the screen go up into the terminal's scrollback; `paint` changes what is shown so that they are what
    /// shall stand there. Goes out with the next frame, which puts the rest right.
    pub(crate) fn let_go(&mut self, rows: u16, paint: impl FnOnce(&mut Buffer)) {
        paint(self.screen.shown_again());
        self.screen.write(None, None, &mut self.bytes);
        self.screen.let_go(rows, &mut self.bytes);
    }

    /// From now on the terminal has this size. The next frame is drawn whole.
    pub(crate) fn resize(&mut self, size: Size) {
        self.screen.resize(size);
    }

    /// Draws the next frame whole: what the terminal shows is not known.
    pub(crate) fn forget(&mut self) {
        self.screen.forget();
    }

    /// Takes the mouse, or gives it to the terminal.
    pub(crate) fn set_mouse(&mut self, mouse: Mouse) {
        self.mouse = mouse;
        self.say_mouse();
    }

    /// Hands `text` to the terminal's clipboard (OSC 52), with the next frame.
    pub(crate) fn copy(&mut self, text: &str) {
        self.bytes.extend_from_slice(self.manners.copied(text).as_bytes());
    }

    /// Asks for the colour of the background, with the next frame; the answer comes as keys.
    pub(crate) fn ask_background(&mut self) -> GroundAnswer {
        self.bytes.extend_from_slice(background::QUESTION.as_bytes());
        GroundAnswer::asked(Instant::now())
    }

    /// The title and the progress say this, from the next frame on.
    pub(crate) fn sign(&mut self, signs: Signs) {
        if self.signs.as_ref() != Some(&signs) {
            self.bytes.extend_from_slice(self.manners.changed(self.signs.as_ref(), &signs).as_bytes());
            self.signs = Some(signs);
        }
    }

    /// Tells somebody who looks elsewhere, with the next frame.
    pub(crate) fn notify(&mut self, text: &str) {
        self.bytes.extend_from_slice(self.manners.notification(text).as_bytes());
    }

    fn say_mouse(&mut self) {
        let sequence = match self.mouse {
            Mouse::Captured => MOUSE_ON,
            Mouse::Free => MOUSE_OFF,
        };
        self.bytes.extend_from_slice(sequence.as_bytes());
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.bytes.is_empty() || self.is_lost() {
            return Ok(());
        }
        let written = self.out.write_all(&self.bytes);
        self.bytes.clear();
        written
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.leave();
    }
}

/// The terminal's size in cells; a terminal that does not know it is taken to be 80x24.
fn size() -> Size {
    match crossterm::terminal::size() {
        Ok((width, height)) if width > 0 && height > 0 => Size::new(width, height),
        _ => Size::new(80, 24),
    }
}

/// Has something been typed that nobody has read yet?
pub(crate) fn input_waits() -> bool {
    rustix::io::ioctl_fionread(io::stdin()).is_ok_and(|bytes| bytes > 0)
}

/// Stops us and everything the shell started with us, as Ctrl+Z does elsewhere.
///
/// # Errors
/// When the system refuses.
pub(crate) fn stop_us() -> io::Result<()> {
    Ok(rustix::process::kill_current_process_group(rustix::process::Signal::TSTP)?)
}

/// What takes back all that was said to the terminal.
fn farewell(place: Place, manners: &Manners) -> String {
    format!("{}{LEAVE}{}", manners.leave(), place.leave())
}

/// Nothing can be done about a terminal that is gone, so errors are passed over.
fn give_back(out: &mut impl Write, farewell: &str) {
    drop(out.write_all(farewell.as_bytes()).and_then(|()| out.flush()));
    drop(crossterm::terminal::disable_raw_mode());
}

/// A panic message on the alternate screen would vanish with it. What it quotes may be anybody's text, so it is not
/// left to the hook that was there before.
fn restore_before_a_panic_speaks(ours: Arc<AtomicBool>, farewell: String) {
    std::panic::set_hook(Box::new(move |panic| {
        if ours.swap(false, Ordering::SeqCst) {
            give_back(&mut io::stdout(), &farewell);
        }
        let trace = match Backtrace::capture() {
            trace if trace.status() == BacktraceStatus::Captured => format!("\n{trace}"),
            _ => String::new(),
        };
        // There is nobody left to tell.
        drop(writeln!(io::stderr(), "{}{trace}", panic_words(panic)));
    }));
}
