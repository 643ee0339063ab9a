//! Another session is open: what was open of the old one goes, and what is known of the new one is taken from its past.
//! Nothing in it waits for an answer or takes time any more.

use super::{App, Arrivals, Session, Title};
use crate::dialogs::Approval;
use crate::todos::Todos;
use agent_protocol::{Event, JournalState, NoticeLevel, SessionCard, Usage};

impl App {
    pub(super) fn restored(&mut self, card: &SessionCard, events: &[Event]) {
        self.work = None;
        self.queued.clear();
        self.questions.retain(Approval::stands_alone);
        if !self.dialog.as_ref().is_some_and(|dialog| dialog.is_of_the_server()) {
            self.close();
        }
        self.begun = true;
        self.todos = Todos::default();
        let lists =
            events.iter().filter_map(|event| if let Event::Todos { items } = event { Some(items) } else { None });
        lists.for_each(|items| self.todos.take(items.clone()));
        self.session.recall(card, events);
    }

    pub(super) fn renamed(&mut self, title: &str) {
        let first_words = || self.transcript.said().into_iter().next().map(|(_, words)| words);
        self.session.named(title.to_owned(), first_words);
    }

    /// Is what happens written down? That it is not is said once, and the status line shows it from then on.
    pub(super) fn journal(&mut self, state: &JournalState) {
        match state {
            JournalState::Kept { id } => self.session.kept_in(id.clone()),
            JournalState::Unkept { why } => {
                if self.session.unkept.is_none() {
                    self.transcript.tell(NoticeLevel::Warning, format!("this session is not saved: {why}"));
                }
                self.session.unkept = Some(why.clone());
            }
        }
    }
}

impl Session {
    /// What is known of it from its past.
    fn recall(&mut self, card: &SessionCard, events: &[Event]) {
        self.id = Some(card.id.clone());
        self.used = 0;
        self.usage = Usage::default();
        self.last_turn = None;
        self.arrivals = Arrivals::default();
        self.title = Some(Title::FirstWords(card.title.clone()));
        for event in events {
            match event {
                Event::ModeChanged { mode } => self.mode = *mode,
                Event::Renamed { title } => self.named(title.clone(), || Some(card.title.clone())),
                event => self.hear(event),
            }
        }
    }

    /// What holds for the session from now on, whether it happens or is recalled.
    pub(super) fn hear(&mut self, event: &Event) {
        match event {
            Event::Delegated { event, .. } => self.hear(event),
            Event::ModelSet { card, window } => {
                (self.model, self.window, self.measured) = (Some(card.clone()), *window, None);
            }
            Event::WindowMeasured { window } => (self.window, self.measured) = (window.tokens(), Some(window.clone())),
            Event::ThinkSet { think } => self.think = *think,
            Event::Window { used, of } => (self.used, self.window) = (*used, *of),
            Event::Replied { usage, .. } => self.usage = *usage,
            Event::Proposed { call } => self.arrivals.arrived(&call.origin),
            Event::Understood { notes, .. } if !notes.is_empty() => self.arrivals.changed(),
            _ => {}
        }
    }
}
