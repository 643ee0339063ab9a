//! What is printed, where and in which format: nothing reaches a terminal that it would obey.

use crate::End;
use agent_protocol::Event;
use agent_protocol::sanitize::{FOREIGN, clean_line, clean_piped, clean_text, foreign_block};
use std::borrow::Cow;
use std::io::{self, Write};

/// Where it prints, and how careful it must be there.
pub struct Streams<'a> {
    pub out: &'a mut dyn Write,
    /// For what happens on the way.
    pub progress: &'a mut dyn Write,
    /// `out` is a terminal: nothing may reach it that a terminal would obey.
    pub out_is_terminal: bool,
    /// The same for `progress`.
    pub progress_is_terminal: bool,
    /// That terminal can draw a line anew; a file, a pipe or one that only prints lines cannot.
    pub redraws: bool,
}

/// One line of progress. It stays one, whatever stands in it: nobody but us says what was done.
pub(crate) fn progress_line(streams: &mut Streams<'_>, line: &str) -> io::Result<()> {
    writeln!(streams.progress, "{}", clean_line(line))
}

/// The same before there are streams. Whoever closed standard error wants to read nothing of it.
pub(crate) fn say_line(progress: &mut dyn Write, line: &str) {
    drop(writeln!(progress, "{}", clean_line(line)));
}

/// Words of ours, which may quote others: whatever begins a further line does so behind the mark.
pub(crate) fn progress(streams: &mut Streams<'_>, words: &str) -> io::Result<()> {
    let (first, rest) = words.split_once('\n').unwrap_or((words, ""));
    progress_line(streams, first.trim_end_matches('\r'))?;
    progress_foreign(streams, rest)
}

/// Foreign text that is no answer: the mark on each of its lines. Of nothing nothing is said.
pub(crate) fn progress_foreign(streams: &mut Streams<'_>, text: &str) -> io::Result<()> {
    let text = foreign_block(text, FOREIGN);
    if text.is_empty() { Ok(()) } else { writeln!(streams.progress, "{text}") }
}

/// What may be sent to a terminal; a file or pipe gets the text as it is, but for what a terminal that shows it later would
/// obey.
pub(crate) fn honest(text: &str, terminal: bool) -> Cow<'_, str> {
    if terminal { clean_text(text) } else { clean_piped(text) }
}

/// JSON leaves some characters raw that a terminal would obey (C1 controls, say); a file or pipe gets them escaped.
pub(crate) fn json_line(streams: &mut Streams<'_>, json: &str) -> io::Result<()> {
    let line = if streams.out_is_terminal { clean_text(json) } else { escaped(json) };
    writeln!(streams.out, "{line}")?;
    streams.out.flush()
}

/// The same JSON without raw control characters: they stand in strings only, where their numbers mean the same.
fn escaped(json: &str) -> Cow<'_, str> {
    // Between two values stand line ends, which no string holds.
    let obeyed = |c: char| c.is_control() && c != '\n';
    if !json.contains(obeyed) {
        return Cow::Borrowed(json);
    }
    let letter = |c: char| if obeyed(c) { format!("\\u{:04x}", u32::from(c)) } else { c.to_string() };
    Cow::Owned(json.chars().map(letter).collect())
}

/// A line of progress that is drawn anew in its place, where that can be; elsewhere nothing is drawn.
#[derive(Debug, Default)]
pub(crate) struct Redrawn {
    shown: String,
}

impl Redrawn {
    /// Shows `line`, which should be shorter than a terminal is wide.
    pub(crate) fn draw(&mut self, streams: &mut Streams<'_>, line: &str) -> io::Result<()> {
        if !streams.redraws || self.shown == line {
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

/// How the outcome is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Text,
    /// One JSON object at the end.
    Json,
    /// Every event as it happens, one JSON object a line.
    StreamJson,
}

/// How the outcome of a subcommand is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Text,
    Json,
}

/// What begins a sentence about why the journal is not written.
pub(crate) const NOT_SAVED: &str = "this session is not saved: ";

/// What each format does with the events.
pub(crate) trait Printer {
    fn event(&mut self, event: &Event, streams: &mut Streams<'_>) -> io::Result<()>;

    /// The same of one that this front end answered itself, and of which nobody else need know.
    fn answered(&mut self, _event: &Event, _streams: &mut Streams<'_>) -> io::Result<()> {
        Ok(())
    }

    fn end(&mut self, end: End, streams: &mut Streams<'_>) -> io::Result<()>;
}

const GAP: usize = 2;

/// The rows with their columns under one another, no blanks at their ends.
pub(crate) fn table<const N: usize>(rows: &[[String; N]]) -> Vec<String> {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0) + GAP;
    let widths: Vec<usize> = (0..N).map(width).collect();
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        cells.collect::<String>().trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// The beginning of `text`, at most `most` characters; what is missing is marked.
pub(crate) fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(terminal: bool, print: impl Fn(&mut Streams<'_>) -> io::Result<()>) -> (String, String) {
        let (mut out, mut progress) = (Vec::new(), Vec::new());
        print(&mut Streams {
            out: &mut out,
            progress: &mut progress,
            out_is_terminal: terminal,
            progress_is_terminal: terminal,
            redraws: terminal,
        })
        .unwrap();
        (String::from_utf8(out).unwrap(), String::from_utf8(progress).unwrap())
    }

    const HOSTILE: &str = "a\u{1b}[2J\u{9b}31mb\tc\r\nd\u{7f}";

    #[test]
    fn neither_a_terminal_nor_a_pipe_gets_what_a_terminal_obeys() {
        for terminal in [true, false] {
            let json = serde_json::json!({ "said": HOSTILE }).to_string();
            let (out, progress) = printed(terminal, |streams| {
                json_line(streams, &json)?;
                progress_line(streams, HOSTILE)?;
                super::progress(streams, HOSTILE)
            });
            for text in [&out, &progress] {
                let obeyed = |c: char| c.is_control() && !matches!(c, '\n' | '\t' | '\r');
                assert!(!text.contains(obeyed), "{terminal}: {text:?}");
            }
        }
    }

    #[test]
    fn json_in_a_pipe_says_the_same_as_before() {
        let json = serde_json::json!({ "said": HOSTILE });
        for text in [json.to_string(), serde_json::to_string_pretty(&json).unwrap()] {
            let (out, _) = printed(false, |streams| json_line(streams, &text));
            assert_eq!(serde_json::from_str::<serde_json::Value>(&out).unwrap(), json);
        }
    }

    #[test]
    fn columns_stand_under_one_another() {
        let rows = [["a".into(), "long".into(), "x".into()], ["wider".into(), "b".into(), String::new()]];
        assert_eq!(table(&rows), ["a      long  x", "wider  b"]);
    }

    #[test]
    fn what_is_cut_says_so() {
        assert_eq!([cut("four", 4), cut("fives", 4), cut("éééé", 2)], ["four", "fiv…", "é…"]);
    }
}
