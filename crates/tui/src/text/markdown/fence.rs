//! A code fence that is still open: its lines are taken one by one, so that a long block costs no more than its length.

use super::split::{UnitKind, UnitSpan};
use super::{Code, Unit};
use crate::clean::clean_line;
use crate::palette::Palette;
use crate::text::code::code_rows;
use crate::text::highlight::{Feed, Highlighted, Highlighter};
use crate::text::ink::{Inks, Run};
use ratatui::text::Line;
use std::borrow::Cow;

/// An open fence at the margin.
pub(super) struct OpenFence {
    piece: UnitSpan,
    mark: char,
    length: usize,
    /// The first byte not yet taken; a line begins there.
    next: usize,
    /// Where each line taken begins.
    lines: Vec<usize>,
    rows: Vec<Line<'static>>,
    /// The first row of each line taken.
    line_rows: Vec<usize>,
    /// The line that is being written.
    partial: Vec<Line<'static>>,
    feed: Option<Feed>,
    inks: Inks,
    /// The first row within the whole text.
    pub(super) start: usize,
}

/// How far a fence is.
pub(super) enum Progress {
    /// It takes more lines.
    Open,
    /// It ended at this byte.
    Closed(usize),
}

impl OpenFence {
    /// The fence that `piece` is, if it is one whose first line is complete and whose end is not there.
    pub(super) fn begin(source: &str, piece: &UnitSpan, highlighter: &Highlighter) -> Option<Self> {
        if piece.kind != UnitKind::Fenced {
            return None;
        }
        let line = source[piece.range.start..].split_once('\n')?.0;
        let next = piece.range.start + line.len() + 1;
        // An indented fence takes its indentation from every line; such are rare and left to the parser.
        let mark = line.chars().next().filter(|mark| !mark.is_whitespace())?;
        let info = line.trim_start_matches(mark);
        let language = language(info);
        Some(OpenFence {
            piece: piece.clone(),
            mark,
            length: line.len() - info.len(),
            next,
            lines: Vec::new(),
            rows: Vec::new(),
            line_rows: Vec::new(),
            partial: Vec::new(),
            feed: highlighter.feed(language),
            inks: Inks::default(),
            start: 0,
        })
    }

    /// Takes the lines that have come.
    pub(super) fn advance(&mut self, source: &str, width: usize, palette: Palette) -> Progress {
        let mut fed = String::new();
        let mut progress = Progress::Open;
        while let Some(end) = source[self.next..].find('\n').map(|at| self.next + at) {
            let from = std::mem::replace(&mut self.next, end + 1);
            if self.closes(&source[from..end]) {
                progress = Progress::Closed(end);
                break;
            }
            self.take_line(source, from, &mut fed, width, palette);
        }
        self.feed(fed);
        self.show_partial(source, width, palette);
        progress
    }

    /// Takes the last line, which no line break ends.
    pub(super) fn end(&mut self, source: &str, width: usize, palette: Palette) {
        let from = std::mem::replace(&mut self.next, source.len());
        let mut fed = String::new();
        if from < source.len() && !self.closes(&source[from..]) {
            self.take_line(source, from, &mut fed, width, palette);
        }
        self.feed(fed);
        self.partial.clear();
    }

    fn take_line(&mut self, source: &str, from: usize, fed: &mut String, width: usize, palette: Palette) {
        let text = self.line(source, from);
        fed.push_str(&text);
        fed.push('\n');
        let rows = rows(&text, &[], width, palette);
        self.lines.push(from);
        self.line_rows.push(self.rows.len());
        self.rows.extend(rows);
    }

    fn feed(&self, fed: String) {
        if let (Some(feed), false) = (&self.feed, fed.is_empty()) {
            feed.push(fed);
        }
    }

    /// Lays everything out for another width.
    pub(super) fn lay_out_anew(&mut self, source: &str, width: usize, palette: Palette) {
        self.rows.clear();
        for (number, &from) in self.lines.iter().enumerate() {
            self.line_rows[number] = self.rows.len();
            self.rows.extend(rows(&self.line(source, from), self.inks.line(number), width, palette));
        }
        self.show_partial(source, width, palette);
    }

    /// Takes up colours, and draws their lines anew in place.
    pub(super) fn highlighted(&mut self, source: &str, done: &Highlighted, width: usize, palette: Palette) -> bool {
        if self.feed.as_ref().is_none_or(|feed| feed.ticket != done.ticket) || done.first != self.inks.lines() {
            return false;
        }
        self.inks.append(&done.inks);
        for number in done.first..self.inks.lines().min(self.lines.len()) {
            let rows = rows(&self.line(source, self.lines[number]), self.inks.line(number), width, palette);
            let at = self.line_rows[number];
            for (place, row) in self.rows[at..].iter_mut().zip(rows) {
                *place = row;
            }
        }
        true
    }

    /// The unit it is once it has ended at the byte `end`.
    pub(super) fn settle(self, end: usize) -> Unit {
        let codes = vec![Code { ticket: self.feed.as_ref().map(|feed| feed.ticket), inks: self.inks }];
        Unit {
            piece: UnitSpan { range: self.piece.range.start..end, ..self.piece },
            height: self.rows.len(),
            rows: self.rows,
            start: 0,
            codes,
            fresh: true,
        }
    }

    /// How many rows there are.
    pub(super) fn height(&self) -> usize {
        self.rows.len() + self.partial.len()
    }

    pub(super) fn row(&self, row: usize) -> Option<&Line<'static>> {
        self.rows.get(row).or_else(|| self.partial.get(row.checked_sub(self.rows.len())?))
    }

    fn show_partial(&mut self, source: &str, width: usize, palette: Palette) {
        let text = self.line(source, self.next);
        // What may be the beginning of the closing fence waits until it is known.
        let waits = text.trim().chars().all(|c| c == self.mark);
        self.partial = if waits { Vec::new() } else { rows(&text, &[], width, palette) };
    }

    fn closes(&self, line: &str) -> bool {
        let fence = line.trim_start_matches(' ');
        let rest = fence.trim_start_matches(self.mark);
        let nothing_more = rest.trim_end_matches('\r').trim_end_matches(' ').is_empty();
        line.len() - fence.len() < 4 && fence.len() - rest.len() >= self.length && nothing_more
    }

    /// The line that begins at the byte `from`, clean.
    fn line<'a>(&self, source: &'a str, from: usize) -> Cow<'a, str> {
        let line = source[from..].split('\n').next().unwrap_or_default();
        let line = line.strip_suffix('\r').unwrap_or(line);
        clean_line(line)
    }
}

/// The language that a fence's first line names.
pub(super) fn language(info: &str) -> &str {
    info.split([' ', ',', '{', '\t', '\r']).find(|word| !word.is_empty()).unwrap_or_default().trim_matches(['}', '.'])
}

fn rows(line: &str, runs: &[Run], width: usize, palette: Palette) -> Vec<Line<'static>> {
    code_rows(line, runs, width, palette).into_iter().map(Line::from).collect()
}
