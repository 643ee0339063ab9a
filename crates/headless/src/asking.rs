//! The loop, asked one thing after the other: for subcommands that are no turn.

use crate::advice::way_to_start;
use crate::end::Signals;
use crate::streams::{json_line, progress_line};
use crate::{End, Form, Streams};
use agent_frontend::{Session, reply};
use agent_protocol::{
    Answer, CallEvent, Capability, Event, LoadedModel, Op, ServerCard, ServerError, ServerEvent, ServerOp, ServerState,
    SessionEvent,
};
use serde_json::{Value, json};
use std::io;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

/// What is known so far.
#[derive(Debug, Default)]
pub(crate) struct Known {
    pub(crate) session: Session,
    /// Things to know, as they were said.
    pub(crate) notices: Vec<String>,
}

/// One end of the channel to the loop.
pub(crate) struct Asking {
    ops: UnboundedSender<Op>,
    events: UnboundedReceiver<Event>,
    signals: Signals,
    pub(crate) known: Known,
}

/// Why a subcommand does not go on.
pub(crate) enum Stop {
    /// The server does not answer.
    Down {
        trouble: ServerError,
        can_start: bool,
    },
    Signal(End),
    Gone,
    Output(io::Error),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Stop::Output(error)
    }
}

impl Asking {
    pub(crate) fn begin(ops: UnboundedSender<Op>, events: UnboundedReceiver<Event>) -> io::Result<Self> {
        Ok(Asking { ops, events, signals: Signals::listen()?, known: Known::default() })
    }

    /// The loop may be gone already; then the next thing heard is that.
    pub(crate) fn send(&self, op: Op) {
        drop(self.ops.send(op));
    }

    /// The next event. Nothing is lost where this is dropped while it waits.
    pub(crate) async fn next(&mut self) -> Result<Event, Stop> {
        let event = tokio::select! {
            event = self.events.recv() => event.ok_or(Stop::Gone)?,
            end = self.signals.next() => return Err(Stop::Signal(end)),
        };
        self.known.session.on_event(&event);
        match &event {
            Event::Server(ServerEvent::Server { state: ServerState::Down { trouble, can_start } }) => {
                return Err(Stop::Down { trouble: trouble.clone(), can_start: *can_start });
            }
            Event::Session(SessionEvent::Notice { text, .. }) => self.known.notices.push(text.clone()),
            Event::Call(CallEvent::Asked { question }) => {
                self.send(reply(question.id, Answer::No { word: None }));
            }
            Event::Session(SessionEvent::Closed) => return Err(Stop::Gone),
            _ => {}
        }
        Ok(event)
    }

    /// Waits for the event that `pick` takes something from.
    pub(crate) async fn until<T>(&mut self, pick: impl Fn(Event) -> Option<T>) -> Result<T, Stop> {
        loop {
            if let Some(found) = pick(self.next().await?) {
                return Ok(found);
            }
        }
    }

    /// Waits until the server answers, and tells what it is.
    pub(crate) async fn up(&mut self) -> Result<ServerCard, Stop> {
        loop {
            match self.known.session.server_card() {
                Some(card) => return Ok(card.clone()),
                None => drop(self.next().await?),
            }
        }
    }

    /// Waits until the server answers. `Err` within: it does not do `what` with its models.
    pub(crate) async fn able(&mut self, what: Capability) -> Result<Result<(), ServerError>, Stop> {
        Ok(if self.up().await?.can(what) { Ok(()) } else { Err(ServerError::Unsupported { what }) })
    }

    /// What the server has in memory; `None` where it does not tell.
    pub(crate) async fn loaded(&mut self) -> Result<Option<Vec<LoadedModel>>, Stop> {
        if self.able(Capability::ListLoaded).await?.is_err() {
            return Ok(None);
        }
        self.send(Op::Server(ServerOp::Loaded));
        let loaded = self.until(|event| match event {
            Event::Server(ServerEvent::Loaded { models, .. }) => Some(models),
            _ => None,
        });
        loaded.await.map(Some)
    }

    /// Says what is to be known, once.
    pub(crate) fn tell_notices(&mut self, streams: &mut Streams<'_>) -> io::Result<()> {
        self.known.notices.drain(..).try_for_each(|text| progress_line(streams, &text))
    }
}

/// What is left to say where a subcommand did not go on.
pub(crate) fn stopped(stop: Stop, form: Form, streams: &mut Streams<'_>) -> io::Result<End> {
    match stop {
        Stop::Down { trouble, can_start } => {
            let words = format!("{trouble}; {}", way_to_start(&trouble, can_start));
            failed(End::NoServer, &words, form, streams)
        }
        Stop::Signal(end) => Ok(end),
        Stop::Gone => failed(End::Failed, "the session ended unexpectedly", form, streams),
        Stop::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(End::PipeClosed),
        Stop::Output(error) => Err(error),
    }
}

/// Says that something did not work, and why.
pub(crate) fn failed(end: End, words: &str, form: Form, streams: &mut Streams<'_>) -> io::Result<End> {
    match form {
        Form::Text => progress_line(streams, words)?,
        Form::Json => object(streams, json!({"error": words}), end)?,
    }
    Ok(end)
}

/// Prints the one object of a subcommand: `told`, and how it ended.
pub(crate) fn object(streams: &mut Streams<'_>, mut told: Value, end: End) -> io::Result<()> {
    told["exit_code"] = end.code().into();
    json_line(streams, &told.to_string())
}
