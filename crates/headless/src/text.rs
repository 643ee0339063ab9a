//! The answer as text, progress in words.

use crate::run::{End, Printer, Streams, no_model};
use agent_clean::clean_text;
use agent_protocol::{
    CallId, Event, Origin, Outcome, Phase, ServerState, SetAside, Status, Stuck, Trouble, TurnEndReason, Way,
};
use std::borrow::Cow;
use std::collections::HashMap;
use std::io;

/// Collects the text of the reply that is arriving: it is the answer if no call follows.
#[derive(Debug, Default)]
pub(crate) struct Text {
    reply: String,
    begins: Begins,
    calls: HashMap<CallId, Call>,
}

/// Where the next text belongs.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) enum Begins {
    /// To the reply at hand.
    #[default]
    Nothing,
    /// To a new one: what was said before it is not the answer. If nothing comes, it is.
    Reply,
}

/// A call that has not ended.
#[derive(Debug, Default)]
struct Call {
    title: String,
    /// `from text: hermes, 2 repairs`; empty for one that the server sent.
    came: String,
}

impl Printer for Text {
    fn event(&mut self, event: &Event, streams: &mut Streams<'_>) -> io::Result<()> {
        match event {
            Event::Waiting { phase: Phase::Sending } => self.begins = Begins::Reply,
            Event::Text { text } => {
                if std::mem::take(&mut self.begins) == Begins::Reply {
                    self.no_answer(streams)?;
                }
                self.reply.push_str(text);
            }
            Event::Proposed { call } => {
                self.no_answer(streams)?;
                self.calls.insert(call.id, Call { title: call.name().to_owned(), came: came(&call.origin) });
            }
            Event::Understood { call, name, notes } => {
                self.title(*call, name);
                notes.iter().try_for_each(|note| progress(streams, &format!("changed: {note}")))?;
            }
            Event::SetAside { text, why } => set_aside(text, *why, streams)?,
            Event::Asked { question } => {
                if let Some(call) = question.call {
                    self.title(call, &question.preview.title);
                }
            }
            Event::Running { call, preview } => self.title(*call, &preview.title),
            Event::Finished { call, outcome } => {
                let call = self.calls.remove(call).unwrap_or_default();
                progress(streams, &finished(&call, outcome))?;
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
    /// What was said so far was not the answer.
    fn no_answer(&mut self, streams: &mut Streams<'_>) -> io::Result<()> {
        let said = std::mem::take(&mut self.reply);
        if said.trim().is_empty() { Ok(()) } else { progress(streams, said.trim()) }
    }

    fn title(&mut self, call: CallId, title: &str) {
        self.calls.entry(call).or_default().title = title.to_owned();
    }

    fn turn_ended(&mut self, reason: &TurnEndReason, streams: &mut Streams<'_>) -> io::Result<()> {
        let answer = std::mem::take(&mut self.reply);
        if !answer.is_empty() {
            let answer = honest(&answer, streams.out_is_terminal);
            writeln!(streams.out, "{}", answer.trim_end())?;
        }
        match reason {
            TurnEndReason::Broken { trouble } => progress(streams, &format!("{trouble}; {}", advice(trouble))),
            TurnEndReason::Length => progress(streams, "the answer was cut: the window or the length limit is full"),
            TurnEndReason::Stuck { how } => {
                progress(streams, &format!("stopped: the model {}; {}", how.words(), way_out(*how)))
            }
            TurnEndReason::Done | TurnEndReason::Interrupted | TurnEndReason::StepLimit | TurnEndReason::Repeating => {
                Ok(())
            }
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

/// The same for a model that is stuck.
fn way_out(how: Stuck) -> &'static str {
    match how {
        Stuck::Alternating | Stuck::Silent | Stuck::Announcing => "say more closely what to do",
        Stuck::Babbling | Stuck::Unreadable => "name another with --model",
    }
}

/// By which way a call came that the server did not send; a call it sent may still have been mended.
fn came(origin: &Origin) -> String {
    let way = match (origin.way, &origin.dialect) {
        (Way::Server, _) => None,
        (way, Some(dialect)) => Some(format!("{}: {dialect}", way.words())),
        (way, None) => Some(way.words().to_owned()),
    };
    let repairs = match origin.repairs.len() {
        0 => None,
        1 => Some("1 repair".to_owned()),
        many => Some(format!("{many} repairs")),
    };
    way.into_iter().chain(repairs).collect::<Vec<_>>().join(", ")
}

/// What the model wrote and nobody gets to see here is told by its length. A blank after a call is no news.
fn set_aside(text: &str, why: SetAside, streams: &mut Streams<'_>) -> io::Result<()> {
    match why {
        SetAside::Invented | SetAside::AfterCall | SetAside::Beside if text.trim().is_empty() => Ok(()),
        SetAside::Invented | SetAside::AfterCall | SetAside::Beside | SetAside::CutOff | SetAside::Unreadable => {
            progress(streams, &why.told(text))
        }
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

fn finished(call: &Call, outcome: &Outcome) -> String {
    let Call { title, came } = call;
    let sign = match outcome.status {
        Status::Done => "✓",
        Status::Exited { .. } | Status::Failed { .. } => "✗",
        Status::Refused | Status::Stopped => "–",
    };
    let state = match outcome.status {
        Status::Refused => "refused",
        Status::Done | Status::Exited { .. } | Status::Failed { .. } | Status::Stopped => &outcome.summary,
    };
    let line = if state.is_empty() { format!("{sign} {title}") } else { format!("{sign} {title} · {state}") };
    if came.is_empty() { line } else { format!("{line} ({came})") }
}
