//! Says the prompt, answers questions, and waits for the end of the turn, as long as its time allows.

use crate::advice::only_one;
use crate::answering::{Front, Reach, word};
use crate::end::Signals;
use crate::streams::{Printer, progress, progress_line};
use crate::tally::Tally;
use crate::{End, Format, Prompt, Streams, json, text};
use agent_protocol::{
    Answer, CallEvent, CallOp, Event, ModelsReason, Op, OwnCommand, PreviewBody, Question, ServerError, ServerEvent,
    ServerOp, ServerState, SessionEvent, Subject, TurnEndReason, TurnEvent, TurnOp,
};
use std::io;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::time::{Instant, sleep_until, timeout};

/// So long the last words of a session are waited for when it is over.
const PATIENCE: Duration = Duration::from_secs(9);

/// What this front end is given by the binary.
#[derive(Debug, Clone)]
pub struct Settings {
    pub prompt: Prompt,
    pub format: Format,
    pub start: Start,
    /// How long it may take from then on; none: as long as it takes.
    pub time: Option<Duration>,
    /// Slash commands of the user's own, and of the project: a prompt that calls one says what stands in it.
    pub commands: Vec<OwnCommand>,
}

/// When the prompt is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    AtOnce,
    /// When the session to go on with is open, for it is said to no other.
    OnceRestored,
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
    let Prompt { text, input } = settings.prompt;
    let mut prompt = Some(Op::Turn(OwnCommand::or_words(&settings.commands, text, input, Vec::new())));
    let mut time = TimeLimit::new(settings.time);
    if settings.start == Start::AtOnce {
        say(&ops, &mut prompt);
        time.begin();
    }
    let ended = match listen(&ops, &mut events, (prompt, time), printer.as_mut(), streams).await {
        Ok(end) => {
            drop(ops);
            last_words(&mut events, printer.as_mut(), streams)
                .await
                .and_then(|()| printer.end(end, streams))
                .map(|()| end)
        }
        Err(error) => Err(error),
    };
    match ended {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(End::PipeClosed),
        other => other,
    }
}

/// Whether the session was written down is known when all of it is.
async fn last_words(
    events: &mut UnboundedReceiver<Event>,
    printer: &mut dyn Printer,
    streams: &mut Streams<'_>,
) -> io::Result<()> {
    while let Ok(Some(event)) = timeout(PATIENCE, events.recv()).await {
        if matches!(event, Event::Session(SessionEvent::Journal { .. })) {
            printer.event(&event, streams)?;
        }
    }
    Ok(())
}

async fn listen(
    ops: &UnboundedSender<Op>,
    events: &mut UnboundedReceiver<Event>,
    (mut prompt, mut time): (Option<Op>, TimeLimit),
    printer: &mut dyn Printer,
    streams: &mut Streams<'_>,
) -> io::Result<End> {
    let mut signals = Signals::listen()?;
    let mut reach = Reach::default();
    let mut tally = Tally::default();
    let mut interruptible = false;
    loop {
        let event = tokio::select! {
            event = events.recv() => event,
            end = signals.next() => {
                // A turn is interrupted once and then says how it ended; nothing else is worth waiting for.
                if end != End::Interrupted || !std::mem::take(&mut interruptible) {
                    return Ok(end);
                }
                send(ops, Op::Turn(TurnOp::Interrupt));
                continue;
            }
            passed = time.passes() => {
                if passed == Passed::Nearly {
                    send(ops, Op::Turn(TurnOp::TimeShort));
                    continue;
                }
                // A turn that was told so says how it ended; without one, or where it does not, nothing is waited for.
                if !std::mem::take(&mut interruptible) {
                    progress_line(streams, "stopped: the time is up")?;
                    return Ok(End::TimeLimit);
                }
                send(ops, Op::Turn(TurnOp::TimeUp));
                time.leave_time_to_end();
                continue;
            }
        };
        let Some(event) = event else { return Ok(End::Failed) };
        if let Some((name, words)) = only_model(&event) {
            printer.answered(&event, streams)?;
            progress_line(streams, &words)?;
            send(ops, Op::Server(ServerOp::SetModel { name: name.to_owned() }));
            continue;
        }
        printer.event(&event, streams)?;
        tally.take(&event);
        match &event {
            Event::Session(SessionEvent::Opened { sandbox, mode, .. }) => {
                reach = Reach { sandbox: sandbox.kind, mode: *mode, front: Front::Prompt };
            }
            Event::Session(SessionEvent::Restored { .. }) => {
                say(ops, &mut prompt);
                time.begin();
            }
            Event::Turn(TurnEvent::Started { .. }) => interruptible = true,
            Event::Call(CallEvent::Asked { question }) => refuse(ops, question, &reach, streams)?,
            _ => {}
        }
        // What was to be said is given back where no turn is under way: it was refused.
        let given_back = matches!(&event, Event::Turn(TurnEvent::Unqueued { text }) if !text.is_empty());
        if let Some(end) = end_of(&event).or((given_back && !interruptible).then_some(End::Failed)) {
            return Ok(End::first_of([end].into_iter().chain(tally.ends())));
        }
    }
}

/// The model that is meant where none is chosen, and what is said of that.
fn only_model(event: &Event) -> Option<(&str, String)> {
    match event {
        Event::Server(ServerEvent::Models { models, reason: ModelsReason::NoneChosen }) => only_one(models),
        _ => None,
    }
}

fn say(ops: &UnboundedSender<Op>, prompt: &mut Option<Op>) {
    if let Some(op) = prompt.take() {
        send(ops, op);
    }
}

/// The loop may be gone already; then its last event has ended us.
fn send(ops: &UnboundedSender<Op>, op: Op) {
    drop(ops.send(op));
}

fn refuse(ops: &UnboundedSender<Op>, question: &Question, reach: &Reach, streams: &mut Streams<'_>) -> io::Result<()> {
    let word = word(question, reach);
    let said = match (&word, &question.subject) {
        (Some(word), _) => Some(format!("refused: {} — {word}", question.preview.title)),
        (None, Subject::Steps { steps: 1 }) => Some("stopped: the model has taken 1 step".to_owned()),
        (None, Subject::Steps { steps }) => Some(format!("stopped: the model has taken {steps} steps")),
        // The end of the turn, which follows, says it with a way out.
        (None, Subject::Stuck { .. }) => None,
        (None, Subject::Shorten { .. }) => {
            Some("not compacted by rule: that loses detail, and nobody is here to agree to it".to_owned())
        }
        (None, Subject::Reach { host, .. }) => Some(format!("not reached: {host}")),
        (None, Subject::Again { .. }) => None,
        (None, Subject::Action { .. } | Subject::Repeat { .. }) => Some(format!("stopped: {}", question.why)),
        (None, Subject::Folder { .. } | Subject::Trust { .. } | Subject::Cloud { .. }) => {
            Some(format!("stopped: {}", question.why))
        }
    };
    asked(question, streams)?;
    if let Some(said) = said {
        progress_line(streams, &said)?;
    }
    send(ops, Op::Call(CallOp::Reply { ask: question.id, answer: Answer::No { word } }));
    Ok(())
}

/// What the model wanted to be read, before nobody reads it: its plan, or its question.
fn asked(question: &Question, streams: &mut Streams<'_>) -> io::Result<()> {
    match &question.preview.body {
        PreviewBody::Plan { text } => progress(streams, text.trim()),
        PreviewBody::Choices { question, choices } => {
            progress(streams, question.trim())?;
            let mut choices = (1..).zip(choices);
            choices.try_for_each(|(number, choice)| progress_line(streams, &format!("  {number}  {}", choice.trim())))
        }
        PreviewBody::Plain
        | PreviewBody::Diff { .. }
        | PreviewBody::Command { .. }
        | PreviewBody::Fetch { .. }
        | PreviewBody::Call { .. }
        | PreviewBody::Task { .. } => Ok(()),
    }
}

fn end_of(event: &Event) -> Option<End> {
    match event {
        Event::Turn(TurnEvent::Ended { reason, .. }) => Some(match reason {
            TurnEndReason::Done => End::Answered,
            TurnEndReason::Interrupted | TurnEndReason::Lost => End::Interrupted,
            TurnEndReason::StepLimit => End::StepLimit,
            TurnEndReason::TimeLimit => End::TimeLimit,
            TurnEndReason::Repeating | TurnEndReason::Stuck { .. } => End::Repeating,
            TurnEndReason::Broken { trouble: ServerError::Unreachable { .. } } => End::NoServer,
            TurnEndReason::Broken { trouble: ServerError::ModelMissing { .. } } => End::NoModel,
            TurnEndReason::Broken { .. }
            | TurnEndReason::Length
            | TurnEndReason::Full
            | TurnEndReason::TooSmall { .. } => End::Broken,
        }),
        Event::Server(ServerEvent::Server { state: ServerState::Down { .. } }) => Some(End::NoServer),
        Event::Server(ServerEvent::Models { .. }) => Some(End::NoModel),
        Event::Session(SessionEvent::NotRestored { .. }) => Some(End::NotRestored),
        Event::Session(SessionEvent::Closed) => Some(End::Failed),
        _ => None,
    }
}

/// So long a turn that was told to end is waited for.
const ENDING: Duration = Duration::from_secs(15);

/// The share of the time after which the model is told that little is left.
const NEARLY: f64 = 0.9;

/// How long a run may take, and since when.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TimeLimit {
    time: Option<Duration>,
    until: Option<Instant>,
    /// When most of it is over; none: that was said.
    nearly: Option<Instant>,
}

/// How far the time has gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Passed {
    /// Most of it is over. Comes once.
    Nearly,
    All,
}

impl TimeLimit {
    /// Not begun yet; none: it is never over.
    pub(crate) fn new(time: Option<Duration>) -> Self {
        TimeLimit { time, until: None, nearly: None }
    }

    /// It counts from now on.
    pub(crate) fn begin(&mut self) {
        // A time that no clock reaches is none.
        self.until = self.time.and_then(|time| Instant::now().checked_add(time));
        self.nearly = self.time.and_then(|time| Instant::now().checked_add(time.mul_f64(NEARLY)));
    }

    /// Comes back when most of it is over, and when all is.
    pub(crate) async fn passes(&mut self) -> Passed {
        let Some(until) = self.until else { return std::future::pending().await };
        if let Some(nearly) = self.nearly.filter(|nearly| *nearly < until) {
            sleep_until(nearly).await;
            self.nearly = None;
            return Passed::Nearly;
        }
        sleep_until(until).await;
        Passed::All
    }

    /// What is under way was told to end, and gets a while for that.
    pub(crate) fn leave_time_to_end(&mut self) {
        self.until = Some(Instant::now() + ENDING);
        self.nearly = None;
    }
}
