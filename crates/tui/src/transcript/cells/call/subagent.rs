//! What a subagent does for a call: its calls and words, one below the other, under the call that gave it the task.

use super::{Call, Recognised};
use crate::clean::{clean_line, clean_text};
use crate::palette::Palette;
use crate::text::highlight::Highlighted;
use crate::text::width::shorten;
use crate::text::wrap::Break;
use crate::transcript::cells::{Cell, Fold, INDENT, Room, beside};
use agent_protocol::sanitize::figures::counted;
use agent_protocol::{CallId, SetAside, ToolCall};
use ratatui::text::{Line, Span};

/// Bytes of its words that are kept: the answer comes as the call's result.
const MOST_WORDS: usize = 16 * 1_024;

/// The agent's work so far. Everything in it is clean.
#[derive(Default)]
pub(super) struct Subagent {
    steps: Vec<Step>,
}

enum Step {
    Call(CallId, Box<Call>),
    /// What it writes; still going on or not.
    Words(String, Writing),
    /// What is told of it.
    Note(String),
}

#[derive(PartialEq)]
enum Writing {
    GoesOn,
    Over,
}

impl Subagent {
    pub(super) fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    pub(super) fn has(&self, id: CallId) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Call(known, _) if *known == id))
    }

    pub(super) fn call_mut(&mut self, id: CallId) -> Option<&mut Call> {
        self.steps.iter_mut().rev().find_map(|step| match step {
            Step::Call(known, call) if *known == id => Some(call.as_mut()),
            Step::Call(..) | Step::Words(..) | Step::Note(_) => None,
        })
    }

    fn calls(&self) -> impl DoubleEndedIterator<Item = &Call> {
        self.steps.iter().filter_map(|step| match step {
            Step::Call(_, call) => Some(call.as_ref()),
            Step::Words(..) | Step::Note(_) => None,
        })
    }

    /// What a person should know who is asked about the call of this number.
    pub(super) fn remarks(&self, id: CallId) -> Option<Recognised> {
        self.steps.iter().find_map(|step| match step {
            Step::Call(known, call) if *known == id => Some(call.remarks(id)),
            Step::Call(..) | Step::Words(..) | Step::Note(_) => None,
        })
    }

    pub(super) fn each_call(&mut self, change: impl FnMut(&mut Call)) {
        let calls = self.steps.iter_mut().filter_map(|step| match step {
            Step::Call(_, call) => Some(call.as_mut()),
            Step::Words(..) | Step::Note(_) => None,
        });
        calls.for_each(change);
    }

    pub(super) fn highlighted(&mut self, done: &Highlighted) -> bool {
        let mut taken = false;
        self.each_call(|call| taken |= call.highlighted(done));
        taken
    }

    fn end_words(&mut self) {
        if let Some(Step::Words(_, writing)) = self.steps.last_mut() {
            *writing = Writing::Over;
        }
    }

    fn write(&mut self, text: &str) {
        if !matches!(self.steps.last(), Some(Step::Words(_, Writing::GoesOn))) {
            self.steps.push(Step::Words(String::new(), Writing::GoesOn));
        }
        if let Some(Step::Words(words, _)) = self.steps.last_mut()
            && words.len() < MOST_WORDS
        {
            words.push_str(&clean_text(text));
        }
    }

    /// What it does at the moment, in a line: the last call, and how many there were.
    pub(super) fn at_a_glance(&self, width: usize, palette: Palette) -> Option<Line<'static>> {
        let last = self.calls().next_back()?;
        let count = self.calls().count();
        let calls = counted(count, "call");
        let (sign, state, _) = last.state_words();
        let state = if state.is_empty() { state } else { format!(" · {state}") };
        let room = width.saturating_sub(INDENT + calls.len() + 3);
        let words = shorten(&format!("{sign} {}{state}", last.title), room).into_owned();
        Some(Line::from(vec![Span::raw("  "), Span::styled(format!("{words} · {calls}"), palette.dim())]))
    }

    pub(super) fn lines(&self, width: usize, palette: Palette) -> Vec<Line<'static>> {
        let room = Room { width: width.saturating_sub(INDENT), fold: Fold::Folded, key: None };
        let mut lines = Vec::new();
        for step in &self.steps {
            match step {
                Step::Call(_, call) => lines.extend(call.lines(room).into_iter().map(super::lines::indented)),
                Step::Words(words, _) => lines.extend(dim_lines(words.trim(), width, palette)),
                Step::Note(note) => lines.extend(dim_lines(note, width, palette)),
            }
        }
        lines
    }
}

fn dim_lines(text: &str, width: usize, palette: Palette) -> Vec<Line<'static>> {
    let margin = Span::raw(" ".repeat(2 * INDENT));
    let line =
        |line: &str| beside(&margin, &margin, vec![Span::styled(line.to_owned(), palette.dim())], width, Break::Words);
    text.lines().flat_map(line).collect()
}

impl Call {
    /// An agent makes a call for this one.
    pub(in crate::transcript) fn agent_calls(&mut self, call: &ToolCall) {
        self.subagent.end_words();
        self.subagent.steps.push(Step::Call(call.id, Box::new(Call::new(call, self.palette))));
    }

    pub(in crate::transcript) fn agent_writes(&mut self, text: &str) {
        self.subagent.write(text);
    }

    /// What it wrote of this reply was its thinking, which is not shown.
    pub(in crate::transcript) fn agent_thought(&mut self) {
        self.subagent.steps.pop_if(|step| matches!(step, Step::Words(_, Writing::GoesOn)));
    }

    pub(in crate::transcript) fn agent_replied(&mut self) {
        self.subagent.end_words();
    }

    /// Something is told of it.
    pub(in crate::transcript) fn agent_noted(&mut self, text: &str) {
        self.subagent.end_words();
        self.subagent.steps.push(Step::Note(clean_line(text).into_owned()));
    }

    /// Something it wrote counts for nothing.
    pub(in crate::transcript) fn agent_set_aside(&mut self, text: &str, why: SetAside) {
        self.agent_noted(&why.told(text));
    }
}
