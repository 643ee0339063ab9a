//! Removes a model, after the user agreed.

use super::{Consent, describe, not_done, not_known};
use crate::asking::{Asking, Stop, failed, object};
use crate::streams::progress_line;
use crate::{End, Form, Streams};
use agent_protocol::sanitize::clean_line;
use agent_protocol::sanitize::figures::bytes;
use agent_protocol::{Capability, Event, LoadedModel, ModelCard, Op, ServerEvent, ServerOp};
use serde_json::json;
use std::io::BufRead;
use tokio::sync::oneshot;

pub(super) async fn remove(
    name: &str,
    consent: Consent,
    asking: &mut Asking,
    form: Form,
    streams: &mut Streams<'_>,
) -> Result<End, Stop> {
    if let Err(trouble) = asking.able(Capability::Remove).await? {
        return not_done(&trouble, asking, form, streams);
    }
    let (card, loaded) = match describe(name, asking).await? {
        Ok(described) => described,
        Err(trouble) => return not_known(name, &trouble, asking, form, streams),
    };
    let agreed = match consent {
        Consent::Given => true,
        Consent::Asked(input) => {
            agrees(input, &question(&card, loaded.as_ref(), &asking.known.session.host), asking, streams).await?
        }
        Consent::Nobody => {
            let words = format!("nobody is here to agree that {name} is removed; --yes agrees beforehand");
            return Ok(failed(End::WrongUsage, &words, form, streams)?);
        }
    };
    if !agreed {
        match form {
            Form::Text => progress_line(streams, &format!("{name} stays"))?,
            Form::Json => object(streams, json!({"model": name, "removed": false}), End::Failed)?,
        }
        return Ok(End::Failed);
    }
    asking.send(Op::Server(ServerOp::RemoveModel { name: name.to_owned() }));
    let trouble = asking.until(|event| match event {
        Event::Server(ServerEvent::ModelRemoved { name: about, trouble }) if about == name => Some(trouble),
        _ => None,
    });
    if let Some(trouble) = trouble.await? {
        return not_done(&trouble, asking, form, streams);
    }
    match form {
        Form::Text => {
            writeln!(streams.out, "{} is removed", clean_line(name))?;
            streams.out.flush()?;
        }
        Form::Json => object(streams, json!({"model": name, "removed": true}), End::Answered)?,
    }
    Ok(End::Answered)
}

fn question(card: &ModelCard, loaded: Option<&LoadedModel>, host: &str) -> String {
    let size = card.size_bytes.map(|size| format!(" ({})", bytes(size))).unwrap_or_default();
    let loaded = if loaded.is_some() { "It is in memory now. " } else { "" };
    format!("Remove {}{size} from {host}? {loaded}[y/N] ", card.name)
}

/// Asks, and waits for a line. A thread of its own reads it: a signal must not have to wait for a key.
async fn agrees(
    mut input: Box<dyn BufRead + Send>,
    question: &str,
    asking: &mut Asking,
    streams: &mut Streams<'_>,
) -> Result<bool, Stop> {
    write!(streams.progress, "{}", clean_line(question))?;
    streams.progress.flush()?;
    let (sender, mut answer) = oneshot::channel();
    std::thread::spawn(move || {
        let mut line = String::new();
        // What cannot be read is no yes.
        let read = input.read_line(&mut line).is_ok();
        let yes = read && matches!(line.trim().to_lowercase().as_str(), "y" | "yes");
        // Nobody waits any more where a signal came first.
        let _heard = sender.send(yes);
    });
    loop {
        tokio::select! {
            yes = &mut answer => return Ok(yes.unwrap_or(false)),
            heard = asking.next() => if let Err(stop) = heard {
                writeln!(streams.progress)?;
                return Err(stop);
            },
        }
    }
}
