//! What is written down of a session, and when it must be on disk.
//!
//! Nothing is written down before somebody says something, so that a session in which nothing happened leaves no trace.
//! Text that streams in is joined into pieces; of a large file a preview keeps the changed part.

mod trimmed;

use crate::records::said::Lies;
use crate::{Effect, SessionEffect};
use agent_protocol::{CallEvent, CallId, Event, JournalState, PreviewBody, Record, ServerEvent, Setting, TurnEvent};
use std::collections::HashSet;
use trimmed::{Weight, of_context, of_server, of_session, of_turn};

/// Bytes of streamed text after which a piece is written down, so that little is lost with a killed program.
const PIECE: usize = 1_024;

/// What is to be written down.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    /// Something was said: from then on all that happens is written down.
    pub(crate) awake: bool,
    /// All of it stands in the journal, as far as is known.
    written: bool,
    /// What holds whatever session it is: the model and the mode.
    standing: Vec<Event>,
    piece: Option<Piece>,
    /// Calls that are written down as they begin and end, for they may change something.
    acting: HashSet<CallId>,
    batch: Vec<Record>,
    sync: bool,
}

/// Text that streams in, as far as it is not written down.
#[derive(Debug)]
struct Piece {
    /// The task for which an agent writes it.
    task: Option<CallId>,
    stream: Stream,
    text: String,
}

/// In which of its two streams a model writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stream {
    Answer,
    Thinking,
}

impl Recorder {
    /// How it stands with the journal.
    pub(crate) fn stands(&mut self, state: &JournalState) {
        self.written = matches!(state, JournalState::Kept { .. });
    }

    /// Where a conversation lies that is about to be another.
    pub(crate) fn earlier(&self) -> Lies {
        if self.written { Lies::InJournal } else { Lies::InMemory }
    }

    /// From now on things are written down.
    pub(crate) fn wake(&mut self, setting: Setting) {
        if !std::mem::replace(&mut self.awake, true) {
            self.batch.push(Record::Setting(setting));
            self.batch.extend(self.standing.iter().map(|event| Record::Event { event: event.clone() }));
        }
    }

    /// Another session, or none yet: nothing more is written down of this one.
    pub(crate) fn sleep(&mut self) {
        *self = Recorder { standing: std::mem::take(&mut self.standing), ..Recorder::default() };
    }

    pub(crate) fn add(&mut self, record: Record) {
        self.end_piece();
        self.batch.push(record);
    }

    /// Something is about to happen to files: it is on disk before it does.
    pub(crate) fn intend(&mut self, record: Record) {
        if self.awake {
            self.add(record);
            self.sync = true;
        }
    }

    /// Takes up what the faces hear, as far as it belongs to the session.
    pub(crate) fn note(&mut self, event: &Event) {
        self.note_standing(event);
        if !self.awake {
            return;
        }
        let (task, event) = match event {
            Event::Call(CallEvent::Delegated { call, event }) => (Some(*call), event.as_ref()),
            event => (None, event),
        };
        if let Some((stream, text)) = Stream::from_event(event) {
            return self.stream(task, stream, text);
        }
        if let Some((event, sync)) = self.kept(event) {
            self.end_piece();
            self.batch.push(Record::Event { event: of_task(task, event) });
            self.sync |= sync;
        }
    }

    fn note_standing(&mut self, event: &Event) {
        if matches!(event, Event::Server(ServerEvent::ModelSet { .. }) | Event::Call(CallEvent::ModeChanged { .. })) {
            self.standing.retain(|earlier| std::mem::discriminant(earlier) != std::mem::discriminant(event));
            self.standing.push(event.clone());
        }
    }

    fn stream(&mut self, task: Option<CallId>, stream: Stream, text: &str) {
        match self.piece.as_mut().filter(|piece| piece.task == task && piece.stream == stream) {
            Some(piece) => piece.text.push_str(text),
            None => {
                self.end_piece();
                self.piece = Some(Piece { task, stream, text: text.to_owned() });
                return;
            }
        }
        if self.piece.as_ref().is_some_and(|piece| piece.text.len() >= PIECE) {
            self.end_whole_words();
        }
    }

    /// Writes a piece down but for its last word, which may go on: nothing in it is recognised in two halves.
    fn end_whole_words(&mut self) {
        let Some(piece) = &mut self.piece else { return };
        let Some(end) = piece.text.rfind(char::is_whitespace).filter(|end| *end > 0) else { return };
        let rest = Piece { text: piece.text.split_off(end), ..*piece };
        self.end_piece();
        self.piece = Some(rest);
    }

    fn end_piece(&mut self) {
        let pieces = self.piece.take().into_iter();
        self.batch
            .extend(pieces.map(|piece| Record::Event { event: of_task(piece.task, piece.stream.event(piece.text)) }));
    }

    /// The event as it is written down, and whether it must be on disk before anything else happens; `None` for what is
    /// gone when it is over.
    fn kept(&mut self, event: &Event) -> Option<(Event, bool)> {
        let mut event = event.clone();
        let weight = match &mut event {
            Event::Turn(event) => of_turn(event),
            Event::Call(event) => self.of_call(event),
            Event::Context(event) => of_context(event),
            Event::Server(event) => of_server(event),
            Event::Session(event) => of_session(event),
            Event::List(_) => Weight::Passing,
        };
        match weight {
            Weight::Passing => None,
            Weight::Written => Some((event, false)),
            Weight::Synced => Some((event, true)),
        }
    }

    fn of_call(&mut self, event: &mut CallEvent) -> Weight {
        match event {
            CallEvent::Proposed { call } => {
                trimmed::call(call);
                Weight::Written
            }
            CallEvent::Asked { question } => {
                trimmed::preview(&mut question.preview);
                trimmed::subject(&mut question.subject);
                Weight::Synced
            }
            CallEvent::Running { call, preview } => {
                let acts = !matches!(preview.body, PreviewBody::Plain);
                if acts {
                    self.acting.insert(*call);
                }
                trimmed::preview(preview);
                Weight::synced_if(acts)
            }
            CallEvent::Finished { call, outcome } => {
                // Where a model is shown one, it stands in the conversation.
                outcome.images.clear();
                Weight::synced_if(self.acting.remove(call))
            }
            CallEvent::Settled { .. } => Weight::Synced,
            CallEvent::Understood { .. } | CallEvent::ModeChanged { .. } => Weight::Written,
            // What an agent did was taken out of this before.
            CallEvent::Delegated { .. }
            | CallEvent::Jobs { .. }
            | CallEvent::Output { .. }
            | CallEvent::Tried { .. } => Weight::Passing,
        }
    }

    /// What is to be written down now; `None`: nothing is.
    pub(crate) fn hand_on(&mut self) -> Option<Effect> {
        let sync = std::mem::take(&mut self.sync);
        let any = self.awake && !self.batch.is_empty();
        any.then(|| Effect::Session(SessionEffect::Record { records: std::mem::take(&mut self.batch), sync }))
    }
}

/// The event as it happened for this task, if it is one.
fn of_task(task: Option<CallId>, event: Event) -> Event {
    match task {
        Some(call) => Event::Call(CallEvent::Delegated { call, event: Box::new(event) }),
        None => event,
    }
}

impl Stream {
    /// The stream that the event is a piece of, and the piece.
    fn from_event(event: &Event) -> Option<(Stream, &str)> {
        match event {
            Event::Turn(TurnEvent::Text { text }) => Some((Stream::Answer, text)),
            Event::Turn(TurnEvent::Thinking { text }) => Some((Stream::Thinking, text)),
            Event::Turn(_) | Event::Call(_) | Event::Context(_) => None,
            Event::Server(_) | Event::Session(_) | Event::List(_) => None,
        }
    }

    fn event(self, text: String) -> Event {
        Event::Turn(match self {
            Stream::Answer => TurnEvent::Text { text },
            Stream::Thinking => TurnEvent::Thinking { text },
        })
    }
}
