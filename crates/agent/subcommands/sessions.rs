//! `agent sessions`: straight on what is kept. No session is opened for it, no server is asked, no config is needed.

use super::consent;
use crate::args::{SessionFormat, Sessions as Wish, SessionsSubcommand};
use agent_headless::sessions::{Listed, Pruning, Removal, list, prune, refused, remove, show};
use agent_headless::{End, Form, Streams};
use agent_protocol::SessionCard;
use agent_session::export;
use agent_store::{Loaded, Place, SessionError, Sessions};
use anyhow::{Context, Result, anyhow};
use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

/// Does what `wish` says with the sessions kept in `place`; `project` is the folder at hand, links resolved.
pub(crate) fn sessions(wish: &Wish, place: Place, project: &Path) -> Result<ExitCode> {
    let kept = Sessions::new(place);
    let form = if wish.json { Form::Json } else { Form::Text };
    match wish.subcommand() {
        SessionsSubcommand::List { all } => {
            // Cards hold paths as they can be written down.
            let here = project.to_string_lossy();
            let sessions = kept.list().into_iter().filter(|card| all || card.project.as_os_str() == here.as_ref());
            let listed =
                Listed { sessions: sessions.collect(), project: (!all).then(|| project.to_owned()), now: now() };
            Ok(print(|streams| list(&listed, form, streams)))
        }
        SessionsSubcommand::Show { id, .. } => Ok(print(|streams| match read(&kept, &id) {
            Ok(loaded) => show(&written(&loaded, form), missing(&loaded).as_deref(), form, streams),
            Err(error) => unfit(&error, form, streams),
        })),
        SessionsSubcommand::Export { id, format, output } => {
            match read(&kept, &id.map_or_else(|| last(&kept, project), Ok)?) {
                Ok(loaded) => exported(&loaded, format, output.as_deref()),
                Err(error) => Ok(print(|streams| unfit(&error, form, streams))),
            }
        }
        SessionsSubcommand::Rm { ids, yes } => {
            let consent =
                consent(&format!("{} {} removed", ids.join(", "), if ids.len() == 1 { "is" } else { "are" }), yes)?;
            let mut take = |id: &_| kept.remove(id).map_err(|error| error.to_string());
            Ok(print(|streams| match find(&kept, &ids) {
                Ok(sessions) => remove(Removal { sessions, consent, remove: &mut take }, form, streams),
                Err(error) => unfit(&error, form, streams),
            }))
        }
        SessionsSubcommand::Prune { older_than, yes, dry_run } => {
            let consent = if dry_run { None } else { Some(consent("old sessions are removed", yes)?) };
            let mut take = |age| kept.prune(age).map_err(|error| error.to_string());
            let (sessions, now) = (kept.list(), now());
            let pruning = Pruning { sessions, now, older_than, consent, prune: &mut take };
            Ok(print(|streams| prune(pruning, form, streams)))
        }
    }
}

fn read(kept: &Sessions, name: &str) -> Result<Loaded, SessionError> {
    kept.read(&kept.find(name)?.id)
}

/// The name of the session that was last written to in this project.
fn last(kept: &Sessions, project: &Path) -> Result<String> {
    let here = project.to_string_lossy();
    let of_here = |card: &SessionCard| card.project.as_os_str() == here.as_ref();
    let found = kept.list().into_iter().filter(of_here).max_by_key(|card| card.updated);
    let id = found.ok_or_else(|| anyhow!("no session of this project is kept; `agent sessions --all` lists all"))?;
    Ok(id.id.0)
}

fn find(kept: &Sessions, names: &[String]) -> Result<Vec<SessionCard>, SessionError> {
    names.iter().map(|name| kept.find(name)).collect()
}

fn written(Loaded { card, records, .. }: &Loaded, form: Form) -> String {
    match form {
        Form::Text => export::markdown(card, records),
        Form::Json => export::json(card, records),
    }
}

/// Writes it into a file, or prints it; what of it could not be read is said beside it.
fn exported(loaded: &Loaded, format: SessionFormat, output: Option<&Path>) -> Result<ExitCode> {
    let text = match format {
        SessionFormat::Markdown => export::markdown(&loaded.card, &loaded.records),
        SessionFormat::Json => export::json(&loaded.card, &loaded.records),
        SessionFormat::Atif => export::atif(&loaded.card, &loaded.records)
            .ok_or_else(|| anyhow!("nothing was said in this session, so there is no step to write out"))?,
    };
    let missing = missing(loaded);
    let Some(path) = output else {
        let form = if format == SessionFormat::Markdown { Form::Text } else { Form::Json };
        return Ok(print(|streams| show(&text, missing.as_deref(), form, streams)));
    };
    std::fs::write(path, text).with_context(|| format!("{} cannot be written", path.display()))?;
    Ok(print(|streams| {
        missing.iter().try_for_each(|missing| writeln!(streams.progress, "warning: {missing}"))?;
        Ok(End::Answered)
    }))
}

/// What of it could not be read.
fn missing(loaded: &Loaded) -> Option<String> {
    let torn = loaded.torn.as_ref()?;
    Some(format!("its end cannot be read and is not shown ({} bytes)", torn.bytes))
}

/// Says why a session is not there to be used.
fn unfit(error: &SessionError, form: Form, streams: &mut Streams<'_>) -> io::Result<End> {
    let end = match error {
        SessionError::Missing { .. } | SessionError::Ambiguous { .. } => End::NoSession,
        SessionError::InUse { .. }
        | SessionError::Newer { .. }
        | SessionError::Unreadable { .. }
        | SessionError::Exposed(_)
        | SessionError::Io { .. } => End::Failed,
    };
    refused(end, &error.to_string(), form, streams)
}

/// Seconds since 1970; a clock that stands before that tells nothing.
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
}

/// Prints, and says how that ended.
fn print(face: impl FnOnce(&mut Streams<'_>) -> io::Result<End>) -> ExitCode {
    let (out, progress) = (io::stdout(), io::stderr());
    let mut streams = Streams {
        out_is_terminal: out.is_terminal(),
        progress_is_terminal: progress.is_terminal(),
        redraws: crate::start::redraws(),
        out: &mut out.lock(),
        progress: &mut progress.lock(),
    };
    let end = face(&mut streams).unwrap_or_else(|error| {
        crate::complain(&anyhow::Error::new(error).context("cannot write the answer"));
        End::Failed
    });
    ExitCode::from(end.code())
}
