//! What is written down of a session, and when it must be on disk.
//!
//! Nothing is written down before somebody says something, so that a session in which nothing happened leaves no trace.
//! Text that streams in is joined into pieces; of a large file a preview keeps the changed part.

mod trimmed;

use crate::records::said::Lies;
use crate::{Effect, SessionEffect};
use agent_protocol::{
    CallEvent, CallId, ContextEvent, Event, JournalState, PreviewBody, Record, ServerEvent, SessionEvent, Setting,
    TurnEvent,
};
use std::collections::HashSet;

/// Bytes of streamed text after which a piece is written down, so that little is lost with a killed program.
const PIECE: usize = 1_024;

/// What is to be written down.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    /// Something was said: from then on all that happens is written down.
    awake: bool,
    /// All of it stands in the journal, as far as is known.
    written: bool,
    /// What holds whatever session it is: the model and the mode.
    standing: Vec<Event>,
    /// Text that streams in, and the task for which an agent writes it.
    piece: Option<(Option<CallId>, Event)>,
    /// Calls that are written down as they begin and end, for they may change something.
    acting: HashSet<CallId>,
    batch: Vec<Record>,
    sync: bool,
}

impl Recorder {
    pub(crate) fn is_awake(&self) -> bool {
        self.awake
    }

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
        match event {
            Event::Turn(TurnEvent::Text { text }) | Event::Turn(TurnEvent::Thinking { text }) => {
                self.stream(task, event, text)
            }
            event => {
                if let Some((event, sync)) = self.kept(event) {
                    self.end_piece();
                    self.batch.push(Record::Event { event: of_task(task, event) });
                    self.sync |= sync;
                }
            }
        }
    }

    fn note_standing(&mut self, event: &Event) {
        if matches!(event, Event::Server(ServerEvent::ModelSet { .. }) | Event::Call(CallEvent::ModeChanged { .. })) {
            self.standing.retain(|earlier| std::mem::discriminant(earlier) != std::mem::discriminant(event));
            self.standing.push(event.clone());
        }
    }

    fn stream(&mut self, task: Option<CallId>, event: &Event, text: &str) {
        let same = self.piece.as_mut().filter(|(known, _)| *known == task);
        let piece = match (same.map(|(_, piece)| piece), event) {
            (Some(Event::Turn(TurnEvent::Text { text: piece })), Event::Turn(TurnEvent::Text { .. }))
            | (Some(Event::Turn(TurnEvent::Thinking { text: piece })), Event::Turn(TurnEvent::Thinking { .. })) => {
                piece
            }
            _ => {
                self.end_piece();
                self.piece = Some((task, event.clone()));
                return;
            }
        };
        piece.push_str(text);
        if piece.len() >= PIECE {
            self.end_whole_words(task, event);
        }
    }

    /// Writes a piece down but for its last word, which may go on: nothing in it is recognised in two halves.
    fn end_whole_words(&mut self, task: Option<CallId>, kind: &Event) {
        let Some((_, Event::Turn(TurnEvent::Text { text: piece }) | Event::Turn(TurnEvent::Thinking { text: piece }))) =
            &mut self.piece
        else {
            return;
        };
        let Some(end) = piece.rfind(char::is_whitespace).filter(|end| *end > 0) else { return };
        let rest = piece.split_off(end);
        self.end_piece();
        let rest = match kind {
            Event::Turn(TurnEvent::Thinking { .. }) => Event::Turn(TurnEvent::Thinking { text: rest }),
            _ => Event::Turn(TurnEvent::Text { text: rest }),
        };
        self.piece = Some((task, rest));
    }

    fn end_piece(&mut self) {
        self.batch.extend(self.piece.take().map(|(task, event)| Record::Event { event: of_task(task, event) }));
    }

    /// The event as it is written down, and whether it must be on disk before anything else happens; `None` for what is
    /// gone when it is over.
    fn kept(&mut self, event: &Event) -> Option<(Event, bool)> {
        let mut event = event.clone();
        let sync = match &mut event {
            Event::Turn(TurnEvent::Started { .. })
            | Event::Turn(TurnEvent::Steered { .. })
            | Event::Turn(TurnEvent::Ended { .. }) => true,
            Event::Call(CallEvent::Settled { .. }) | Event::Context(ContextEvent::Fitted { .. }) => true,
            Event::Session(SessionEvent::Undone { .. })
            | Event::Session(SessionEvent::Rewound { .. })
            | Event::Session(SessionEvent::Renamed { .. }) => true,
            Event::Call(CallEvent::Asked { question }) => {
                trimmed::preview(&mut question.preview);
                trimmed::subject(&mut question.subject);
                true
            }
            Event::Call(CallEvent::Running { call, preview }) => {
                let acts = !matches!(preview.body, PreviewBody::Plain);
                if acts {
                    self.acting.insert(*call);
                }
                trimmed::preview(preview);
                acts
            }
            Event::Call(CallEvent::Finished { call, outcome }) => {
                // Where a model is shown one, it stands in the conversation.
                outcome.images.clear();
                self.acting.remove(call)
            }
            Event::Call(CallEvent::Proposed { call }) => {
                trimmed::call(call);
                false
            }
            Event::Turn(TurnEvent::Replied { .. })
            | Event::Turn(TurnEvent::SetAside { .. })
            | Event::Call(CallEvent::Understood { .. })
            | Event::Turn(TurnEvent::Receipt { .. })
            | Event::Server(ServerEvent::ModelSet { .. })
            | Event::Call(CallEvent::ModeChanged { .. })
            | Event::Turn(TurnEvent::Todos { .. })
            | Event::Server(ServerEvent::ThinkSet { .. })
            | Event::Server(ServerEvent::Probed { .. })
            | Event::Server(ServerEvent::Diagnosed { .. })
            | Event::Session(SessionEvent::Notice { .. }) => false,
            _ => return None,
        };
        Some((event, sync))
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
