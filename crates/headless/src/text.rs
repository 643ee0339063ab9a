//! The answer as text, progress in words.

use crate::run::{End, Printer, Streams, no_model};
use agent_clean::clean_text;
use agent_protocol::{CallId, Event, Outcome, ServerState, Status, Trouble, TurnEndReason};
use std::borrow::Cow;
use std::collections::HashMap;
use std::io;

/// Collects the text of the reply that is arriving: it is the answer if no call follows.
#[derive(Debug, Default)]
pub(crate) struct Text {
    reply: String,
    titles: HashMap<CallId, String>,
}

impl Printer for Text {
    fn event(&mut self, event: &Event, streams: &mut Streams<'_>) -> io::Result<()> {
        match event {
            Event::Text { text } => self.reply.push_str(text),
            Event::Proposed { call } => {
                let said = std::mem::take(&mut self.reply);
                if !said.trim().is_empty() {
                    progress(streams, said.trim())?;
                }
                self.titles.insert(call.id, call.name().to_owned());
            }
            Event::Asked { question } => {
                if let Some(call) = question.call {
                    self.titles.insert(call, question.preview.title.clone());
                }
            }
            Event::Running { call, preview } => {
                self.titles.insert(*call, preview.title.clone());
            }
            Event::Finished { call, outcome } => {
                let title = self.titles.remove(call).unwrap_or_default();
                progress(streams, &finished(&title, outcome))?;
            }
            Event::Notice { text, .. } => progress(streams, text)?,
            Event::Server { state: ServerState::Down { trouble, .. } } => {
                progress(streams, &format!("{trouble}; {}", advice(trouble)))?;
            }
            Event::Models { models, reason } => progress(streams, &no_model(models, reason))?,
            Event::TurnEnded { reason, .. } => self.turn_ended(reason, streams)?,
            _ => {}
        }
        Ok(())
    }

    fn end(&mut self, _end: End, streams: &mut Streams<'_>) -> io::Result<()> {
        streams.out.flush()
    }
}

impl Text {
    fn turn_ended(&mut self, reason: &TurnEndReason, streams: &mut Streams<'_>) -> io::Result<()> {
        let answer = std::mem::take(&mut self.reply);
        if !answer.is_empty() {
            let answer = honest(&answer, streams.out_is_terminal);
            writeln!(streams.out, "{}", answer.trim_end())?;
        }
        match reason {
            TurnEndReason::Broken { trouble } => progress(streams, &format!("{trouble}; {}", advice(trouble))),
            TurnEndReason::Length => progress(streams, "the answer was cut: the window or the length limit is full"),
            TurnEndReason::Done
            | TurnEndReason::Interrupted
            | TurnEndReason::StepLimit
            | TurnEndReason::Repeating
            | TurnEndReason::Stuck { .. } => Ok(()),
        }
    }
}

/// What a script can do about it: there are no commands to type here.
fn advice(trouble: &Trouble) -> &'static str {
    match trouble {
        Trouble::ModelMissing { .. } | Trouble::NoTools { .. } => "name another with --model",
        Trouble::TooLong { .. } => "ask for less, or start with a larger --num-ctx",
        Trouble::Unreachable { .. }
        | Trouble::Garbage { .. }
        | Trouble::LineTooLong { .. }
        | Trouble::PullFailed { .. } => trouble.advice(),
        Trouble::Refused { .. } => "see the server's log",
        Trouble::Busy { .. }
        | Trouble::MidReply { .. }
        | Trouble::BadCall { .. }
        | Trouble::Cut { .. }
        | Trouble::NotDone => "run it again",
    }
}

/// One line of progress.
pub(crate) fn progress(streams: &mut Streams<'_>, line: &str) -> io::Result<()> {
    let line = honest(line, streams.progress_is_terminal);
    writeln!(streams.progress, "{line}")
}

/// What may be sent to a terminal; a file or pipe gets the text as it is.
pub(crate) fn honest(text: &str, terminal: bool) -> Cow<'_, str> {
    if terminal { clean_text(text) } else { Cow::Borrowed(text) }
}

fn finished(title: &str, outcome: &Outcome) -> String {
    let sign = match outcome.status {
        Status::Done => "✓",
        Status::Exited { .. } | Status::Failed { .. } => "✗",
        Status::Refused | Status::Stopped => "–",
    };
    let state = match outcome.status {
        Status::Refused => "refused",
        Status::Done | Status::Exited { .. } | Status::Failed { .. } | Status::Stopped => &outcome.summary,
    };
    if state.is_empty() { format!("{sign} {title}") } else { format!("{sign} {title} · {state}") }
}
