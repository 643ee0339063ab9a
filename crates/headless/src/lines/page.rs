//! What was said and is not printed yet: everything goes through one place, so that a line never lands behind a prompt.

use crate::Streams;
use crate::streams::{progress, progress_line};
use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

/// Collects what is printed. Its clones are the same page.
#[derive(Debug, Clone, Default)]
pub(super) struct Page(Rc<RefCell<Vec<u8>>>);

impl Page {
    /// One line.
    pub(super) fn say(&self, line: &str) {
        self.with(|streams| progress_line(streams, line));
    }

    /// Each of these.
    pub(super) fn say_all(&self, lines: &[String]) {
        lines.iter().for_each(|line| self.say(line));
    }

    /// A text that may have several lines.
    pub(super) fn say_text(&self, text: &str) {
        self.with(|streams| progress(streams, text));
    }

    /// Lets `print` print here: the answer and all that happens, in the order in which it comes.
    pub(super) fn with(&self, print: impl FnOnce(&mut Streams<'_>) -> io::Result<()>) {
        let (mut out, mut progress) = (self.clone(), self.clone());
        let mut streams = Streams {
            out: &mut out,
            progress: &mut progress,
            out_is_terminal: true,
            progress_is_terminal: true,
            redraws: false,
        };
        print(&mut streams).expect("writing to memory cannot fail");
    }

    /// All of it, once.
    pub(super) fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.0.borrow_mut())
    }
}

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
