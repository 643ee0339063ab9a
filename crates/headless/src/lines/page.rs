//! What was said and is not printed yet: everything goes through one place, so that a line never lands behind a prompt.

use crate::Streams;
use crate::streams::{progress_foreign, progress_line};
use agent_protocol::sanitize::{FOREIGN, folded};
use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;

/// Collects what is printed. Its clones are the same page.
#[derive(Debug, Clone, Default)]
pub(super) struct Page(Rc<RefCell<Vec<u8>>>);

impl Page {
    pub(super) fn say(&self, line: &str) {
        self.with(|streams| progress_line(streams, line));
    }

    pub(super) fn say_all(&self, lines: &[String]) {
        lines.iter().for_each(|line| self.say(line));
    }

    /// A foreign text below what it is.
    pub(super) fn say_foreign(&self, what: &str, text: &str) {
        self.say(what);
        self.with(|streams| progress_foreign(streams, text));
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

    /// All of it, once; no line wider than a terminal that has so many `columns`, which would break it without a mark.
    pub(super) fn take(&self, columns: Option<usize>) -> Vec<u8> {
        let bytes = std::mem::take(&mut *self.0.borrow_mut());
        let (Some(columns), Ok(text)) = (columns, str::from_utf8(&bytes)) else { return bytes };
        text.split_inclusive('\n').map(|line| folded(line, columns, FOREIGN)).collect::<String>().into_bytes()
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
