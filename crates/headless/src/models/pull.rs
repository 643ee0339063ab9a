//! Downloads a model (how far it is, and how it goes on when it was stopped), and removes one after the user agreed.

use super::{Consent, describe, not_done, not_known};
use crate::asking::{Asking, Stop, failed, object};
use crate::streams::{Redrawn, cut, progress_line};
use crate::{End, Form, Streams};
use agent_protocol::sanitize::clean_line;
use agent_protocol::sanitize::figures::bytes;
use agent_protocol::{Capability, Event, LoadedModel, ModelCard, Op, PullState, ServerEvent, ServerOp};
use serde_json::json;
use std::io::{self, BufRead};
use tokio::sync::oneshot;

/// Characters of a line that is drawn again and again; it must not reach the edge of a terminal.
const LINE: usize = 78;

/// Characters of a name in it.
const NAME: usize = 40;

/// Without a terminal, a line comes each time so many percent more are here.
const EVERY: u64 = 10;

pub(super) async fn pull(name: &str, asking: &mut Asking, form: Form, streams: &mut Streams<'_>) -> Result<End, Stop> {
    if let Err(trouble) = asking.able(Capability::Pull).await? {
        return not_done(&trouble, asking, form, streams);
    }
    asking.tell_notices(streams)?;
    asking.send(Op::Server(ServerOp::Pull { name: name.to_owned() }));
    let mut progress = Progress::new(name);
    let last = follow(asking, &mut progress, streams).await;
    progress.line.clear(streams)?;
    let total = bytes(progress.total);
    let (state, words, end) = match last? {
        PullState::Done if progress.total == 0 => ("done", format!("{name} is here"), End::Answered),
        PullState::Done => ("done", format!("{name} is here, {total}"), End::Answered),
        PullState::Failed { trouble } => return not_done(&trouble, asking, form, streams),
        PullState::Stopped | PullState::Progress { .. } => {
            let words = format!("stopped; what has arrived stays, and `agent models pull {name}` goes on from there");
            ("stopped", words, End::Interrupted)
        }
    };
    match form {
        Form::Text if end == End::Answered => {
            writeln!(streams.out, "{}", clean_line(&words))?;
            streams.out.flush()?;
        }
        Form::Text => progress_line(streams, &words)?,
        Form::Json => {
            let told = json!({"model": name, "state": state, "done": progress.done, "total": progress.total});
            object(streams, told, end)?;
        }
    }
    Ok(end)
}

/// Shows how far it is, until it is over. Interrupted once, it is stopped; what is here stays.
async fn follow(asking: &mut Asking, progress: &mut Progress, streams: &mut Streams<'_>) -> Result<PullState, Stop> {
    let mut stopping = false;
    loop {
        match asking.next().await {
            Ok(Event::Server(ServerEvent::Pulling { state: PullState::Progress { status, done, total }, .. })) => {
                progress.tell(&status, done, total, streams)?;
            }
            Ok(Event::Server(ServerEvent::Pulling { state, .. })) => return Ok(state),
            Ok(_) => {}
            Err(Stop::Signal(End::Interrupted)) if !stopping => {
                stopping = true;
                asking.send(Op::Server(ServerOp::StopPull));
            }
            Err(stop) => return Err(stop),
        }
    }
}

struct Progress {
    name: String,
    line: Redrawn,
    /// What was told last, without a terminal.
    told: Option<u64>,
    done: u64,
    total: u64,
}

impl Progress {
    fn new(name: &str) -> Self {
        Progress { name: cut(&clean_line(name), NAME), line: Redrawn::default(), told: None, done: 0, total: 0 }
    }

    fn tell(&mut self, status: &str, done: u64, total: u64, streams: &mut Streams<'_>) -> io::Result<()> {
        (self.done, self.total) = (done, total);
        let percent = (u128::from(done.min(total)) * 100).checked_div(u128::from(total));
        let percent = percent.and_then(|percent| u64::try_from(percent).ok());
        let far = match percent {
            Some(percent) => format!("{}: {percent} % · {} of {}", self.name, bytes(done), bytes(total)),
            None => format!("{}: {}", self.name, clean_line(status)),
        };
        if streams.progress_is_terminal {
            // The server names each layer by its digest while it comes; what follows is worth a word.
            let more = percent.is_some() && !status.starts_with("pulling");
            let line = if more { format!("{far} · {}", clean_line(status)) } else { far };
            return self.line.draw(streams, &cut(&line, LINE));
        }
        let step = percent.map(|percent| percent / EVERY * EVERY);
        if step.is_some() && (self.told.is_none() || step > self.told) {
            self.told = step;
            progress_line(streams, &far)?;
        }
        Ok(())
    }
}

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
