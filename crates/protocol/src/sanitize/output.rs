//! Live output of commands, as a terminal would show it: `\r` writes over the line, colours and other sequences are
//! dropped whole wherever a chunk ends. Lines that are complete never change again.

use super::clean_line;
use std::collections::VecDeque;

/// Characters after which a line without an end is ended anyway.
const LONGEST_LINE: usize = 16 * 1024;

/// Parameters of a control sequence that are kept; one that never ends must not grow.
const LONGEST_PARAMETERS: usize = 16;

/// Columns from one tab stop to the next; what programs lay their output out for.
const TAB: usize = 8;

/// Takes raw output piece by piece and keeps its last lines, clean.
pub struct OutputCleaner {
    done: VecDeque<String>,
    dropped: usize,
    limit: usize,
    line: Vec<char>,
    cursor: usize,
    escape: Escape,
}

/// Where in an escape sequence we are.
enum Escape {
    /// In none.
    Outside,
    /// After ESC.
    Begun,
    /// In a control sequence, with its parameters so far.
    Control(String),
    /// In a string that only the terminal reads (title, clipboard, graphics).
    Text,
    /// After ESC inside such a string.
    TextEnding,
}

/// Everything a command put out, as it would stand on a terminal.
pub fn clean_output(text: &str) -> String {
    let mut cleaner = OutputCleaner::new(usize::MAX);
    cleaner.push(text);
    cleaner.last(usize::MAX).join("\n")
}

impl OutputCleaner {
    /// Keeps the last `limit` complete lines.
    pub fn new(limit: usize) -> Self {
        OutputCleaner { done: VecDeque::new(), dropped: 0, limit, line: Vec::new(), cursor: 0, escape: Escape::Outside }
    }

    /// Takes the next piece, which may begin or end anywhere.
    pub fn push(&mut self, text: &str) {
        for c in text.chars() {
            self.take(c);
        }
    }

    /// The last `count` lines, the unfinished one included.
    pub fn last(&self, count: usize) -> Vec<String> {
        let unfinished = self.unfinished();
        let complete = count.saturating_sub(unfinished.iter().len());
        let skipped = self.done.len().saturating_sub(complete);
        self.done.iter().skip(skipped).cloned().chain(unfinished).collect()
    }

    /// Lines so far, those no longer kept included.
    pub fn count(&self) -> usize {
        self.dropped + self.done.len() + self.unfinished().iter().len()
    }

    /// Bytes held of what is not a line yet.
    #[cfg(test)]
    pub(crate) fn held(&self) -> usize {
        let parameters = if let Escape::Control(parameters) = &self.escape { parameters.capacity() } else { 0 };
        self.line.capacity() * size_of::<char>() + parameters
    }

    fn unfinished(&self) -> Option<String> {
        (!self.line.is_empty()).then(|| self.finished_line())
    }

    fn finished_line(&self) -> String {
        clean_line(&self.line.iter().collect::<String>()).into_owned()
    }

    fn take(&mut self, c: char) {
        self.escape = match std::mem::replace(&mut self.escape, Escape::Outside) {
            Escape::Outside => self.outside(c),
            Escape::Begun => self.begun(c),
            Escape::Control(parameters) => self.control(parameters, c),
            Escape::Text => self.text(c),
            Escape::TextEnding if c == '\\' => Escape::Outside,
            Escape::TextEnding => self.begun(c),
        };
    }

    fn outside(&mut self, c: char) -> Escape {
        match c {
            '\x1b' => return Escape::Begun,
            '\u{9b}' => return Escape::Control(String::new()),
            '\u{90}' | '\u{98}' | '\u{9d}'..='\u{9f}' => return Escape::Text,
            '\n' => self.end_line(),
            '\r' => self.cursor = 0,
            '\x08' => self.cursor = self.cursor.saturating_sub(1),
            '\t' => (0..TAB - self.cursor % TAB).for_each(|_| self.put(' ')),
            _ => self.put(c),
        }
        Escape::Outside
    }

    fn begun(&mut self, c: char) -> Escape {
        match c {
            '[' => Escape::Control(String::new()),
            ']' | 'P' | 'X' | '^' | '_' => Escape::Text,
            ' '..='/' => Escape::Begun,
            '\x1b' => Escape::Begun,
            '0'..='~' => Escape::Outside,
            _ => self.outside(c),
        }
    }

    fn control(&mut self, mut parameters: String, c: char) -> Escape {
        match c {
            '@'..='~' => {
                if c == 'K' {
                    self.erase(&parameters);
                }
                Escape::Outside
            }
            ' '..='?' => {
                if parameters.len() < LONGEST_PARAMETERS {
                    parameters.push(c);
                }
                Escape::Control(parameters)
            }
            '\x1b' => Escape::Begun,
            _ => self.outside(c),
        }
    }

    /// `CSI K`: to the end of the line, to its beginning, or all of it.
    fn erase(&mut self, parameters: &str) {
        match parameters {
            "" | "0" => self.line.truncate(self.cursor),
            "1" => self.line.iter_mut().take(self.cursor + 1).for_each(|c| *c = ' '),
            "2" => self.line.iter_mut().for_each(|c| *c = ' '),
            _ => {}
        }
    }

    fn put(&mut self, c: char) {
        match self.line.get_mut(self.cursor) {
            Some(place) => *place = c,
            None => self.line.push(c),
        }
        self.cursor += 1;
        if self.line.len() >= LONGEST_LINE {
            self.end_line();
        }
    }

    fn end_line(&mut self) {
        let line = self.finished_line();
        self.done.push_back(line);
        if self.done.len() > self.limit {
            self.done.pop_front();
            self.dropped += 1;
        }
        self.line.clear();
        self.cursor = 0;
    }

    /// Inside a terminal string. It ends at its terminator, and at a line break: nothing may swallow the rest.
    fn text(&mut self, c: char) -> Escape {
        match c {
            '\x1b' => Escape::TextEnding,
            '\x07' | '\u{9c}' | '\x18' | '\x1a' => Escape::Outside,
            '\n' => self.outside(c),
            _ => Escape::Text,
        }
    }
}
