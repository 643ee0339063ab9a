//! Says the prompt, answers questions, and waits for the end of the turn.

use crate::answering::word;
use crate::signals::Signals;
use crate::{Format, json, text};
use agent_protocol::{
    Answer, Event, ModelCard, ModelsReason, Op, Question, ServerState, Subject, Trouble, TurnEndReason,
};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};

/// What this face is told by the door.
#[derive(Debug, Clone)]
pub struct Settings {
    /// What to say.
    pub prompt: String,
    /// How to print.
    pub format: Format,
}

/// Where it prints, and how careful it must be there.
pub struct Streams<'a> {
    /// For the answer.
    pub out: &'a mut dyn Write,
    /// For what happens on the way.
    pub progress: &'a mut dyn Write,
    /// `out` is a terminal: nothing may reach it that a terminal would obey.
    pub out_is_terminal: bool,
    /// The same for `progress`.
    pub progress_is_terminal: bool,
}

/// How it ended; each has an exit code of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The model finished: 0.
    Answered,
    /// The session ended unexpectedly: 1.
    Failed,
    /// No server: 3.
    NoServer,
    /// No model, or not installed: 4.
    NoModel,
    /// The reply broke off or did not fit: 5.
    Broken,
    /// The step limit was reached: 6.
    StepLimit,
    /// The model went in circles: 7.
    Repeating,
    /// Interrupted: 130.
    Interrupted,
    /// Ended by this signal: 128 and its number.
    Signalled(u8),
    /// Nobody reads our output any more: 141.
    PipeClosed,
}

impl End {
    /// The process's exit code.
    pub fn code(self) -> u8 {
        match self {
            End::Answered => 0,
            End::Failed => 1,
            End::NoServer => 3,
            End::NoModel => 4,
            End::Broken => 5,
            End::StepLimit => 6,
            End::Repeating => 7,
            End::Interrupted => 130,
            End::Signalled(signal) => 128 + signal,
            End::PipeClosed => 141,
        }
    }
}

/// What each format does with the events.
pub(crate) trait Printer {
    /// One event happened.
    fn event(&mut self, event: &Event, streams: &mut Streams<'_>) -> io::Result<()>;

    /// It is over.
    fn end(&mut self, end: End, streams: &mut Streams<'_>) -> io::Result<()>;
}

/// Runs one turn and says how it ended.
///
/// # Errors
/// When the output cannot be written for another reason than a closed pipe.
pub async fn run(
    ops: UnboundedSender<Op>,
    mut events: UnboundedReceiver<Event>,
    settings: Settings,
    streams: &mut Streams<'_>,
) -> io::Result<End> {
    let mut printer: Box<dyn Printer> = match settings.format {
        Format::Text => Box::new(text::Text::default()),
        Format::Json => Box::new(json::Summary::default()),
        Format::StreamJson => Box::new(json::Lines),
    };
    send(&ops, Op::Say { text: settings.prompt });
    match listen(&ops, &mut events, printer.as_mut(), streams).await {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(End::PipeClosed),
        other => other,
    }
}

async fn listen(
    ops: &UnboundedSender<Op>,
    events: &mut UnboundedReceiver<Event>,
    printer: &mut dyn Printer,
    streams: &mut Streams<'_>,
) -> io::Result<End> {
    let mut signals = Signals::listen()?;
    let mut project = PathBuf::new();
    let mut interruptible = false;
    loop {
        let event = tokio::select! {
            event = events.recv() => event,
            end = signals.next() => {
                // A turn is interrupted once and then says how it ended; nothing else is worth waiting for.
                if end != End::Interrupted || !std::mem::take(&mut interruptible) {
                    printer.end(end, streams)?;
                    return Ok(end);
                }
                send(ops, Op::Interrupt);
                continue;
            }
        };
        let Some(event) = event else {
            printer.end(End::Failed, streams)?;
            return Ok(End::Failed);
        };
        printer.event(&event, streams)?;
        match &event {
            Event::Opened { project: folder, .. } => project.clone_from(folder),
            Event::TurnStarted { .. } => interruptible = true,
            Event::Asked { question } => refuse(ops, question, &project, streams)?,
            _ => {}
        }
        if let Some(end) = end_of(&event) {
            printer.end(end, streams)?;
            return Ok(end);
        }
    }
}

/// The loop may be gone already; then its last event has ended us.
fn send(ops: &UnboundedSender<Op>, op: Op) {
    drop(ops.send(op));
}

fn refuse(ops: &UnboundedSender<Op>, question: &Question, project: &Path, streams: &mut Streams<'_>) -> io::Result<()> {
    let word = word(question, project);
    let said = match (&word, &question.subject) {
        (Some(word), _) => Some(format!("refused: {} — {word}", question.preview.title)),
        (None, Subject::Steps { steps: 1 }) => Some("stopped: the model has taken 1 step".to_owned()),
        (None, Subject::Steps { steps }) => Some(format!("stopped: the model has taken {steps} steps")),
        // The end of the turn, which follows, says it with a way out.
        (None, Subject::Stuck { .. }) => None,
        (None, Subject::Action { .. } | Subject::Repeat { .. } | Subject::Folder { .. }) => {
            Some(format!("stopped: {}", question.why))
        }
    };
    if let Some(said) = said {
        text::progress(streams, &said)?;
    }
    send(ops, Op::Reply { ask: question.id, answer: Answer::No { word } });
    Ok(())
}

fn end_of(event: &Event) -> Option<End> {
    match event {
        Event::TurnEnded { reason, .. } => Some(match reason {
            TurnEndReason::Done => End::Answered,
            TurnEndReason::Interrupted => End::Interrupted,
            TurnEndReason::StepLimit => End::StepLimit,
            TurnEndReason::Repeating | TurnEndReason::Stuck { .. } => End::Repeating,
            TurnEndReason::Broken { trouble: Trouble::Unreachable { .. } } => End::NoServer,
            TurnEndReason::Broken { trouble: Trouble::ModelMissing { .. } } => End::NoModel,
            TurnEndReason::Broken { .. } | TurnEndReason::Length => End::Broken,
        }),
        Event::Server { state: ServerState::Down { .. } } => Some(End::NoServer),
        Event::Models { .. } => Some(End::NoModel),
        Event::Closed => Some(End::Failed),
        _ => None,
    }
}

/// What to say where no model can be used.
pub(crate) fn no_model(models: &[ModelCard], reason: &ModelsReason) -> String {
    let names: Vec<&str> = models.iter().map(|card| card.name.as_str()).collect();
    let installed = if names.is_empty() {
        "none is installed; `ollama pull` gets one".to_owned()
    } else {
        format!("installed: {}", names.join(", "))
    };
    match reason {
        ModelsReason::Missing { name } => {
            format!("the model {name} is not installed; name another with --model ({installed})")
        }
        ModelsReason::NoneChosen | ModelsReason::Asked => {
            format!("no model is chosen; name one with --model ({installed})")
        }
    }
}
