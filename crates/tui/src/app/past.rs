//! Another session is open: what was open of the old one goes, and what is known of the new one is taken from its past.
//! Nothing in it waits for an answer or takes time any more.

use super::{App, Arrivals, Session, Title};
use crate::dialogs::{Approval, Dialog};
use crate::todos::Todos;
use agent_protocol::{
    CallEvent, ContextEvent, Event, JournalState, NoticeLevel, ServerEvent, SessionCard, SessionEvent, TurnEvent, Usage,
};

impl App {
    pub(super) fn restored(&mut self, card: SessionCard, events: Vec<Event>) {
        self.work = None;
        self.queued.clear();
        self.questions.retain(Approval::stands_alone);
        let is_of_the_server =
            |dialog: &Dialog| matches!(dialog, Dialog::Server(_) | Dialog::Models(_) | Dialog::Pull(_));
        if !self.dialog.as_ref().is_some_and(is_of_the_server) {
            self.close();
        }
        self.begun = true;
        self.todos = Todos::default();
        let lists = events
            .iter()
            .filter_map(|event| if let Event::Turn(TurnEvent::Todos { items }) = event { Some(items) } else { None });
        lists.for_each(|items| self.todos.take(items.clone()));
        self.session.recall(card, events);
    }

    pub(super) fn renamed(&mut self, title: String) {
        let first_words = || self.transcript.said().into_iter().next().map(|(_, words)| words);
        self.session.named(title, first_words);
    }

    /// Is what happens written down? That it is not is said once, and the status line shows it from then on.
    pub(super) fn journal(&mut self, state: JournalState) {
        match state {
            JournalState::Kept { id } => self.session.kept_in(id),
            JournalState::Unkept { why } => {
                if self.session.unkept.is_none() {
                    self.transcript.tell(NoticeLevel::Warning, format!("this session is not saved: {why}"));
                }
                self.session.unkept = Some(why);
            }
        }
    }
}

impl Session {
    /// What is known of it from its past.
    fn recall(&mut self, card: SessionCard, events: Vec<Event>) {
        self.id = Some(card.id.clone());
        self.used = 0;
        self.usage = Usage::default();
        self.last_turn = None;
        self.arrivals = Arrivals::default();
        self.title = Some(Title::FirstWords(card.title.clone()));
        for event in events {
            match event {
                Event::Call(CallEvent::Delegated { event, .. }) => {
                    if let Event::Call(CallEvent::Proposed { call }) = *event {
                        self.arrivals.arrived(&call.origin);
                    }
                }
                Event::Call(CallEvent::ModeChanged { mode }) => self.mode = mode,
                Event::Server(ServerEvent::ModelSet { card, window }) => {
                    (self.model, self.window, self.measured) = (Some(card), window, None)
                }
                Event::Context(ContextEvent::WindowMeasured { window }) => {
                    (self.window, self.measured) = (window.tokens(), Some(window))
                }
                Event::Server(ServerEvent::ThinkSet { think }) => self.think = think,
                Event::Context(ContextEvent::Window { used, of }) => (self.used, self.window) = (used, of),
                Event::Turn(TurnEvent::Replied { usage, .. }) => self.usage = usage,
                Event::Call(CallEvent::Proposed { call }) => self.arrivals.arrived(&call.origin),
                Event::Call(CallEvent::Understood { notes, .. }) if !notes.is_empty() => self.arrivals.changed(),
                Event::Session(SessionEvent::Renamed { title }) => self.named(title, || Some(card.title.clone())),
                _ => {}
            }
        }
    }
}
