//! Removes sessions, after the user agreed: those they name, or those that are old.

use super::with_projects;
use super::{agreed, altogether, describe, quietly};
use crate::asking::{failed, object};
use crate::models::Consent;
use crate::streams::progress_line;
use crate::{End, Form, Streams};
use agent_protocol::sanitize::clean_line;
use agent_protocol::{SessionCard, SessionId};
use serde_json::{Value, json};
use std::io;
use std::time::Duration;

/// Sessions that the user named.
pub struct Removal<'a> {
    pub sessions: Vec<SessionCard>,
    pub consent: Consent,
    /// Removes one; else why not, in words.
    pub remove: &'a mut dyn FnMut(&SessionId) -> Result<(), String>,
}

pub struct Pruning<'a> {
    pub sessions: Vec<SessionCard>,
    /// The time now, in seconds since 1970.
    pub now: i64,
    /// Those go that nothing was written to for so long.
    pub older_than: Duration,
    /// Whether the user agrees; `None`: they only want to know which ones they are.
    pub consent: Option<Consent>,
    /// Removes them, and gives those that were removed; else why not, in words.
    pub prune: &'a mut dyn FnMut(Duration) -> Result<Vec<SessionCard>, String>,
}

/// Removes the sessions of `removal`; none of them, where one is open elsewhere.
///
/// # Errors
/// When the output cannot be written for another reason than a closed pipe.
pub fn remove(removal: Removal<'_>, form: Form, streams: &mut Streams<'_>) -> io::Result<End> {
    quietly(remove_named(removal, form, streams))
}

/// Removes what is old and not open.
///
/// # Errors
/// When the output cannot be written for another reason than a closed pipe.
pub fn prune(pruning: Pruning<'_>, form: Form, streams: &mut Streams<'_>) -> io::Result<End> {
    quietly(remove_old(pruning, form, streams))
}

fn remove_named(removal: Removal<'_>, form: Form, streams: &mut Streams<'_>) -> io::Result<End> {
    let Removal { mut sessions, consent, remove } = removal;
    sessions.sort_by(|one, other| one.id.cmp(&other.id));
    sessions.dedup_by(|one, other| one.id == other.id);
    if let Some(open) = sessions.iter().find(|card| card.open) {
        let words = format!("{} is open in another agent; close it there, then try again", describe(open));
        return failed(End::Failed, &words, form, streams);
    }
    if !agreed_to_removal(consent, &sessions, streams)? {
        return kept(form, streams);
    }
    let (mut removed, mut failures) = (Vec::new(), Vec::new());
    for card in &sessions {
        match (remove(&card.id), form) {
            (Ok(()), Form::Text) => writeln!(streams.out, "{} is removed", clean_line(&describe(card)))?,
            (Ok(()), Form::Json) => removed.push(&card.id),
            (Err(why), _) => {
                progress_line(streams, &format!("{} stays: {why}", describe(card)))?;
                failures.push(json!({"id": card.id, "error": why}));
            }
        }
    }
    let end = if failures.is_empty() { End::Answered } else { End::Failed };
    match form {
        Form::Text => streams.out.flush()?,
        Form::Json => object(streams, json!({"removed": removed, "failed": failures}), end)?,
    }
    Ok(end)
}

fn remove_old(pruning: Pruning<'_>, form: Form, streams: &mut Streams<'_>) -> io::Result<End> {
    let Pruning { mut sessions, now, older_than, consent, prune } = pruning;
    let latest = i64::try_from(older_than.as_secs()).map_or(i64::MIN, |age| now.saturating_sub(age));
    sessions.retain(|card| card.updated <= latest && !card.open);
    let Some(consent) = consent else { return foretell(&sessions, now, form, streams) };
    if !sessions.is_empty() && !agreed_to_removal(consent, &sessions, streams)? {
        return kept(form, streams);
    }
    let removed = if sessions.is_empty() { Ok(Vec::new()) } else { prune(older_than) };
    match (removed, form) {
        (Err(why), _) => return failed(End::Failed, &why, form, streams),
        (Ok(removed), Form::Json) => object(streams, json!({"removed": ids(&removed)}), End::Answered)?,
        (Ok(removed), Form::Text) if removed.is_empty() => writeln!(streams.out, "{NOTHING}")?,
        (Ok(removed), Form::Text) => writeln!(streams.out, "removed: {}", altogether(&removed))?,
    }
    streams.out.flush()?;
    Ok(End::Answered)
}

const NOTHING: &str = "nothing to remove: no session is that old and closed";

fn foretell(sessions: &[SessionCard], now: i64, form: Form, streams: &mut Streams<'_>) -> io::Result<End> {
    match form {
        Form::Json => object(streams, json!({"would_remove": ids(sessions)}), End::Answered)?,
        Form::Text if sessions.is_empty() => writeln!(streams.out, "{NOTHING}")?,
        Form::Text => {
            with_projects(sessions, now, streams)?;
            progress_line(streams, &format!("would be removed: {}", altogether(sessions)))?;
        }
    }
    streams.out.flush()?;
    Ok(End::Answered)
}

/// One is named in the question; several are listed before it.
fn agreed_to_removal(consent: Consent, sessions: &[SessionCard], streams: &mut Streams<'_>) -> io::Result<bool> {
    let question = match (&consent, sessions) {
        (Consent::Given, _) => return Ok(true),
        (Consent::Nobody, _) => return Ok(false),
        (Consent::Asked(_), [one]) => format!("Remove {}?", describe(one)),
        (Consent::Asked(_), several) => {
            several.iter().try_for_each(|card| progress_line(streams, &describe(card)))?;
            format!("Remove these ({})?", altogether(several))
        }
    };
    agreed(consent, &question, streams)
}

/// They did not agree.
fn kept(form: Form, streams: &mut Streams<'_>) -> io::Result<End> {
    match form {
        Form::Text => progress_line(streams, "nothing is removed")?,
        Form::Json => object(streams, json!({"removed": []}), End::Failed)?,
    }
    Ok(End::Failed)
}

fn ids(sessions: &[SessionCard]) -> Vec<Value> {
    sessions.iter().map(|card| json!(card.id)).collect()
}
