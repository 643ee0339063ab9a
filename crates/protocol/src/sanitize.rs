//! The sanitizer: the only way from foreign text to a cell.
//!
//! What a model, a tool, a file or a server says may hold anything. Here it becomes text that only *shows*: nothing
//! moves the cursor, changes the terminal, reorders words or hides. What cannot be drawn as it is stays visible as a
//! mark, like `␛` or `⟨U+202E⟩`. Live output of commands has a door of its own, see `output`.
//!
//! **Invariant.** No result holds a control character (but `\n`, and `\t` where it is asked for), a bidirectional
//! control, or a character that draws nothing; and no grapheme of it has width 0. [`clean_piped`] alone, which is for no
//! cell, promises the first of these only.

pub mod figures;
mod foreign;
mod kinds;
mod names;
mod output;

pub use foreign::{FOREIGN, LINE_BREAKS, broken_lines, folded, foreign_block, hidden_in, hidden_words};
use kinds::{Hangul, Kind, hangul, kind, pictographic};
pub use names::name;
pub use output::{OutputCleaner, clean_output};
use std::borrow::Cow;
use std::fmt::Write;
use std::panic::PanicHookInfo;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthChar;

/// Columns from one tab stop to the next.
const TAB: usize = 4;

/// Marks that may stand on one letter; more would paint over the lines around.
const MARKS_A_LETTER: usize = 8;

/// The five skin tones of emoji.
const SKIN_FIRST: char = '\u{1f3fb}';
const SKIN_LAST: char = '\u{1f3ff}';

/// What becomes of line breaks and tabs.
#[derive(Clone, Copy)]
struct Manner {
    breaks: Breaks,
    tabs: Tabs,
}

#[derive(Clone, Copy, PartialEq)]
enum Breaks {
    Keep,
    Show,
}

#[derive(Clone, Copy, PartialEq)]
enum Tabs {
    Keep,
    Expand,
}

/// One line made safe to draw; line breaks become `␤`.
pub fn clean_line(text: &str) -> Cow<'_, str> {
    clean(text, Manner { breaks: Breaks::Show, tabs: Tabs::Expand })
}

/// Text made safe to draw; line breaks stay.
pub fn clean_text(text: &str) -> Cow<'_, str> {
    clean(text, Manner { breaks: Breaks::Keep, tabs: Tabs::Expand })
}

/// One line made safe to draw in rows of at most `columns`, so that a terminal that is wide enough breaks none of them: what
/// stands before each row is then of whoever draws it. At least one row.
pub fn clean_rows(text: &str, columns: usize) -> Vec<String> {
    let (mut rows, mut width) = (vec![String::new()], 0);
    for grapheme in clean_line(text).graphemes(true) {
        let wide = grapheme.chars().map(self::columns).sum::<usize>();
        if width + wide > columns && width > 0 {
            rows.push(String::new());
            width = 0;
        }
        width += wide;
        rows.last_mut().expect("there is at least one row").push_str(grapheme);
    }
    rows
}

/// Text made safe to hand on: line breaks and tabs stay, so that copied code is still that code.
pub fn clean_copy(text: &str) -> Cow<'_, str> {
    clean(text, Manner { breaks: Breaks::Keep, tabs: Tabs::Keep })
}

/// Text made safe for a file or a pipe, whose reader may show it in a terminal: control characters become marks, but for
/// line breaks (`\r\n` too) and tabs. All else stays as it is, for a program may read it.
pub fn clean_piped(text: &str) -> Cow<'_, str> {
    let obeyed = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t');
    if !text.contains(obeyed) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if obeyed(c) { mark(c, &mut out) } else { out.push(c) }
    }
    Cow::Owned(out)
}

/// What a panic says, made safe to draw: its message may quote any text that was at hand. For the hook that says it.
pub fn panic_words(panic: &PanicHookInfo<'_>) -> String {
    let words = panic.to_string();
    let thread = std::thread::current();
    clean_text(&format!("thread '{}' {words}", thread.name().unwrap_or("without a name"))).into_owned()
}

/// The characters of `text` that are shown as marks by [`clean_text`], in their order: what a person should be told of.
pub fn marked(text: &str) -> Vec<char> {
    let manner = Manner { breaks: Breaks::Keep, tabs: Tabs::Keep };
    cleaned(text, manner).map(|cleaner| cleaner.marked).unwrap_or_default()
}

fn clean(text: &str, manner: Manner) -> Cow<'_, str> {
    cleaned(text, manner).map_or(Cow::Borrowed(text), |cleaner| Cow::Owned(cleaner.out))
}

/// The cleaner that has gone through `text`; `None` where there is nothing to clean.
fn cleaned(text: &str, manner: Manner) -> Option<Cleaner> {
    if text.chars().all(|c| plain(c, manner)) {
        return None;
    }
    let mut cleaner = Cleaner::new(manner, text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        cleaner.take(c, chars.peek().copied());
    }
    Some(cleaner)
}

/// Can `c` stay whatever surrounds it?
fn plain(c: char, manner: Manner) -> bool {
    match c {
        ' '..='~' => true,
        '\n' => manner.breaks == Breaks::Keep,
        '\t' => manner.tabs == Tabs::Keep,
        _ => kind(c) == Kind::Plain,
    }
}

/// Columns of one character that stands by itself; half-width sound marks take one, as terminals draw them.
fn columns(c: char) -> usize {
    match c {
        '\u{ff9e}' | '\u{ff9f}' => 1,
        _ => c.width().unwrap_or(0),
    }
}

/// Makes what draws nothing, or does something, visible: `␛`, `⟨U+202E⟩`.
fn mark(c: char, out: &mut String) {
    match c {
        '\0'..='\x1f' => out.push(char::from_u32(0x2400 + u32::from(c)).expect("the control pictures block is whole")),
        '\x7f' => out.push('␡'),
        _ => write!(out, "⟨U+{:04X}⟩", u32::from(c)).expect("writing to a string cannot fail"),
    }
}

/// Goes through a text character by character and knows what came before.
struct Cleaner {
    manner: Manner,
    out: String,
    /// What the next character would join.
    before: Before,
    /// Where in `out` that begins.
    start: usize,
    column: usize,
    /// Combining marks on the letter before.
    marks: usize,
    marked: Vec<char>,
}

/// What stands before a character, as far as it decides whether the next one joins it.
#[derive(Clone, Copy, PartialEq)]
enum Before {
    /// The beginning of a line, or one of our own marks.
    Nothing,
    /// A letter, a sign or a picture.
    Letter,
    /// A digit or sign that can become a key-cap emoji.
    Key,
    Hangul(Hangul),
}

impl Before {
    /// What stands on a syllable ends it: no further part of it joins.
    fn without_hangul(self) -> Self {
        match self {
            Before::Hangul(_) => Before::Letter,
            Before::Nothing | Before::Letter | Before::Key => self,
        }
    }
}

impl Cleaner {
    fn new(manner: Manner, size: usize) -> Self {
        let out = String::with_capacity(size + size / 8);
        Cleaner { manner, out, before: Before::Nothing, start: 0, column: 0, marks: 0, marked: Vec::new() }
    }

    fn take(&mut self, c: char, next: Option<char>) {
        match kind(c) {
            Kind::Break => self.line_break(),
            Kind::Tab => self.tab(),
            Kind::Plain => self.keep(c, self.role(c)),
            Kind::Joiner if next.is_some_and(|next| self.joins(next)) => self.attach(c),
            Kind::Variation if self.takes_form() => {
                self.marks += 1;
                self.attach(c);
            }
            Kind::Hangul(part) if matches!(self.before, Before::Hangul(before) if before.takes(part)) => {
                self.attach(c);
                self.before = Before::Hangul(part);
            }
            Kind::Combining => self.combine(c),
            Kind::Control | Kind::Hidden | Kind::Joiner | Kind::Variation | Kind::Hangul(_) => self.show(c),
        }
    }

    fn role(&self, c: char) -> Before {
        match (hangul(c), c) {
            (Some(part), _) => Before::Hangul(part),
            (None, '0'..='9' | '#' | '*') => Before::Key,
            (None, SKIN_FIRST..=SKIN_LAST) => self.before.without_hangul(),
            (None, _) => Before::Letter,
        }
    }

    /// Would a joiner make one of what stands before and `next`?
    fn joins(&self, next: char) -> bool {
        self.before == Before::Letter && pictographic(next) && {
            let joined = format!("{}\u{200d}{next}", &self.out[self.start..]);
            joined.graphemes(true).nth(1).is_none()
        }
    }

    /// Can a text or emoji form be chosen for what stands before?
    fn takes_form(&self) -> bool {
        let picture = || self.out[self.start..].chars().next().is_some_and(pictographic);
        self.marks == 0 && (self.before == Before::Key || self.before == Before::Letter && picture())
    }

    fn keep(&mut self, c: char, role: Before) {
        if !matches!(c, SKIN_FIRST..=SKIN_LAST) {
            self.start = self.out.len();
        }
        self.out.push(c);
        self.column += if c.is_ascii() { 1 } else { columns(c) };
        self.before = role;
        self.marks = 0;
    }

    /// Joins `c` to the grapheme before it.
    fn attach(&mut self, c: char) {
        self.out.push(c);
    }

    fn combine(&mut self, c: char) {
        if self.before == Before::Nothing {
            // A mark on nothing would land on whatever we draw to its left.
            self.keep('◌', Before::Letter);
        }
        if self.marks == MARKS_A_LETTER {
            return self.show(c);
        }
        self.marks += 1;
        self.attach(c);
        self.before = self.before.without_hangul();
    }

    fn line_break(&mut self) {
        match self.manner.breaks {
            Breaks::Keep => {
                self.out.push('\n');
                self.before = Before::Nothing;
                self.column = 0;
            }
            Breaks::Show => {
                self.keep('␤', Before::Nothing);
            }
        }
    }

    fn tab(&mut self) {
        match self.manner.tabs {
            Tabs::Keep => self.out.push('\t'),
            Tabs::Expand => {
                let spaces = TAB - self.column % TAB;
                self.out.extend(std::iter::repeat_n(' ', spaces));
                self.column += spaces;
            }
        }
        self.before = Before::Nothing;
    }

    fn show(&mut self, c: char) {
        let from = self.out.len();
        self.marked.push(c);
        mark(c, &mut self.out);
        self.column += self.out[from..].chars().count();
        self.before = Before::Nothing;
    }
}

#[cfg(test)]
mod tests;
