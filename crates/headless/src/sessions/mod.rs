//! `agent sessions`: lists, shows and removes what is kept. Gets plain data and what removes a session from the door, and
//! knows neither files nor a loop.

mod list;
mod remove;

use crate::asking::failed;
use crate::columns::cut;
use crate::models::Consent;
use crate::streams::{json_line, progress_line};
use crate::{End, Form, Streams};
use agent_protocol::SessionCard;
use agent_protocol::sanitize::clean_copy;
use agent_protocol::sanitize::figures::{bytes, counted};
pub use list::{Listed, list};
pub use remove::{Pruning, Removal, prune, remove};
use std::io::{self, BufRead};

/// Characters of a title.
const TITLE: usize = 48;

/// Prints one session: Markdown for people, one object for programs. Either comes written out, as `text`; `missing` says
/// what of it could not be read.
///
/// # Errors
/// When the output cannot be written for another reason than a closed pipe.
pub fn show(text: &str, missing: Option<&str>, form: Form, streams: &mut Streams<'_>) -> io::Result<End> {
    quietly(print(text, missing, form, streams))
}

fn print(text: &str, missing: Option<&str>, form: Form, streams: &mut Streams<'_>) -> io::Result<End> {
    match form {
        // It is meant to be read, and is read on a terminal sooner or later.
        Form::Text => {
            writeln!(streams.out, "{}", clean_copy(text.trim_end()))?;
            streams.out.flush()?;
        }
        Form::Json => json_line(streams, text.trim_end())?,
    }
    missing.iter().try_for_each(|words| progress_line(streams, &format!("warning: {words}")))?;
    Ok(End::Answered)
}

/// Says why something about sessions could not be done; `end` is what the shell learns.
///
/// # Errors
/// When the output cannot be written for another reason than a closed pipe.
pub fn refused(end: End, words: &str, form: Form, streams: &mut Streams<'_>) -> io::Result<End> {
    quietly(failed(end, words, form, streams))
}

/// Nobody reads on: no fault.
fn quietly(result: io::Result<End>) -> io::Result<End> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(End::PipeClosed),
        other => other,
    }
}

/// A title in short, as one cell or in a sentence.
fn title(card: &SessionCard) -> String {
    let title = if card.title.trim().is_empty() {
        "–".to_owned()
    } else {
        cut(&agent_protocol::sanitize::clean_line(&card.title), TITLE)
    };
    if card.parent.is_some() { format!("{title} (fork)") } else { title }
}

/// Which one it is: `“Fix the tests” (20261122-134501-3f9a, 3 turns, 12 kB)`.
fn named(card: &SessionCard) -> String {
    format!("“{}” ({}, {}, {})", title(card), card.id, counted(card.turns, "turn"), bytes(card.bytes))
}

/// So many of them, and how much they take: `3 sessions, 40 kB`.
fn altogether(cards: &[SessionCard]) -> String {
    let size = cards.iter().fold(0, |sum: u64, card| sum.saturating_add(card.bytes));
    format!("{}, {}", counted(cards.len(), "session"), bytes(size))
}

/// Does the user agree? Asked, they answer with a line; what cannot be read is no yes.
pub(crate) fn agreed(consent: Consent, question: &str, streams: &mut Streams<'_>) -> io::Result<bool> {
    let mut input = match consent {
        Consent::Given => return Ok(true),
        Consent::Nobody => return Ok(false),
        Consent::Asked(input) => input,
    };
    write!(streams.progress, "{} [y/N] ", agent_protocol::sanitize::clean_line(question))?;
    streams.progress.flush()?;
    let mut line = String::new();
    let read = input.read_line(&mut line).is_ok();
    Ok(read && matches!(line.trim().to_lowercase().as_str(), "y" | "yes"))
}
