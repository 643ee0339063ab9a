//! The kept sessions, one a row.

use super::{quietly, title};
use crate::asking::object;
use crate::columns::table;
use crate::{End, Form, Streams};
use agent_protocol::SessionCard;
use agent_protocol::sanitize::clean_line;
use agent_protocol::sanitize::figures::{ago, bytes};
use serde_json::json;
use std::io;
use std::path::PathBuf;

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
    quietly(print(listed, form, streams))
}

fn print(listed: &Listed, form: Form, streams: &mut Streams<'_>) -> io::Result<End> {
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
pub(super) fn with_projects(sessions: &[SessionCard], now: i64, streams: &mut Streams<'_>) -> io::Result<()> {
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
