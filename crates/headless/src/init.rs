//! `agent init`: an `AGENTS.md` from what can be told of the project without a model. All of it is shown before it is written.

use crate::end::Signals;
use crate::mcp::question_words;
use crate::models::Consent;
use crate::sessions::agreed;
use crate::streams::progress_line;
use crate::{End, Streams};
use agent_protocol::sanitize::clean_line;
use agent_protocol::{
    Answer, CallEvent, CallOp, Event, Op, Outcome, Question, SessionEvent, Status, Subject, TurnEvent,
};
use serde_json::json;
use std::io;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

/// The tool that writes it; no model knows of it.
const TOOL: &str = "agents_file";

/// Writes it, if whoever is asked agrees to all that it would say, and says how it ended.
///
/// # Errors
/// When signals cannot be heard, or the output cannot be written.
pub async fn init(
    ops: UnboundedSender<Op>,
    mut events: UnboundedReceiver<Event>,
    consent: Consent,
    streams: &mut Streams<'_>,
) -> io::Result<End> {
    let mut signals = Signals::listen()?;
    let (mut consent, mut outcome) = (Some(consent), None);
    loop {
        let event = tokio::select! {
            event = events.recv() => event,
            end = signals.next() => return Ok(end),
        };
        match event {
            // The loop may be gone already; then the next thing heard is that.
            Some(Event::Session(SessionEvent::Opened { .. })) => {
                drop(ops.send(Op::Call(CallOp::Call { name: TOOL.to_owned(), arguments: json!({}) })));
            }
            Some(Event::Session(SessionEvent::Notice { text, .. })) => progress_line(streams, &text)?,
            Some(Event::Call(CallEvent::Asked { question })) => {
                let answer = answer(&question, &mut consent, streams)?;
                drop(ops.send(Op::Call(CallOp::Reply { ask: question.id, answer })));
            }
            Some(Event::Call(CallEvent::Finished { outcome: came, .. })) => outcome = Some(came),
            Some(Event::Turn(TurnEvent::Ended { .. })) => return print_outcome(outcome.as_ref(), streams),
            None | Some(Event::Session(SessionEvent::Closed)) => return Ok(End::Failed),
            Some(_) => {}
        }
    }
}

/// What is asked about the file is put to whoever is there, once; anything else is nothing that belongs to this.
fn answer(question: &Question, consent: &mut Option<Consent>, streams: &mut Streams<'_>) -> io::Result<Answer> {
    let Some(consent) = consent.take().filter(|_| matches!(question.subject, Subject::Action { .. })) else {
        return Ok(Answer::No { word: None });
    };
    streams.out.write_all(format!("{}\n", question_words(question)).as_bytes())?;
    streams.out.flush()?;
    Ok(match agreed(consent, "Write this?", streams)? {
        true => Answer::Yes { remember: None, word: None },
        false => Answer::No { word: None },
    })
}

fn print_outcome(outcome: Option<&Outcome>, streams: &mut Streams<'_>) -> io::Result<End> {
    let Some(outcome) = outcome else { return Ok(End::Failed) };
    let first = outcome.told.lines().next().unwrap_or_default();
    let first = clean_line(first.strip_prefix("error: ").unwrap_or(first)).into_owned();
    match outcome.status {
        Status::Done => {
            progress_line(streams, &first)?;
            Ok(End::Answered)
        }
        Status::Refused => {
            progress_line(streams, "nothing was written")?;
            Ok(End::Failed)
        }
        Status::Exited { .. } | Status::Failed { .. } | Status::Stopped | Status::Unknown => {
            progress_line(streams, &first)?;
            Ok(End::Failed)
        }
    }
}
