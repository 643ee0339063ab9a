//! `agent sessions`: lists, shows and removes what is kept. Gets plain data and what removes a session from the binary, and
//! knows neither files nor a loop.

mod remove;

use crate::asking::{failed, object};
use crate::models::Consent;
use crate::streams::{cut, json_line, progress_line, table};
use crate::{End, Form, Streams};
use agent_protocol::SessionCard;
use agent_protocol::sanitize::figures::{ago, bytes, counted};
use agent_protocol::sanitize::{clean_copy, clean_line};
pub use remove::{Pruning, Removal, prune, remove};
use serde_json::json;
use std::io::{self, BufRead};
use std::path::PathBuf;

const TITLE: usize = 48;

#[derive(Debug, Clone)]
pub struct Listed {
    /// One entry a session, the newest first.
    pub sessions: Vec<SessionCard>,
    /// They are those of this project; `None`: of all.
    pub project: Option<PathBuf>,
    /// The time now, in seconds since 1970.
    pub now: i64,
}

/// Prints the list.
///
/// # Errors
/// When the output cannot be written for another reason than a closed pipe.
pub fn list(listed: &Listed, form: Form, streams: &mut Streams<'_>) -> io::Result<End> {
    quietly(print_list(listed, form, streams))
}

fn print_list(listed: &Listed, form: Form, streams: &mut Streams<'_>) -> io::Result<End> {
    let Listed { sessions, project, now } = listed;
    match (form, project) {
        (Form::Json, project) => {
            let project = project.as_ref().map(|path| path.to_string_lossy());
            object(streams, json!({"project": project, "sessions": sessions}), End::Answered)?;
        }
        (Form::Text, _) if sessions.is_empty() => {
            let words = match project {
                Some(_) => "no session of this project is kept; `agent sessions --all` lists those of all projects",
                None => "no session is kept",
            };
            writeln!(streams.out, "{words}")?;
        }
        (Form::Text, Some(_)) => rows(sessions.iter().map(|card| row(card, *now)), HEADING, streams)?,
        (Form::Text, None) => with_projects(sessions, *now, streams)?,
    }
    streams.out.flush()?;
    Ok(End::Answered)
}

const HEADING: [&str; 6] = ["ID", "TITLE", "WHEN", "MODEL", "TURNS", "SIZE"];

/// Of all projects: the folder is told as well.
fn with_projects(sessions: &[SessionCard], now: i64, streams: &mut Streams<'_>) -> io::Result<()> {
    let [id, title, when, model, turns, size] = HEADING;
    let heading = [id, title, when, model, turns, size, "PROJECT"];
    let row = |card: &SessionCard| {
        let [id, title, when, model, turns, size] = row(card, now);
        [id, title, when, model, turns, size, clean_line(&card.project.to_string_lossy()).into_owned()]
    };
    rows(sessions.iter().map(row), heading, streams)
}

fn rows<const N: usize>(
    rows: impl Iterator<Item = [String; N]>,
    heading: [&str; N],
    streams: &mut Streams<'_>,
) -> io::Result<()> {
    let rows: Vec<[String; N]> = std::iter::once(heading.map(str::to_owned)).chain(rows).collect();
    table(&rows).iter().try_for_each(|line| writeln!(streams.out, "{line}"))
}

/// Nothing of it forges a row or commands a terminal.
fn row(card: &SessionCard, now: i64) -> [String; 6] {
    let when = if card.open { "open now".to_owned() } else { ago(now.saturating_sub(card.updated)) };
    [
        clean_line(&card.id.0).into_owned(),
        title(card),
        when,
        card.model.as_deref().map_or_else(|| "–".to_owned(), |model| clean_line(model).into_owned()),
        card.turns.to_string(),
        bytes(card.bytes),
    ]
}

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
    let title = if card.title.trim().is_empty() { "–".to_owned() } else { cut(&clean_line(&card.title), TITLE) };
    if card.parent.is_some() { format!("{title} (fork)") } else { title }
}

/// Which one it is: `“Fix the tests” (20261122-134501-3f9a, 3 turns, 12 kB)`.
fn describe(card: &SessionCard) -> String {
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
    write!(streams.progress, "{} [y/N] ", clean_line(question))?;
    streams.progress.flush()?;
    let mut line = String::new();
    let read = input.read_line(&mut line).is_ok();
    Ok(read && matches!(line.trim().to_lowercase().as_str(), "y" | "yes"))
}
