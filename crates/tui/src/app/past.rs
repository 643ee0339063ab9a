//! Another session is open: what was open of the old one goes, and what is known of the new one is taken from its past.
//! Nothing in it waits for an answer or takes time any more.

use super::App;
use crate::dialogs::Approval;
use crate::todos::Todos;
use agent_protocol::{ContextEvent, Event, JournalState, NoticeLevel, SessionEvent, TurnEvent};

impl App {
    pub(super) fn restored(&mut self, events: &[Event]) {
        self.work = None;
        self.queued.clear();
        self.questions.retain(Approval::stands_alone);
        if !self.dialog.as_ref().is_some_and(|dialog| dialog.is_of_the_server()) {
            self.close();
        }
        self.begun = true;
        self.todos = Todos::default();
        let lists = events
            .iter()
            .filter_map(|event| if let Event::Turn(TurnEvent::Todos { items }) = event { Some(items) } else { None });
        lists.for_each(|items| self.todos.take(items.clone()));
    }

    pub(super) fn renamed(&mut self, title: &str) {
        let first_words = || self.transcript.said().into_iter().next().map(|(_, words)| words);
        self.session.rename(title.to_owned(), first_words);
    }

    /// Says what an event changes that the user should know, before the session takes it up. That it is not written down is said
    /// once; the status line shows it from then on.
    pub(super) fn say_what_changes(&mut self, event: &Event) {
        match event {
            Event::Context(ContextEvent::Offered { by, .. })
                if self.session.offered.as_ref().is_some_and(|before| before.by != *by) =>
            {
                self.say(format!("the model {} from now on", by.words()));
            }
            Event::Session(SessionEvent::Journal { state: JournalState::Unkept { why } })
                if self.session.unkept.is_none() =>
            {
                self.transcript.tell(NoticeLevel::Warning, format!("this session is not saved: {why}"));
            }
            _ => {}
        }
    }
}
