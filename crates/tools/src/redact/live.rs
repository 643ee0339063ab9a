//! The same for output that comes in pieces, wherever they are cut: what may be the beginning of a secret waits for the
//! rest of its word.

use super::{Secrets, Span, blocks, mark};

/// The longest word that is held back whole, in bytes; of a longer one, the end is.
const WORD: usize = 4096;
/// What is held back of it.
const END: usize = 1024;
/// So much of a line is remembered to tell what follows by it, in bytes.
const BEFORE: usize = 8 * 1024;

#[derive(Debug)]
pub(crate) struct Live {
    secrets: Secrets,
    /// The line that is not over yet.
    line: String,
    /// Bytes of it that were let through.
    shown: usize,
    /// In the middle of a private key.
    in_key: bool,
}

impl Live {
    pub(crate) fn new(secrets: Secrets) -> Self {
        Live { secrets, line: String::new(), shown: 0, in_key: false }
    }

    /// What can be shown now that `text` has come.
    pub(crate) fn take(&mut self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        for piece in text.split_inclusive('\n') {
            self.line.push_str(piece);
            if piece.ends_with('\n') {
                self.whole_line(&mut out);
                self.line.clear();
                self.shown = 0;
            }
        }
        // A line of a key is short.
        self.in_key &= self.line.len() <= WORD;
        if !self.in_key {
            let until = self.ready();
            self.show(until, &mut out);
            self.forget();
        }
        out
    }

    /// Lines may be without end.
    fn forget(&mut self) {
        let known = self.line.floor_char_boundary(self.shown.saturating_sub(BEFORE));
        if known > BEFORE {
            self.line.drain(..known);
            self.shown -= known;
        }
    }

    #[cfg(test)]
    pub(super) fn remembers(&self) -> usize {
        self.line.len()
    }

    /// What is left when nothing more comes.
    pub(crate) fn end(mut self) -> String {
        let mut out = String::new();
        self.whole_line(&mut out);
        out
    }

    fn whole_line(&mut self, out: &mut String) {
        if self.in_key && !blocks::is_ending(&self.line) && blocks::is_line(&self.line) {
            return;
        }
        if std::mem::take(&mut self.in_key) && blocks::is_ending(&self.line) {
            return;
        }
        if let Some(heading) = blocks::heading(&self.line) {
            self.in_key = true;
            self.show(heading, out);
            out.push_str(&mark(blocks::WHAT));
            out.push('\n');
            return;
        }
        self.show(self.line.len(), out);
    }

    /// Up to where no secret can have begun that is not over.
    fn ready(&self) -> usize {
        let word = self.line.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        let last = &self.line[self.line.ceil_char_boundary(word)..];
        let held = match last.len() {
            // Dots and bars are no secrets, but dashes may begin a heading, and a low line a name.
            _ if !last.contains(|c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_') => 0,
            WORD.. => END,
            length => length,
        };
        let until = self.line.len() - held;
        let until = self.line.floor_char_boundary(until.min(self.line.len() - self.begun()));
        // A heading has blanks in it.
        self.line[..until].rfind("-----BEGIN").map_or(until, |heading| until.min(heading))
    }

    /// How much of the end is the beginning of a known value, which may have blanks in it.
    fn begun(&self) -> usize {
        let begun = |value: &String| {
            (1..value.len()).rev().find(|length| value.get(..*length).is_some_and(|it| self.line.ends_with(it)))
        };
        self.secrets.values.iter().filter_map(begun).max().unwrap_or(0)
    }

    /// Lets the line through up to `until`.
    fn show(&mut self, until: usize, out: &mut String) {
        let spans = self.secrets.spans(&self.line);
        let until = spans.iter().find(|span| span.range.contains(&until)).map_or(until, |span| span.range.start);
        let mut at = self.shown;
        for Span { range, what } in spans.into_iter().filter(|span| span.range.end > self.shown) {
            if range.start >= until {
                break;
            }
            out.push_str(&self.line[at.min(range.start.max(at))..range.start.max(at)]);
            out.push_str(&mark(what));
            at = range.end;
        }
        if until > at {
            out.push_str(&self.line[at..until]);
        }
        self.shown = self.shown.max(until).max(at);
    }
}
