//! Keeps secrets out of what a result says: each is replaced by a mark that says what stood there.
//!
//! Known are values handed over when the session begins, the shapes of the usual keys, and what is assigned to a name
//! that says it is secret and looks like chance. Ordinary code must come through untouched: a model that is shown
//! something else than the file holds makes wrong edits.

mod assigned;
mod blocks;
mod carried;
mod chance;
mod headless;
mod live;
mod names_only;
mod shapes;

use agent_protocol::{Failure, FailureKind, Outcome};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

pub(crate) use chance::{entropy, stands_for_nothing};
pub(crate) use live::Live;
pub(crate) use names_only::NamesOnly;

/// What every mark begins with.
const MARK: &str = "[redacted: ";
/// Shorter values stand for too many other things.
const SHORTEST: usize = 8;
/// The part of a known value that tells it where the rest was cut off.
const TELLING: usize = 6;

/// What must not be shown.
#[derive(Debug, Clone, Default)]
pub struct Secrets {
    /// The longest first, so that none leaves a rest of another.
    values: Arc<[String]>,
}

/// A secret in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) range: Range<usize>,
    pub(crate) what: &'static str,
}

impl Secrets {
    /// These values, and whatever looks like a secret by itself. Of a value of several lines each is one. What is too
    /// short, a number, or the path of something is left out: it stands for too many other things.
    pub fn new(values: impl IntoIterator<Item = String>) -> Self {
        let mut values: Vec<String> = values
            .into_iter()
            .flat_map(|value| value.lines().map(|line| line.trim().to_owned()).collect::<Vec<_>>())
            .filter(|value| is_telling(value))
            .collect();
        values.sort_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
        values.dedup();
        Secrets { values: values.into() }
    }

    /// `text` with a mark in the place of each secret.
    pub(crate) fn hidden<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let spans = self.spans(text);
        if spans.is_empty() { Cow::Borrowed(text) } else { Cow::Owned(marked(text, &spans)) }
    }

    /// The same for what is written down, where also parts of a key are hidden that nothing shows to be one.
    pub(crate) fn unwritten<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let mut spans = self.spans(text);
        headless::find(text, &mut spans);
        let spans = apart(spans);
        if spans.is_empty() { Cow::Borrowed(text) } else { Cow::Owned(marked(text, &spans)) }
    }

    /// The same for all that a result says.
    pub(crate) fn outcome(&self, outcome: Outcome) -> Outcome {
        let Outcome { told, summary, detail, .. } = &outcome;
        // Mostly both are told the same.
        let shown = if told == detail { None } else { Some(self.hidden(detail).into_owned()) };
        let [told, summary] = [told, summary].map(|text| self.hidden(text).into_owned());
        let detail = shown.unwrap_or_else(|| told.clone());
        Outcome { told, summary, detail, ..outcome }
    }

    /// The same for a failure, which may quote a file.
    pub(crate) fn failure(&self, failure: Failure) -> Failure {
        Failure { message: self.hidden(&failure.message).into_owned(), ..failure }
    }

    /// The secrets in `text`, in order, none touching another.
    pub(crate) fn spans(&self, text: &str) -> Vec<Span> {
        let mut spans = Vec::new();
        blocks::find(text, &mut spans);
        self.known(text, &mut spans);
        shapes::find(text, &mut spans);
        assigned::find(text, &mut spans);
        apart(spans)
    }

    fn known(&self, text: &str, spans: &mut Vec<Span>) {
        const WHAT: &str = "a secret of the environment";
        for value in &*self.values {
            let found = text.match_indices(value.as_str());
            spans.extend(found.map(|(at, value)| Span { range: at..at + value.len(), what: WHAT }));
            spans.extend(cut_in_two(text, value).map(|range| Span { range, what: WHAT }));
        }
    }
}

/// Is a value worth looking for everywhere?
fn is_telling(value: &str) -> bool {
    let number = value.chars().all(|c| c.is_ascii_digit() || ".-:, ".contains(c));
    let path = value.starts_with(['/', '~']) || value.starts_with("./");
    let word = value.chars().all(|c| c.is_ascii_lowercase()) && value.len() < 12;
    value.len() >= SHORTEST && !number && !path && !word
}

/// Where a long result was cut in the middle of `value`, what is left of it on either side.
fn cut_in_two<'a>(text: &'a str, value: &'a str) -> impl Iterator<Item = Range<usize>> + 'a {
    let ends = text.match_indices("[… ").filter_map(move |(at, _)| {
        let head = text[..at].trim_end_matches('\n');
        let length =
            (TELLING..value.len()).rev().find(|length| value.get(..*length).is_some_and(|it| head.ends_with(it)));
        length.map(|length| head.len() - length..head.len())
    });
    let starts = text.match_indices("]\n").filter_map(move |(at, end)| {
        let line = text[..at].rfind('\n').map_or(0, |before| before + 1);
        let tail = at + end.len();
        let start = (1..value.len().saturating_sub(TELLING)).find(|start| {
            text[line..].starts_with("[… ") && value.get(*start..).is_some_and(|it| text[tail..].starts_with(it))
        });
        start.map(|start| tail..tail + value.len() - start)
    });
    ends.chain(starts)
}

/// Of spans that touch, the one that begins first counts and takes the others in.
fn apart(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_by_key(|span| (span.range.start, usize::MAX - span.range.end));
    let mut apart: Vec<Span> = Vec::new();
    for span in spans {
        match apart.last_mut() {
            Some(last) if span.range.start < last.range.end => {
                last.range.end = last.range.end.max(span.range.end);
            }
            _ => apart.push(span),
        }
    }
    apart
}

fn marked(text: &str, spans: &[Span]) -> String {
    let mut marked = String::with_capacity(text.len());
    let mut done = 0;
    for span in spans {
        marked.push_str(&text[done..span.range.start]);
        marked.push_str(&mark(span.what));
        done = span.range.end;
    }
    marked.push_str(&text[done..]);
    marked
}

/// What stands in the place of a secret.
pub(crate) fn mark(what: &str) -> String {
    format!("{MARK}{what}]")
}

/// A failure where `text`, the argument called `name`, holds a mark that `before` does not hold: the file says something
/// else there, which the model was not shown.
pub(crate) fn refuse_mark(text: &str, before: &str, name: &str) -> Result<(), Failure> {
    match mark_in(text) {
        Some(mark) if !before.contains(mark) => {
            let message = format!(
                "{name} holds {mark}, which only stands for a secret that you are not shown; use edit_file on the text \
                 around it and leave it out"
            );
            Err(Failure::new(FailureKind::InvalidArguments, message))
        }
        Some(_) | None => Ok(()),
    }
}

/// The first mark in `text`.
fn mark_in(text: &str) -> Option<&str> {
    let start = text.find(MARK)?;
    let length = text[start..].find(']')?;
    Some(&text[start..=start + length])
}

#[cfg(test)]
mod tests;
