//! The worker: reads code line by line with its grammar. Knows nothing of the screen; ends when nobody can ask it.

use super::{Highlighted, Job, Ticket, scopes};
use crate::text::ink::{Ink, Inks, Run};
use std::collections::HashMap;
use std::sync::mpsc::Receiver;
use syntect::parsing::{ParseState, ScopeStack, SyntaxReference, SyntaxSet};

/// Bytes of one text that are coloured.
const MOST_BYTES: usize = 512 * 1024;

/// Lines of one text that are coloured.
const MOST_LINES: usize = 10_000;

/// Bytes of a line beyond which it stays plain: grammars take very long over minified code.
const LONGEST_LINE: usize = 4 * 1024;

/// Works until every asker is gone.
pub(super) fn work(inbox: &Receiver<Job>, notify: impl Fn(Highlighted)) {
    // Wait for the first job before loading the grammars: most sessions begin without any code.
    let Ok(first) = inbox.recv() else { return };
    let mut worker = Worker { grammars: two_face::syntax::extra_newlines(), open: HashMap::new() };
    for job in std::iter::once(first).chain(inbox.iter()) {
        if let Some(done) = worker.take(job) {
            notify(done);
        }
    }
}

struct Worker {
    grammars: SyntaxSet,
    open: HashMap<Ticket, LineReading>,
}

/// A text being read, between two of its lines.
struct LineReading {
    state: ParseState,
    stack: ScopeStack,
    lines: usize,
    bytes: usize,
}

impl Worker {
    fn take(&mut self, job: Job) -> Option<Highlighted> {
        match job {
            Job::Open { ticket, language } => {
                let reading = LineReading::new(grammar(&self.grammars, &language)?);
                self.open.insert(ticket, reading);
                None
            }
            Job::Lines { ticket, text } => {
                let reading = self.open.get_mut(&ticket)?;
                let first = reading.lines;
                let mut inks = Inks::default();
                text.split_inclusive('\n').for_each(|line| inks.push(reading.line(line, &self.grammars)));
                Some(Highlighted { ticket, first, inks })
            }
            Job::Close { ticket } => {
                self.open.remove(&ticket);
                None
            }
            Job::Pick { ticket, language, text, wanted } => {
                let reading = LineReading::new(grammar(&self.grammars, &language)?);
                Some(Highlighted { ticket, first: 0, inks: pick(reading, &self.grammars, &text, &wanted) })
            }
        }
    }
}

/// The inks of the `wanted` lines; the others are read on the way and come out empty.
fn pick(mut reading: LineReading, grammars: &SyntaxSet, text: &str, wanted: &[usize]) -> Inks {
    let mut inks = Inks::default();
    let last = wanted.last().map_or(0, |last| last + 1);
    for (number, line) in text.split_inclusive('\n').enumerate().take(last) {
        let runs = reading.line(line, grammars);
        if wanted.binary_search(&number).is_ok() {
            inks.push(runs);
        } else {
            inks.push([]);
        }
    }
    inks
}

/// The grammar for a fence's word, a file's name or its ending.
fn grammar<'a>(grammars: &'a SyntaxSet, language: &str) -> Option<&'a SyntaxReference> {
    let name = language.rsplit('/').next().unwrap_or(language);
    let ending = name.rsplit('.').next().unwrap_or(name);
    [name, ending].iter().find_map(|token| grammars.find_syntax_by_token(token))
}

impl LineReading {
    fn new(grammar: &SyntaxReference) -> Self {
        LineReading { state: ParseState::new(grammar), stack: ScopeStack::new(), lines: 0, bytes: 0 }
    }

    /// The inks of the next line.
    fn line(&mut self, line: &str, grammars: &SyntaxSet) -> Vec<Run> {
        self.lines += 1;
        self.bytes += line.len();
        if self.lines > MOST_LINES || self.bytes > MOST_BYTES || line.len() > LONGEST_LINE {
            return Vec::new();
        }
        // A grammar that fails leaves the line plain; the next one is tried again.
        let Ok(changes) = self.state.parse_line(line, grammars) else { return Vec::new() };
        let visible = line.trim_end_matches('\n').len();
        let mut runs = Vec::new();
        let mut at = 0;
        for (position, change) in changes {
            self.run(&mut runs, at, position.min(visible));
            at = at.max(position.min(visible));
            if self.stack.apply(&change).is_err() {
                return Vec::new();
            }
        }
        self.run(&mut runs, at, visible);
        runs.pop_if(|run| run.ink == Ink::Plain);
        runs
    }

    /// Adds what lies between two changes.
    fn run(&self, runs: &mut Vec<Run>, from: usize, to: usize) {
        let Some(bytes) = to.checked_sub(from).filter(|&bytes| bytes > 0) else { return };
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        let ink = scopes::ink(&self.stack);
        match runs.last_mut() {
            Some(last) if last.ink == ink => last.bytes += bytes,
            _ => runs.push(Run { bytes, ink }),
        }
    }
}
