//! A download: how far it is, and how it goes on when it was stopped.

use super::not_done;
use crate::asking::{Asking, Stop, object};
use crate::columns::cut;
use crate::streams::{Redrawn, progress_line};
use crate::{End, Form, Streams};
use agent_protocol::sanitize::clean_line;
use agent_protocol::sanitize::figures::bytes;
use agent_protocol::{Capability, Event, Op, PullState, ServerEvent, ServerOp};
use serde_json::json;
use std::io;

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
    let mut progress = Progress::of(name);
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
    fn of(name: &str) -> Self {
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
